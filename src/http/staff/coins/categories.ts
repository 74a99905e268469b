import * as contract from "#contract/staff/coins/categories.ts";
import { done, fail } from "#kit/result.ts";
import * as sections from "#shop/catalog/editing/sections.service.ts";
import * as synonyms from "#shop/search/synonyms.service.ts";
import { staffChange, staffRead, type StaffEndpoint } from "../endpoint.ts";

/** Categories, series and synonyms of the search. */
export const categoryEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readCategories, async (ctx) => done(await sections.categoryRecords(ctx.db))),
  staffChange(contract.addCategory, {
    change: async (ctx, { body: { slug, ...texts }, audit }) => {
      const added = await sections.addCategory(ctx, slug, texts);
      if (!added.ok) return fail(refusalOf(added.error));
      audit({ subject: `category:${slug}`, after: texts });
      return added;
    },
  }),
  staffChange(contract.saveCategory, {
    change: async (ctx, { body: { slug, revision, ...texts }, audit }) => {
      const saved = await sections.saveCategory(ctx, { slug, revision }, texts);
      if (!saved.ok) return fail(refusalOf(saved.error));
      const { title, heading, intro, parent } = saved.value.before;
      audit({ subject: `category:${slug}`, before: { title, heading, intro, parent }, after: texts });
      return done(saved.value.after);
    },
  }),
  staffChange(contract.deleteCategory, {
    change: async (ctx, { body: { slug }, audit }) => {
      const deleted = await sections.deleteCategory(ctx, slug);
      if (!deleted.ok) return fail(refusalOf(deleted.error));
      const { title, heading, intro, parent } = deleted.value;
      audit({ subject: `category:${slug}`, before: { title, heading, intro, parent } });
      return done(true as const);
    },
  }),
  staffChange(contract.orderCategories, {
    change: async (ctx, { body: { slugs }, audit }) => {
      const ordered = await sections.orderCategories(ctx, slugs);
      if (!ordered.ok) return fail(refusalOf(ordered.error));
      audit({ subject: "categories", after: { order: slugs } });
      return ordered;
    },
  }),

  staffRead(contract.readSeries, async (ctx) => done(await sections.seriesList(ctx.db))),
  staffChange(contract.addSeries, {
    change: async (ctx, { body, audit }) => {
      const added = await sections.addSeries(ctx, body);
      if (!added.ok) return fail(refusalOf(added.error));
      audit({ subject: `series:${body.name}`, after: body });
      return added;
    },
  }),
  staffChange(contract.saveSeries, {
    change: async (ctx, { body: { name, revision, newName, body }, audit }) => {
      const saved = await sections.saveSeries(ctx, { name, revision }, { name: newName, body });
      if (!saved.ok) return fail(refusalOf(saved.error));
      audit({ subject: `series:${name}`, before: { name, body: saved.value.before.body }, after: { name: newName, body } });
      return done(saved.value.after);
    },
  }),
  staffChange(contract.deleteSeries, {
    change: async (ctx, { body: { name }, audit }) => {
      const deleted = await sections.deleteSeries(ctx, name);
      if (!deleted.ok) return fail(refusalOf(deleted.error));
      audit({ subject: `series:${name}`, before: { body: deleted.value.body } });
      return done(true as const);
    },
  }),
  staffChange(contract.orderSeries, {
    change: async (ctx, { body: { names }, audit }) => {
      const ordered = await sections.orderSeries(ctx, names);
      if (!ordered.ok) return fail(refusalOf(ordered.error));
      audit({ subject: "series", after: { order: names } });
      return ordered;
    },
  }),

  staffRead(contract.readSynonyms, async (ctx) => done(await synonyms.synonyms(ctx.db))),
  staffChange(contract.saveSynonym, {
    change: async (ctx, { body: { before: seen, ...synonym }, audit }) => {
      const saved = await synonyms.saveSynonym(ctx, synonym, seen);
      if (!saved.ok) return fail(synonymRefusal(saved.error));
      const { before, after } = saved.value;
      audit({ subject: `synonym:${after.phrase}`, ...(before ? { before } : {}), after });
      return done(after);
    },
  }),
  staffChange(contract.deleteSynonym, {
    change: async (ctx, { body, audit }) => {
      const gone = await synonyms.deleteSynonym(ctx, body);
      if (!gone.ok) return fail(synonymRefusal(gone.error));
      audit({ subject: `synonym:${body.phrase}`, before: gone.value });
      return done(true as const);
    },
  }),
];

const synonymCodes = {
  "synonym.taken": "synonym.taken",
  "synonym.empty": "synonym.empty",
  "synonym.too_many": "staff.too_many",
  "synonym.not_found": "staff.not_found",
} as const;
const synonymRefusal = (error: synonyms.SynonymError) =>
  error.code === "staff.stale" ? { code: error.code, data: { current: error.current } } : { code: synonymCodes[error.code] };

const sectionMessages = {
  malformed: "Строчные латинские буквы и цифры через дефис, части через косую черту",
  taken: "Такое уже есть",
  circle: "Раздел не может лежать внутри себя",
  unknown: "Такого раздела нет",
  outside: "Адрес начинается с адреса старшего раздела",
} as const;

function refusalOf(error: sections.SectionError) {
  switch (error.code) {
    case "section.not_found":
      return { code: "staff.not_found" as const };
    case "section.invalid":
      return { code: error.code, fields: { [error.field]: sectionMessages[error.why] } };
    case "section.in_use":
      return { code: error.code, data: { coins: error.coins, children: error.children } };
    case "staff.stale":
      return { code: error.code, data: { current: error.current, revision: error.current?.revision ?? 0 } };
  }
}
