import { href } from "react-router";
import { home, type Place } from "../content/places.ts";

/** What the routes below /catalog say of themselves: display name, the page's title, and the category they belong to; null stands right below the catalogue. */
type Listing = { name: string; title: string; parent: "gold" | "silver" | "bullion-coins" | null };

/** The typed listings (SPEC.md, section 2), by the rest of their address. Categories that the owner adds beside them have their words from the database alone. */
export const listings = {
  gold: { name: "Золото", title: "Золотые монеты", parent: null },
  "gold/bullion-coins": { name: "Инвестиционные из золота", title: "Золотые инвестиционные монеты", parent: "gold" },
  "gold/memorable-coins": { name: "Памятные из золота", title: "Золотые памятные монеты", parent: "gold" },
  "gold/rf": { name: "Золотые монеты России", title: "Золотые монеты России", parent: "gold" },
  "gold/monety-georgiy-pobedonosec": { name: "Георгий Победоносец", title: "Золотой «Георгий Победоносец»", parent: "gold" },
  "gold/monety-georgiy-pobedonosec/50-rub": { name: "50 рублей", title: "«Георгий Победоносец», 50 рублей", parent: "gold" },
  "gold/monety-seyatel": { name: "Сеятель", title: "Золотой червонец «Сеятель»", parent: "gold" },
  silver: { name: "Серебро", title: "Серебряные монеты", parent: null },
  "silver/bullion-coins": { name: "Инвестиционные из серебра", title: "Серебряные инвестиционные монеты", parent: "silver" },
  "silver/memorable-coins": { name: "Памятные из серебра", title: "Серебряные памятные монеты", parent: "silver" },
  "silver/rf": { name: "Серебряные монеты России", title: "Серебряные монеты России", parent: "silver" },
  "silver/monety-georgiy-pobedonosec": { name: "Георгий Победоносец", title: "Серебряный «Георгий Победоносец»", parent: "silver" },
  "bullion-coins": { name: "Инвестиционные монеты", title: "Инвестиционные монеты", parent: null },
  "bullion-coins/georgij-pobedonosec": { name: "Георгий Победоносец", title: "«Георгий Победоносец» в золоте и серебре", parent: "bullion-coins" },
  "bullion-coins/monety-sberbanka": { name: "Монеты Сбербанка", title: "Монеты, которые продаёт Сбербанк", parent: "bullion-coins" },
  "bullion-coins/monety-sberbanka/gold": { name: "Золотые монеты Сбербанка", title: "Золотые монеты из ассортимента Сбербанка", parent: "bullion-coins" },
  "bullion-coins/monety-sberbanka/silver": { name: "Серебряные монеты Сбербанка", title: "Серебряные монеты из ассортимента Сбербанка", parent: "bullion-coins" },
  "bullion-coins/rf": { name: "Инвестиционные монеты России", title: "Инвестиционные монеты России", parent: "bullion-coins" },
  "memorable-coins": { name: "Памятные монеты", title: "Памятные монеты", parent: null },
} as const satisfies Record<string, Listing>;

const known = new Map<string, Listing>(Object.entries(listings));

/** The whole catalogue: the page above every listing. */
export const catalogue: Place = { title: "Каталог", href: href("/catalog"), parent: home };

/** What a listing is called in its page's title; null for one that the routes do not know. */
export const listingTitle = (slug: string): string | null => known.get(slug)?.title ?? null;

/** Where a listing stands: below the nearest listing that its address begins with, at last below its parent category and the catalogue. */
export function listingPlace(slug: string): Place | null {
  if (slug === "") return catalogue;
  const listing = known.get(slug);
  if (!listing) return null;
  const nearest = slug.slice(0, Math.max(0, slug.lastIndexOf("/")));
  const parent = listingPlace(nearest) ?? listingPlace(listing.parent ?? "") ?? catalogue;
  return { title: listing.name, href: `${catalogue.href}/${slug}`, parent };
}

/** The same by the page's own address, whichever page of the list it is. */
export const listingAt = (pathname: string): Place | null => listingPlace(pathname.replace(/\.data$/, "").replace(/\/page\/[^/]*$/, "").replace(/^\/catalog\/?/, ""));
