import { href } from "react-router";

/** Where a page stands on the site: its display name and the page above it. Titles, breadcrumbs and structured data are made from it. */
export type PageNode = { title: string; href: string; parent?: PageNode };

export const home: PageNode = { title: "Главная", href: href("/") };

/** All pages above a place, the front page first. */
export function ancestorsOf({ parent }: PageNode): PageNode[] {
  return parent ? [...ancestorsOf(parent), parent] : [];
}
