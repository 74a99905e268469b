import { trimmed } from "#kit/format.ts";

/** Milligrams as grams with at most one digit after the comma, without the unit: `1 250,5`. */
export const grams = (milligrams: number): string => trimmed(milligrams / 1_000, 1);
/** The same with the sign of an open position: `+1 250,5`, `−3`, `0`. */
export const signedGrams = (milligrams: number): string => `${milligrams > 0 ? "+" : ""}${grams(milligrams)}`;
