import type { CoinKind, Metal } from "#shop/catalog/coin.ts";
import type { PhotoSide } from "#shop/catalog/image.ts";

export const metalLabels: Readonly<Record<Metal, string>> = { gold: "Золото", silver: "Серебро" };
export const kindLabels: Readonly<Record<CoinKind, string>> = { bullion: "инвестиционная", memorable: "памятная" };
export const sideLabels: Readonly<Record<PhotoSide, string>> = { obverse: "Аверс", reverse: "Реверс", edge: "Гурт" };
export const shapeLabels = { round: "круглая", rectangle: "прямоугольная" } as const;
/** Codes of receipts; the seller's tax system may still replace the rate. */
export const vatLabels: readonly (readonly [string, string])[] = [
  ["1", "без НДС"],
  ["11", "22 %"],
  ["3", "10 %"],
  ["7", "5 %"],
  ["8", "7 %"],
  ["2", "0 %"],
];

/** A number as it is written in a Russian text and in a field: comma, no grouping. */
export const decimal = (value: number): string => String(Math.round(value * 1_000) / 1_000).replace(".", ",");
export const notReadyTexts = {
  pictures: "загрузите снимки обеих сторон",
  price: "назначьте цену на экране «Цены»",
} as const;
