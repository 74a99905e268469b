import { counted, fineness, grams, nbsp } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";
import { withTitleUnbroken } from "#kit/text/typeset.ts";
import type { CoinKind, Metal } from "#shop/catalog/coin.ts";
import type { Card, Issues } from "#shop/search/card.ts";
import { metalSigns } from "../../../texts.ru.ts";
import { coinName, mintSign } from "./coin-name.ts";

/** The data of a coin card; small, because a listing sends two dozen of them to the browser. */
export type ShownCard = {
  id: number;
  slug: string;
  picture: string;
  /** The description of the photograph; null: there is none. */
  alt: string | null;
  isDrawing: boolean;
  title: string;
  name: string;
  sub: string;
  metal: Metal;
  kind: CoinKind;
  sign: string;
  mass: string;
  sizeMm: number | null;
  price: Kopecks | null;
  /** The former price, crossed out; null: none. */
  oldPrice: Kopecks | null;
  buyback: Kopecks | null;
  spreadBp: number | null;
  premiumBp: number | null;
  perGram: Kopecks | null;
  available: number;
  mintage: number | null;
  quality: string;
  /** The card represents several years and mints, and its price is the lowest of them. */
  isLowest: boolean;
};

export function cardView(coin: Card): ShownCard {
  const { name, face, remark } = coinName(coin.title);
  const sign = mintSign(coin.mint);
  const origin = sign ?? (coin.country === "Россия" ? null : coin.country);
  const isMint = remark !== null && (remark === sign || /^[А-ЯЁ, ]+$/.test(remark));
  return {
    id: coin.id,
    slug: coin.slug,
    picture: coin.picture,
    alt: coin.alt,
    isDrawing: coin.isDrawing,
    title: coin.title,
    name: withTitleUnbroken(name),
    sub: [
      face,
      ...(coin.issues === null ? [String(coin.year), isMint ? remark : origin] : issuesText(coin.issues, coin.country)),
      isMint ? null : remark,
    ]
      .filter(Boolean)
      .join(`${nbsp}· `),
    metal: coin.metal,
    kind: coin.kind,
    sign: `${metalSigns[coin.metal]} ${fineness(coin.finenessTenths)}`,
    mass: grams(coin.pureMassMg),
    sizeMm: coin.diameterMm ?? coin.lengthMm,
    price: coin.price,
    oldPrice: coin.oldPrice,
    buyback: coin.buyback,
    spreadBp: coin.spreadBp,
    premiumBp: coin.kind === "bullion" ? (coin.premium?.bp ?? null) : null,
    perGram: coin.perGram,
    available: coin.available,
    mintage: coin.mintage,
    quality: coin.quality,
    isLowest: coin.issues?.isCheapest ?? false,
  };
}

const issueForms = ["выпуск", "выпуска", "выпусков"] as const;

/** `2013–2026 · 25 выпусков` */
const issuesText = ({ count, yearFrom, yearTo }: Issues, country: string): (string | null)[] => [
  yearFrom === yearTo ? String(yearTo) : `${yearFrom}–${yearTo}`,
  country === "Россия" ? null : country,
  counted(count, issueForms),
];

/** The first `count` cards, each design (metal and name) once before any is repeated. */
export function distinctFirst<T extends Pick<ShownCard, "name" | "metal">>(cards: readonly T[], count: number): T[] {
  const seen = new Set<string>();
  const isFirst = ({ name, metal }: T) => {
    const key = `${metal} ${name}`;
    return seen.has(key) ? false : (seen.add(key), true);
  };
  const firsts = cards.filter(isFirst);
  return [...firsts, ...cards.filter((card) => !firsts.includes(card))].slice(0, count);
}

/** The width of the coin in its card, in percent: from 16 mm → 50 % to 39 mm → 80 %, so that small coins stay readable. */
export const plateShare = (sizeMm: number | null): number => clamp(Math.round(29.2 + 1.3 * (sizeMm ?? 33)), 46, 89);
/** The same at one scale for all coins: 2.1 % a millimetre; a coin over 46 mm fills its card. */
export const trueShare = (sizeMm: number | null): number => clamp(Math.round(2.097 * (sizeMm ?? 33)), 30, 96);

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
