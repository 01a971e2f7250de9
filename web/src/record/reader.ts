// Reads records: lines into games, a game's text into tokens, tokens into moves on a board. Errors
// are stored with the game, whose moves go as far as they could be played.

import type { Board } from "../../kernel/src/board";
import { KernelError } from "../../kernel/src/types";
import type { Colour } from "../board/state";
import { BLANK, stripped } from "./characters";
import { readComment } from "./comment";
import { InputError, type Place, RecordError } from "./errors";
import { boardFor } from "./position";
import { GameRecord, type Referee } from "./record";
import {
  checkResult,
  checkTags,
  notationTag,
  pliesTag,
  readTag,
  rulesTag,
  startTag,
  tagValue,
} from "./tags";
import { type Count, countAt, DEEPEST, GLYPHS, labelOf, MOST_NAG, Node, nextCount } from "./tree";

interface Line {
  readonly number: number;
  readonly text: string;
}

interface BaseElement {
  readonly tags: Line[];
  readonly text: Line[];
}

const NEXT_GAME = /^\[[A-Za-z]\w*[ \t]+"/;
const TOKEN = new RegExp(
  [
    "(?<newline>\\n)",
    `(?:(?!\\n)[${BLANK}])+`,
    "(?<comment>\\{[^{}]*\\})",
    "(?<rest>;[^\\n]*)",
    "(?<open>\\()",
    "(?<close>\\))",
    "(?<number>\\d{1,7}\\.(?:\\.\\.)?(?!\\.))",
    "(?<nag>\\$\\d+|[!?]+)",
    `(?<word>[^${BLANK}(){};!?$]+|\\$)`,
    "(?<brace>[{}])",
  ].join("|"),
  "g",
);
const RESULT = /^(?:\*|(?:1\/2|[01])(?:-(?:1\/2|[01])){1,3})$/;

/** The records of a text. */
export function readRecords(text: string, referee: Referee): GameRecord[] {
  const parts = partsOf(text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/));
  return parts.map((part, index) => readGame(part, index + 1, referee));
}

/** Each game begins with a tag that follows move text or a blank line. */
function partsOf(lines: readonly string[]): BaseElement[] {
  const parts: BaseElement[] = [];
  let inTags = false;
  let inComment = false;
  lines.forEach((text, index) => {
    const blank = stripped(text) === "";
    const isTag = NEXT_GAME.test(text) || (text.startsWith("[") && !inComment);
    if (parts.length === 0 || (isTag && !inTags)) {
      if (blank) return;
      parts.push({ tags: [], text: [] });
      inComment = false;
    }
    inTags = isTag;
    const part = parts.at(-1) as BaseElement;
    if (isTag) part.tags.push({ number: index + 1, text });
    else if (part.text.length > 0 || !blank) part.text.push({ number: index + 1, text });
    if (!isTag) {
      const [opened, closed] = [text.lastIndexOf("{"), text.lastIndexOf("}")];
      if (opened !== closed) inComment = opened > closed;
    }
  });
  return parts;
}

function readGame(part: BaseElement, game: number, referee: Referee): GameRecord {
  const errors: RecordError[] = [];
  const tags: Record<string, string> = {};
  const first = part.tags[0]?.number ?? part.text[0]?.number ?? 1;
  const note = (error: unknown, place: Place) => {
    if (!(error instanceof InputError)) throw error;
    errors.push(error instanceof RecordError ? error : new RecordError(error, place));
  };
  const places = new Map<string, number>();
  for (const { number, text } of part.tags) {
    try {
      const [name, value] = readTag(text);
      if (places.has(name)) throw new InputError("tag-twice", { tag: name });
      tags[name] = value;
      places.set(name, number);
    } catch (error) {
      note(error, { game, line: number });
    }
  }
  for (const [tag, error] of checkTags(tags, referee.layouts)) {
    note(error, { game, line: places.get(tag) ?? first });
  }
  try {
    notationTag(tags);
    const start = startTag(tags, referee.layouts);
    const board = boardFor(referee.kernel, start, rulesTag(tags).rules);
    const root = new Node(null, null, countAt(board));
    try {
      const text = new MoveText(part.text, game, first, board, root, tags);
      text.read();
      if (errors.length === 0) text.checkEnd();
    } catch (error) {
      note(error, { game, line: first });
    }
    return new GameRecord(tags, start, root, errors);
  } catch (error) {
    if (errors.length === 0) note(error, { game, line: first });
    const { position } = referee.layouts("two")[0] as { position: string };
    return new GameRecord(tags, position, new Node(null, null, { number: 1, place: -1 }), errors);
  }
}

