// Toasts and announcements, dispatched to the shell.

import { t } from "./i18n";

/** Show a message for a moment at the foot of the page. */
export function toast(message: string): void {
  dispatchEvent(new CustomEvent("toast", { detail: message }));
}

/** Have screen readers read something out. */
export function announce(message: string): void {
  dispatchEvent(new CustomEvent("announce", { detail: message }));
}

/** Run something that may fail, and show the error to the reader. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof TypeError) {
      // What `import()` throws when a part of the page can't be fetched.
      toast(t("A part of the page couldn't be loaded. Try again, or reload the page."));
    } else toast(error instanceof Error ? error.message : String(error));
  }
}
