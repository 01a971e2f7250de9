// How a game ended, for every reason, seat and mode.

import { describe, expect, it } from "vitest";
import { coloursOf, isTeam, MODES, sideOf } from "../src/domain/modes";
import { answersText, offerText } from "../src/play/offers";
import { leavingText, outcomeSentence, outcomeText, type OutcomeGame } from "../src/domain/outcomes";
import { passedOver } from "../src/domain/game-texts";
import type { Colour, EndReason, Mode, Outcome } from "../src/domain/protocol";

const PEOPLE: Partial<Record<Colour, string>> = { black: "Anna", white: "Bernd", red: "Cem" };

function told(mode: Mode, you: readonly Colour[], more: object = {}): OutcomeGame {
  const seats = coloursOf(mode).map((colour) => ({
    colour,
    kind: "person" as const,
    name: PEOPLE[colour] ?? "",
    level: null,
    rating: null,
    online: true,
    out: false,
    guest: false,
  }));
  return { id: "Abc", mode, seats, you, rules: { win_at: 6 }, ...more };
}

const over = (winner: Colour | null, reason: EndReason, by: Colour | null = null): Outcome => ({
  winner,
  reason,
  by,
});

const LOSSES: readonly EndReason[] = ["resigned", "flag", "abandoned", "no-move"];
const OTHERS: readonly EndReason[] = ["ejected", "last-in", "repetition", "ply-limit", "agreed"];

describe("outcomes", () => {
  for (const mode of MODES) {
    for (const reason of [...LOSSES, ...OTHERS, "aborted" as const]) {
      it(`address winner, loser, partner and spectator: ${mode}, ${reason}`, () => {
        const drawn = ["repetition", "ply-limit", "agreed", "aborted"].includes(reason);
        const winner = drawn ? null : "white";
        const by = LOSSES.includes(reason) ? "black" : null;
        const outcome = over(winner, reason, by);
        for (const seat of coloursOf(mode)) {
          const { title, how, tone } = outcomeText(told(mode, [seat]), outcome);
          const won = winner !== null && sideOf(mode, seat) === sideOf(mode, winner);
          expect(tone).toBe(winner === null ? "neutral" : won ? "won" : "lost");
          if (won) expect(title).toBe(isTeam(mode) ? "Your team wins!" : "You win!");
          if (tone === "lost") expect(title).toMatch(/^White( and Blue)? wins? this time$/);
          if (by === seat) expect(how).toMatch(/^You/);
          else expect(how).not.toMatch(/^You (resigned|were|had)|^Your time/);
          if (by && seat === "red" && isTeam(mode)) expect(how).toMatch(/^Your partner/);
          if (by && won && mode === "two") expect(how).toMatch(/^Your opponent/);
          if (by && won && mode !== "two") expect(how).toMatch(/^Black/);
          expect(how).toMatch(/^[A-Z].*\.$/);
        }
        const watched = outcomeText(told(mode, []), outcome);
        expect(watched.tone).toBe("neutral");
        expect(`${watched.title} ${watched.how}`).not.toMatch(/\b[Yy]ou/);
      });
    }
  }

  it("speak for the team where it isn't known which partner lost the game", () => {
    for (const reason of LOSSES) {
      const outcome = over("white", reason);
      const how = (you: readonly Colour[]) => outcomeText(told("teams", you), outcome).how;
      expect(how(["black"])).toMatch(/^Your team/);
      expect(how(["white"])).toMatch(/^The other team/);
      expect(how([])).toMatch(/^Black and Red/);
    }
    const old = { winner: "white", reason: "resigned" } as Outcome;
    expect(outcomeText(told("two", ["black"]), old).how).toBe("You resigned.");
    expect(outcomeText(told("three", ["black"]), old).how).toBe("A player resigned.");
  });

  it("name those who sit at one screen", () => {
    const here = { id: "local-abcdefgh" };
    const two = told("two", ["black", "white"], here);
    expect(outcomeSentence(two, over("black", "flag", "white"))).toBe(
      "Anna wins! Bernd ran out of time.",
    );
    expect(outcomeSentence(two, over("black", "ejected"))).toBe(
      "Anna wins! Anna pushed 6 marbles off the board.",
    );
    const teams = told("teams", ["black", "white", "red", "blue"], here);
    expect(outcomeText(teams, over("white", "ejected")).title).toBe("Bernd and Blue win!");
    const together = told("teams", ["black", "red"], here);
    expect(outcomeText(together, over("red", "ejected")).title).toBe("Your team wins!");
    const three = told("three", ["black", "white", "red"], here);
    expect(outcomeSentence(three, over(null, "agreed"))).toBe("A draw. All agreed.");
    expect(outcomeSentence(two, over(null, "agreed"))).toBe("A draw. Both sides agreed.");
  });

  it("count the marbles", () => {
    const game = told("two", ["black"], { rules: { win_at: 1 } });
    expect(outcomeText(game, over("black", "ejected")).how).toBe(
      "You pushed a marble off the board.",
    );
  });

  it("tell who is out while the others play on", () => {
    const say = (you: Colour, reason: EndReason) =>
      leavingText(told("three", [you]), "white", reason);
    expect(say("white", "flag")).toBe("Your time ran out. The others play on.");
    expect(say("black", "flag")).toBe("White ran out of time. The others play on.");
    expect(say("white", "no-move")).toBe("You had no move left. The others play on.");
    expect(say("red", "resigned")).toBe("White resigned. The others play on.");
  });
});

