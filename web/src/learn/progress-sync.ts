// What was learned goes with the account: told when a page that teaches opens and whenever a step is
// done, and what other devices told comes back. Guests keep it in their browser alone.

import { api } from "../client/api";
import { hasServer } from "../domain/hosting";
import { progress } from "../storage/learning-progress";

let following = false;
/** How many steps the account is known to have. */
let told = -1;

/** Keep the account's progress and this browser's the same from now on. */
export function followAccount(): void {
  void share();
  if (following) return;
  following = true;
  progress.addEventListener("change", () => void share());
  addEventListener("identity", () => {
    told = -1;
    void share();
  });
}

async function share(): Promise<void> {
  if (!hasServer || told === progress.all.length) return;
  try {
    const { account } = await api.me();
    if (!account) return;
    const steps = await api.learned(progress.all);
    told = steps.length;
    progress.add(...steps);
  } catch {
    // Without a network the browser remembers, and tells the next time.
  }
}
