// The server's engine: sends a position and streams the answer, one JSON object per line.

import type { Line } from "../../kernel/src/types";
import { api } from "../client/api";
import { hasServer } from "../domain/hosting";
import { language } from "../domain/i18n";
import type { AnalysisRequest, EngineLines } from "../domain/protocol";

/** Whether the server lends its engine. */
export async function isServerEngineOffered(): Promise<boolean> {
  if (!hasServer) return false;
  try {
    return (await api.choices()).analysis_ms > 0;
  } catch {
    return false;
  }
}

/**
 * Analyse on the server. Return whether it was done to the end; false if the server can't now,
 * broke off, or had no result.
 */
export async function analyseOnServer(
  request: AnalysisRequest,
  onLines: (lines: readonly Line[]) => void,
  signal: AbortSignal,
): Promise<boolean> {
  let received = false;
  try {
    const answer = await fetch("/api/analysis", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Accept-Language": language() },
      body: JSON.stringify(request),
      signal,
    });
    if (!answer.ok || !answer.body) return false;
    for await (const row of rows(answer.body)) {
      received = true;
      onLines((JSON.parse(row) as EngineLines).lines.map(lineOf));
    }
  } catch {
    return false;
  }
  return received;
}

async function* rows(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}

function lineOf({ move, score, win_in, depth, nodes, ms, pv }: EngineLines["lines"][number]): Line {
  return { move, score, winIn: win_in, depth, selectiveDepth: depth, nodes, time: ms, pv };
}
