import { z } from "zod";
import type { Tx } from "#kit/db.ts";
import * as contentSeeding from "#shop/content/seeding.ts";
import type { EntryRow, SitePageRow } from "#shop/content/seeding.ts";
import { siteParts } from "#shop/content/site/parts.ts";
import * as inquirySeeding from "#shop/inquiries/seeding.ts";

const text = z.string().trim().min(1);
const day = z.iso.date();
const id = z.int().positive();

/** The site's texts as stored in one file; bodies are Markdown with `{{PLACEHOLDER}}`s. */
const contentFile = z.object({
  news: z.array(z.strictObject({ id, slug: text, title: text, date: day, tags: z.array(text), excerpt: text, body: text })),
  training: z.array(
    z.strictObject({ id, slug: text, title: text, minutes: z.int().positive(), related: z.array(text), lead: text, body: text }),
  ),
  cases: z.array(z.strictObject({ id, slug: text, title: text, summary: text, demo: z.boolean(), body: text, facts: z.array(text) })),
  promos: z.array(
    z.strictObject({ id, slug: text, title: text, summary: text, startsAt: day, endsAt: day, body: text, conditions: z.array(text) }),
  ),
  reviews: z.array(
    z.strictObject({
      id,
      name: text,
      city: text,
      date: day,
      rating: z.int().min(1).max(5),
      coinSlug: text.nullable(),
      text,
      demo: z.boolean(),
    }),
  ),
  faq: z.array(z.strictObject({ id, group: text, question: text, answer: text })),
  pages: z.record(z.string(), z.strictObject({ slug: text, title: text, description: text, body: text })),
});

/** The common fields of all texts with an address. */
const entryOf = ({ id, slug, title, body }: { id: number; slug: string; title: string; body: string }, position: number) => ({
  id,
  slug,
  title,
  body,
  position,
});

/** Writes the site's texts. Existing ones are updated, unchanged rows change nothing. Throws on a malformed file. */
export async function importContent(tx: Tx, raw: unknown): Promise<{ entries: number; reviews: number }> {
  const file = contentFile.parse(raw);
  const entries: EntryRow[] = [
    ...file.news.map((each, position): EntryRow => ({
      kind: "news",
      ...entryOf(each, position),
      lead: each.excerpt,
      publishedOn: each.date,
      extra: { tags: each.tags },
    })),
    ...file.training.map((each, position): EntryRow => ({
      kind: "training",
      ...entryOf(each, position),
      lead: each.lead,
      extra: { minutes: each.minutes, related: each.related },
    })),
    ...file.cases.map((each, position): EntryRow => ({
      kind: "case",
      ...entryOf(each, position),
      lead: each.summary,
      isDemo: each.demo,
      extra: { facts: each.facts },
    })),
    ...file.promos.map((each, position): EntryRow => ({
      kind: "promo",
      ...entryOf(each, position),
      lead: each.summary,
      extra: { startsAt: each.startsAt, endsAt: each.endsAt, conditions: each.conditions },
    })),
    ...file.faq.map((each, position): EntryRow => ({
      kind: "faq",
      id: each.id,
      slug: String(each.id),
      title: each.question,
      lead: "",
      body: each.answer,
      position,
      extra: { group: each.group },
    })),
    ...Object.values(file.pages).map((each, position): EntryRow => ({
      kind: "page",
      id: position + 1,
      slug: each.slug,
      title: each.title,
      lead: each.description,
      body: each.body,
      position,
      extra: {},
    })),
  ];
  const reviews = file.reviews.map((each) => ({
    id: each.id,
    name: each.name,
    city: each.city,
    writtenOn: each.date,
    rating: each.rating,
    coinSlug: each.coinSlug,
    body: each.text,
    isDemo: each.demo,
    state: "approved",
  }));

  await contentSeeding.writeEntries(tx, entries);
  await inquirySeeding.writeReviews(tx, reviews);
  return { entries: entries.length, reviews: reviews.length };
}

/** A document's first lines are its metadata, its body follows: see db/seed/documents. */
const documentHead = z.strictObject({ path: text, title: text, description: text, parent: text.optional(), edited: day.optional() });
const redirectFile = z.array(
  z.strictObject({ path: text, target: text, external: z.boolean().default(false), permanent: z.boolean().default(true) }),
);

/** Writes the pages with their own addresses, and the redirects. Throws on a malformed file. */
export async function importPages(
  tx: Tx,
  documents: readonly string[],
  rawRedirects: unknown,
): Promise<{ pages: number; redirects: number }> {
  const pages = readDocuments(documents);
  const moved = redirectFile
    .parse(rawRedirects)
    .map(({ path, target, external, permanent }) => ({ path, target, isExternal: external, isPermanent: permanent }));
  await contentSeeding.writePages(tx, pages);
  await contentSeeding.writeRedirects(tx, moved);
  return { pages: pages.length, redirects: moved.length };
}

/**
 * Adds documents that the shop has no page for, as after a release with a new consent; existing pages are not changed, because staff may
 * have edited them.
 */
export async function addMissingPages(tx: Tx, documents: readonly string[]): Promise<void> {
  await contentSeeding.addMissingPages(tx, readDocuments(documents));
}

/** Adds the parts of the site that the shop does not have. Throws on a malformed file. */
export async function addMissingParts(tx: Tx, raw: unknown): Promise<number> {
  const { home, banner, menu, questions, films, pages } = siteParts;
  const parts = z.array(z.discriminatedUnion("kind", [home, banner, menu, questions, films, pages])).parse(raw);
  await contentSeeding.addMissingParts(tx, parts);
  return parts.length;
}

const readDocuments = (documents: readonly string[]): SitePageRow[] =>
  documents.map((source) => {
    const [, head = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
    const named = documentHead.parse(
      Object.fromEntries(head.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()])),
    );
    return {
      path: named.path,
      title: named.title,
      description: named.description,
      body: text.parse(body),
      parentPath: named.parent ?? null,
      editedOn: named.edited ?? null,
    };
  });
