// Texts about how a game ended and how players left it, for winner, loser, partner, people at one
// screen and spectators.

import { isLocal } from "./game-ids";
import type { GameState } from "./game-state";
import { t, tn } from "./i18n";
import { colourName, isTeam, sideOf, sidesOf } from "./modes";
import type { Colour, EndReason, Outcome } from "./protocol";

/** The part of a game on which these texts depend. */
export type OutcomeGame = Pick<GameState, "id" | "mode" | "seats" | "you"> & {
  readonly rules: Pick<GameState["rules"], "win_at">;
};

export interface OutcomeText {
  readonly title: string;
  /** What decided it: one sentence. */
  readonly how: string;
  /** Has the reader won or lost? At one screen, and for spectators, neither. */
  readonly tone: "won" | "lost" | "neutral";
}

/** The name of a seat: its colour, or at one screen the name that was entered. */
export function nameOf({ id, seats, you }: Pick<GameState, "id" | "seats" | "you">, seat: Colour) {
  const here = isLocal(id) && you.length > 1 && you.includes(seat);
  const name = seats.find(({ colour }) => colour === seat)?.name;
  return (here && name) || colourName(seat);
}

/** The name of the side of a seat. */
export function sideNameOf(game: Pick<GameState, "id" | "seats" | "you" | "mode">, seat: Colour) {
  const [one = seat, other] = sidesOf(game.mode)[sideOf(game.mode, seat)] ?? [];
  if (other === undefined) return nameOf(game, one);
  return t("{one} and {other}", { one: nameOf(game, one), other: nameOf(game, other) });
}

/** An outcome as its reader sees it. */
export function outcomeText(game: OutcomeGame, outcome: Outcome): OutcomeText {
  const tone = toneOf(game, outcome);
  return { title: titleOf(game, outcome, tone), how: howOf(game, outcome, tone), tone };
}

/** An outcome in a line. */
export function outcomeSentence(game: OutcomeGame, outcome: Outcome): string {
  const { title, how } = outcomeText(game, outcome);
  return `${/[.!?]$/.test(title) ? title : `${title}.`} ${how}`;
}

function toneOf({ mode, you }: OutcomeGame, { winner }: Outcome): OutcomeText["tone"] {
  if (winner === null || you.length === 0) return "neutral";
  const winning = you.filter((seat) => sideOf(mode, seat) === sideOf(mode, winner)).length;
  if (winning === you.length) return "won";
  return winning === 0 ? "lost" : "neutral";
}

function titleOf(
  game: OutcomeGame,
  { winner, reason }: Outcome,
  tone: OutcomeText["tone"],
): string {
  const team = isTeam(game.mode);
  if (reason === "aborted") return t("The game was called off.");
  if (winner === null) return t("A draw");
  if (tone === "won") return team ? t("Your team wins!") : t("You win!");
  const side = sideNameOf(game, winner);
  if (tone === "lost") {
    return team ? t("{side} win this time", { side }) : t("{side} wins this time", { side });
  }
  return team ? t("{side} win!", { side }) : t("{side} wins!", { side });
}

function howOf(game: OutcomeGame, outcome: Outcome, tone: OutcomeText["tone"]): string {
  const { reason, winner } = outcome;
  const team = isTeam(game.mode);
  switch (reason) {
    case "ejected":
      return ejectedText(game, winner, tone);
    case "last-in":
      return lastInText(game, winner, tone);
    case "repetition":
      return t("The same position came three times.");
    case "ply-limit":
      return t("The agreed number of moves is reached.");
    case "agreed":
      return team || game.mode === "three" ? t("All agreed.") : t("Both sides agreed.");
    case "aborted":
      return t("It doesn't count.");
    default:
      return whoLost(game, outcome, tone)(reason);
  }
}

function ejectedText(game: OutcomeGame, winner: Colour | null, tone: OutcomeText["tone"]): string {
  const count = game.rules.win_at;
  const side = winner ? sideNameOf(game, winner) : "";
  if (isTeam(game.mode)) {
    return tone === "won"
      ? tn(
          "Together you pushed a marble off the board.",
          "Together you pushed {count} marbles off the board.",
          count,
        )
      : tn(
          "Together {side} pushed a marble off the board.",
          "Together {side} pushed {count} marbles off the board.",
          count,
          { side },
        );
  }
  return tone === "won"
    ? tn("You pushed a marble off the board.", "You pushed {count} marbles off the board.", count)
    : tn(
        "{side} pushed a marble off the board.",
        "{side} pushed {count} marbles off the board.",
        count,
        { side },
      );
}

