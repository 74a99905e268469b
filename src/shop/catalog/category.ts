/** A listing under /catalog; its slug is the path, `gold/bullion-coins`. Titles and texts come from the database. */
export type Category = {
  slug: string;
  /** Short, for menus and chips. */
  title: string;
  /** The page's h1. */
  heading: string;
  intro: string;
  parent: string | null;
  position: number;
};

export type CategoryNode = Category & { children: CategoryNode[] };

/** Categories as a tree in their order. A category without its parent is at the top level, so that it stays reachable. */
export function categoryTree(categories: readonly Category[]): CategoryNode[] {
  const nodes = new Map(inOrder(categories).map((category) => [category.slug, { ...category, children: [] as CategoryNode[] }]));
  const roots: CategoryNode[] = [];
  for (const node of nodes.values()) {
    const parent = node.parent === null ? undefined : nodes.get(node.parent);
    (parent ? parent.children : roots).push(node);
  }
  return roots;
}

/** The path from the top of the catalogue to `slug`, inclusive; empty if it is unknown. */
export function categoryPath(categories: readonly Category[], slug: string): Category[] {
  const bySlug = new Map(categories.map((category) => [category.slug, category]));
  const path: Category[] = [];
  for (let at = bySlug.get(slug); at && !path.includes(at); at = at.parent === null ? undefined : bySlug.get(at.parent)) path.unshift(at);
  return path;
}

/** A title that is unique among categories: «Золото · Георгий Победоносец» where the short title exists under several parents. */
export function titleAmong(categories: readonly Category[], { slug, title, parent }: Category): string {
  const hasTwin = categories.some((each) => each.title === title && each.slug !== slug);
  const above = categories.find((each) => each.slug === parent);
  return above && (hasTwin || above.parent !== null) ? `${above.title} · ${title}` : title;
}

const inOrder = (categories: readonly Category[]) => categories.toSorted((a, b) => a.position - b.position);

/** What staff write in a listing. */
export type CategoryTexts = Pick<Category, "title" | "heading" | "intro" | "parent">;
/** A listing in the back office; `coinCount` includes coins off sale. */
export type CategoryRecord = Category & { revision: number; coinCount: number };
/** A series by its name, which its coins carry. `position` is null until staff put the series in order. */
export type Series = { name: string; body: string; position: number | null; revision: number; coinCount: number };

/** The address below /catalog: one or several words joined by slashes. */
export const categorySlugPattern = /^[a-z0-9]+(-[a-z0-9]+)*(\/[a-z0-9]+(-[a-z0-9]+)*){0,3}$/;
export const sectionMaxLengths = { slug: 120, title: 60, heading: 120, text: 2_000 } as const;
