/** A text of the site. `body` is stored as Markdown and returned as safe HTML. */
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
  /** The text's own picture; without it a picture of the shop. */
  cover?: { picture: string; alt: string };
};

/** A page with its own address (documents and similar); `parent` is the page above it. */
export type SitePage = {
  path: string;
  title: string;
  description: string;
  html: string;
  parent: { path: string; title: string } | null;
  /** The day of this edition; null where editions do not matter. */
  editedOn: string | null;
};

/** The target of a redirect: a path of the site, or a whole address if `isExternal`. */
export type Redirect = { target: string; isExternal: boolean; isPermanent: boolean };

/** An address that may be stored: one to four plain segments. */
export const isSitePath = (path: string): boolean => path.length <= 200 && /^(\/[a-z0-9][a-z0-9._-]*){1,4}$/.test(path);

export type EntryPage<T> = { items: T[]; total: number; page: number; pages: number };

/** Training articles with legacy numeric addresses, because other sites link to them. */
export const lessonIds = [18, 19, 20, 318, 1485, 1486, 1487] as const;

/** Page size of news; the other lists are short and not divided into pages. */
export const newsPageSize = 9;

/** The one address of an entry; its other spelling redirects there. Null for questions, which are shown on other pages. */
export const entryHref = ({ kind, id, slug }: Pick<EntrySummary, "kind" | "id" | "slug">): string | null =>
  ({ news: `/news/${slug}`, training: `/training/${id}`, case: `/cases/${slug}`, promo: `/promo/${id}`, page: `/${slug}`, faq: null })[
    kind
  ];
