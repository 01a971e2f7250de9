// The state of the analysis board: the study that is shown, and the engine beside it. The page
// draws it; this knows no DOM.

import type { Annotation, Effect } from "../board/state";
import { t, tn } from "../domain/i18n";
import { toast } from "../domain/messages";
import { sideOf, sidesOf } from "../domain/modes";
import type { Mode, Outcome } from "../domain/protocol";
import { errorText } from "../record/errors";
import { recordFromLink } from "../record/links";
import type { Referee } from "../record/record";
import { referee } from "../record/referee";
import { recordFromQuery, studyFromText } from "../record/sources";
import { START, Study } from "../record/study";
import { EngineSession } from "./engine-session";
import { type EngineSettings, loadEngineSettings, saveEngineSettings } from "./engine-settings";
import { isServerEngineOffered } from "./server-engine";

const MAX_ARROWS = 3;

interface Callbacks {
  /** Something that is drawn has changed. */
  readonly changed: () => void;
  /** Another position is shown. */
  readonly moved: () => void;
  /** The address no longer says what is shown; a reload brings back what was stored. */
  readonly edited: () => void;
}

export class AnalysisController {
  /** Null until it is loaded. */
  study: Study | null = null;
  /** Grows with each change of the study. */
  version = 0;
  engineSettings: EngineSettings = loadEngineSettings();
  isServerOffered = false;
  /** Why there is no board. */
  failed = "";
  private query: string | null = null;
  private isVisible = true;

  constructor(
    private readonly on: Callbacks,
    readonly engine: EngineSession = new EngineSession(),
  ) {}

  /** The page is shown: follow the engine, and ask whether the server lends its own. */
  async open(): Promise<void> {
    this.engine.addEventListener("change", this.on.changed);
    this.isServerOffered = await isServerEngineOffered();
    this.on.changed();
    if (this.isServerOffered && this.engineSettings.useServer) this.restartSearch();
  }

  /** The page is left: store the study and end the search. */
  close(): void {
    this.query = null;
    this.isVisible = false;
    this.engine.removeEventListener("change", this.on.changed);
    this.engine.close();
    this.save();
  }

  /** Show what a query asks for; with none, what was shown last. */
  async load(query: string): Promise<void> {
    this.query = query;
    this.failed = "";
    try {
      const judging = await referee();
      const opened = await Study.lastOpened(judging);
      const requested = await this.studyFromQuery(query, judging);
      if (query === this.query) this.show(requested ?? opened ?? Study.from(judging, START));
    } catch (error) {
      if (query !== this.query) return;
      this.failed = errorText(error);
      this.on.changed();
    }
  }

  /** Null if the query asks for nothing, or for something that can't be read. */
  private async studyFromQuery(query: string, judging: Referee): Promise<Study | null> {
    try {
      const found =
        (await recordFromQuery(query, judging)) ?? (await recordFromLink(query, judging));
      if (!found) return null;
      const study = new Study(judging, [found.record]);
      study.go(found.node);
      return study;
    } catch (error) {
      toast(errorText(error));
      return null;
    }
  }

  /**
   * Open a text: records, a position of any form, or a link of ours. Return whether it could be
   * read.
   */
  async openText(text: string): Promise<boolean> {
    try {
      const study = await studyFromText(text, await referee());
      this.showOwn(study);
      study.putOnBoard();
      warnOfErrors(study);
      return true;
    } catch (error) {
      toast(errorText(error));
      return false;
    }
  }

  /** Open one of the reader's own analyses. Return whether it is shown. */
  async openAnalysis(id: string): Promise<boolean> {
    if (id === this.study?.analysis) return true;
    const study = await Study.open(await referee(), id);
    if (study === null) {
      toast(t("This analysis can't be opened."));
      return false;
    }
    this.showOwn(study);
    return true;
  }

  /** Begin with an empty record. */
  openNew(): void {
    if (!this.study) return;
    const study = Study.from(this.study.referee, START);
    this.showOwn(study);
    study.putOnBoard();
  }

