import { inTransaction, type Db } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import * as rows from "./repository.ts";
import { normalise } from "./text/words.ts";

export type Synonym = { phrase: string; meaning: string };
const maxSynonyms = 2_000;

/** All synonyms of the search. */
export const synonyms = (db: Db): Promise<Synonym[]> => rows.readSynonyms(db);

/** `current`: what is stored now; null: it was deleted, or has another phrase. */
type StaleError = { code: "staff.stale"; current: Synonym | null };
export type SynonymError = { code: "synonym.taken" | "synonym.too_many" | "synonym.empty" | "synonym.not_found" } | StaleError;

const isSame = (one: Synonym | null, other: Synonym): boolean => one?.phrase === other.phrase && one.meaning === other.meaning;

/**
 * Adds a synonym (`seen` null), or changes the one that the editor saw. Phrases are stored as the search reads them. Refuses with
 * `staff.stale` when the seen one was changed meanwhile.
 */
export function saveSynonym(
  ctx: Ctx,
  { phrase: typed, meaning }: Synonym,
  seen: Synonym | null,
): Promise<Result<{ before: Synonym | null; after: Synonym }, SynonymError>> {
  return inTransaction(ctx.db, async (tx) => {
    const after = { phrase: normalise(typed), meaning: normalise(meaning) };
    if (after.phrase === "" || after.meaning === "" || after.phrase === after.meaning) return fail({ code: "synonym.empty" });
    await rows.lockSynonyms(tx);
    const all = await rows.readSynonyms(tx);
    const before = all.find(({ phrase }) => phrase === seen?.phrase) ?? null;
    if (seen && !isSame(before, seen) && !isSame(before, after)) return fail({ code: "staff.stale", current: before });
    if (after.phrase !== before?.phrase && all.some(({ phrase }) => phrase === after.phrase)) return fail({ code: "synonym.taken" });
    if (!before && all.length >= maxSynonyms) return fail({ code: "synonym.too_many" });
    if (before) await rows.deleteSynonym(tx, before.phrase);
    await rows.addSynonym(tx, after);
    return done({ before, after });
  });
}

/** Removes the synonym that the editor saw. Refuses with `synonym.not_found` and `staff.stale`. */
export function deleteSynonym(ctx: Ctx, seen: Synonym): Promise<Result<Synonym, SynonymError>> {
  return inTransaction(ctx.db, async (tx) => {
    await rows.lockSynonyms(tx);
    const stored = (await rows.readSynonyms(tx)).find(({ phrase }) => phrase === seen.phrase);
    if (!stored) return fail({ code: "synonym.not_found" });
    if (!isSame(stored, seen)) return fail({ code: "staff.stale", current: stored });
    await rows.deleteSynonym(tx, stored.phrase);
    return done(stored);
  });
}
