import { cleanText } from "#kit/text/clean-text.ts";

/** Bounds of a query string: parsing and cache keys stay cheap whatever is sent. */
export const maxQueryLength = 2048;
export const maxParameters = 50;

export type Query = Record<string, string>;

/** The parameters of a query as cleaned text; repeated ones are joined by commas. Null: malformed, nested or too long. */
export function parseQuery(raw: string): Query | null {
  const query = Object.create(null) as Query;
  const pairs = raw.split("&").filter((pair) => pair !== "");
  if (raw.length > maxQueryLength || pairs.length > maxParameters) return null;
  for (const pair of pairs) {
    const [name, value] = decodePair(pair) ?? [];
    if (name === undefined || value === undefined || /[[\]]/.test(name)) return null;
    query[name] = name in query ? `${query[name]},${value}` : value;
  }
  return query;
}

function decodePair(pair: string): [string, string] | null {
  const at = pair.indexOf("=");
  const [name, value] = at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
  try {
    return [decode(name), decode(value)];
  } catch {
    return null;
  }
}

const decode = (text: string): string => cleanText(decodeURIComponent(text.replaceAll("+", " ")));

/** The part of an address after `?`, still encoded. */
export function rawQueryOf(url: string): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at + 1);
}
