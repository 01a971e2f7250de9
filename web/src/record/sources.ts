// Records from elsewhere: a game by its id, a pasted or dropped text.

import { PageError } from "../domain/errors";
import { isLocal } from "../domain/game-ids";
import { InputError } from "./errors";
import { recordFromLink, type ShownRecord } from "./links";
import { positionFrom } from "./position";
import { readRecords } from "./reader";
import { type GameRecord, newRecord, type Referee } from "./record";
import { Study } from "./study";
import type { Node } from "./tree";

/** The record of a game in this browser or at the server. */
export async function gameRecord(id: string, referee: Referee): Promise<GameRecord> {
  if (isLocal(id)) {
    const [{ store }, { recordOf }] = await Promise.all([
      import("../storage/games"),
      import("./stored-game"),
    ]);
    const stored = await store.get(id);
    if (!stored) throw new PageError("no-game");
    return recordOf(stored, referee);
  }
  const answer = await fetch(`/api/games/${encodeURIComponent(id)}.apgn`).catch((cause) => {
    throw new PageError("offline", { cause });
  });
  if (!answer.ok) throw new PageError("no-game");
  const [record] = readRecords(await answer.text(), referee);
  if (!record) throw new InputError("empty");
  return record;
}

/** What `?game=…&at=…` asks for. */
export async function recordFromQuery(
  query: string,
  referee: Referee,
): Promise<ShownRecord | null> {
  const found = new URLSearchParams(query);
  const id = found.get("game");
  if (!id) return null;
  const record = await gameRecord(id, referee);
  const at = Number(found.get("at") ?? 0);
  return { record, node: record.root.line()[at - 1] ?? record.root };
}

/** Records, a position of any form, or a link that carries one. */
export async function studyFromText(text: string, referee: Referee): Promise<Study> {
  const trimmed = text.trim();
  if (trimmed === "") throw new InputError("empty");
  const query = /^https?:\/\/\S*?\?(\S*)$/.exec(trimmed)?.[1];
  if (query !== undefined) {
    const found = (await recordFromQuery(query, referee)) ?? (await recordFromLink(query, referee));
    if (!found) throw new InputError("empty");
    return at(new Study(referee, [found.record]), found.node);
  }
  if (!/^\s*\[\w+\s+"/m.test(text))
    return new Study(referee, [newRecord(referee, positionFrom(trimmed))]);
  const records = readRecords(text, referee);
  if (records.length === 0) throw new InputError("empty");
  return new Study(referee, records);
}

function at(study: Study, node: Node): Study {
  study.go(node);
  return study;
}
