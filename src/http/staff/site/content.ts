import type * as z from "zod";
import * as contract from "#contract/staff/site/content.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { done, fail, mapOk, type Result } from "#kit/result.ts";
import type { AuditEvent } from "#shop/audit/audit.ts";
import * as catalog from "#shop/catalog/service.ts";
import { isFixedPage } from "#shop/content/addresses.ts";
import { dataOf, stateOf, type Editable, type EditableData, type EditingError, type Subject } from "#shop/content/editing/editable.ts";
import * as editing from "#shop/content/editing/editing.service.ts";
import type { StoredRedirect } from "#shop/content/editing/redirect.ts";
import * as redirects from "#shop/content/editing/redirects.service.ts";
import { siteParts } from "#shop/content/site/parts.ts";
import * as content from "#shop/content/service.ts";
import type { Ctx } from "#shop/context.ts";
import * as search from "#shop/search/service.ts";
import { previewParameter, previewToken } from "#shop/staff/preview-token.ts";
import { staffChange, staffRead, type StaffEndpoint, type StaffRefusal } from "../endpoint.ts";
import { namedIn } from "../names.ts";
import { isoOrNull } from "../views.ts";

/** Texts, parts of the site and redirects. */
export const contentEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readTexts, async (ctx, { query: { kind, state, words, from } }) => {
    const { items, ...rest } = await editing.list(ctx, { kind, state: state ?? null, words, from });
    return done({ items: items.map(summaryView), ...rest });
  }),

  staffRead(contract.findBlockCoins, async (ctx, { query }) => done({ items: await blockCoins(ctx, query) })),

  staffRead(contract.readContent, async (ctx, { params }) => {
    const found = await editing.read(ctx, params);
    return found ? done(editableView(ctx, found)) : fail({ code: "staff.not_found" });
  }),

  staffChange(contract.createText, {
    change: async (ctx, { params: { kind }, body: { data }, audit }) => {
      const made = await editing.create(ctx, data, kind);
      if (!made.ok) return refused(ctx, made.error);
      audit({ subject: subjectOf(made.value), after: factsOf(made.value) });
      return done(editableView(ctx, made.value));
    },
  }),

  staffChange(contract.saveContent, {
    change: async (ctx, { params, body: { revision, data, act, publishAt, unpublishAt }, audit }) => {
      const wanted =
        act === "schedule" && publishAt !== null
          ? ({ kind: "schedule", publishAt: new Date(publishAt) } as const)
          : ({ kind: act === "publish" ? "publish" : "draft" } as const);
      const end = unpublishAt === null ? null : new Date(unpublishAt);
      return changed(ctx, await editing.save(ctx, { subject: params, revision, data, act: wanted, unpublishAt: end }), audit);
    },
  }),

  staffChange(contract.takeContentDown, {
    change: async (ctx, { params, body, audit }) => changed(ctx, await editing.takeDown(ctx, params, body.revision), audit),
  }),

  staffChange(contract.unscheduleContent, {
    change: async (ctx, { params, body, audit }) => changed(ctx, await editing.unschedule(ctx, params, body.revision), audit),
  }),

  staffChange(contract.restoreContent, {
    change: async (ctx, { params, body: { revision, version }, audit }) =>
      changed(ctx, await editing.restore(ctx, params, revision, version), audit),
  }),

  staffChange(contract.removeText, {
    change: async (ctx, { params, body, audit }) => {
      const removed = await editing.remove(ctx, params, body.revision);
      if (!removed.ok) return refused(ctx, removed.error);
      audit({ subject: subjectOf(removed.value), before: factsOf(removed.value) });
      return done(true as const);
    },
  }),

  staffChange(contract.orderTexts, {
    change: async (ctx, { params: { kind }, body: { ids }, audit }) => {
      const result = await editing.order(ctx, kind, ids);
      if (!result.ok) return result;
      audit({ subject: `content:${kind}`, after: { order: ids } });
      return result;
    },
  }),

  staffRead(contract.readVersions, async (ctx, { params }) => {
    const items = await editing.versions(ctx, params);
    const named = await namedIn(
      ctx,
      items.map(({ actor }) => actor),
    );
    return done({ items: items.map((each) => ({ ...each, actor: named(each.actor).name, at: isoMoscow(each.at) })) });
  }),

  staffRead(contract.readVersion, async (ctx, { params: { version, ...subject } }) => {
    const found = await editing.version(ctx, subject, version);
    if (!found) return fail({ code: "staff.not_found" });
    const named = await namedIn(ctx, [found.actor]);
    return done({ ...found, actor: named(found.actor).name, at: isoMoscow(found.at) });
  }),

  staffRead(contract.previewMarkdown, async (ctx, { body: { markdown } }) => done({ html: content.rendered(ctx, markdown) })),

  staffRead(contract.readRedirects, async (ctx) => done({ items: await redirects.list(ctx) })),

  staffChange(contract.saveRedirect, {
    change: async (ctx, { body: { revision, ...redirect }, audit }) =>
      mapOk(redirectChanged(await redirects.save(ctx, redirect, revision), redirect.path, audit), (after) => after as StoredRedirect),
  }),

  staffChange(contract.removeRedirect, {
    change: async (ctx, { body: { path, revision }, audit }) =>
      mapOk(redirectChanged(await redirects.remove(ctx, path, revision), path, audit), () => true as const),
  }),
];

