import { href } from "react-router";

/** Where a page stands on the site: its display name and the page above it. Titles, breadcrumbs and structured data are made from it. */
export type Place = { title: string; href: string; parent?: Place };

export const home: Place = { title: "Главная", href: href("/") };

/** All pages above a place, the front page first. */
export function above({ parent }: Place): Place[] {
  return parent ? [...above(parent), parent] : [];
}
