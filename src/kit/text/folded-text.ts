import { sql, type SQL } from "drizzle-orm";

const upper = "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё";
const lower = "абвгдеежзийклмнопрстуфхцчшщъыьэюяе";

/** A column's text in lower case with ё as е, whatever the locale of the database. */
export const foldedSql = (text: SQL): SQL => sql`translate(lower(${text}), ${sql.raw(`'${upper}'`)}, ${sql.raw(`'${lower}'`)})`;
/** The same for a text that is searched for. */
export const foldedText = (text: string): string => text.toLowerCase().replaceAll("ё", "е");

/**
 * A regular expression of PostgreSQL (`~`) that finds a folded text in a column in either case, with ё for е too. To fold a column takes
 * sixteen times as long, so a column without an index is searched like this.
 */
export const foldedPattern = (text: string): string => Array.from(text, patternOf).join("");

function patternOf(letter: string): string {
  if (letter === "е") return "[еЕёЁ]";
  const upper = letter.toUpperCase();
  if (upper !== letter && upper.length === letter.length) return `[${letter}${upper}]`;
  return /[.^$*+?()[\]{}|\\]/.test(letter) ? `\\${letter}` : letter;
}
