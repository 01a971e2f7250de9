// Games created on this device.

const MADE = "sumito.made";

/** Remember a game made on this device: only its maker may ask for the links. */
export function rememberMade(id: string): void {
  localStorage.setItem(MADE, JSON.stringify([id, ...made()].slice(0, 50)));
}

export function made(): string[] {
  return JSON.parse(localStorage.getItem(MADE) ?? "[]");
}
