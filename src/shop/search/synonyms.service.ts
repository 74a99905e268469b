import { inTransaction, type Db } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import * as rows from "./repository.ts";
import { normalise } from "./text/words.ts";

export type Synonym = { phrase: string; meaning: string };
const mostSynonyms = 2_000;

/** All synonyms of the search. */
export const synonyms = (db: Db): Promise<Synonym[]> => rows.readSynonyms(db);

/**
 * Adds a synonym, or changes the meaning of one that exists, when `replaces` is its phrase. Phrases are stored as the search reads them.
 */
export function saveSynonym(
  ctx: Ctx,
  { phrase: typed, meaning, replaces }: Synonym & { replaces: string | null },
): Promise<
  Result<{ before: Synonym | null; after: Synonym }, { code: "synonym.taken" | "synonym.too_many" | "synonym.empty" | "synonym.not_found" }>
> {
  return inTransaction(ctx.db, async (tx) => {
    const after = { phrase: normalise(typed), meaning: normalise(meaning) };
    if (after.phrase === "" || after.meaning === "" || after.phrase === after.meaning) return fail({ code: "synonym.empty" });
    await rows.lockSynonyms(tx);
    const all = await rows.readSynonyms(tx);
    const before = all.find(({ phrase }) => phrase === replaces) ?? null;
    if (replaces !== null && !before) return fail({ code: "synonym.not_found" });
    if (after.phrase !== replaces && all.some(({ phrase }) => phrase === after.phrase)) return fail({ code: "synonym.taken" });
    if (!before && all.length >= mostSynonyms) return fail({ code: "synonym.too_many" });
    if (before) await rows.deleteSynonym(tx, before.phrase);
    await rows.addSynonym(tx, after);
    return done({ before, after });
  });
}

/** Removes a synonym; null when it is gone already. */
export async function deleteSynonym(ctx: Ctx, phrase: string): Promise<Synonym | null> {
  return rows.deleteSynonym(ctx.db, phrase);
}
