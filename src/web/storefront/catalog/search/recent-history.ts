/** Recent search queries and viewed coins, newest first. They are stored in the browser only: pages are the same for all visitors. */
const stores = { queries: { key: "recent-queries", most: 6 }, coins: { key: "recent-coins", most: 13 } } as const;
type Kind = keyof typeof stores;

/** Empty when the browser refuses storage or holds anything else under the key. */
export function recentEntries(kind: Kind): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(stores[kind].key) ?? "[]");
    return Array.isArray(found) ? found.filter((each) => typeof each === "string" && each !== "").slice(0, stores[kind].most) : [];
  } catch {
    return [];
  }
}

export function addRecent(kind: Kind, value: string): void {
  write(kind, [value, ...recentEntries(kind).filter((each) => each.toLowerCase() !== value.toLowerCase())].slice(0, stores[kind].most));
}

export const clearRecent = (kind: Kind): void => write(kind, []);

function write(kind: Kind, values: string[]): void {
  try {
    localStorage.setItem(stores[kind].key, JSON.stringify(values));
  } catch {
    console.warn("the browser refuses storage");
  }
}
