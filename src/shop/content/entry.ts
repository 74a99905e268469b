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
  /** An invented sample, shown in a demo only. */
  isDemo: boolean;
  extra: EntryExtra;
};
export type Entry = EntrySummary & { html: string };

/** What only some kinds have: news `tags`; training `minutes`, `related` (category slugs); cases `facts`; promos `conditions`, `startsAt`, `endsAt` (days); questions `group`. */
type EntryExtra = {
  tags?: string[]; minutes?: number; related?: string[]; facts?: string[]; conditions?: string[]; group?: string; startsAt?: string; endsAt?: string;
};

export type Review = { id: number; name: string; city: string; writtenOn: string; rating: number; coinSlug: string | null; body: string; isDemo: boolean };

export type EntryPage<T> = { items: T[]; total: number; page: number; pages: number };

/** News come this many a page; the other lists are short and come whole. */
export const newsPageSize = 10;

/** Where an entry is read; null for questions, which stand on other pages. */
export const entryHref = ({ kind, id, slug }: Pick<EntrySummary, "kind" | "id" | "slug">): string | null =>
  ({ news: `/news/${slug}`, training: `/training/${slug}`, case: `/cases/${slug}`, promo: `/promo/${id}`, page: `/${slug}`, faq: null })[kind];
