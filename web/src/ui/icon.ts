// Line icons on a 24 × 24 grid.

import { html, type SVGTemplateResult, svg, type TemplateResult } from "lit";

const PATHS = {
  settings:
    "M4 7h9m5 0h2M4 17h2m5 0h9M13 7a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0M6 17a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0",
  resign: "M6 21V4m0 1c5-3 7 3 12 0v9c-5 3-7-3-12 0",
  draw: "M5 9h14M5 15h14",
  undo: "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10H9",
  flip: "M7 4v13m0 0-3-3m3 3 3-3M17 20V7m0 0-3 3m3-3 3 3",
  share: "M12 15V4m0 0L8 8m4-4 4 4M5 12v8h14v-8",
  download: "M12 4v11m0 0-4-4m4 4 4-4M5 20h14",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01",
  first: "M6 5v14M18 6l-7 6 7 6",
  previous: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  last: "M18 5v14M6 6l7 6-7 6",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.500 1.500h-15zM10 21h4",
  eye: "M2.500 12C5 7.500 8.500 5.500 12 5.500s7 2 9.500 6.500c-2.500 4.500-6 6.500-9.500 6.500S5 16.500 2.500 12zM12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 1 0 0-5",
  bolt: "M13 3L5 14h6l-1 7 8-11h-6z",
  up: "M12 19V6m0 0l-6 6m6-6l6 6",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-8 9c0-4.500 3.500-7 8-7s8 2.500 8 7",
  check: "M5 13l4 4L19 7",
  close: "M6 6l12 12M18 6L6 18",
  computer: "M5 5h14v10H5zM3 19h18M9 10h.01M15 10h.01",
  here: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zm8 0a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 20c0-4 2.5-6 5.5-6s5.5 2 5.5 6m2-6c3.5-.5 6 2 6 6",
  invite:
    "M10 14a4 4 0 0 0 6 0l3-3a4.2 4.2 0 0 0-6-6l-1 1m2 4a4 4 0 0 0-6 0l-3 3a4.2 4.2 0 0 0 6 6l1-1",
  words: "M4 11V4h7l9 9-7 7zM8 8h.01",
  print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
  learn: "M3 7l9-4 9 4-9 4zM7 9v6c3 2.500 7 2.500 10 0V9M21 7v6",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  chat: "M4 5h16v11H10l-5 4v-4H4z",
  rematch: "M7 7h11l-3-3m3 3-3 3M17 17H6l3-3m-3 3 3 3",
  replay: "M5 12a7 7 0 1 0 2-5M5 5v4h4M10.5 9.5l4 2.5-4 2.5z",
  again: "M5 12a7 7 0 1 1 2 5m-2 3v-4h4",
  engine: "M12 3v3m0 12v3M3 12h3m12 0h3M8 8h8v8H8zM5 5l2 2m10 10l2 2M19 5l-2 2M7 17l-2 2",
  threat: "M12 4l9 16H3zM12 10v4m0 3h.01",
  pen: "M4 20l1-5L16 4l4 4L9 19z",
  open: "M4 19V6h6l2 2h8v11zM12 17v-6m0 0l-2.500 2.500M12 11l2.500 2.500",
  board: "M8 4h8l5 8-5 8H8l-5-8z",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  curve: "M4 19h16M4 15l4-5 4 3 4-7 4 4",
  puzzle: "M4 8h5a2.500 2.500 0 1 1 5 0h5v4a2.500 2.500 0 1 0 0 5v3H4z",
  book: "M12 6c-2-2-5-2-8-2v14c3 0 6 0 8 2 2-2 5-2 8-2V4c-3 0-6 0-8 2zm0 0v14",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm0 4v4l3 2",
  flame: "M12 3c1 4 5 6 5 11a5 5 0 0 1-10 0c0-2 1-3.500 2-4.500 0 2 1 3 2 3 1-3-1-6 1-9.500z",
  bulb: "M9 18h6m-5 3h4M8 14.500C6.500 13 6 11.500 6 10a6 6 0 0 1 12 0c0 1.500-.500 3-2 4.500V18H8z",
  code: "M9 7l-5 5 5 5m6-10l5 5-5 5",
  dice: "M5 5h14v14H5zM9 9h.01M15 15h.01M12 12h.01M15 9h.01M9 15h.01",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): TemplateResult {
  const shape: SVGTemplateResult = svg`<path d=${PATHS[name]} />`;
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${shape}</svg>`;
}
