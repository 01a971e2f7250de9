// The opening explorer: what was played in a position, in all games of the server's archive.

import { html, nothing, type PropertyValues, svg, type TemplateResult } from "lit";
import { ApiError } from "../client/api";
import { language, locale, number, t } from "../domain/i18n";
import { sideName, sidesOf } from "../domain/modes";
import type { Mode, OpeningMove, Openings } from "../domain/protocol";
import { modeOf } from "../record/position";
import { BaseElement } from "../ui/element";

const PATIENCE = 250;

async function fetched(position: string): Promise<Openings> {
  const path = `/api/openings?position=${encodeURIComponent(position)}`;
  const answer = await fetch(path, { headers: { "Accept-Language": language() } });
  if (!answer.ok) throw new ApiError(t("There is no archive here."), "no-archive", answer.status);
  return answer.json();
}

class OpeningsPanel extends BaseElement {
  static override properties = {
    position: { attribute: false },
    found: { state: true },
    failed: { state: true },
  };
  declare position: string;
  declare found: Openings | null;
  declare failed: string;
  private waiting = 0;
  private readonly known = new Map<string, Openings>();

  constructor() {
    super();
    this.position = "";
    this.found = null;
    this.failed = "";
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.waiting);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("position")) return;
    clearTimeout(this.waiting);
    this.found = this.known.get(this.position) ?? null;
    if (!this.found) this.waiting = window.setTimeout(() => this.ask(this.position), PATIENCE);
  }

  private async ask(position: string): Promise<void> {
    try {
      const found = await fetched(position);
      this.known.set(position, found);
      if (position === this.position) [this.found, this.failed] = [found, ""];
    } catch (error) {
      if (position === this.position) {
        this.failed =
          error instanceof ApiError
            ? error.message
            : t("No connection to the server. Please try again when you are online.");
      }
    }
  }

  override render(): TemplateResult {
    const { found } = this;
    if (this.failed) return html`<p class="soft openings-note">${this.failed}</p>`;
    if (!found) return html`<p class="soft openings-note">${t("Looking…")}</p>`;
    if (found.moves.length === 0) {
      return html`<p class="soft openings-note">${t("No game has reached this position.")}</p>`;
    }
    const mode = modeOf(this.position);
    return html`<table class="openings">
      <thead>
        <tr>
          <th>${t("Move")}</th>
          <th>${t("Games")}</th>
          <th>${t("Results")}</th>
          <th class="rating">${t("Rating")}</th>
          <th class="last">${t("Last")}</th>
        </tr>
      </thead>
      <tbody>
        ${found.moves.map((one) => this.row(one, mode))}
      </tbody>
    </table>`;
  }

  private row(one: OpeningMove, mode: Mode): TemplateResult {
    const when = one.last_at ? new Date(one.last_at).toLocaleDateString(locale()) : "";
    return html`<tr>
      <td>
        <button
          class="quiet opening-move"
          @click=${() => this.dispatchEvent(new CustomEvent("play", { detail: one.move }))}
        >
          ${one.move}
        </button>
      </td>
      <td>${number(one.games)}</td>
      <td>${results(one, mode)}</td>
      <td class="rating">${one.rating === null ? "" : Math.round(one.rating)}</td>
      <td class="last">
        ${one.last_game ? html`<a href="/analysis?game=${one.last_game}">${when || t("Replay")}</a>` : nothing}
      </td>
    </tr>`;
  }
}

/** The results as a small bar of as many parts as there are sides, and draws between them. */
function results({ wins, draws, games }: OpeningMove, mode: Mode): TemplateResult {
  const sides = sidesOf(mode);
  const names = sides.map((side) => sideName(mode, side[0] ?? "black"));
  const said = [
    ...names.map((name, index) => `${name} ${wins[index] ?? 0}`),
    t("drawn {count}", { count: draws }),
  ].join(", ");
  const parts: [number, string][] = [
    [wins[0] ?? 0, "black"],
    [draws, "draw"],
    [wins[1] ?? 0, "white"],
    [wins[2] ?? 0, "red"],
  ];
  const share = (count: number) => (100 * count) / Math.max(1, games);
  const before = (index: number) => parts.slice(0, index).reduce((sum, [count]) => sum + count, 0);
  return html`<svg class="results" viewBox="0 0 100 12" preserveAspectRatio="none" role="img" aria-label=${said}>
    <title>${said}</title>
    ${parts.map(
      ([count, name], index) =>
        svg`<rect class="result-${name}" x=${share(before(index))} width=${share(count)} height="12" />`,
    )}
  </svg>`;
}

customElements.define("sumito-openings", OpeningsPanel);
