// Synchronises learning progress with the account: when a teaching page opens and whenever a step
// is done. Guests have only what this browser stores.

import { api } from "../client/api";
import { userSession } from "../client/session";
import { hasServer } from "../domain/hosting";
import { progress } from "../storage/learning-progress";

let isSyncing = false;
/** How many steps the account is known to have. */
let syncedSteps = -1;
let syncedId: string | null = null;

/** Synchronise the account's progress with this browser's from now on. */
export function syncProgress(): void {
  void sync();
  if (isSyncing) return;
  isSyncing = true;
  progress.addEventListener("change", () => void sync());
  userSession.addEventListener("change", () => {
    if (userSession.me?.id === syncedId) return;
    syncedSteps = -1;
    void sync();
  });
}

async function sync(): Promise<void> {
  if (!hasServer || syncedSteps === progress.all.length) return;
  try {
    const me = await userSession.load();
    syncedId = me?.id ?? null;
    if (!me?.account) return;
    const steps = await api.addLearned(progress.all);
    syncedSteps = steps.length;
    progress.add(...steps);
  } catch {
    // Without a network the progress is sent the next time.
  }
}
