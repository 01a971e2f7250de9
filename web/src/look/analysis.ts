// The analysis board: any position or record, to walk through, to try moves on, to comment, with the
// engine beside it.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Mark } from "../board/marks";
import { apply, type Effect, readMarbles } from "../board/state";
import { hasServer } from "../local/site";
import { colourName, sideOf, sidesOf } from "../modes";
import { wordsSwitch } from "../parts/formations";
import { type IconName, icon } from "../parts/icon";
import { copy } from "../parts/invite";
import { attempt, Part, toast } from "../parts/part";
import { outcomeLine } from "../parts/says";
import type { Mode, Outcome } from "../protocol";
import { sentenceOf } from "../record/faults";
import { inAddress } from "../record/position";
import { referee } from "../record/referee";
import { playersOf } from "../record/tags";
import type { Node, Shape } from "../record/tree";
import { GLYPHS } from "../record/tree";
import { address, go } from "../router";
import { settings } from "../settings";
import { t } from "../words";
import "../parts/move-list.css";
import "../parts/play-area.css";
import { isOffered } from "./deeper";
import { engineFacts, engineLines } from "./engine-lines";
import { evalBar } from "./eval-bar";
import { gameAsked, studyOf } from "./given";
import { asked as askedBy, linkTo, linkToAll } from "./links";
import { LiveEngine } from "./live";
import type { Spoken } from "./look-board";
import "./look-board";
import "./look.css";
import "./open-dialog";
import "./openings";
import { START, Study } from "./study";
import "./tree-view";
import { type EngineWish, engineWish, rememberEngine } from "./wish";

const MOST_LINES = 5;

class AnalysisPage extends Part {
  static override properties = {
    asked: { attribute: false },
    study: { state: true },
    version: { state: true },
    flips: { state: true },
    wish: { state: true },
    drawing: { state: true },
    said: { state: true },
    dialog: { state: true },
    dropping: { state: true },
    offered: { state: true },
  };
  declare asked: string;
  declare study: Study | null;
  declare version: number;
  declare flips: number;
  declare wish: EngineWish;
  declare drawing: boolean;
  declare said: Spoken;
  declare dialog: "open" | null;
  declare dropping: boolean;
  /** The server lends its engine. */
  declare offered: boolean;
  private readonly live = new LiveEngine();
  private readonly heard = () => this.requestUpdate();
  private readonly changed = () => this.shown();
  private readonly edited = () => this.ownWork();

