import { inTransaction, type Db, type Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { toSlug } from "#kit/text/slug.ts";
import type { Ctx } from "#shop/context.ts";
import { wasShown, type Coin } from "../coin.ts";
import {
  differingFields,
  factFields,
  factProblems,
  factsOf,
  identifyingFields,
  priceProblems,
  type CoinFacts,
  type CoinIdentityFacts,
  type CoinProblem,
  type FactField,
  type FirstPrices,
} from "../coin-rules.ts";
import * as rows from "./edit.repository.ts";
import { noPictures, type SidePictures } from "../image.ts";
import { designName, productKey } from "../product.ts";
import { readByIds, readCategories, readExisting } from "../repository.ts";
import { publishInside } from "./publish.service.ts";
import { notReady, type Duplicate, type EditError } from "./coin-edit.ts";
import { setPictures } from "./pictures.service.ts";

/** One coin to save. */
export type CoinRow = {
  /** Null: a new coin. */
  id: number | null;
  /** The revision that the editor read; null: whichever is stored, for imports, which show the differences first. */
  revision: number | null;
  /** An empty `motif` is made from the title. */
  facts: CoinFacts;
  /** What a new coin costs; ignored for existing coins, whose prices `pricing` changes. */
  prices: FirstPrices | null;
};

/** What saving a row does, or why it cannot be saved. */
export type CoinPlan =
  | { kind: "add"; after: Coin }
  | { kind: "change"; before: Coin; after: Coin; fields: FactField[] }
  | { kind: "same"; before: Coin }
  | { kind: "refused"; problems: CoinProblem[] }
  | { kind: "duplicate"; duplicate: Duplicate }
  | { kind: "stale"; current: Coin; fields: FactField[] }
  | { kind: "missing" };
type AppliedPlan = Extract<CoinPlan, { kind: "add" | "change" | "same" }>;

const isApplicable = (plan: CoinPlan): plan is AppliedPlan => plan.kind === "add" || plan.kind === "change" || plan.kind === "same";

/**
 * What saving these rows would do; writes nothing. Five statements, however many rows. `allowsDuplicates`: the caller has confirmed that a
 * coin with the same number or of the same issue is another one.
 */
export async function planCoins(
  ctx: Pick<Ctx, "now"> & { db: Db },
  list: readonly CoinRow[],
  { allowsDuplicates = false } = {},
): Promise<CoinPlan[]> {
  const ids = list.flatMap(({ id }) => id ?? []);
  const stored = new Map((await readByIds(ctx.db, ids)).map((coin) => [coin.id, coin]));
  const categories = new Set((await readCategories(ctx.db)).map(({ slug }) => slug));
  const identities = await rows.readIdentities(ctx.db);
  const highest = await rows.readHighestId(ctx.db);

  const own = new Set(ids);
  const others = createIdentityIndex(identities.filter(({ id }) => !own.has(id)));
  let added = 0;
  return list.map((row) => {
    const before = row.id === null ? null : stored.get(row.id);
    if (before === undefined) return { kind: "missing" };
    const facts = withMotif(row.facts);
    if (before && row.revision !== null && row.revision !== before.revision)
      return { kind: "stale", current: before, fields: differingFields(facts, before) };

    const fields = before ? differingFields(before, facts) : [...factFields];
    if (before && fields.length === 0) {
      others.add(before);
      return { kind: "same", before };
    }
    const problems = factProblems(facts, categories);
    if (!before)
      problems.push(...(row.prices ? priceProblems(row.prices, facts.kind) : [{ field: "premiumBp", code: "required" } as const]));
    if (before && wasShown(before) && before.slug !== facts.slug) problems.push({ field: "slug", code: "slug_fixed" });
    else if (others.hasSlug(facts.slug)) problems.push({ field: "slug", code: "slug_taken" });
    if (problems.length > 0) return { kind: "refused", problems };

    const after: Coin = before
      ? { ...before, ...facts, revision: before.revision + 1 }
      : newCoin({ id: highest + (added += 1), facts, prices: row.prices ?? noPrices, at: ctx.now() });
    const mayBeTwin = !before || fields.some((field) => identifying.has(field));
    const duplicate = allowsDuplicates || !mayBeTwin ? null : others.twinOf(after);
    if (duplicate) return { kind: "duplicate", duplicate };
    others.add(after);
    return before ? { kind: "change", before, after, fields } : { kind: "add", after };
  });
}

/**
 * Saves coins, all or none: facts of existing ones (their revision counts up), and new ones, off sale, with their first prices. A few
 * statements whatever the number of rows. Refuses with `coin.rows_refused` and the plans of all rows when one of them cannot be saved.
 */
export async function saveCoins(
  tx: Tx,
  ctx: Pick<Ctx, "now">,
  list: readonly CoinRow[],
  options: { allowsDuplicates?: boolean } = {},
): Promise<Result<AppliedPlan[], { code: "coin.rows_refused"; plans: CoinPlan[] }>> {
  await rows.lockEdits(tx);
  const plans = await planCoins({ db: tx, now: ctx.now }, list, options);
  const applied = plans.filter(isApplicable);
  if (applied.length < plans.length) return fail({ code: "coin.rows_refused", plans });
  await rows.addCoins(
    tx,
    applied.flatMap((plan) => (plan.kind === "add" ? [plan.after] : [])),
  );
  await rows.writeFacts(
    tx,
    applied.flatMap((plan) => (plan.kind === "change" ? [plan.after] : [])),
  );
  return done(applied);
}

/** Of a new coin whose prices are not given. */
export const noPrices: FirstPrices = { premiumBp: null, buybackBp: null, fixedPriceKopecks: null, fixedBuybackKopecks: null };

const newCoin = ({ id, facts, prices, at }: { id: number; facts: CoinFacts; prices: FirstPrices; at: Date }): Coin => ({
  ...facts,
  ...prices,
  premiumBp: prices.premiumBp ?? 0, // of a memorable coin: its price is fixed
  id,
  popularity: 0,
  isPublished: false,
  publishedAt: null,
  pictures: noPictures,
  hasDrawing: false,
  revision: 0,
  createdAt: at,
  updatedAt: at,
});

/** The design's own name in Latin letters, when it was not given: it groups the issues of one design. */
const withMotif = (facts: CoinFacts): CoinFacts => ({ ...factsOf(facts), motif: motifOf(facts) });
const motifOf = ({ title, motif }: Pick<CoinFacts, "title" | "motif">): string =>
  motif === "" && title !== "" ? toSlug(designName(title).split(",")[0] ?? "") : motif;

const identifying: ReadonlySet<FactField> = new Set(identifyingFields);

/**
 * The stored coin that a coin with these facts would be saved a second time as; null: none. `id`: the coin itself, which is not compared.
 */
export async function twinOf(db: Db, id: number | null, facts: CoinIdentityFacts): Promise<Duplicate | null> {
  const others = (await rows.readIdentities(db)).filter((coin) => coin.id !== id);
  return createIdentityIndex(others).twinOf({ ...facts, motif: motifOf(facts), id: id ?? 0, slug: "" });
}

function createIdentityIndex(list: readonly rows.CoinIdentity[]) {
  const slugs = new Set<string>();
  const issues = new Map<string, rows.CoinIdentity>();
  const numbers = new Map<string, rows.CoinIdentity>();
  const issueOf = (coin: rows.CoinIdentity): string => `${productKey(coin)}|${coin.year}|${coin.mint}`;
  const numberOf = (coin: rows.CoinIdentity): string => `${coin.catalogueNumber}|${coin.mint}|${coin.year}`;
  const index = {
    add(coin: rows.CoinIdentity): void {
      slugs.add(coin.slug);
      issues.set(issueOf(coin), coin);
      if (coin.catalogueNumber !== null) numbers.set(numberOf(coin), coin);
    },
    hasSlug: (slug: string): boolean => slugs.has(slug),
    twinOf(coin: rows.CoinIdentity): Duplicate | null {
      const byNumber = coin.catalogueNumber === null ? undefined : numbers.get(numberOf(coin));
      const twin = byNumber ?? issues.get(issueOf(coin));
      return twin ? { why: byNumber ? "number" : "issue", id: twin.id, slug: twin.slug, title: twin.title } : null;
    },
  };
  for (const coin of list) index.add(coin);
  return index;
}

export type CoinEdit = CoinRow & {
  /** Absent: the pictures stay. */
  pictures?: SidePictures;
  /** Puts the coin on sale or takes it off; absent: it stays as it is. */
  isPublished?: boolean;
  allowsDuplicates?: boolean;
};

/** Whether the facts and prices of an edit could be saved now; writes nothing. Pictures are left to `editCoin`. */
export async function checkEdit(ctx: Pick<Ctx, "now" | "db">, edit: CoinEdit): Promise<Result<true, EditError>> {
  const [plan] = await planCoins(ctx, [edit], { allowsDuplicates: edit.allowsDuplicates ?? false });
  if (!plan || !isApplicable(plan)) return fail(errorOf(plan));
  const after = plan.kind === "same" ? plan.before : plan.after;
  const isUnpriced = (edit.isPublished ?? after.isPublished) && notReady(after).includes("price");
  return isUnpriced ? fail({ code: "coin.not_ready", reasons: ["price"] }) : done(true);
}

/**
 * The coin that these facts and prices would add, for its preview; writes nothing. Its id is 0, which no stored coin has, so that the page
 * shows neither stock nor history of another one. A duplicate is allowed. Refuses with `coin.invalid` and the wrong fields.
 */
export async function newCoinDraft(
  ctx: Pick<Ctx, "now" | "db">,
  { facts, prices }: Pick<CoinRow, "facts" | "prices">,
): Promise<Result<Coin, Extract<EditError, { code: "coin.invalid" }>>> {
  const [plan] = await planCoins(ctx, [{ id: null, revision: null, facts, prices }], { allowsDuplicates: true });
  if (plan?.kind === "refused") return fail({ code: "coin.invalid", problems: plan.problems });
  if (plan?.kind !== "add") throw new Error("a row without an id adds a coin");
  return done({ ...plan.after, id: 0 });
}

/**
 * Saves one coin from the editor: facts, pictures and whether it is on sale, or nothing of it. `before` is null for a new coin.
 * Refuses with `staff.stale` when another revision is stored, `coin.invalid` with the wrong fields, `coin.duplicate`,
 * `coin.picture_wrong` and, for publishing, `coin.not_ready`.
 */
export function editCoin(ctx: Ctx, edit: CoinEdit): Promise<Result<{ before: Coin | null; after: Coin }, EditError>> {
  return inTransaction(ctx.db, async (tx) => {
    const saved = await saveCoins(tx, ctx, [edit], { allowsDuplicates: edit.allowsDuplicates ?? false });
    if (!saved.ok) return fail(errorOf(saved.error.plans[0]));
    const [plan] = saved.value;
    if (!plan) throw new Error("one row has one plan");
    const before = plan.kind === "add" ? null : plan.before;
    const { id } = before ?? (plan as Extract<CoinPlan, { kind: "add" }>).after;

    if (edit.pictures) {
      const set = await setPictures(tx, ctx, id, edit.pictures);
      if (!set.ok) return set;
    }
    if (edit.isPublished !== undefined) {
      const moved = await publishInside(tx, ctx, id, edit.isPublished);
      if (!moved.ok) return moved;
    }
    const after = await readExisting(tx, id);
    const reasons = after.isPublished ? notReady(after) : [];
    return reasons.length > 0 ? fail({ code: "coin.not_ready", reasons }) : done({ before, after });
  });
}

function errorOf(plan: CoinPlan | undefined): EditError {
  switch (plan?.kind) {
    case "stale":
      return { code: "staff.stale", current: plan.current, fields: plan.fields };
    case "refused":
      return { code: "coin.invalid", problems: plan.problems };
    case "duplicate":
      return { code: "coin.duplicate", duplicate: plan.duplicate };
    default:
      return { code: "coin.not_found" };
  }
}

/** Ids of coins on sale or not for a list of the back office, the newest first. */
export const listCoins = (db: Db, filter: rows.CoinListFilter, before: number | null, limit: number): Promise<number[]> =>
  rows.listIds(db, filter, before, limit);

/** Coins of all kinds whose title has all the words, whose slug has the text, or with this id or catalogue number. */
export async function findIds(db: Db, text: string): Promise<number[]> {
  const fold = (words: string): string => words.toLowerCase().replaceAll("ё", "е");
  const words = fold(text)
    .split(/\s+/)
    .filter((word) => word !== "");
  return (await rows.readIdentities(db))
    .filter(
      (coin) =>
        String(coin.id) === text ||
        coin.catalogueNumber === text ||
        words.every((word) => fold(coin.title).includes(word)) ||
        (text.length > 3 && coin.slug.includes(text)),
    )
    .map(({ id }) => id);
}

/** Words that other coins use, to choose from. */
export async function usedWords(db: Db) {
  const [countries, issuers, mints, qualities, artists] = await Promise.all(
    (["country", "issuer", "mint", "quality", "artist"] as const).map((field) => rows.readWords(db, field)),
  );
  return { countries: countries ?? [], issuers: issuers ?? [], mints: mints ?? [], qualities: qualities ?? [], artists: artists ?? [] };
}

/** Pure masses of coins by metal and face value, each once. */
export const knownMasses = (db: Db) => rows.readMasses(db);

/** Coins with a place in the beginning of the catalogue. */
export const featured = (db: Db) => rows.readFeatured(db);
