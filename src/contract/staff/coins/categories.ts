import * as z from "zod";
import { sectionMaxLengths } from "#shop/catalog/category.ts";
import { line, requiredLine, text } from "../../wire.ts";
import { staffCall } from "../call.ts";
import { revision } from "../wire.ts";

/** Categories and series of the catalogue, and synonyms of the search. */

const category = z.object({
  slug: z.string(),
  title: z.string(),
  heading: z.string(),
  intro: z.string(),
  parent: z.string().nullable(),
  position: z.int(),
  revision,
  /** Coins named in it, on sale or not. */
  coinCount: z.int(),
});
const series = z.object({ name: z.string(), body: z.string(), position: z.int().nullable(), revision, coinCount: z.int() });
const synonym = z.object({ phrase: z.string(), meaning: z.string() });

const slug = z.string().max(sectionMaxLengths.slug);
const categoryTexts = {
  title: requiredLine(sectionMaxLengths.title),
  heading: requiredLine(sectionMaxLengths.heading),
  intro: text(sectionMaxLengths.text),
  parent: slug.nullable(),
};
const name = requiredLine(200);
const body = text(sectionMaxLengths.text);

const used = z.object({ coins: z.int(), children: z.int() });
const changing = { permission: "coins", method: "POST" } as const;
const refusals = ["staff.not_found", "staff.stale", "section.invalid", "section.in_use"] as const;

export const readCategories = staffCall({
  method: "GET",
  path: "/api/staff/categories",
  summary: "All categories in menu order",
  permission: "coins",
  audit: null,
  answer: z.array(category),
  problems: [],
});
const categoryStale = { "staff.stale": z.object({ current: category.nullable(), revision }), "section.in_use": used } as const;
export const addCategory = staffCall({
  ...changing,
  path: "/api/staff/categories",
  summary: "Adds a category at the end of the menu; its address is final",
  audit: "category.add",
  body: z.strictObject({ slug: requiredLine(sectionMaxLengths.slug), ...categoryTexts }),
  answer: category,
  problems: refusals,
  refusalData: categoryStale,
});
export const saveCategory = staffCall({
  ...changing,
  path: "/api/staff/categories/save",
  summary: "Changes texts and parent of a category",
  audit: "category.save",
  body: z.strictObject({ slug, revision, ...categoryTexts }),
  answer: category,
  problems: refusals,
  refusalData: categoryStale,
});
export const deleteCategory = staffCall({
  ...changing,
  path: "/api/staff/categories/delete",
  summary: "Deletes a category without coins and without categories below it",
  audit: "category.delete",
  body: z.strictObject({ slug }),
  answer: z.literal(true),
  problems: refusals,
  refusalData: categoryStale,
});
export const orderCategories = staffCall({
  ...changing,
  path: "/api/staff/categories/order",
  summary: "Puts all categories into this order",
  audit: "category.order",
  body: z.strictObject({ slugs: z.array(slug).max(1_000) }),
  answer: z.array(category),
  problems: refusals,
  refusalData: categoryStale,
});

export const readSeries = staffCall({
  method: "GET",
  path: "/api/staff/series",
  summary: "All series in their order",
  permission: "coins",
  audit: null,
  answer: z.array(series),
  problems: [],
});
const seriesStale = { "staff.stale": z.object({ current: series.nullable(), revision }), "section.in_use": used } as const;
export const addSeries = staffCall({
  ...changing,
  path: "/api/staff/series",
  summary: "Adds a series that no coin has yet",
  audit: "series.add",
  body: z.strictObject({ name, body }),
  answer: series,
  problems: refusals,
  refusalData: seriesStale,
});
export const saveSeries = staffCall({
  ...changing,
  path: "/api/staff/series/save",
  summary: "Changes the text of a series, and its name together with its coins",
  audit: "series.save",
  body: z.strictObject({ name: line(200), revision, newName: name, body }),
  answer: series,
  problems: refusals,
  refusalData: seriesStale,
});
export const deleteSeries = staffCall({
  ...changing,
  path: "/api/staff/series/delete",
  summary: "Deletes a series that no coin has",
  audit: "series.delete",
  body: z.strictObject({ name: line(200) }),
  answer: z.literal(true),
  problems: refusals,
  refusalData: seriesStale,
});
export const orderSeries = staffCall({
  ...changing,
  path: "/api/staff/series/order",
  summary: "Puts all series into this order, which is that of the filter",
  audit: "series.order",
  body: z.strictObject({ names: z.array(line(200)).max(2_000) }),
  answer: z.array(series),
  problems: refusals,
  refusalData: seriesStale,
});

export const readSynonyms = staffCall({
  method: "GET",
  path: "/api/staff/synonyms",
  summary: "All synonyms of the search by their phrase",
  permission: "coins",
  audit: null,
  answer: z.array(synonym),
  problems: [],
});
const seenSynonym = z.strictObject({ phrase: z.string().max(500), meaning: z.string().max(500) });
const synonymStale = { "staff.stale": z.object({ current: synonym.nullable() }) } as const;
export const saveSynonym = staffCall({
  ...changing,
  path: "/api/staff/synonyms",
  summary: "Adds a synonym, or changes the one that the editor saw",
  audit: "synonym.save",
  body: z.strictObject({
    phrase: requiredLine(80),
    meaning: requiredLine(80),
    /** As the editor saw it; null: a new one. */
    before: seenSynonym.nullable(),
  }),
  answer: synonym,
  problems: ["staff.stale", "synonym.taken", "synonym.empty", "staff.too_many"],
  refusalData: synonymStale,
});
export const deleteSynonym = staffCall({
  ...changing,
  path: "/api/staff/synonyms/delete",
  summary: "Deletes the synonym that the editor saw",
  audit: "synonym.delete",
  body: seenSynonym,
  answer: z.literal(true),
  problems: ["staff.not_found", "staff.stale"],
  refusalData: synonymStale,
});