describe("proposals", () => {
  const game = (mode: Mode, you: readonly Colour[], asker: Colour, agreed: Colour[] = []) => ({
    ...told(mode, you),
    offers: {
      draw: [asker],
      takeback: [asker],
      rematch: [],
      draw_agreed: agreed,
      takeback_agreed: agreed,
    },
  });
  const draw = (...given: Parameters<typeof game>) => {
    const offered = game(...given);
    const [asker] = offered.offers.draw as [Colour];
    return `${offerText(offered, "draw", asker)} ${answersText(offered, "draw", asker)}`.trim();
  };

  it("are the opponent's, a partner's or one's own", () => {
    expect(draw("two", ["white"], "black")).toBe("Your opponent offers a draw.");
    expect(draw("two", ["black"], "black")).toBe("You offered a draw.");
    expect(draw("teams", ["black"], "red")).toBe(
      "Your partner offers a draw. White and Blue are asked.",
    );
    expect(draw("teams", ["white"], "red")).toBe("Red offers a draw.");
    expect(offerText(game("teams", ["red"], "black"), "takeback", "black")).toBe(
      "Your partner asks to take a move back.",
    );
  });

  it("show among three who has accepted and who is still asked", () => {
    expect(draw("three", ["black"], "black")).toBe("You offered a draw. White and Red are asked.");
    expect(draw("three", ["black"], "black", ["white"])).toBe(
      "You offered a draw. White has accepted. Red is asked.",
    );
    expect(draw("three", ["white"], "black", ["white"])).toBe(
      "Black offers a draw. You have accepted. Red is asked.",
    );
    expect(draw("three", ["red"], "black", ["white"])).toBe(
      "Black offers a draw. White has accepted.",
    );
  });

  it("ask nobody who is out", () => {
    const offered = game("three", ["black"], "black");
    const seats = offered.seats.map((seat) => ({ ...seat, out: seat.colour === "white" }));
    expect(answersText({ ...offered, seats }, "draw", "black")).toBe("Red is asked.");
  });
});

describe("players without a move", () => {
  const after = (mode: Mode, seat: Colour, turn: Colour, out: readonly Colour[] = []) => {
    const game = told(mode, []);
    const seats = game.seats.map((one) => ({ ...one, out: out.includes(one.colour) }));
    return passedOver({ ...game, seats, moves: [{ seat }], turn } as never);
  };

  it("are those between the last mover and the player to move", () => {
    expect(after("three", "black", "white")).toEqual([]);
    expect(after("three", "black", "red")).toEqual(["white"]);
    expect(after("three", "red", "white")).toEqual(["black"]);
    expect(after("three", "black", "black")).toEqual(["white", "red"]);
    expect(after("three", "black", "red", ["white"])).toEqual([]);
    expect(after("teams-double", "black", "red")).toEqual([]);
    expect(after("teams", "black", "red")).toEqual(["white"]);
  });
});
