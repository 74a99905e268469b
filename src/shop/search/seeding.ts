/** How the seed writes this module's table; nothing else imports it. */
import type { Tx } from "#kit/db.ts";
import { searchSynonyms } from "./tables.ts";

/** Adds synonyms whose phrase is new; staff edit these, so a row that exists stays. */
export async function addMissingSynonyms(tx: Tx, synonyms: readonly { phrase: string; meaning: string }[]): Promise<void> {
  await tx
    .insert(searchSynonyms)
    .values([...synonyms])
    .onConflictDoNothing();
}
