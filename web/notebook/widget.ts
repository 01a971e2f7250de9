// The board in a notebook: an anywidget around the page's board element. What it shows comes from
// Python, and what the player does goes back there.

import "./widget.css";
import type { SumitoBoard } from "../src/board/element";
import "../src/board/element";
import { type Colour, type Effect, EMPTY_VIEW, readMarbles } from "../src/board/state";

interface Shown {
  readonly position: string;
  readonly legal: readonly Effect[];
  readonly last: Effect | null;
  readonly hand: readonly Colour[];
  readonly turn: Colour | null;
  readonly says: string;
}

interface Model {
  get(name: "shown"): Shown;
  on(event: string, heard: () => void): void;
  off(event: string, heard: () => void): void;
  send(content: unknown): void;
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const board = document.createElement("sumito-board") as SumitoBoard;
  const says = document.createElement("p");
  says.className = "sumito-says";
  says.setAttribute("role", "status");
  const show = () => {
    const { position, legal, last, hand, says: text } = model.get("shown");
    board.view = { ...EMPTY_VIEW, marbles: readMarbles(position), legal, last, hand };
    says.textContent = text;
  };
  board.addEventListener("choose", (event) => {
    model.send({ type: "choose", move: (event as CustomEvent<Effect>).detail.move });
  });
  board.addEventListener("attempt", (event) => {
    model.send({ type: "attempt", ...(event as CustomEvent<object>).detail });
  });
  model.on("change:shown", show);
  el.classList.add("sumito-notebook");
  el.append(board, says);
  show();
  return () => model.off("change:shown", show);
}

export default { render };
