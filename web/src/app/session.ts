// Starts the reader's session: one request, after the page has its language, since the server names
// guests in it. Whenever an account is known, finished games are uploaded if its owner wants that.

import { userSession } from "../client/session";
import { settings } from "../storage/preferences";

let isStarted = false;

export function startSession(): void {
  if (isStarted) return;
  isStarted = true;
  userSession.addEventListener("change", () => void uploadIfWanted());
  userSession.load().catch(() => undefined);
}

async function uploadIfWanted(): Promise<void> {
  if (!userSession.me?.account || !settings.now.uploadGames) return;
  const { uploadAllGames } = await import("../storage/upload");
  await uploadAllGames().catch(() => undefined);
}
