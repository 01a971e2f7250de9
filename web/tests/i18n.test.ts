// Translations: plurals and contexts by the rules of each language.

import { afterEach, describe, expect, it } from "vitest";
import { listed, number, t, tc, tn, useCatalogue } from "../src/domain/i18n";

describe("texts", () => {
  afterEach(() => useCatalogue("en", {}));

  it("have two forms in English without a catalogue", () => {
    expect(tn("{count} game", "{count} games", 1)).toBe("1 game");
    expect(tn("{count} game", "{count} games", 0)).toBe("0 games");
    expect(tn("{count} game", "{count} games", 2)).toBe("2 games");
  });

  it("take the form of the reader's language: in French nothing is singular", () => {
    const forms = ["{count} partie", "{count} parties"];
    useCatalogue("fr", { "{count} game": forms });
    expect([0, 1, 2, 1_000_000].map((count) => tn("{count} game", "{count} games", count))).toEqual(
      ["0 partie", "1 partie", "2 parties", `${number(1_000_000)} parties`],
    );
    useCatalogue("de", { "{count} game": ["{count} Partie", "{count} Partien"] });
    expect([0, 1, 2].map((count) => tn("{count} game", "{count} games", count))).toEqual([
      "0 Partien",
      "1 Partie",
      "2 Partien",
    ]);
  });

  it("fall back to English where a translation is missing or empty", () => {
    useCatalogue("de", { "{count} game": ["", ""], Save: "" });
    expect(tn("{count} game", "{count} games", 1)).toBe("1 game");
    expect(t("Save")).toBe("Save");
    expect(tc("puzzle", "Save")).toBe("Save");
    useCatalogue("de", { "{count} game": "{count} Partie(n)" });
    expect(tn("{count} game", "{count} games", 2)).toBe("2 games");
  });

  it("mean different things in different contexts", () => {
    useCatalogue("de", { Save: "Speichern", "puzzle\u0004Save": "Retten" });
    expect([t("Save"), tc("puzzle", "Save")]).toEqual(["Speichern", "Retten"]);
  });

  it("have numbers and lists as the reader writes them", () => {
    useCatalogue("de", {});
    expect(t("{a} and {b}", { a: 1626, b: 12_345.5 })).toBe("1626 and 12.345,5");
    expect(number(0.5, { style: "percent" })).toBe("50\u00a0%");
    expect(listed(["Anna", "Bernd", "Cem"])).toBe("Anna, Bernd und Cem");
    expect(t("{missing}")).toBe("{missing}");
  });
});
