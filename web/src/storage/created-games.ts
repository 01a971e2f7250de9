// The games at the server that were created on this device: only their maker may ask for the
// links.

const STORAGE_KEY = "sumito.created-games";

/** Remember a game made on this device: only its maker may ask for the links. */
export function rememberCreated(id: string): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify([id, ...createdHere()].slice(0, 50)));
}

export function createdHere(): string[] {
  return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
}
