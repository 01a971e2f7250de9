// Things to look at that come from elsewhere: a game by its id, a text that somebody pastes or drops.

import { PageError } from "../domain/errors";
import { isLocal } from "../domain/game-ids";
import { Fault } from "./faults";
import { type Asked, asked } from "./links";
import { positionFrom } from "./position";
import { readRecords } from "./reader";
import { begin, type GameRecord, type Referee } from "./record";
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
  if (!record) throw new Fault("empty");
  return record;
}

/** What `?game=…&at=…` asks for. */
export async function gameAsked(query: string, referee: Referee): Promise<Asked | null> {
  const given = new URLSearchParams(query);
  const id = given.get("game");
  if (!id) return null;
  const record = await gameRecord(id, referee);
  const at = Number(given.get("at") ?? 0);
  return { record, node: record.root.line()[at - 1] ?? record.root };
}

/** Records, a position of any form, or a link that carries one. */
export async function studyOf(text: string, referee: Referee): Promise<Study> {
  const trimmed = text.trim();
  if (trimmed === "") throw new Fault("empty");
  const query = /^https?:\/\/\S*?\?(\S*)$/.exec(trimmed)?.[1];
  if (query !== undefined) {
    const given = (await gameAsked(query, referee)) ?? (await asked(query, referee));
    if (!given) throw new Fault("empty");
    return at(new Study(referee, [given.record]), given.node);
  }
  if (!/^\s*\[\w+\s+"/m.test(text))
    return new Study(referee, [begin(referee, positionFrom(trimmed))]);
  const records = readRecords(text, referee);
  if (records.length === 0) throw new Fault("empty");
  return new Study(referee, records);
}

function at(study: Study, node: Node): Study {
  study.go(node);
  return study;
}
