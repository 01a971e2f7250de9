// Links that carry all they show: a position with the moves from it, or a whole compressed record.

import { address } from "../domain/navigation";
import { inAddress, positionFrom } from "./position";
import { readRecords } from "./reader";
import { type GameRecord, newRecord, type Referee } from "./record";
import type { Node } from "./tree";
import { writeRecord } from "./writer";

/** What an address asks to be shown: a record and the move in it. */
export interface ShownRecord {
  readonly record: GameRecord;
  readonly node: Node;
}

/** The address of a node: what leads there, without what was tried beside it. */
export function linkTo(record: GameRecord, node: Node, page = "/analysis"): string {
  const moves = node.path().map(({ move }) => move);
  const played = moves.length > 0 ? `&moves=${moves.join(".")}` : "";
  return absolute(`${page}?position=${inAddress(record.start)}${played}`);
}

/** The address of a whole tree with its comments. */
export async function linkToAll(record: GameRecord, referee: Referee): Promise<string> {
  const packed = await pack(writeRecord(record, referee.kernel));
  return absolute(`/analysis?record=${packed}`);
}

function absolute(path: string): string {
  return new URL(address(path), location.href).href;
}

/** Read what an address asks for; null if it asks for nothing of the kind. */
export async function recordFromLink(
  address: string,
  referee: Referee,
): Promise<ShownRecord | null> {
  const query = new URLSearchParams(address);
  const packed = query.get("record");
  if (packed !== null) {
    const [record] = readRecords(await unpack(packed), referee);
    return record ? { record, node: record.root } : null;
  }
  const position = query.get("position");
  if (position === null) return null;
  const record = newRecord(referee, positionFrom(position));
  let node = record.root;
  const board = record.board(referee.kernel, node);
  for (const move of (query.get("moves") ?? "").split(/[.,\s]+/).filter((one) => one !== "")) {
    const name = board.read(move);
    node = node.add(name, board);
    board.push(name);
  }
  return { record, node };
}

async function pack(text: string): Promise<string> {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpack(packed: string): Promise<string> {
  const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

async function through(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const out = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(out).arrayBuffer());
}
