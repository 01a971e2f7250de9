// Keys that belong to something else: a field, a dialog, a board's own keyboard.

/** Whether a key was pressed where it means something of its own; `more` are further selectors. */
export function isTyping({ target }: Event, more = ""): boolean {
  const where = `input, textarea, select, dialog${more && `, ${more}`}`;
  return target instanceof Element && target.closest(where) !== null;
}
