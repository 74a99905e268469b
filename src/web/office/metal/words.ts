import { trimmed } from "#kit/format.ts";

/** Milligrams as grams with at most one digit after the comma, without the unit: `1 250,5`. */
export const grams = (milligrams: number): string => trimmed(milligrams / 1_000, 1);
/** The same with the sign of an open position: `+1 250,5`, `−3`, `0`. */
export const signedGrams = (milligrams: number): string => `${milligrams > 0 ? "+" : ""}${grams(milligrams)}`;

/** Time that is left, milliseconds: `8:47`, from an hour on `70 мин`, from two hours on `47 ч`, from two days on `3 дн.`. */
export function leftText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds >= 172_800) return `${Math.floor(seconds / 86_400)} дн.`;
  if (seconds >= 7_200) return `${Math.floor(seconds / 3_600)} ч`;
  if (seconds >= 3_600) return `${Math.floor(seconds / 60)} мин`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