  constructor() {
    super();
    this.study = null;
    this.version = 0;
    this.flips = 0;
    this.wish = engineWish();
    this.drawing = false;
    this.said = "";
    this.dialog = null;
    this.dropping = false;
    this.offered = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.live.addEventListener("change", this.heard);
    addEventListener("keydown", this.key);
    addEventListener("dragover", this.over);
    addEventListener("drop", this.drop);
    addEventListener("pagehide", this.leaving);
    document.addEventListener("visibilitychange", this.seen);
    settings.addEventListener("change", this.heard);
    document.title = `${t("Analysis")} – Sumito`;
    void this.offer();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.live.removeEventListener("change", this.heard);
    this.live.close();
    removeEventListener("keydown", this.key);
    removeEventListener("dragover", this.over);
    removeEventListener("drop", this.drop);
    removeEventListener("pagehide", this.leaving);
    document.removeEventListener("visibilitychange", this.seen);
    settings.removeEventListener("change", this.heard);
    this.study?.keep();
    document.title = "Sumito";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("asked")) void this.load(this.asked);
  }

  // What is shown.

  private async load(query: string): Promise<void> {
    const judge = await referee();
    try {
      const given = (await gameAsked(query, judge)) ?? (await askedBy(query, judge));
      if (this.asked !== query || !this.isConnected) return;
      if (given) {
        const study = new Study(judge, [given.record]);
        study.go(given.node);
        this.take(study);
      } else this.take(Study.kept(judge) ?? Study.from(judge, START));
    } catch (error) {
      toast(sentenceOf(error));
      if (this.asked === query) this.take(Study.kept(judge) ?? Study.from(judge, START));
    }
  }

  private take(study: Study): void {
    this.study?.removeEventListener("change", this.changed);
    this.study?.removeEventListener("edit", this.edited);
    this.study = study;
    study.addEventListener("change", this.changed);
    study.addEventListener("edit", this.edited);
    this.shown();
  }

  private shown(): void {
    this.version++;
    this.said = "";
    this.consider();
  }

  private consider(): void {
    const { on, lines, threat } = this.wish;
    const awake = on && !document.hidden;
    const deeper = this.offered && this.wish.deeper;
    this.live.look(awake ? (this.study?.board ?? null) : null, { lines, threat, deeper });
  }

  private async offer(): Promise<void> {
    this.offered = await isOffered();
    if (this.offered && this.wish.deeper && this.isConnected) this.consider();
  }

  private readonly seen = () => this.consider();
  private readonly leaving = () => this.study?.keep();

  /** From now on the address doesn't tell what is shown, and a reload brings back what was kept. */
  private ownWork(): void {
    if (this.asked) history.replaceState(null, "", address("/analysis"));
  }

  private wishFor(change: Partial<EngineWish>): void {
    this.wish = { ...this.wish, ...change };
    rememberEngine(this.wish);
    this.consider();
  }

  // What comes from outside.

  private readonly over = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.dropping = true;
  };

  private readonly drop = (event: DragEvent) => {
    this.dropping = false;
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void attempt(async () => this.open(await file.text()));
  };

  /** Show a text: records, a position of any form, or a link of ours. */
  private async open(text: string): Promise<void> {
    const judge = await referee();
    try {
      this.take(await studyOf(text, judge));
      this.ownWork();
      this.study?.keep();
      this.dialog = null;
      const faults = this.study?.records.flatMap((record) => record.faults) ?? [];
      if (faults.length > 0)
        toast(
          t("{count} games have faults; the first: {fault}", {
            count: new Set(faults.map(({ place }) => place.game)).size,
            fault: sentenceOf(faults[0]),
          }),
        );
    } catch (error) {
      toast(sentenceOf(error));
    }
  }

  private readonly key = (event: KeyboardEvent) => {
    const { target, key } = event;
    const busy =
      target instanceof Element && target.closest("input, textarea, select, dialog, [role=grid]");
    const { study } = this;
    if (busy || !study || event.ctrlKey || event.metaKey || event.altKey) return;
    const acts: Record<string, () => void> = {
      ArrowLeft: () => study.back(),
      ArrowRight: () => study.forward(),
      ArrowUp: () => study.beside(-1),
      ArrowDown: () => study.beside(1),
      Home: () => study.toStart(),
      End: () => study.toEnd(),
      f: () => this.flip(),
      e: () => this.wishFor({ on: !this.wish.on }),
      x: () => this.wishFor({ threat: !this.wish.threat }),
    };
    const act = acts[key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  private flip(): void {
    this.flips = (this.flips + 3) % 6;
  }

  // Drawing.

  override render(): TemplateResult {
    const { study } = this;
    const mode = (study?.record.mode ?? "two") as Mode;
    const insight = this.live.insight;
    const over = study?.board.outcome as Outcome | null | undefined;
    const chances =
      insight && !insight.isThreat ? insight.chances : over ? certain(mode, over) : null;
    return html`<div class="look-page ${this.dropping ? "dropping" : ""}">
      <h1 class="hidden">${t("Analysis")}</h1>
      ${this.wish.on ? evalBar(mode, chances) : nothing}
      <sumito-look-board
        .board=${study?.board ?? null}
        .last=${study?.node.effect ?? null}
        .marks=${this.marks()}
        .turns=${this.flips}
        .drawing=${this.drawing}
        @play=${(event: CustomEvent<Effect>) => study?.play(event.detail.move)}
        @draw=${(event: CustomEvent<Shape>) => study?.draw(event.detail)}
        @say=${(event: CustomEvent<Spoken>) => {
          this.said = event.detail;
        }}
      ></sumito-look-board>
      <p class="look-hint ${this.said ? "reason" : ""}" aria-live="polite">${this.said || this.status()}</p>
      <section class="panel" aria-label=${t("Analysis")}>
        ${study ? this.panel(study, mode) : nothing}
      </section>
      <sumito-open-dialog
        .open=${this.dialog === "open"}
        @close=${() => {
          this.dialog = null;
        }}
        @text=${(event: CustomEvent<string>) => this.open(event.detail)}
      ></sumito-open-dialog>
    </div>`;
  }

  private status(): string {
    const { study } = this;
    if (!study) return t("The board is on its way…");
    const { board } = study;
    const outcome = board.outcome as Outcome | null;
    if (outcome) return outcomeLine(board.mode as Mode, outcome);
    return t("{name} to move.", { name: colourName(board.turn) });
  }

  private marks(): Mark[] {
    const { study } = this;
    if (!study) return [];
    const drawn = study.node.shapes.map(
      ({ from, to }): Mark => (to === null ? { kind: "ring", from } : { kind: "arrow", from, to }),
    );
    const { insight } = this.live;
    if (!insight || !this.wish.arrows) return drawn;
    const kind = (rank: number) => (insight.isThreat ? "threat" : rank === 0 ? "best" : "good");
    const moves = insight.lines.slice(0, insight.isThreat ? 1 : 3);
    return [
      ...this.effects(moves.map(({ move }) => move)).map(
        (effect, rank): Mark => ({ kind: kind(rank), effect }),
      ),
      ...drawn,
    ];
  }

  /** What the engine's moves do; a threat's are those of a board with another player to move. */
  private effects(moves: readonly string[]): Effect[] {
    const { study, live } = this;
    if (!study || !live.insight) return [];
    const board = live.insight.isThreat ? live.looked : study.board;
    return moves.flatMap((move) => {
      try {
        return board ? [board.effect(move)] : [];
      } catch {
        return []; // told of the position before
      }
    });
  }

  private panel(study: Study, mode: Mode): TemplateResult {
    return html`
      ${this.head(study)} ${this.engine(study, mode)}
      ${hasServer ? this.openings(study) : nothing}
      <div class="card tree-card">
        ${this.steps(study)}
        <sumito-tree
          class="tree"
          tabindex="0"
          role="region"
          aria-label=${t("Moves")}
          .root=${study.record.root}
          .node=${study.node}
          .version=${this.version}
          @show=${(event: CustomEvent<Node>) => study.go(event.detail)}
        ></sumito-tree>
        ${this.annotate(study)}
      </div>
    `;
  }

  private head(study: Study): TemplateResult {
    const { records, record } = study;
    const faults = record.faults.map(sentenceOf);
    const named = record.tags.Black !== "?" || record.tags.White !== "?";
    return html`<div class="look-head">
        ${
          records.length > 1
            ? html`<select
                aria-label=${t("Game")}
                @change=${(event: Event) => study.choose(Number((event.target as HTMLSelectElement).value))}
              >
                ${records.map(
                  ({ tags }, index) =>
                    html`<option value=${index} ?selected=${index === study.game}>
                      ${index + 1}. ${playersOf(tags)} ${tags.Result ?? ""}
                    </option>`,
                )}
              </select>`
            : html`<span class="names">${named ? `${playersOf(record.tags)}  ${record.tags.Result === "*" ? "" : (record.tags.Result ?? "")}` : ""}</span>`
        }
        <button
          class="quiet round"
          aria-label=${t("Open a record or a position")}
          title=${t("Open a record or a position")}
          @click=${() => {
            this.dialog = "open";
          }}
        >
          ${icon("open")}
        </button>
        <button class="quiet round" popovertarget="look-menu" aria-label=${t("More")} title=${t("More")}>
          ${icon("more")}
        </button>
        <div id="look-menu" class="menu" popover>${this.menu(study)}</div>
      </div>
      ${faults.length > 0 ? html`<p class="faults" role="alert">${faults[0]}</p>` : nothing}`;
  }

  private menu(study: Study): TemplateResult {
    return html`<div class="tools" @click=${() => this.hideMenu()}>
      ${this.tool("flip", t("Turn the board"), () => this.flip())}
      ${this.tool("board", t("Set up a position"), () => this.setUp(study))}
      ${this.tool("play", t("Play on from here"), () => this.setUp(study))}
      ${this.tool("curve", t("Review this game"), () => this.review(study))}
      ${this.tool("download", t("Save as a record"), () => this.save(study))}
      ${this.tool("invite", t("Link to this position"), () => copy(linkTo(study.record, study.node)))}
      ${this.tool("share", t("Link to everything"), () => this.shareAll(study))}
      ${this.tool("picture", t("Picture"), () => this.picture(study))}
      ${this.tool("play", t("Film of the line"), () => this.film(study))}
      ${this.tool("code", t("Embed in a page"), () => this.embed(study))}
      ${this.tool("copy", t("Copy the position"), () => this.copyText(study.board.position))}
      ${this.tool("again", t("A new board"), () => this.fresh(study))}
    </div>`;
  }

  private hideMenu(): void {
    this.querySelector<HTMLElement>("#look-menu")?.hidePopover();
  }

  private tool(name: IconName, text: string, act: () => void): TemplateResult {
    return html`<button class="quiet" @click=${act}>${icon(name)} ${text}</button>`;
  }

  /** In the editor one also chooses how to play on. */
  private setUp(study: Study): void {
    study.keep();
    go(`/editor?position=${inAddress(study.board.position)}`);
  }

  private review(study: Study): void {
    study.keep();
    go("/review");
  }

  private async save(study: Study): Promise<void> {
    const { saveText } = await import("../local/record");
    saveText(study.text(), "sumito-analysis.apgn");
  }

  private async shareAll(study: Study): Promise<void> {
    await attempt(async () => copy(await linkToAll(study.record, study.referee)));
  }

  private picture(study: Study): Promise<void> {
    return attempt(async () => {
      const { sharePosition } = await import("../share/share");
      await sharePosition(readMarbles(study.board.position), this.flips, "sumito-position");
    });
  }

  /** From the start of the record to the end of the line that is shown. */
  private film(study: Study): Promise<void> {
    return attempt(async () => {
      const { shareLine } = await import("../share/share");
      const frames = [readMarbles(study.record.start)];
      for (const { effect } of [...study.node.path(), ...study.node.line()]) {
        const before = frames.at(-1);
        if (before && effect) frames.push(apply(before, effect));
      }
      await shareLine(frames, this.flips, "sumito-line");
    });
  }

  /** What to put into a page of one's own. */
  private embed(study: Study): Promise<void> {
    const address = linkTo(study.record, study.node, "/embed").replaceAll("&", "&amp;");
    return this.copyText(
      `<iframe src="${address}" width="480" height="520" title="Sumito" loading="lazy"></iframe>`,
    );
  }

  private async copyText(text: string): Promise<void> {
    await navigator.clipboard.writeText(text).then(
      () => toast(t("Copied.")),
      () => toast(text),
    );
  }

  private fresh(study: Study): void {
    this.take(Study.from(study.referee, START));
    this.ownWork();
    this.study?.keep();
  }

  private engine(study: Study, mode: Mode): TemplateResult {
    const { on, lines, threat, arrows } = this.wish;
    const { insight, failed } = this.live;
    return html`<div class="card engine-card">
      <div class="engine-head">
        <label class="engine-switch" title=${t("Engine")}>
          <input
            type="checkbox"
            role="switch"
            .checked=${on}
            @change=${() => this.wishFor({ on: !on })}
          /><span class="hidden">${t("Engine")}</span></label
        >
        <p class="engine-facts">
          ${!on ? t("Engine") : failed ? failed : study.board.outcome ? "" : engineFacts(mode, insight)}
        </p>
        ${
          on
            ? html`<button
                  class="quiet round"
                  aria-pressed=${arrows}
                  aria-label=${t("Arrows for the best moves")}
                  title=${t("Arrows for the best moves")}
                  @click=${() => this.wishFor({ arrows: !arrows })}
                >
                  ${icon("up")}
                </button>
                <button
                  class="quiet round"
                  aria-pressed=${threat}
                  aria-label=${t("Threats: what if it were the other's turn?")}
                  title="${t("Threats: what if it were the other's turn?")} (X)"
                  @click=${() => this.wishFor({ threat: !threat })}
                >
                  ${icon("threat")}
                </button>
                <button
                  class="quiet round count"
                  aria-label=${t("Lines: {count}", { count: lines })}
                  title=${t("Lines: {count}", { count: lines })}
                  @click=${() => this.wishFor({ lines: (lines % MOST_LINES) + 1 })}
                >
                  ${lines}
                </button>`
            : nothing
        }
      </div>
      ${
        on && !study.board.outcome
          ? engineLines(insight, lines, threat ? null : (moves) => study.playLine(moves))
          : nothing
      }
      ${on && this.offered ? this.deeper() : nothing}
    </div>`;
  }

  private deeper(): TemplateResult {
    const { deeper } = this.wish;
    return html`<label class="engine-switch engine-deeper">
      <input
        type="checkbox"
        role="switch"
        .checked=${deeper}
        @change=${() => this.wishFor({ deeper: !deeper })}
      />
      ${t("Deeper: by the server")}</label
    >`;
  }

  /** What others have played here; asked for only while it is open. */
  private openings(study: Study): TemplateResult {
    return html`<details
      class="card openings-card"
      ?open=${this.wish.openings}
      @toggle=${(event: Event) => this.wishOpenings((event.target as HTMLDetailsElement).open)}
    >
      <summary>${t("Openings")}</summary>
      ${
        this.wish.openings
          ? html`<sumito-openings
              .position=${study.board.position}
              @play=${(event: CustomEvent<string>) => study.play(event.detail)}
            ></sumito-openings>`
          : nothing
      }
    </details>`;
  }

  private wishOpenings(openings: boolean): void {
    if (openings === this.wish.openings) return;
    this.wish = { ...this.wish, openings };
    rememberEngine(this.wish);
  }

  private steps(study: Study): TemplateResult {
    const { node } = study;
    const button = (name: IconName, label: string, off: boolean, act: () => void) =>
      html`<button class="quiet" aria-label=${label} title=${label} ?disabled=${off} @click=${act}>
        ${icon(name)}
      </button>`;
    return html`<div class="steps" role="toolbar" aria-label=${t("Go through the game")}>
      ${button("first", t("Start"), node.parent === null, () => study.toStart())}
      ${button("previous", t("Back"), node.parent === null, () => study.back())}
      ${button("next", t("Forward"), node.next === null, () => study.forward())}
      ${button("last", t("End"), node.next === null, () => study.toEnd())}
      <button
        class="quiet"
        aria-label=${t("Draw arrows and rings")}
        title=${t("Draw arrows and rings")}
        aria-pressed=${this.drawing}
        @click=${() => {
          this.drawing = !this.drawing;
        }}
      >
        ${icon("pen")}
      </button>
      ${wordsSwitch()}
    </div>`;
  }

  /** What one says of the move that is shown. */
  private annotate(study: Study): TemplateResult {
    const { node } = study;
    const isMove = node.parent !== null;
    return html`<div class="annotate">
      ${
        isMove
          ? html`<div class="glyphs" role="group" aria-label=${t("Marks")}>
              ${["!!", "!", "!?", "?!", "?", "??"].map(
                (glyph) =>
                  html`<button
                    class="chip"
                    aria-pressed=${node.nags.includes(GLYPHS[glyph] ?? -1)}
                    title=${glyphName(glyph)}
                    aria-label=${glyphName(glyph)}
                    @click=${() => study.mark(glyph)}
                  >
                    ${glyph}
                  </button>`,
              )}
              ${
                node.isPlayed
                  ? nothing
                  : html`<button
                      class="chip"
                      aria-label=${t("Make this the main line")}
                      title=${t("Make this the main line")}
                      @click=${() => study.promote()}
                    >
                      ${icon("up")}
                    </button>`
              }
              <button
                class="chip"
                aria-label=${t("Delete from here")}
                title=${t("Delete from here")}
                @click=${() => study.remove()}
              >
                ${icon("trash")}
              </button>
            </div>`
          : nothing
      }
      <input
        class="comment"
        maxlength="2000"
        aria-label=${t("Comment")}
        placeholder=${t("Comment")}
        .value=${node.comment}
        @change=${(event: Event) => study.comment((event.target as HTMLInputElement).value)}
      />
    </div>`;
  }
}

/** The bar of a game that is over. */
function certain(mode: Mode, { winner }: Outcome): number[] | null {
  if (winner === null) return null;
  const won = sideOf(mode, winner);
  return sidesOf(mode).map((_, side) => (side === won ? 1 : 0));
}

function glyphName(glyph: string): string {
  const names: Record<string, string> = {
    "!!": t("Brilliant move"),
    "!": t("Good move"),
    "!?": t("Interesting move"),
    "?!": t("Dubious move"),
    "?": t("Mistake"),
    "??": t("Blunder"),
  };
  return names[glyph] ?? glyph;
}

customElements.define("sumito-analysis", AnalysisPage);
