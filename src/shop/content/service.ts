import { typeset } from "#kit/text/typeset.ts";
import type { Ctx } from "#shop/context.ts";
import * as settings from "#shop/settings/service.ts";
import {
  isSitePath,
  newsPageSize,
  type ContentKind,
  type Entry,
  type EntryPage,
  type EntrySummary,
  type Redirect,
  type SitePage,
} from "./entry.ts";
import { toHtml } from "./markdown.ts";
import { filled, filledMarkdown, placeholdersIn } from "./placeholders.ts";
import * as drafts from "./editing/preview.service.ts";
import { withoutOwnHost } from "./editing/redirect.ts";
import * as rows from "./repository.ts";
import { ruleValues } from "./rule-values.ts";

/**
 * Entries of one kind, placeholders filled: news newest first and nine per page, other kinds complete in their order. Past the last page
 * there are no items. Invented samples are returned in a demo only, here and below.
 */
export async function list(ctx: Ctx, kind: ContentKind, page = 1): Promise<EntryPage<EntrySummary>> {
  const total = await rows.countList(ctx.db, kind, ctx.isDemo);
  const size = kind === "news" ? newsPageSize : Math.max(1, total);
  const items = await rows.readList(ctx.db, kind, ctx.isDemo, { limit: size, offset: (page - 1) * size });
  return { items: items.map((each) => summary(ctx, each)), total, page, pages: Math.ceil(total / size) };
}

/** The questions with their answers as HTML, in their own order. */
export async function questions(ctx: Ctx): Promise<Entry[]> {
  const stored = await rows.readList(ctx.db, "faq", ctx.isDemo);
  const draft = await drafts.entry(ctx, "faq");
  const all = draft ? [...stored.filter(({ id }) => id !== draft.id), draft] : stored;
  return all.map((each) => entry(ctx, each));
}

/** A published text by its slug, or the draft that a preview shows; null: there is none. */
export async function bySlug(ctx: Ctx, kind: ContentKind, slug: string): Promise<Entry | null> {
  const found = (await drafts.entry(ctx, kind, slug)) ?? (await rows.readBySlug(ctx.db, kind, slug, ctx.isDemo));
  return found && entry(ctx, found);
}

/** A published text by its id, or the draft that a preview shows; null: there is none, or the number is not an id. */
export async function byId(ctx: Ctx, kind: ContentKind, id: number): Promise<Entry | null> {
  if (!Number.isSafeInteger(id) || id < 1 || id > 2_147_483_647) return null;
  const found = (await drafts.entry(ctx, kind, String(id))) ?? (await rows.readById(ctx.db, kind, id, ctx.isDemo));
  return found && entry(ctx, found);
}

/** A plain page by its address: about, delivery, how-to-buy, return, coin-buyback, partners, certificates, contacts. */
export const page = (ctx: Ctx, slug: string): Promise<Entry | null> => bySlug(ctx, "page", slug);

/** The page with its own address, placeholders filled; null if there is none. */
export async function sitePage(ctx: Ctx, path: string): Promise<SitePage | null> {
  const stored = isSitePath(path) ? ((await drafts.sitePage(ctx, path)) ?? (await rows.readSitePage(ctx.db, path))) : null;
  if (!stored) return null;
  const above = stored.parentPath === null ? null : await rows.readSitePage(ctx.db, stored.parentPath);
  return { ...described(ctx, stored), html: htmlOf(ctx, stored.body), parent: above && { path: above.path, title: above.title } };
}

/** All pages with their own addresses, without texts, for the site map. */
export async function sitePages(ctx: Ctx): Promise<Omit<SitePage, "html" | "parent">[]> {
  return (await rows.readSitePages(ctx.db)).map((stored) => described(ctx, stored));
}

const described = (ctx: Ctx, { path, title, description, editedOn }: rows.StoredPage) => {
  const values = valuesOf(ctx);
  return { path, title: filled(title, values), description: typeset(filled(description, values)), editedOn };
};

