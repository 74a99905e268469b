import { asc, eq, sql } from "drizzle-orm";
import { rowsOf, type Db, type Expression, type Tx } from "#kit/db.ts";
import { searchSynonyms } from "./tables.ts";

export const readSynonyms = (db: Db): Promise<{ phrase: string; meaning: string }[]> =>
  db.select().from(searchSynonyms).orderBy(asc(searchSynonyms.phrase));

/** A hash of all synonyms, which changes with every edit; the table is short. */
const synonymsVersion: Expression = sql`(select coalesce(md5(string_agg(phrase || '>' || meaning, '|' order by phrase)), '')
  from ${searchSynonyms})`;

/** The versions of everything that the read model is made from, and the changes of the stock, in one statement. */
export async function readVersions(
  db: Db,
  { catalogue, stock }: { catalogue: Expression; stock: Expression },
): Promise<{ catalogue: string; stock: string; synonyms: string }> {
  const [row] = await rowsOf<{ catalogue: string; stock: string; synonyms: string }>(
    db,
    sql`select ${catalogue} as catalogue, ${stock} as stock, ${synonymsVersion} as synonyms`,
  );
  if (!row) throw new Error("no versions were read");
  return row;
}

/** Edits of synonyms run one after another until the end of the transaction. */
export async function lockSynonyms(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('search.synonyms'))`);
}

export async function addSynonym(tx: Tx, synonym: { phrase: string; meaning: string }): Promise<void> {
  await tx.insert(searchSynonyms).values(synonym);
}

export async function deleteSynonym(tx: Tx, phrase: string): Promise<void> {
  await tx.delete(searchSynonyms).where(eq(searchSynonyms.phrase, phrase));
}
