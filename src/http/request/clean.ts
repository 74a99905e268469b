import { cleanText } from "#kit/text/clean-text.ts";

/** Deeper than any call's body; `JSON.stringify` of tens of thousands of levels would crash the process that logs it. */
export const maxDepth = 10;
const forbiddenKeys = new Set(["__proto__", "constructor", "prototype"]);

/** Input that no client of the shop sends: nested too deep, not JSON or UTF-8, or with a key that would change an object's prototype. */
export class UncleanInput extends Error {}

/** Cleans every text of a parsed body. Throws `UncleanInput` for nesting beyond `maxDepth` and for keys such as `__proto__`. */
export function cleanJson(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) throw new UncleanInput("too deep");
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
