// Ids of the games of this browser.

const PREFIX = "local-";

export function isLocal(id: string): boolean {
  return id.startsWith(PREFIX);
}

export function newId(): string {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  const random = crypto.getRandomValues(new Uint8Array(8));
  return PREFIX + [...random].map((byte) => letters[byte % letters.length]).join("");
}
