import { keyboard } from "./texts.ru.ts";

const toRussian = new Map(Array.from(keyboard.latin, (key, i) => [key, keyboard.russian[i] ?? key]));
const toLatin = new Map(Array.from(keyboard.russian, (key, i) => [key, keyboard.latin[i] ?? key]));
// The same keys with Shift.
for (const [shifted, key] of [
  ["~", "ё"],
  ["{", "х"],
  ["}", "ъ"],
  [":", "ж"],
  ['"', "э"],
  ["<", "б"],
  [">", "ю"],
] as const)
  toRussian.set(shifted, key);

/** The query retyped in the other keyboard layout; the layout of most letters is taken as the wrong one. Null when nothing changes. */
export function otherLayout(query: string): string | null {
  const text = query.toLowerCase();
  const latin = text.match(/[a-z]/g)?.length ?? 0;
  const russian = text.match(/[а-яё]/g)?.length ?? 0;
  if (latin === 0 && russian === 0) return null;
  const map = latin >= russian ? toRussian : toLatin;
  const switched = Array.from(text, (letter) => map.get(letter) ?? letter).join("");
  return switched === text ? null : switched;
}
