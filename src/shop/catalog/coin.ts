import type { CoinPictures } from "./image.ts";

/** One issue of one mint, sold as one article. Masses in milligrams, fineness in tenths of a part per thousand, money in kopecks. */
export type Metal = "gold" | "silver";
export type CoinKind = "bullion" | "memorable";

export const metals = ["gold", "silver"] as const satisfies readonly Metal[];
export const coinKinds = ["bullion", "memorable"] as const satisfies readonly CoinKind[];

export type Coin = {
  id: number;
  slug: string;
  title: string;
  metal: Metal;
  kind: CoinKind;
  country: string;
  issuer: string;
  mint: string | null;
  year: number;
  /** Null for coins without a face value. */
  denominationValue: number | null;
  denominationCurrency: string | null;
  series: string | null;
  /** The central bank's number; two mints may share one, so it is not unique. */
  catalogueNumber: string | null;
  finenessTenths: number;
  pureMassMg: number;
  totalMassMg: number;
  diameterMm: number | null;
  thicknessMm: number | null;
  shape: string | null;
  lengthMm: number | null;
  widthMm: number | null;
  mintage: number | null;
  quality: string;
  edge: string | null;
  artist: string | null;
  description: string;
  motif: string;
  premiumBp: number;
  buybackBp: number | null;
  fixedPriceKopecks: number | null;
  fixedBuybackKopecks: number | null;
  vatCode: number;
  /** Maximum pieces in one order; null: no limit. */
  purchaseLimit: number | null;
  /** Larger sorts first. */
  popularity: number;
  /** The coin's place before all others in the order of popularity, from 1; null: by its popularity. */
  featuredPosition: number | null;
  isPublished: boolean;
  /** When it was first shown; null: never. From then on its address does not change. */
  publishedAt: Date | null;
  /** Pictures that staff uploaded. */
  pictures: CoinPictures;
  /** Whether our drawings show both sides. A coin entered by staff has none. */
  hasDrawing: boolean;
  /** Counts the edits by staff. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
  /** Slugs of the coin's listings under /catalog. */
  categories: string[];
};

/** The largest id of a coin, which is its article. */
export const maxCoinId = 999_999_999;
export const isCoinId = (id: number): boolean => Number.isInteger(id) && id >= 1 && id <= maxCoinId;

/** Whether the coin is on sale, or was: its address and its price are known to buyers. */
export const wasShown = (coin: Pick<Coin, "isPublished" | "publishedAt">): boolean => coin.isPublished || coin.publishedAt !== null;

/** Grams of pure metal, as in answers and on pages. */
export const pureMassG = (coin: Pick<Coin, "pureMassMg">): number => coin.pureMassMg / 1000;

/** Parts per thousand: 9999 → 999.9. */
export const fineness = (coin: Pick<Coin, "finenessTenths">): number => coin.finenessTenths / 10;
