// The sentence about a finished game: what was special, seen from each seat.

import { describe, expect, it } from "vitest";
import type { Colour, EndReason, Mode } from "../src/domain/protocol";
import { storyOf } from "../src/play/story";

/** A game in which sides eject in this order; a dot is a round without. */
function game(course: string, you: readonly Colour[], mode: Mode = "two", reason: EndReason = "ejected") {
  const moves = [...course].flatMap((one) => {
    const quiet = (seat: Colour) => ({ seat, ejected: null });
    const eject = (seat: Colour, ejected: Colour) => ({ seat, ejected });
    if (one === "b") return [eject("black", "white"), quiet("white")];
    if (one === "w") return [quiet("black"), eject("white", "black")];
    return [quiet("black"), quiet("white")];
  });
  const winner = (course.match(/b/g)?.length ?? 0) >= 6 ? "black" : "white";
  const seats = (["black", "white"] as const).map((colour) => ({ colour, kind: "person", name: "" }));
  return {
    id: "Abc",
    mode,
    you,
    seats,
    moves,
    start: "… b 0,0 0 1",
    rules: { win_at: 6 },
    outcome: { winner, reason, by: null },
  } as unknown as Parameters<typeof storyOf>[0];
}

const AT_LENGTH = ".".repeat(20);

describe("the story of a game", () => {
  it("is a comeback for the winner, a lost lead for the loser", () => {
    const course = `wwww${AT_LENGTH}bbbbbb`;
    expect(storyOf(game(course, ["black"]))).toBe("You came back from 0 : 4.");
    expect(storyOf(game(course, ["white"]))).toBe("You led 4 : 0, then the game turned.");
    expect(storyOf(game(course, []))).toBe("Black came back from 0 : 4.");
  });

  it("names a win by one marble, and one without a loss", () => {
    expect(storyOf(game(`bwbwbwbwbw${AT_LENGTH}b`, ["black"]))).toBe("It came down to the last marble.");
    expect(storyOf(game(`${AT_LENGTH}bbbbbb`, ["black"]))).toBe("You didn't lose a single marble.");
    expect(storyOf(game(`${AT_LENGTH}bbbbbb`, []))).toBe("Black didn't lose a single marble.");
  });

  it("does not rub a defeat in", () => {
    expect(storyOf(game(`${AT_LENGTH}bbbbbb`, ["white"]))).toBeNull();
  });

  it("names short games and long beginnings", () => {
    expect(storyOf(game("bwbwbbbb", ["black"]))).toBe("It was over after 16 moves.");
    const course = `${".".repeat(40)}bwbwbbbb`;
    expect(storyOf(game(course, ["black"]))).toBe("The first marble left the board only on move 41.");
  });

  it("says nothing where nothing was special or marbles decided nothing", () => {
    expect(storyOf(game(`bw${AT_LENGTH}bwbbbb`, ["black"]))).toBeNull();
    expect(storyOf(game(`wwww${AT_LENGTH}bbbbbb`, ["black"], "two", "resigned"))).toBeNull();
    expect(storyOf(game(`wwww${AT_LENGTH}bbbbbb`, ["black"], "three"))).toBeNull();
  });
});
