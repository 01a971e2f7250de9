// Classes of characters as in the Python library; JavaScript's `\s` and `trim` differ in some.

/** The inside of a class: Unicode's white space and the separators among the control characters. */
export const BLANK =
  "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

export const BLANKS = new RegExp(`[${BLANK}]+`, "g");
const ENDS = new RegExp(`^[${BLANK}]+|[${BLANK}]+$`, "g");

/** What would break a line, or isn't UTF-8. */
export const UNWRITABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would break a line
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/u;

export function stripped(text: string): string {
  return text.replace(ENDS, "");
}