/** A line of moves as it is read: its last node, the board there, and how moves are counted. */
class Branch {
  hasMoves = false;
  /** A move number that waits for its move. */
  number: string | null = null;
  opening = "";
  before: Count;
  /** The board before players left it, since that can't be taken back. */
  boardBeforeLeaving: Board | null = null;
  private comments: string[] = [];

  constructor(
    public node: Node,
    readonly board: Board,
    public count: Count,
    readonly isVariation: boolean,
  ) {
    this.before = count;
  }

  upcoming(): Count {
    return nextCount(this.count, this.board.mode, this.board.turn as Colour);
  }

  play(move: string): void {
    this.settle();
    const count = this.upcoming();
    const child = this.node.attach(
      new Node(this.board.effect(move), this.board.turn as Colour, count),
    );
    child.nacre = this.board.write(move, "nacre");
    this.board.push(move);
    child.opening = this.opening;
    this.opening = "";
    this.node = child;
    this.hasMoves = true;
    this.before = this.count;
    this.count = count;
    this.number = null;
    this.boardBeforeLeaving = null;
  }

  /** The comments on the last move are complete. */
  settle(): void {
    const text = this.comments.filter((one) => one !== "").join(" ");
    if (this.isVariation && !this.hasMoves) this.opening = text;
    else this.node.comment = text;
    this.comments = [];
  }

  comment(text: string): void {
    const comment = readComment(text);
    const { node } = this;
    const timed = comment.clock !== null || comment.evaluation !== null;
    if (timed && !this.hasMoves) throw new InputError("comment-before-move", { text });
    if (comment.clock !== null && node.clock !== null)
      throw new InputError("clock-twice", { text });
    if (comment.evaluation !== null && node.evaluation !== null) {
      throw new InputError("evaluation-twice", { text });
    }
    this.comments.push(comment.text);
    node.clock = comment.clock ?? node.clock;
    node.evaluation = comment.evaluation ?? node.evaluation;
    if (!this.isVariation || this.hasMoves) node.shapes.push(...comment.shapes);
    this.leave(comment.outs);
  }

  private leave(outs: readonly Colour[]): void {
    const [first] = outs;
    if (first === undefined) return;
    if (this.number !== null || (this.isVariation && !this.hasMoves)) {
      throw new InputError("out-place", { colour: first });
    }
    this.boardBeforeLeaving ??= this.board.copy();
    for (const colour of outs) {
      if (this.board.out.includes(colour)) throw new InputError("out-already", { colour });
      if (this.board.outcome !== null) throw new InputError("out-too-late", { colour });
      try {
        this.board.leave(colour);
      } catch (error) {
        if (!(error instanceof KernelError)) throw error;
        throw new InputError("cannot-leave", { colour });
      }
    }
    this.node.outs.push(...outs);
  }

  /** A line that begins where the last move was made. */
  branch(): Branch {
    const board = (this.boardBeforeLeaving ?? this.board).copy();
    board.pop();
    return new Branch(this.node.parent as Node, board, this.before, true);
  }
}

/** The move text of one game; variations lie on a stack of branches. */
class MoveText {
  private readonly branches: Branch[];
  private result: string | null = null;
  private at: number;
  private next: number;

  constructor(
    private readonly lines: readonly Line[],
    private readonly game: number,
    first: number,
    board: Board,
    private readonly root: Node,
    private readonly tags: Record<string, string>,
  ) {
    this.branches = [new Branch(root, board, countAt(board), false)];
    this.at = first;
    this.next = lines[0]?.number ?? first;
  }

  private get line(): Branch {
    return this.branches.at(-1) as Branch;
  }

