// Texts about a game: whose turn it is, what a move did, how the game ended.

import { isInLine } from "../board/state";
import { isLocal } from "./game-ids";
import type { GameSession } from "./game-session";
import type { Effect, GameState } from "./game-state";
import { t } from "./i18n";
import { colourName, isTeam, orderOf, seatName, sideName, sideOf } from "./modes";
import { nameOf, outcomeSentence } from "./outcomes";
import type { Colour, Control, Mode, Outcome, Seat } from "./protocol";

/** The name of a player; players who share this screen may have entered theirs. */
export function playerName(game: GameState, seat: Seat): string {
  const here = game.you.length > 1 && game.you.includes(seat.colour);
  return (here && isLocal(game.id) && seat.name) || seatName(seat, game.you);
}

export function statusLine(game: GameState, session: GameSession | null): string {
  if (session && !session.connected) return t("Connection lost. Trying again…");
  if (session?.elsewhere) return t("This game is open in another tab.");
  if (game.outcome) return outcomeSentence(game, game.outcome);
  if (game.turn === null) return t("Waiting for players.");
  return [outLine(game), passedLine(game), turnLine(game, game.turn)].filter(Boolean).join(" ");
}

function turnLine(game: GameState, turn: Colour): string {
  const seat = game.seats.find((one) => one.colour === turn);
  const name = seat ? playerName(game, seat) : colourName(turn);
  const again = isSecond(game) ? ` ${t("Second move of the same team.")}` : "";
  if (game.you.length === 1 && game.you[0] === turn) {
    const first = game.moves.length < game.seats.length;
    if (first) return t("Your turn: tap a marble, then the way it should go.");
    return t("Your turn.") + again;
  }
  if (game.you.includes(turn)) {
    const colour = colourName(turn);
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

/** For a single player who is out of the game. */
function outLine({ you, seats }: GameState): string {
  const [own, more] = you;
  const out = seats.some(({ colour, out }) => out && colour === own);
  return out && more === undefined ? t("You are out of the game.") : "";
}

/** Who was passed over after the last move, because they have no move. */
export function passedLine(game: GameState): string {
  const sentences = passedOver(game).map((seat) =>
    game.you.length === 1 && game.you[0] === seat
      ? t("You can't move and are passed over.")
      : t("{name} can't move and is passed over.", { name: nameOf(game, seat) }),
  );
  return sentences.join(" ");
}

/** The seats between the last mover and the player to move, but those that are out. */
export function passedOver({ mode, moves, seats, turn }: GameState): Colour[] {
  const last = moves.at(-1)?.seat;
  if (last === undefined || turn === null) return [];
  const order = orderOf(mode);
  const after = order.indexOf(last) + 1;
  const following = [...order.slice(after), ...order.slice(0, after)];
  return following
    .slice(0, following.indexOf(turn))
    .filter((colour) => !seats.some((seat) => seat.colour === colour && seat.out));
}

/** In double turns: the partner has just moved. */
function isSecond({ mode, moves, turn }: GameState): boolean {
  const last = moves.at(-1)?.seat;
  return (
    mode === "teams-double" &&
    turn !== null &&
    last !== undefined &&
    sideOf(mode, last) === sideOf(mode, turn)
  );
}

/** An outcome in a list of games, which addresses no reader. */
export function outcomeLine(mode: Mode, { winner, reason: code }: Outcome): string {
  if (code === "aborted") return t("The game was called off.");
  const reason = reasonName(mode, code);
  if (winner === null) return t("A draw: {reason}.", { reason });
  const why = { side: sideName(mode, winner), reason };
  return isTeam(mode) ? t("{side} win: {reason}.", why) : t("{side} wins: {reason}.", why);
}

function reasonName(mode: Mode, reason: string): string {
  const names: Record<string, string> = {
    ejected: t("enough marbles ejected"),
    "no-move": t("no move left"),
    repetition: t("the position came three times"),
    "ply-limit": t("the move limit is reached"),
    "last-in": t("the last one in the game"),
    resigned: t("the other side resigned"),
    flag: t("time ran out"),
    agreed: mode === "two" ? t("both agreed") : t("all agreed"),
    abandoned: t("the opponent left"),
    aborted: t("called off"),
  };
  return names[reason] ?? reason;
}

/** A move, for screen readers. */
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