const maxRedirects = 10;

/**
 * The final target of a redirect; null if the path has none. Circular redirects, and targets that the owner's settings leave empty, are
 * ignored.
 */
export async function redirectFrom(ctx: Ctx, path: string): Promise<Redirect | null> {
  const first = await redirectAt(ctx, path);
  const seen = new Set([path]);
  for (let at = first; at && !at.isExternal; at = await redirectAt(ctx, [...seen].at(-1) ?? "")) {
    const next = at.target.replace(/[?#].*$/s, "");
    if (seen.has(next) || seen.size === maxRedirects) return null;
    seen.add(next);
  }
  return first;
}

async function redirectAt(ctx: Ctx, path: string): Promise<Redirect | null> {
  const found = isSitePath(path) ? await rows.readRedirect(ctx.db, path) : null;
  if (!found) return null;
  const target = withoutOwnHost(filled(found.target, valuesOf(ctx)), ctx.settings.publicUrl);
  if (/^\/(?![/\\])/.test(target)) return { ...found, target: asciiPath(target), isExternal: false };
  return found.isExternal && /^https:\/\/[^/]/.test(target) && URL.canParse(target) ? { ...found, target: new URL(target).href } : null;
}

/** The address as a header can carry it: Russian letters encoded, what is encoded already as it is. */
function asciiPath(target: string): string {
  const { pathname, search, hash } = new URL(target, "https://shop.invalid");
  return pathname + search + hash;
}

/** All searchable texts, as Markdown. */
export async function searchable(ctx: Ctx): Promise<(EntrySummary & { body: string })[]> {
  return (await rows.readAll(ctx.db, ctx.isDemo)).map((each) => ({ ...summary(ctx, each), body: filled(each.body, valuesOf(ctx)) }));
}

function summary(ctx: Ctx, { body: _body, ...stored }: rows.StoredText): EntrySummary {
  const values = valuesOf(ctx);
  const fill = (texts: string[] | undefined) => texts?.map((text) => typeset(filled(text, values)));
  const { facts, conditions } = stored.extra;
  return {
    ...stored,
    title: filled(stored.title, values),
    lead: typeset(filled(stored.lead, values)),
    extra: { ...stored.extra, ...(facts ? { facts: fill(facts) } : {}), ...(conditions ? { conditions: fill(conditions) } : {}) },
  };
}

/** Markdown as visitors would see it: safe HTML, placeholders filled. */
export const rendered = (ctx: Ctx, markdown: string): string => toHtml(typeset(filledMarkdown(markdown, valuesOf(ctx))));

/** A sentence as visitors would see it, placeholders filled. */
export const filledText = (ctx: Ctx, text: string): string => typeset(filled(text, valuesOf(ctx)));
/** Whether each placeholder of the text has a value. */
export const hasValues = (ctx: Ctx, text: string): boolean => placeholdersIn(text).every((name) => (valuesOf(ctx)[name] ?? "") !== "");

const entry = (ctx: Ctx, stored: rows.StoredText): Entry => ({ ...summary(ctx, stored), html: htmlOf(ctx, stored.body) });

const maxTexts = 300;

/** Cached rendering of Markdown: each product page shows the same questions, and rendering them was its slowest part. */
function htmlOf(ctx: Ctx, body: string): string {
  const made = ctx.singleton("content.html", () => new Map<string, string>());
  const key = `${settings.version(ctx)}\n${body}`; // the text contains settings
  const known = made.get(key);
  if (known !== undefined) return known;
  const html = rendered(ctx, body);
  if (made.size >= maxTexts) made.clear();
  made.set(key, html);
  return html;
}

/** Values of the placeholders: names and addresses from the owner's settings, and the limits of the shop. */
export const valuesOf = ({ settings: { shop, limits, seller } }: Ctx): Readonly<Record<string, string>> => ({
  ...shop.placeholders,
  ...ruleValues(limits, seller.tax),
});
