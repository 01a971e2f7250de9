// Writes records, as the Python library does: reading them again gives the same tree.

import type { Kernel } from "../../kernel/src/kernel";
import { clean, writeComment } from "./comment";
import type { GameRecord } from "./record";
import { resultOf, writeTags } from "./tags";
import { labelOf, type Node } from "./tree";

const WIDTH = 80;

export function writeRecords(records: readonly GameRecord[], kernel: Kernel): string {
  return records.map((record) => writeRecord(record, kernel)).join("");
}

export function writeRecord(record: GameRecord, kernel: Kernel): string {
  const tags = tagsNow(record, kernel);
  const words = [
    ...commentWords(writeComment(record.root)),
    ...lineWords(record.root, true),
    tags.Result ?? "*",
  ];
  return `${writeTags(tags).join("\n")}\n\n${wrapped(words)}\n\n`;
}

/** What the tags say of the moves has to be true after they were changed. */
function tagsNow(record: GameRecord, kernel: Kernel): Record<string, string> {
  const line = record.root.line();
  const board = record.board(kernel, line.at(-1) ?? record.root);
  const tags: Record<string, string> = { ...record.tags, Notation: "Aba-Pro" };
  if ("Plies" in tags) tags.Plies = String(line.length);
  if (board.outcome && tags.Result !== "*") {
    tags.Result = resultOf(record.mode, board.outcome, board.out);
  }
  return tags;
}

/** The words of what follows a node; a word is what a line break must not part. */
function* lineWords(from: Node, begins: boolean): Generator<string> {
  let interrupted = begins;
  for (let node = from; node.next !== null; node = node.next) {
    const next: Node = node.next;
    const variations = node.children.slice(1);
    const label = labelOf(next.count, node.count);
    if (interrupted || !label.endsWith("...")) yield label;
    yield* moveWords(next);
    for (const other of variations) yield* bracketed(variationWords(other));
    interrupted = writeComment(next) !== "" || variations.length > 0;
  }
}

function* variationWords(first: Node): Generator<string> {
  yield* commentWords(clean(first.opening));
  yield first.label;
  yield* moveWords(first);
  yield* lineWords(first, writeComment(first) !== "");
}

function* moveWords(node: Node): Generator<string> {
  yield node.move;
  for (const nag of node.nags) yield `$${nag}`;
  yield* commentWords(writeComment(node));
}

function commentWords(comment: string): string[] {
  if (comment === "") return [];
  // At the start of a line this would read as the tag of the next game.
  const glued = comment.replace(/ (?=\[[A-Za-z])/g, "\0");
  return `{${glued}}`.split(" ").map((word) => word.replaceAll("\0", " "));
}

function* bracketed(words: Generator<string>): Generator<string> {
  const list = [...words];
  yield* list.map(
    (word, at) => `${at === 0 ? "(" : ""}${word}${at === list.length - 1 ? ")" : ""}`,
  );
}

function wrapped(words: Iterable<string>): string {
  const lines: string[] = [];
  let line = "";
  let length = 0;
  for (const word of words) {
    // In characters, not in UTF-16 units.
    const more = [...word].length;
    if (line !== "" && length + 1 + more > WIDTH) {
      lines.push(line);
      [line, length] = [word, more];
    } else [line, length] = line === "" ? [word, more] : [`${line} ${word}`, length + 1 + more];
  }
  return [...lines, line].join("\n");
}
