/** A text of the site. `body` is kept as Markdown and handed out as HTML that is safe to put into a page. */
export const contentKinds = ["news", "training", "case", "promo", "faq", "page"] as const;
export type ContentKind = (typeof contentKinds)[number];

export type EntrySummary = {
  kind: ContentKind;
  id: number;
  slug: string;
  title: string;
  lead: string;
  /** A day, `2026-11-16`; news only. */
  publishedOn: string | null;
  /** A sample, shown in demo mode only. */
  isDemo: boolean;
  extra: EntryExtra;
};
export type Entry = EntrySummary & { html: string };

/**
 * Fields of single kinds: news `tags`; training `minutes`, `related` (category slugs); cases `facts`; promos `conditions`, `startsAt`,
 * `endsAt` (days); questions `group`.
 */
type EntryExtra = {
  tags?: string[];
  minutes?: number;
  related?: string[];
  facts?: string[];
  conditions?: string[];
  group?: string;
  startsAt?: string;
  endsAt?: string;
};

/** A page that lives at an address of its own (documents and the like); `parent` is the page above it. */
export type SitePage = {
  path: string;
  title: string;
  description: string;
  html: string;
  parent: { path: string; title: string } | null;
  /** Which edition this is, a day; null where editions do not matter. */
  editedOn: string | null;
};

/** Where an address leads instead: a path of ours, or a whole address when `isExternal`. */
export type Redirect = { target: string; isExternal: boolean; isPermanent: boolean };

/** An address that may be kept in the database: one to four plain segments. */
export const isSitePath = (path: string): boolean => path.length <= 200 && /^(\/[a-z0-9][a-z0-9._-]*){1,4}$/.test(path);

export type EntryPage<T> = { items: T[]; total: number; page: number; pages: number };

/** Training articles that stand under their numbers since before this site: links to them are everywhere. */
export const lessonIds = [18, 19, 20, 318, 1485, 1486, 1487] as const;

/** News come this many a page; the other lists are short and come whole. */
export const newsPageSize = 9;

/** Where an entry is read, and nowhere else: its other spelling leads there. Null for questions, which stand on other pages. */
export const entryHref = ({ kind, id, slug }: Pick<EntrySummary, "kind" | "id" | "slug">): string | null =>
  ({ news: `/news/${slug}`, training: `/training/${id}`, case: `/cases/${slug}`, promo: `/promo/${id}`, page: `/${slug}`, faq: null })[
    kind
  ];
