import type { Coin } from "./coin.ts";
import type { CoinPrices } from "./prices/prices.ts";

/** What must be right in a coin's facts: one set of rules for the editor, the import and the seed. Browser-safe. */

/** What staff edit of a coin: everything but its prices, its pictures and whether it is on sale. */
export const factFields = [
  "slug",
  "title",
  "metal",
  "kind",
  "country",
  "issuer",
  "mint",
  "year",
  "denominationValue",
  "denominationCurrency",
  "series",
  "catalogueNumber",
  "finenessTenths",
  "pureMassMg",
  "totalMassMg",
  "diameterMm",
  "thicknessMm",
  "shape",
  "lengthMm",
  "widthMm",
  "mintage",
  "quality",
  "edge",
  "artist",
  "description",
  "motif",
  "vatCode",
  "purchaseLimit",
  "featuredPosition",
  "categories",
] as const satisfies readonly (keyof Coin)[];
export type FactField = (typeof factFields)[number];
export type CoinFacts = Pick<Coin, FactField>;

/** The product, the year, the mint and the number of a coin are made of these: what distinguishes it from other coins. */
export const identifyingFields = [
  "title",
  "metal",
  "kind",
  "country",
  "mint",
  "year",
  "denominationValue",
  "denominationCurrency",
  "series",
  "catalogueNumber",
  "finenessTenths",
  "pureMassMg",
  "quality",
  "motif",
] as const satisfies readonly FactField[];
export type CoinIdentityFacts = Pick<CoinFacts, (typeof identifyingFields)[number]>;

/** The prices that a new coin begins with; later `pricing` changes them. */
export const priceFields = [
  "premiumBp",
  "buybackBp",
  "fixedPriceKopecks",
  "fixedBuybackKopecks",
] as const satisfies readonly (keyof Coin)[];
export type PriceField = (typeof priceFields)[number];
/** As given. Only a bullion coin needs a premium: without one it would be sold at the bare value of its metal. */
export type FirstPrices = Omit<CoinPrices, "premiumBp"> & { premiumBp: number | null };

/** `excessMg`: by how much mass × fineness exceeds the stated pure mass; negative: falls short. */
export type CoinProblem =
  | { field: FactField | PriceField; code: "required" | "too_long" | "out_of_range" | "malformed" | "unknown" }
  | { field: "pureMassMg"; code: "mass"; excessMg: number }
  | { field: "diameterMm"; code: "round_without_diameter" }
  | { field: "denominationCurrency"; code: "value_without_currency" }
  | { field: "categories"; code: "own_metal_missing" | "other_metal" | "unknown" }
  | { field: "slug"; code: "slug_taken" | "slug_fixed" }
  | { field: "buybackBp" | "fixedBuybackKopecks"; code: "buyback_above_price" };

export const factMaxLengths = { line: 200, slug: 120, description: 4_000 } as const;
export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const catalogueNumberPattern = /^\d{4}-\d{4}(-\d{2})?$/;
/** Receipts know these codes for goods: exempt, 0 %, 10 %, 20 %, 5 %, 7 %, 22 %. */
export const vatCodes: readonly number[] = [1, 2, 3, 4, 7, 8, 11];

/**
 * By how many milligrams the pure mass that follows from mass and fineness exceeds the stated one; null: they fit. Published masses include
 * the mint's tolerance, which is relatively larger for the smallest coins.
 */
export function massExcess({ totalMassMg, pureMassMg, finenessTenths }: Pick<Coin, "totalMassMg" | "pureMassMg" | "finenessTenths">) {
  const pure = (totalMassMg * finenessTenths) / 10_000;
  const excess = (pure - pureMassMg) / pureMassMg;
  const tolerance = totalMassMg < 5_000 ? 0.03 : 0.02;
  return excess < -0.004 || excess > tolerance ? Math.round(pure - pureMassMg) : null;
}

/** What the facts of a coin contradict each other in. */
export function contradictions(
  coin: Pick<
    CoinFacts,
    | "metal"
    | "totalMassMg"
    | "pureMassMg"
    | "finenessTenths"
    | "shape"
    | "diameterMm"
    | "denominationValue"
    | "denominationCurrency"
    | "categories"
  >,
): CoinProblem[] {
  const problems: CoinProblem[] = [];
  const excessMg = massExcess(coin);
  if (excessMg !== null) problems.push({ field: "pureMassMg", code: "mass", excessMg });
  if (coin.shape === "round" && coin.diameterMm === null) problems.push({ field: "diameterMm", code: "round_without_diameter" });
  if (coin.denominationValue !== null && coin.denominationCurrency === null)
    problems.push({ field: "denominationCurrency", code: "value_without_currency" });
  if (!coin.categories.includes(coin.metal)) problems.push({ field: "categories", code: "own_metal_missing" });
  const otherMetal = coin.metal === "gold" ? "silver" : "gold";
  if (coin.categories.some((each) => each.split("/")[0] === otherMetal)) problems.push({ field: "categories", code: "other_metal" });
  return problems;
}

