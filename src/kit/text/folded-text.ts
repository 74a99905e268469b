import { sql, type SQL } from "drizzle-orm";

const upper = "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё";
const lower = "абвгдеежзийклмнопрстуфхцчшщъыьэюяе";

/** A column's text in lower case with ё as е, whatever the locale of the database. */
export const foldedSql = (text: SQL): SQL => sql`translate(lower(${text}), ${sql.raw(`'${upper}'`)}, ${sql.raw(`'${lower}'`)})`;
/** The same for a text that is searched for. */
export const foldedText = (text: string): string => text.toLowerCase().replaceAll("ё", "е");
