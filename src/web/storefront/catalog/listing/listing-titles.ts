import type { listings } from "./listings.ts";

/** The page titles of the built-in listings. Used on the server only: the browser gets the title of its page. */
export const listingTitles: Readonly<Record<keyof typeof listings, string>> = {
  gold: "Золотые монеты",
  "gold/bullion-coins": "Золотые инвестиционные монеты",
  "gold/memorable-coins": "Золотые памятные монеты",
  "gold/rf": "Золотые монеты России",
  "gold/monety-georgiy-pobedonosec": "Золотой «Георгий Победоносец»",
  "gold/monety-georgiy-pobedonosec/50-rub": "«Георгий Победоносец», 50 рублей",
  "gold/monety-seyatel": "Золотой червонец «Сеятель»",
  silver: "Серебряные монеты",
  "silver/bullion-coins": "Серебряные инвестиционные монеты",
  "silver/memorable-coins": "Серебряные памятные монеты",
  "silver/rf": "Серебряные монеты России",
  "silver/monety-georgiy-pobedonosec": "Серебряный «Георгий Победоносец»",
  "bullion-coins": "Инвестиционные монеты",
  "bullion-coins/georgij-pobedonosec": "«Георгий Победоносец» в золоте и серебре",
  "bullion-coins/monety-sberbanka": "Монеты, которые продаёт Сбербанк",
  "bullion-coins/monety-sberbanka/gold": "Золотые монеты из ассортимента Сбербанка",
  "bullion-coins/monety-sberbanka/silver": "Серебряные монеты из ассортимента Сбербанка",
  "bullion-coins/rf": "Инвестиционные монеты России",
  "memorable-coins": "Памятные монеты",
};

const bySlug = new Map<string, string>(Object.entries(listingTitles));

/** Null for a listing that is not built in. */
export const listingTitle = (slug: string): string | null => bySlug.get(slug) ?? null;