/** Everything that is wrong with the facts of a coin by themselves; at most one problem for each field. */
export function factProblems(coin: CoinFacts, knownCategories: ReadonlySet<string>): CoinProblem[] {
  const problems: CoinProblem[] = [];
  const wrong = (field: FactField, code: "required" | "too_long" | "out_of_range" | "malformed" | "unknown") =>
    problems.push({ field, code });

  for (const field of ["title", "country", "issuer", "quality", "motif"] as const) {
    if (coin[field].trim() === "") wrong(field, "required");
    else if (coin[field].length > factMaxLengths.line) wrong(field, "too_long");
  }
  for (const field of ["mint", "series", "edge", "artist"] as const)
    if ((coin[field]?.length ?? 0) > factMaxLengths.line) wrong(field, "too_long");
  if (coin.description.trim() === "") wrong("description", "required");
  else if (coin.description.length > factMaxLengths.description) wrong("description", "too_long");
  if (coin.slug === "") wrong("slug", "required");
  else if (coin.slug.length > factMaxLengths.slug) wrong("slug", "too_long");
  else if (!slugPattern.test(coin.slug)) wrong("slug", "malformed");
  if (coin.motif !== "" && !/^[a-z0-9-]+$/.test(coin.motif)) wrong("motif", "malformed");
  if (coin.catalogueNumber !== null && !catalogueNumberPattern.test(coin.catalogueNumber)) wrong("catalogueNumber", "malformed");
  if (coin.denominationCurrency !== null && !/^[A-Z]{3}$/.test(coin.denominationCurrency)) wrong("denominationCurrency", "malformed");
  if (coin.shape !== null && coin.shape !== "round" && coin.shape !== "rectangle") wrong("shape", "unknown");
  if (!vatCodes.includes(coin.vatCode)) wrong("vatCode", "unknown");

  const within = (field: FactField, value: number | null, least: number, most: number, isWhole = true) => {
    if (value !== null && !(value >= least && value <= most && (!isWhole || Number.isInteger(value)))) wrong(field, "out_of_range");
  };
  within("year", coin.year, 1700, 2100);
  within("finenessTenths", coin.finenessTenths, 10, 10_000);
  within("pureMassMg", coin.pureMassMg, 1, 100_000_000);
  within("totalMassMg", coin.totalMassMg, 1, 100_000_000);
  within("mintage", coin.mintage, 1, 2_000_000_000);
  within("purchaseLimit", coin.purchaseLimit, 1, 999);
  within("featuredPosition", coin.featuredPosition, 1, 999);
  within("denominationValue", coin.denominationValue, 0.01, 1_000_000_000, false);
  for (const field of ["diameterMm", "thicknessMm", "lengthMm", "widthMm"] as const) within(field, coin[field], 0.1, 1_000, false);
  if (coin.categories.some((slug) => !knownCategories.has(slug))) wrong("categories", "unknown");

  for (const each of contradictions(coin)) if (!problems.some(({ field }) => field === each.field)) problems.push(each);
  return problems;
}

/** What is wrong with the first prices of a coin: premiums in hundredths of a percent, prices in kopecks. */
export function priceProblems(
  { premiumBp, buybackBp, fixedPriceKopecks, fixedBuybackKopecks }: FirstPrices,
  kind: Coin["kind"],
): CoinProblem[] {
  const problems: CoinProblem[] = [];
  const isPremium = (value: number): boolean => Number.isInteger(value) && value > -10_000 && value <= 1_000_000;
  const isPrice = (value: number): boolean => Number.isInteger(value) && value > 0 && value <= 100_000_000_000;
  if (premiumBp === null && kind === "bullion") problems.push({ field: "premiumBp", code: "required" });
  if (premiumBp !== null && !isPremium(premiumBp)) problems.push({ field: "premiumBp", code: "out_of_range" });
  if (buybackBp !== null && !isPremium(buybackBp)) problems.push({ field: "buybackBp", code: "out_of_range" });
  else if (buybackBp !== null && premiumBp !== null && buybackBp >= premiumBp)
    problems.push({ field: "buybackBp", code: "buyback_above_price" });
  if (kind === "memorable" && fixedPriceKopecks === null) problems.push({ field: "fixedPriceKopecks", code: "required" });
  if (fixedPriceKopecks !== null && !isPrice(fixedPriceKopecks)) problems.push({ field: "fixedPriceKopecks", code: "out_of_range" });
  if (fixedBuybackKopecks !== null && !isPrice(fixedBuybackKopecks)) problems.push({ field: "fixedBuybackKopecks", code: "out_of_range" });
  else if (fixedBuybackKopecks !== null && fixedPriceKopecks !== null && fixedBuybackKopecks >= fixedPriceKopecks)
    problems.push({ field: "fixedBuybackKopecks", code: "buyback_above_price" });
  return problems;
}

export type PurchaseLimits = { purchaseLimitFromRoubles: number; purchaseLimitPieces: number };

/**
 * How many pieces of a coin one order may have when its row of a table does not say: expensive coins are rare, and one buyer must not buy
 * them all. `price` in kopecks; null: no limit.
 */
export const usualPurchaseLimit = (price: number, { purchaseLimitFromRoubles, purchaseLimitPieces }: PurchaseLimits): number | null =>
  purchaseLimitPieces > 0 && price >= purchaseLimitFromRoubles * 100 ? purchaseLimitPieces : null;

/** The facts of a coin without the rest. */
export const factsOf = (coin: CoinFacts): CoinFacts =>
  Object.fromEntries(factFields.map((field) => [field, field === "categories" ? coin.categories.toSorted() : coin[field]])) as CoinFacts;

/** The fields in which two versions differ. */
export const differingFields = (a: CoinFacts, b: CoinFacts): FactField[] => {
  const [left, right] = [factsOf(a), factsOf(b)];
  return factFields.filter((field) => JSON.stringify(left[field]) !== JSON.stringify(right[field]));
};
