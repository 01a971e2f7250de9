// The steps of the course that are done, in localStorage; `learn/progress-sync.ts` joins them with
// those of the account.

const KEY = "sumito.learned";
const OFFERED = "sumito.learn-offered";

class Progress extends EventTarget {
  private steps = read();

  has(step: string): boolean {
    return this.steps.has(step);
  }

  get all(): readonly string[] {
    return [...this.steps];
  }

  add(...steps: readonly string[]): void {
    const before = this.steps.size;
    for (const step of steps) this.steps.add(step);
    if (this.steps.size === before) return;
    writeItem(KEY, JSON.stringify([...this.steps]));
    this.dispatchEvent(new Event("change"));
  }
}

function read(): Set<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return new Set(Array.isArray(stored) ? stored.filter((one) => typeof one === "string") : []);
  } catch {
    return new Set();
  }
}

/** Without storage, the progress lasts until the page is closed. */
function writeItem(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // nothing to do
  }
}

export const progress = new Progress();

/** Whether a first visitor should still be offered the course. */
export function shouldOfferCourse(): boolean {
  try {
    return localStorage.getItem(OFFERED) === null && localStorage.getItem(KEY) === null;
  } catch {
    return false;
  }
}

export function markCourseOffered(): void {
  writeItem(OFFERED, "1");
}
