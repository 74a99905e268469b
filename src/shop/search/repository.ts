import { asc, sql } from "drizzle-orm";
import type { Db } from "#kit/db.ts";
import { searchSynonyms } from "./tables.ts";

export const readSynonyms = (db: Db): Promise<{ phrase: string; meaning: string }[]> =>
  db.select().from(searchSynonyms).orderBy(asc(searchSynonyms.phrase));

/** A hash of all synonyms, which changes with every edit; the table is short. */
export async function readSynonymsVersion(db: Db): Promise<string> {
  const { phrase, meaning } = searchSynonyms;
  const [row] = await db
    .select({ version: sql<string>`coalesce(md5(string_agg(${phrase} || '>' || ${meaning}, '|' order by ${phrase})), '')` })
    .from(searchSynonyms);
  return row?.version ?? "";
}
