// The chance of winning after each move as a curve, with a mark at each turning point. Two sides
// share one curve, three have one each.

import { html, svg, type TemplateResult } from "lit";
import { tn } from "../domain/i18n";
import { sidesOf } from "../domain/modes";
import type { Mode } from "../domain/protocol";
import type { JudgedMove, PositionReview } from "./review";

const WIDTH = 600;
const HEIGHT = 150;

export function curve(
  mode: Mode,
  positions: readonly PositionReview[],
  plies: number,
  points: readonly JudgedMove[],
  at: number,
  go: (ply: number) => void,
): TemplateResult {
  const x = (ply: number) => (ply / Math.max(1, plies)) * WIDTH;
  const y = (chance: number) => (1 - chance) * HEIGHT;
  const line = (side: number) =>
    positions.map(({ chances }, ply) => `${x(ply).toFixed(1)},${y(chances[side] ?? 0).toFixed(1)}`);
  const even = mode === "three" ? 1 / 3 : 1 / 2;
  const click = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * plies));
  };
  return html`<svg
    class="curve"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label=${tn(
      "Chance of winning after each move; {count} turning point",
      "Chance of winning after each move; {count} turning points",
      points.length,
    )}
    @click=${click}
  >
    <rect class="curve-background" width=${WIDTH} height=${HEIGHT} />
    ${
      mode === "three"
        ? sidesOf(mode).map(
            ([colour], side) =>
              svg`<polyline class="curve-line ${colour}" points=${line(side).join(" ")} />`,
          )
        : svg`<polygon class="curve-black" points="0,${HEIGHT} ${line(0).join(" ")} ${x(positions.length - 1).toFixed(1)},${HEIGHT}" />`
    }
    <line class="curve-even" x1="0" x2=${WIDTH} y1=${y(even)} y2=${y(even)} />
    <line class="curve-at" x1=${x(at)} x2=${x(at)} y1="0" y2=${HEIGHT} />
    ${points.map(({ ply, verdict }) => {
      const side = positions[ply]?.chances[0] ?? even;
      return svg`<ellipse class="curve-mark ${verdict}" cx=${x(ply)} cy=${y(side)} rx="7" ry="6" />`;
    })}
  </svg>`;
}
