/**
 * The one place where text from outside is cleaned, before any schema sees it: NFC, trimmed, whole surrogate pairs,
 * no control characters (a line feed stays), no invisible marks that turn the direction of writing.
 */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll(/\r\n?/g, "\n").replaceAll(unwanted, "").normalize("NFC").trim();
}
// U+FEFF is a byte-order mark; U+202A–202E and U+2066–2069 reorder what follows them; U+200E, U+200F and U+061C do so at a smaller scale.
// oxlint-disable-next-line no-control-regex -- these are the characters to be taken out
const unwanted = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFEFF\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/g;

/** Deeper nesting than any call has; `JSON.stringify` of tens of thousands of levels would end the process that logs it. */
export const deepest = 10;
const forbiddenKeys = new Set(["__proto__", "constructor", "prototype"]);

export class UncleanInput extends Error {}

/** Cleans every text of a parsed body. Throws `UncleanInput` for nesting beyond `deepest` and for keys that are names of code. */
export function cleanJson(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= deepest) throw new UncleanInput("too deep");
  if (Array.isArray(value)) return value.map((each) => cleanJson(each, depth + 1));
  const clean: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) {
    const name = cleanText(key);
    if (forbiddenKeys.has(name)) throw new UncleanInput("forbidden key");
    clean[name] = cleanJson(each, depth + 1);
  }
  return clean;
}

/** A body's bytes as JSON; `undefined` for an empty one. Throws `UncleanInput` for invalid UTF-8 and for anything that is not JSON. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new UncleanInput("not JSON");
  }
  return cleanJson(parsed);
}
