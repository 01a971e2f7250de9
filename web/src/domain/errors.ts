// Failures of the page itself, as a code with a sentence for the reader. Failures of the server
// are `ApiError` (client/api.ts), those of records and positions `InputError` (record/errors.ts).

import { t } from "./i18n";

export type ErrorCode =
  | "offline"
  | "missing-file"
  | "no-engine"
  | "engine-failed"
  | "no-canvas"
  | "storage-blocked"
  | "storage-failed"
  | "not-over"
  | "no-game"
  | "no-layout";

export class PageError extends Error {
  constructor(
    readonly code: ErrorCode,
    options?: ErrorOptions,
  ) {
    super(sentence(code), options);
  }
}

function sentence(code: ErrorCode): string {
  switch (code) {
    case "offline":
      return t("No connection to the server. Please try again when you are online.");
    case "missing-file":
      return t("A part of this page can't be loaded. Please reload the page.");
    case "no-engine":
      return t(
        "This browser can't run the game's engine: WebAssembly is switched off or too old. Games with others online work without it.",
      );
    case "engine-failed":
      return t("The engine stopped. Please reload the page.");
    case "no-canvas":
      return t("This browser can't draw pictures.");
    case "storage-blocked":
      return t("Another tab blocks the stored games. Please close the other tabs of this page.");
    case "storage-failed":
      return t("This browser couldn't store that.");
    case "not-over":
      return t("Only finished games can be saved to an account.");
    case "no-game":
      return t("There is no such game");
    case "no-layout":
      return t("There is no such starting position.");
  }
}

/** What went wrong with a search, as a `PageError`. */
export function engineError(cause: unknown): PageError {
  return cause instanceof PageError ? cause : new PageError("engine-failed", { cause });
}

/** Fetch a file of this page. Raise `PageError` if there is no connection or no such file. */
export async function fetchFile(url: string): Promise<Response> {
  const answer = await fetch(url).catch((cause) => {
    throw new PageError("offline", { cause });
  });
  if (!answer.ok) throw new PageError("missing-file", { cause: `${url}: ${answer.status}` });
  return answer;
}
