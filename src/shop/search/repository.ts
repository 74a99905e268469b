import { asc, eq, sql } from "drizzle-orm";
import { rowsOf, type Db, type Expression, type Tx } from "#kit/db.ts";
import { searchSynonyms } from "./tables.ts";

export const readSynonyms = (db: Db): Promise<{ phrase: string; meaning: string }[]> =>
  db.select().from(searchSynonyms).orderBy(asc(searchSynonyms.phrase));

/** A hash of all synonyms, which changes with every edit; the table is short. */
const synonymsVersion: Expression = sql`(select coalesce(md5(string_agg(phrase || '>' || meaning, '|' order by phrase)), '')
  from ${searchSynonyms})`;

type Versions = { edits: string; catalogue: string | null; stock: string; synonyms: string };

/**
 * The versions of everything that the read model is made from, and the changes of the stock, in one statement. `catalogue` is null while
 * the newest edits are still `knownEdits`.
 */
export async function readVersions(
  db: Db,
  {
    catalogue,
    newestEdits,
    knownEdits,
    stock,
  }: { catalogue: Expression; newestEdits: Expression; knownEdits: string | null; stock: Expression },
): Promise<Versions> {
  const [row] = await rowsOf<Versions>(
    db,
    sql`with newest as materialized (select ${newestEdits} as edits)
      select edits, case when edits = ${knownEdits}::text then null else ${catalogue} end as catalogue, ${stock} as stock,
        ${synonymsVersion} as synonyms from newest`,
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
