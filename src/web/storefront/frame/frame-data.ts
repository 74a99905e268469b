import type { ShownRateCode } from "#shop/rates/rate.ts";
import type { ShopIdentity } from "#shop/settings.ts";
import type { CounterData } from "../statistics/counter-data.ts";

/** What the frame of every page shows; the same for all visitors. Times are ISO strings. */
export type FrameData = {
  publicUrl: string;
  year: number;
  shop: Omit<ShopIdentity, "placeholders"> & {
    /** What every receipt says, by the seller's tax system. */
    receiptNote: string;
  };
  rates: { code: ShownRateCode; name: string; unit: string; value: number; percent: number }[];
  ratesAt: string | null;
  isStale: boolean;
  /** Version of the price list that the page's prices were made from. */
  priceList: number;
  /** `note` says why it is closed, `until` when that changes, as far as either is known. */
  market: { isOpen: boolean; note: string | null; until: string | null };
  /** Between two sign-in codes to one phone. */
  codeResendSeconds: number;
  /** The counter of visits, for whoever agrees to it; null when the owner has none. */
  counter: CounterData | null;
  sections: { slug: string; title: string; children: { slug: string; title: string }[] }[];
};

/** The day's move in percent of the close before it. */
export const percentOf = (value: number, diff: number): number => (value === diff ? 0 : (diff / (value - diff)) * 100);
