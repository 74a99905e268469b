import { href } from "react-router";
import { home, type PageNode } from "../../page/page-tree.ts";

/** A listing below /catalog: its display name and parent category; null is directly below the catalogue. */
type ListingEntry = { name: string; parent: "gold" | "silver" | "bullion-coins" | null };

/**
 * The built-in listings, by their address below /catalog. Categories that the owner adds have their texts in the database
 * only.
 */
export const listings = {
  gold: { name: "Золото", parent: null },
  "gold/bullion-coins": { name: "Инвестиционные из золота", parent: "gold" },
  "gold/memorable-coins": { name: "Памятные из золота", parent: "gold" },
  "gold/rf": { name: "Золотые монеты России", parent: "gold" },
  "gold/monety-georgiy-pobedonosec": { name: "Георгий Победоносец", parent: "gold" },
  "gold/monety-georgiy-pobedonosec/50-rub": { name: "50 рублей", parent: "gold" },
  "gold/monety-seyatel": { name: "Сеятель", parent: "gold" },
  silver: { name: "Серебро", parent: null },
  "silver/bullion-coins": { name: "Инвестиционные из серебра", parent: "silver" },
  "silver/memorable-coins": { name: "Памятные из серебра", parent: "silver" },
  "silver/rf": { name: "Серебряные монеты России", parent: "silver" },
  "silver/monety-georgiy-pobedonosec": { name: "Георгий Победоносец", parent: "silver" },
  "bullion-coins": { name: "Инвестиционные монеты", parent: null },
  "bullion-coins/georgij-pobedonosec": { name: "Георгий Победоносец", parent: "bullion-coins" },
  "bullion-coins/monety-sberbanka": { name: "Монеты Сбербанка", parent: "bullion-coins" },
  "bullion-coins/monety-sberbanka/gold": { name: "Золотые монеты Сбербанка", parent: "bullion-coins" },
  "bullion-coins/monety-sberbanka/silver": { name: "Серебряные монеты Сбербанка", parent: "bullion-coins" },
  "bullion-coins/rf": { name: "Инвестиционные монеты России", parent: "bullion-coins" },
  "memorable-coins": { name: "Памятные монеты", parent: null },
} as const satisfies Record<string, ListingEntry>;

const bySlug = new Map<string, ListingEntry>(Object.entries(listings));

/** The page above every listing. */
export const catalogue: PageNode = { title: "Каталог", href: href("/catalog"), parent: home };

/** A built-in listing in the page tree: below the listing of the shorter address, else its parent category, else the catalogue. */
export function listingNode(slug: string): PageNode | null {
  if (slug === "") return catalogue;
  const listing = bySlug.get(slug);
  if (!listing) return null;
  const nearest = slug.slice(0, Math.max(0, slug.lastIndexOf("/")));
  const parent = listingNode(nearest) ?? listingNode(listing.parent ?? "") ?? catalogue;
  return { title: listing.name, href: `${catalogue.href}/${slug}`, parent };
}

/** The same by the address of any page of the list. */
export const listingNodeAt = (pathname: string): PageNode | null =>
  listingNode(
    pathname
      .replace(/\.data$/, "")
      .replace(/\/page\/[^/]*$/, "")
      .replace(/^\/catalog\/?/, ""),
  );