type EditableView = z.input<(typeof contract.readContent)["answer"]>;
type Audit = (event: AuditEvent) => void;

const subjectOf = ({ kind, id }: Subject): string => `${kind}:${id}`;
/** The audit names what was done; the texts themselves are in the versions. */
const factsOf = (each: Editable) => ({ title: titleOf(each), state: stateOf(each), revision: each.revision, address: addressOf(each) });

function changed(ctx: Ctx, result: Awaited<ReturnType<typeof editing.save>>, audit: Audit): Result<EditableView, StaffRefusal> {
  if (!result.ok) return refused(ctx, result.error);
  const { before, after } = result.value;
  audit({ subject: subjectOf(after), before: factsOf(before), after: factsOf(after) });
  return done(editableView(ctx, after));
}

function refused(ctx: Ctx, error: EditingError): Result<never, StaffRefusal> {
  if (error.code === "staff.stale")
    return fail({ code: error.code, data: { current: editableView(ctx, error.current), revision: error.current.revision } });
  return fail(error);
}

function redirectChanged(
  result: Awaited<ReturnType<typeof redirects.save>>,
  path: string,
  audit: Audit,
): Result<StoredRedirect | null, StaffRefusal> {
  if (!result.ok) {
    const { error } = result;
    return error.code === "staff.stale" ? fail({ code: error.code, data: { current: error.current } }) : fail(error);
  }
  const { before, after } = result.value;
  const facts = ({ target, isPermanent }: StoredRedirect) => ({ target, isPermanent });
  audit({ subject: `redirect:${path}`, ...(before ? { before: facts(before) } : {}), ...(after ? { after: facts(after) } : {}) });
  return done(after);
}

const titles = {
  home: "Главная",
  banner: "Строка над шапкой",
  menu: "Меню",
  questions: "Разделы вопросов",
  films: "Фильмы монет",
  pages: "Слова страниц",
} as const;
const titleOf = (each: Editable): string => {
  const data = dataOf(each);
  return Object.hasOwn(siteParts, data.kind) ? titles[data.kind as keyof typeof titles] : (data as { title: string }).title;
};

/** Where the text is shown on the site, by the data that the editor works on. */
function addressOf(each: Editable, data: EditableData = dataOf(each)): string | null {
  if (each.kind === "page") return `/${each.slug}`;
  if (Object.hasOwn(siteParts, each.kind)) return each.kind === "home" ? "/" : null;
  return redirects.addressesOf(each.kind, each.id, data)[0] ?? null;
}

function summaryView(each: Editable): z.input<(typeof contract.readTexts)["answer"]>["items"][number] {
  const { kind, id, publishAt, unpublishAt, updatedAt, isDemo, revision } = each;
  const data = dataOf(each);
  return {
    kind,
    id,
    title: titleOf(each),
    state: stateOf(each),
    address: addressOf(each),
    publishAt: isoOrNull(publishAt),
    unpublishAt: isoOrNull(unpublishAt),
    updatedAt: isoMoscow(updatedAt),
    day: "publishedOn" in data ? data.publishedOn : each.editedOn,
    group: data.kind === "faq" ? data.group : null,
    isDemo,
    revision,
  };
}

function editableView(ctx: Ctx, each: Editable): EditableView {
  const { live, isPublished } = each;
  const isPart = Object.hasOwn(siteParts, each.kind);
  const page = addressOf(each) ?? (each.kind === "faq" || each.kind === "films" ? "/how-to-buy" : "/");
  return {
    ...summaryView(each),
    live: isPublished ? live : null,
    data: dataOf(each),
    isPublished,
    isFixed: isPart || each.kind === "page" || (live.kind === "document" && isFixedPage(live.path)),
    previewUrl: `${ctx.settings.publicUrl.replace(/\/$/, "")}${page}?${previewParameter}=${previewToken(ctx, `${each.kind}:${each.id}`)}`,
  };
}

/** Most coins that the choice of a block offers. */
const maxCoins = 12;

async function blockCoins(ctx: Ctx, { words, slugs }: { words: string; slugs: string }) {
  if (slugs !== "") {
    const found = await Promise.all(slugs.split(",").map((slug) => search.coinBySlug(ctx, slug)));
    return slugs.split(",").map((slug, position) => coinView(slug, found[position] ?? null));
  }
  if (words.trim().length < 2) return [];
  const coins = await catalog.findOnSale(ctx.db, words, maxCoins);
  const details = await Promise.all(coins.map(({ slug }) => search.coinBySlug(ctx, slug)));
  return coins.map(({ slug, title }, position) => ({ ...coinView(slug, details[position] ?? null), title }));
}

const coinView = (slug: string, coin: { title: string; available: number } | null) => ({
  slug,
  title: coin?.title ?? slug,
  isOnSale: coin !== null,
  available: coin?.available ?? 0,
});