function lastInText(game: OutcomeGame, winner: Colour | null, tone: OutcomeText["tone"]): string {
  const side = winner ? sideNameOf(game, winner) : "";
  if (isTeam(game.mode)) {
    return tone === "won"
      ? t("The other team is out of the game.")
      : t("{side} are the last ones in the game.", { side });
  }
  return tone === "won"
    ? t("You are the last one in the game.")
    : t("{side} is the last one in the game.", { side });
}

/** Makes the sentence about the player who lost by a reason. */
type Loss = (reason: EndReason) => string;

function whoLost(
  game: OutcomeGame,
  { winner, by = null }: Outcome,
  tone: OutcomeText["tone"],
): Loss {
  const losers = sidesOf(game.mode).filter((side) => winner !== null && !side.includes(winner));
  const [side] = losers.length === 1 ? losers : [];
  const seat = by ?? (side?.length === 1 ? (side[0] ?? null) : null);
  if (seat !== null) return lossOf(game, seat);
  if (side === undefined) return ofSomebody;
  if (tone === "lost") return ofYourTeam;
  if (tone === "won") return ofTheOtherTeam;
  return ofTeam(sideNameOf(game, side[0] as Colour));
}

function lossOf(game: OutcomeGame, seat: Colour): Loss {
  const [own, more] = game.you;
  const alone = own !== undefined && more === undefined;
  if (alone && own === seat) return ofYou;
  if (alone && sideOf(game.mode, own) === sideOf(game.mode, seat)) return ofYourPartner;
  if (alone && game.mode === "two") return ofYourOpponent;
  return ofPlayer(nameOf(game, seat));
}

/** One of three is out, and the others play on. */
export function leavingText(game: OutcomeGame, seat: Colour, reason: EndReason): string {
  return `${lossOf(game, seat)(reason)} ${t("The others play on.")}`;
}

const sentenceFor = (reason: EndReason, texts: Partial<Record<EndReason, string>>) =>
  texts[reason] ?? reason;

const ofYou: Loss = (reason) =>
  sentenceFor(reason, {
    resigned: t("You resigned."),
    flag: t("Your time ran out."),
    abandoned: t("You were away for too long."),
    "no-move": t("You had no move left."),
  });

const ofYourPartner: Loss = (reason) =>
  sentenceFor(reason, {
    resigned: t("Your partner resigned."),
    flag: t("Your partner's time ran out."),
    abandoned: t("Your partner was away for too long."),
    "no-move": t("Your partner had no move left."),
  });

const ofYourOpponent: Loss = (reason) =>
  sentenceFor(reason, {
    resigned: t("Your opponent resigned."),
    flag: t("Your opponent's time ran out."),
    abandoned: t("Your opponent left the game."),
    "no-move": t("Your opponent had no move left."),
  });

const ofYourTeam: Loss = (reason) =>
  sentenceFor(reason, {
    resigned: t("Your team resigned."),
    flag: t("Your team's time ran out."),
    abandoned: t("Your team was away for too long."),
    "no-move": t("Your team had no move left."),
  });

const ofTheOtherTeam: Loss = (reason) =>
  sentenceFor(reason, {
    resigned: t("The other team resigned."),
    flag: t("The other team's time ran out."),
    abandoned: t("The other team left the game."),
    "no-move": t("The other team had no move left."),
  });

const ofSomebody: Loss = (reason) =>
  sentenceFor(reason, {
    resigned: t("A player resigned."),
    flag: t("A player's time ran out."),
    abandoned: t("A player left the game."),
    "no-move": t("There was no move left."),
  });

function ofPlayer(name: string): Loss {
  return (reason) =>
    sentenceFor(reason, {
      resigned: t("{name} resigned.", { name }),
      flag: t("{name} ran out of time.", { name }),
      abandoned: t("{name} left the game.", { name }),
      "no-move": t("{name} had no move left.", { name }),
    });
}

/** Sentences about a team that lost. */
function ofTeam(side: string): Loss {
  return (reason) =>
    sentenceFor(reason, {
      resigned: t("{side} have resigned.", { side }),
      flag: t("{side} have run out of time.", { side }),
      abandoned: t("{side} have left the game.", { side }),
      "no-move": t("{side} have no move left.", { side }),
    });
}
