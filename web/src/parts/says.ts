// A game put into words: whose turn it is, what a move did, how it ended.

import { isInLine } from "../board/state";
import type { Effect, Game } from "../games/game";
import type { PlayedGame } from "../games/played";
import { isLocal } from "../local/ids";
import { colourName, isTeam, seatName, sideName, sideOf } from "../modes";
import type { Colour, Control, Mode, Outcome, Seat } from "../protocol";
import { t } from "../words";

/** What to call a player of a game: those who share this screen may have given their names. */
export function playerName(game: Game, seat: Seat): string {
  const here = game.you.length > 1 && game.you.includes(seat.colour);
  return (here && isLocal(game.id) && seat.name) || seatName(seat, game.you);
}

export function statusLine(game: Game, played: PlayedGame | null): string {
  if (played && !played.connected) return t("Connection lost. Trying again…");
  if (game.outcome) return outcomeLine(game.mode, game.outcome, game.you);
  if (game.turn === null) return t("Waiting for players.");
  const seat = game.seats.find((one) => one.colour === game.turn);
  const name = seat ? playerName(game, seat) : colourName(game.turn);
  const again = isSecond(game) ? ` ${t("Second move of the same team.")}` : "";
  if (game.you.length === 1 && game.you[0] === game.turn) {
    const first = game.moves.length < game.seats.length;
    if (first) return t("Your turn: tap a marble, then the way it should go.");
    return t("Your turn.") + again;
  }
  if (game.you.includes(game.turn)) {
    const colour = colourName(game.turn);
    if (game.moves.length === 0) {
      return name === colour
        ? t("{name} begins.", { name })
        : t("{colour} begins: {name}.", { colour, name });
    }
    return t("{name} to move.", { name }) + again;
  }
  return seat?.kind === "computer"
    ? t("{name} is thinking…", { name }) + again
    : t("Waiting for {name}.", { name }) + again;
}

/** In double turns: the partner has just moved. */
function isSecond({ mode, moves, turn }: Game): boolean {
  const last = moves.at(-1)?.seat;
  return (
    mode === "teams-double" &&
    turn !== null &&
    last !== undefined &&
    sideOf(mode, last) === sideOf(mode, turn)
  );
}

export function outcomeLine(mode: Mode, outcome: Outcome, you: readonly Colour[] = []): string {
  const { winner, reason } = outcome;
  if (reason === "aborted") return t("The game was called off.");
  if (winner === null) return t("A draw: {reason}.", { reason: reasonName(reason) });
  const mine = you.filter((seat) => sideOf(mode, seat) === sideOf(mode, winner));
  const why = { side: sideName(mode, winner), reason: reasonName(reason) };
  if (mine.length > 0 && mine.length === you.length) return t("You win! ({reason})", why);
  return isTeam(mode) ? t("{side} win: {reason}.", why) : t("{side} wins: {reason}.", why);
}

function reasonName(reason: string): string {
  const names: Record<string, string> = {
    ejected: t("enough marbles ejected"),
    "no-move": t("no move left"),
    repetition: t("the position came three times"),
    "ply-limit": t("the move limit is reached"),
    "last-in": t("the last one in the game"),
    resigned: t("the other side resigned"),
    flag: t("time ran out"),
    agreed: t("both agreed"),
    abandoned: t("the opponent left"),
    aborted: t("called off"),
  };
  return names[reason] ?? reason;
}

/** A move for those who hear it. */
export function describeMove(effect: Effect, seat: Colour): string {
  const values = { colour: colourName(seat), move: effect.move, count: effect.pushed.length };
  if (effect.ejected) {
    const ejected = colourName(effect.ejected);
    return t("{colour}: {move}, ejects a marble of {ejected}", { ...values, ejected });
  }
  if (effect.pushed.length > 0) return t("{colour}: {move}, pushes {count}", values);
  if (!isInLine(effect)) return t("{colour}: {move}, side-step", values);
  return t("{colour}: {move}", values);
}

export function controlName(control: Control): string {
  if (control.kind === "none") return t("No clock");
  if (control.ms < 60_000) return t("{seconds} s", { seconds: control.ms / 1000 });
  const minutes = Math.round((control.ms / 60_000) * 10) / 10;
  if (control.kind === "fischer") {
    return t("{minutes} min + {seconds} s", { minutes, seconds: control.increment_ms / 1000 });
  }
  if (control.kind === "delay") {
    return t("{minutes} min, {seconds} s delay", { minutes, seconds: control.delay_ms / 1000 });
  }
  return t("{minutes} min", { minutes });
}