  /** Store the study if it is the reader's own. */
  save(): void {
    this.study?.save();
  }

  private showOwn(study: Study): void {
    this.show(study);
    this.on.edited();
  }

  private show(study: Study): void {
    this.save();
    this.study?.removeEventListener("change", this.moved);
    this.study?.removeEventListener("edit", this.on.edited);
    this.study = study;
    study.addEventListener("change", this.moved);
    study.addEventListener("edit", this.on.edited);
    this.moved();
  }

  private readonly moved = () => {
    this.version++;
    this.on.moved();
    this.on.changed();
    this.restartSearch();
  };

  // The engine.

  /** A hidden page searches nothing. */
  setVisible(isVisible: boolean): void {
    this.isVisible = isVisible;
    this.restartSearch();
  }

  updateEngineSettings(change: Partial<EngineSettings>): void {
    this.storeEngineSettings(change);
    this.restartSearch();
  }

  /** Open or close the opening explorer, which leaves the search alone. */
  showOpenings(openings: boolean): void {
    if (openings !== this.engineSettings.openings) this.storeEngineSettings({ openings });
  }

  private storeEngineSettings(change: Partial<EngineSettings>): void {
    this.engineSettings = { ...this.engineSettings, ...change };
    saveEngineSettings(this.engineSettings);
    this.on.changed();
  }

  private restartSearch(): void {
    const { on, lines, threat, useServer } = this.engineSettings;
    const board = on && this.isVisible ? (this.study?.board ?? null) : null;
    this.engine.analyse(board, { lines, threat, useServer: this.isServerOffered && useServer });
  }

  /** The chances of all sides in the shown position; null while they aren't known. */
  get chances(): readonly number[] | null {
    const { result } = this.engine;
    if (result && !result.isThreat) return result.chances;
    const board = this.study?.board;
    return board?.outcome ? certainChances(board.mode as Mode, board.outcome as Outcome) : null;
  }

  /** What was drawn, and arrows for the engine's best moves. */
  annotations(): Annotation[] {
    const { study } = this;
    if (!study) return [];
    const drawn = study.node.shapes.map(
      ({ from, to }): Annotation =>
        to === null ? { kind: "ring", from } : { kind: "arrow", from, to },
    );
    return [...this.engineArrows(), ...drawn];
  }

  private engineArrows(): Annotation[] {
    const { result } = this.engine;
    if (!result || !this.engineSettings.arrows) return [];
    const moves = result.lines.slice(0, result.isThreat ? 1 : MAX_ARROWS).map(({ move }) => move);
    return this.effectsOf(moves).map((effect, rank): Annotation => {
      const kind = result.isThreat ? "threat" : rank === 0 ? "best" : "good";
      return { kind, effect };
    });
  }

  /** The effects of the engine's moves; those of a threat have another player to move. */
  private effectsOf(moves: readonly string[]): Effect[] {
    const { study, engine } = this;
    const board = engine.result?.isThreat ? engine.analysedBoard : study?.board;
    return moves.flatMap((move) => {
      try {
        return board ? [board.effect(move)] : [];
      } catch {
        return []; // a result about the position before
      }
    });
  }
}

function warnOfErrors({ records }: Study): void {
  const errors = records.flatMap((record) => record.errors);
  if (errors.length === 0) return;
  toast(
    tn(
      "{count} game has errors; the first: {fault}",
      "{count} games have errors; the first: {fault}",
      new Set(errors.map(({ place }) => place.game)).size,
      { fault: errorText(errors[0]) },
    ),
  );
}

/** The chances in a game that is over; null for a draw. */
function certainChances(mode: Mode, { winner }: Outcome): number[] | null {
  if (winner === null) return null;
  const won = sideOf(mode, winner);
  return sidesOf(mode).map((_, side) => (side === won ? 1 : 0));
}