  read(): void {
    try {
      for (const { groups = {}, 0: text } of this.tokens()) {
        if (groups.newline !== undefined) this.next++;
        else if (Object.values(groups).some((one) => one !== undefined)) {
          this.at = this.next;
          this.take(groups, text);
        }
        if (groups.comment !== undefined) this.next += text.split("\n").length - 1;
      }
      if (this.branches.length > 1) throw new InputError("open-variation");
      if (this.result === null) throw new InputError("no-result");
    } catch (error) {
      if (!(error instanceof InputError) || error instanceof RecordError) throw error;
      throw new RecordError(error, { game: this.game, line: this.at });
    } finally {
      for (const branch of this.branches) branch.settle();
    }
  }

  /** Does the end agree with the tags and with the board? */
  checkEnd(): void {
    try {
      const tag = tagValue(this.tags, "Result") ?? "";
      if (this.result !== tag)
        throw new InputError("result-differs", { text: this.result ?? "", tag });
      const plies = pliesTag(this.tags);
      const played = this.root.line().length;
      if (plies !== null && plies !== played) {
        throw new InputError("plies-differ", { tag: "Plies", text: plies });
      }
      checkResult(tag, this.line.board);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new RecordError(error, { game: this.game, line: this.at });
    }
  }

  private tokens(): IterableIterator<RegExpMatchArray> {
    return this.lines
      .map(({ text }) => text)
      .join("\n")
      .matchAll(TOKEN);
  }

  private take(groups: Record<string, string | undefined>, text: string): void {
    if (this.result !== null) throw new InputError("after-result", { text });
    if (groups.number !== undefined) this.number(text);
    else if (groups.word !== undefined) this.word(text);
    else if (groups.comment !== undefined) this.line.comment(text.slice(1, -1));
    else if (groups.rest !== undefined) this.line.comment(text.slice(1));
    else if (groups.nag !== undefined) this.nag(text);
    else if (groups.open !== undefined) this.open();
    else if (groups.close !== undefined) this.close();
    else throw new InputError(text === "{" ? "open-comment" : "close-comment");
  }

  private number(text: string): void {
    const { line } = this;
    if (line.number !== null) throw new InputError("number-without-move", { text: line.number });
    const right = labelOf(line.upcoming(), line.count);
    if (text !== right) throw new InputError("number-wrong", { text, right });
    line.number = text;
  }

  private word(text: string): void {
    if (RESULT.test(text)) this.end(text);
    else this.move(text);
  }

  private move(text: string): void {
    const { line } = this;
    const label = labelOf(line.upcoming(), line.count);
    if (line.number === null && (!line.hasMoves || !label.endsWith("..."))) {
      throw new InputError("no-number", { right: label });
    }
    try {
      line.play(line.board.read(text, notationTag(this.tags)));
    } catch (error) {
      if (!(error instanceof KernelError)) throw error;
      const { code, values } = error.refusal;
      const refused = new InputError(code, { text, ...values });
      throw new RecordError(refused, { game: this.game, line: this.at, label, move: text });
    }
  }

  private nag(text: string): void {
    const { line } = this;
    if (!line.hasMoves || line.number !== null) throw new InputError("annotation-place", { text });
    const number = /^\$\d{1,4}$/.test(text) ? Number(text.slice(1)) : undefined;
    const nag = GLYPHS[text] ?? number;
    if (nag === undefined || nag > MOST_NAG) throw new InputError("annotation", { text });
    if (!line.node.nags.includes(nag)) line.node.nags.push(nag);
  }

  private open(): void {
    const { line } = this;
    if (!line.hasMoves || line.number !== null) throw new InputError("variation-place");
    if (this.branches.length > DEEPEST) throw new InputError("variation-depth", { most: DEEPEST });
    this.branches.push(line.branch());
  }

  private close(): void {
    const { line } = this;
    if (this.branches.length === 1) throw new InputError("close-variation");
    if (!line.hasMoves || line.number !== null) throw new InputError("variation-end");
    line.settle();
    this.branches.pop();
  }

  private end(text: string): void {
    if (this.branches.length > 1) throw new InputError("variation-result");
    if (this.line.number !== null)
      throw new InputError("number-without-move", { text: this.line.number });
    this.result = text;
  }
}
