import { href } from "react-router";

/** A page in the site's tree: display name, address, parent page. Titles, breadcrumbs and structured data are made from it. */
export type PageNode = { title: string; href: string; parent?: PageNode };

export const home: PageNode = { title: "Главная", href: href("/") };

/** All pages above a page, the front page first. */
export function ancestorsOf({ parent }: PageNode): PageNode[] {
  return parent ? [...ancestorsOf(parent), parent] : [];
}
