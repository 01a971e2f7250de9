// Synchronises learning progress with the account: when a teaching page opens and whenever a step
// is done. Guests have only what this browser stores.

import { api } from "../client/api";
import { hasServer } from "../domain/hosting";
import { progress } from "../storage/learning-progress";

let isSyncing = false;
/** How many steps the account is known to have. */
let syncedSteps = -1;

/** Keep the account's progress and this browser's the same from now on. */
export function syncProgress(): void {
  void sync();
  if (isSyncing) return;
  isSyncing = true;
  progress.addEventListener("change", () => void sync());
  addEventListener("identity", () => {
    syncedSteps = -1;
    void sync();
  });
}

async function sync(): Promise<void> {
  if (!hasServer || syncedSteps === progress.all.length) return;
  try {
    const { account } = await api.me();
    if (!account) return;
    const steps = await api.addLearned(progress.all);
    syncedSteps = steps.length;
    progress.add(...steps);
  } catch {
    // Without a network the browser remembers, and tells the next time.
  }
}
