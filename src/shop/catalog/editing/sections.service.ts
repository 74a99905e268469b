import { inTransaction, type Db } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import { categoryPath, categorySlugPattern, sectionMaxLengths, type CategoryRecord, type CategoryTexts, type Series } from "../category.ts";
import * as edits from "./edit.repository.ts";
import * as rows from "./sections.repository.ts";

/** Categories and series as staff edit them. Every change counts into the version of the catalogue, so pages show it within a second. */

export type SectionError =
  | { code: "section.not_found" }
  | { code: "section.invalid"; field: "slug" | "parent" | "name"; why: "malformed" | "taken" | "circle" | "unknown" | "outside" }
  | { code: "section.in_use"; coins: number; children: number }
  | { code: "staff.stale"; current: CategoryRecord | Series | null };

/** All categories as staff edit them, in their order. */
export const categoryRecords = (db: Db): Promise<CategoryRecord[]> => rows.readCategoryRecords(db);

const changing = <T>(ctx: Ctx, work: (tx: Db, all: CategoryRecord[]) => Promise<T>): Promise<T> =>
  inTransaction(ctx.db, async (tx) => {
    await edits.lockEdits(tx);
    return work(tx, await rows.readCategoryRecords(tx));
  });

/** Adds a listing at the end of the menu. Its address is final and lies below the address of its parent. */
export const addCategory = (ctx: Ctx, slug: string, texts: CategoryTexts): Promise<Result<CategoryRecord, SectionError>> =>
  changing(ctx, async (tx, all) => {
    if (!categorySlugPattern.test(slug) || slug.length > sectionMaxLengths.slug) return invalid("slug", "malformed");
    if (all.some((each) => each.slug === slug)) return invalid("slug", "taken");
    if (texts.parent !== null && !all.some((each) => each.slug === texts.parent)) return invalid("parent", "unknown");
    if (texts.parent !== null && !slug.startsWith(`${texts.parent}/`)) return invalid("slug", "outside");
    const position = Math.max(-1, ...all.map((each) => each.position)) + 1;
    await rows.addCategory(tx, { slug, ...texts, position });
    return done({ slug, ...texts, position, revision: 0, coinCount: 0 });
  });

/** Changes texts and parent of a listing. Refuses a parent that lies below it. */
export const saveCategory = (
  ctx: Ctx,
  { slug, revision }: { slug: string; revision: number },
  texts: CategoryTexts,
): Promise<Result<{ before: CategoryRecord; after: CategoryRecord }, SectionError>> =>
  changing(ctx, async (tx, all) => {
    const before = all.find((each) => each.slug === slug);
    if (!before) return fail({ code: "section.not_found" });
    if (before.revision !== revision) return fail({ code: "staff.stale", current: before });
    if (texts.parent !== null) {
      if (!all.some((each) => each.slug === texts.parent)) return invalid("parent", "unknown");
      if (categoryPath(all, texts.parent).some((each) => each.slug === slug)) return invalid("parent", "circle");
    }
    await rows.saveCategory(tx, slug, texts);
    return done({ before, after: { ...before, ...texts, revision: revision + 1 } });
  });

/** Deletes a listing without coins and without listings below it. */
export const deleteCategory = (ctx: Ctx, slug: string): Promise<Result<CategoryRecord, SectionError>> =>
  changing(ctx, async (tx, all) => {
    const category = all.find((each) => each.slug === slug);
    if (!category) return fail({ code: "section.not_found" });
    const children = all.filter(({ parent }) => parent === slug).length;
    if (children + category.coinCount > 0) return fail({ code: "section.in_use", coins: category.coinCount, children });
    await rows.deleteCategory(tx, slug);
    return done(category);
  });

/** Puts all listings into this order. Refuses with `staff.stale` when a listing was added or deleted meanwhile. */
export const orderCategories = (ctx: Ctx, slugs: readonly string[]): Promise<Result<CategoryRecord[], SectionError>> =>
  changing(ctx, async (tx, all) => {
    if (
      !isSameSet(
        slugs,
        all.map(({ slug }) => slug),
      )
    )
      return fail({ code: "staff.stale", current: null });
    await rows.placeCategories(tx, slugs);
    return done(await rows.readCategoryRecords(tx));
  });

/** All series. */
export const seriesList = (db: Db): Promise<Series[]> => rows.readSeries(db);
/** Names and texts in their order, for pages. */
export const seriesTexts = (db: Db): Promise<{ name: string; body: string }[]> => rows.readSeriesTexts(db);

/** Changes the text of a series and its name, which its coins take over. `revision` is 0 for a series that only coins name. */
export function saveSeries(
  ctx: Ctx,
  { name, revision }: { name: string; revision: number },
  next: { name: string; body: string },
): Promise<Result<{ before: Series; after: Series }, SectionError>> {
  return inTransaction(ctx.db, async (tx) => {
    await edits.lockEdits(tx);
    const all = await rows.readSeries(tx);
    const before = all.find((each) => each.name === name);
    if (!before) return fail({ code: "section.not_found" });
    if (before.revision !== revision) return fail({ code: "staff.stale", current: before });
    if (next.name !== name && all.some((each) => each.name === next.name)) return invalid("name", "taken");
    await rows.writeSeries(tx, name, next.body);
    if (next.name !== name) await rows.renameSeries(tx, name, next.name);
    const after = (await rows.readSeries(tx)).find((each) => each.name === next.name);
    return after ? done({ before, after }) : fail({ code: "section.not_found" });
  });
}

/** Adds a series that no coin has yet. */
export function addSeries(ctx: Ctx, { name, body }: { name: string; body: string }): Promise<Result<Series, SectionError>> {
  return inTransaction(ctx.db, async (tx) => {
    await edits.lockEdits(tx);
    if ((await rows.readSeries(tx)).some((each) => each.name === name)) return invalid("name", "taken");
    await rows.writeSeries(tx, name, body);
    const added = (await rows.readSeries(tx)).find((each) => each.name === name);
    return added ? done(added) : fail({ code: "section.not_found" });
  });
}

/** Deletes a series that no coin has. */
export function deleteSeries(ctx: Ctx, name: string): Promise<Result<Series, SectionError>> {
  return inTransaction(ctx.db, async (tx) => {
    await edits.lockEdits(tx);
    const series = (await rows.readSeries(tx)).find((each) => each.name === name);
    if (!series) return fail({ code: "section.not_found" });
    if (series.coinCount > 0) return fail({ code: "section.in_use", coins: series.coinCount, children: 0 });
    await rows.deleteSeries(tx, name);
    return done(series);
  });
}

/** The order of series in the filter. Refuses with `staff.stale` when the list has changed meanwhile. */
export function orderSeries(ctx: Ctx, names: readonly string[]): Promise<Result<Series[], SectionError>> {
  return inTransaction(ctx.db, async (tx) => {
    await edits.lockEdits(tx);
    const all = await rows.readSeries(tx);
    if (
      !isSameSet(
        names,
        all.map(({ name }) => name),
      )
    )
      return fail({ code: "staff.stale", current: null });
    await rows.placeSeries(tx, names);
    return done(await rows.readSeries(tx));
  });
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && new Set([...a, ...b]).size === a.length;

const invalid = (
  field: Extract<SectionError, { code: "section.invalid" }>["field"],
  why: Extract<SectionError, { code: "section.invalid" }>["why"],
) => fail({ code: "section.invalid" as const, field, why });
