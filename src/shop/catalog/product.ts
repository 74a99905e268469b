import type { Coin } from "./coin.ts";

/** A product is what a buyer chooses: one design in one metal, mass, denomination and quality. Its coins differ only in year and mint. */
export type ProductFacts = Pick<
  Coin,
  | "title"
  | "metal"
  | "kind"
  | "country"
  | "denominationValue"
  | "denominationCurrency"
  | "series"
  | "pureMassMg"
  | "finenessTenths"
  | "quality"
  | "motif"
  | "catalogueNumber"
>;

/** Two coins belong to one product if their keys are equal. */
export function productKey(coin: ProductFacts): string {
  return [
    designName(coin.title),
    coin.motif,
    coin.series,
    coin.metal,
    coin.kind,
    coin.country,
    coin.denominationValue,
    coin.denominationCurrency,
    Math.round(coin.pureMassMg / 10),
    coin.finenessTenths,
    coin.quality,
    designNumber(coin.catalogueNumber),
  ].join("|");
}

const yearAndRemark = / \d{4}(?:-\d{4})?(?: \(([^)]+)\))?$/;
/** `ММД`, `СПМД`, `ММД, СПМД`. */
const mintMark = /^[А-ЯЁ]{2,5}(?:, ?[А-ЯЁ]{2,5})*$/;

/**
 * The title without year and mint: `Георгий Победоносец, 50 рублей 2026 (ММД)` → `Георгий Победоносец, 50 рублей`.
 * A variant (`второе исполнение`) stays.
 */
export function designName(title: string): string {
  const match = yearAndRemark.exec(title);
  if (!match) return title;
  const [, remark] = match;
  return `${title.slice(0, match.index)}${remark === undefined || mintMark.test(remark) ? "" : ` (${remark})`}`;
}

/**
 * The Bank of Russia numbers a design once (`5216-0060`) and appends the year to later issues (`5216-0060-26`), so another number is
 * another design of the same name. Older catalogues number each year separately: their numbers are not compared.
 */
function designNumber(catalogueNumber: string | null): string | null {
  return /^5\d{3}-\d{4}(?=-\d{2}$|$)/.exec(catalogueNumber ?? "")?.[0] ?? null;
}
