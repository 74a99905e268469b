import { textOf } from "../words.ts";

/** One line of a text in a comparison. */
export type DiffLine = { kind: "same" | "gone" | "new"; text: string };
/** One field that differs. `lines`: texts of several lines. */
export type FieldDiff = { path: string; before: string; after: string; lines: DiffLine[] | null };

/** The fields of two versions that differ, by their path: `blocks.0.content.coin`. */
export function differences(before: unknown, after: unknown): FieldDiff[] {
  const [old, now] = [flat(before), flat(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((path) => {
    const [from, to] = [old.get(path) ?? "", now.get(path) ?? ""];
    if (from === to) return [];
    const isLong = from.includes("\n") || to.includes("\n");
    return [{ path, before: from, after: to, lines: isLong ? lineDiff(from, to) : null }];
  });
}

function flat(value: unknown, path: string[] = [], found = new Map<string, string>()): Map<string, string> {
  if (value !== null && typeof value === "object") for (const [key, each] of Object.entries(value)) flat(each, [...path, key], found);
  else if (textOf(value) !== "") found.set(path.join("."), textOf(value));
  return found;
}

/** The lines that went and came, by their longest common subsequence. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row) row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ kind: "same", text: old[i] ?? "" });
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "gone", text: old[i] ?? "" });
      i += 1;
    } else {
      lines.push({ kind: "new", text: now[j] ?? "" });
      j += 1;
    }
  }
  return lines;
}
