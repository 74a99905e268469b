/** What this browser looked for and at, newest first; kept in the browser alone, for pages are the same for everybody. */
const kept = { queries: { key: "recent-queries", most: 6 }, coins: { key: "recent-coins", most: 13 } } as const;
type Kind = keyof typeof kept;

/** A browser may refuse storage, and anything may stand there: then nothing is remembered. */
export function recent(kind: Kind): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(kept[kind].key) ?? "[]");
    return Array.isArray(found) ? found.filter((each) => typeof each === "string" && each !== "").slice(0, kept[kind].most) : [];
  } catch {
    return [];
  }
}

export function remember(kind: Kind, value: string): void {
  write(kind, [value, ...recent(kind).filter((each) => each.toLowerCase() !== value.toLowerCase())].slice(0, kept[kind].most));
}

export const forget = (kind: Kind): void => write(kind, []);

function write(kind: Kind, values: string[]): void {
  try {
    localStorage.setItem(kept[kind].key, JSON.stringify(values));
  } catch {
    console.warn("this browser keeps nothing");
  }
}
