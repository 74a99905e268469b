import type { MenuPart } from "#shop/content/site/parts.ts";
import type { ShownRateCode } from "#shop/rates/rate.ts";
import type { ShopIdentity } from "#shop/settings.ts";
import { fromText, type TextData } from "../page/text-data.ts";
import type { CounterData } from "../statistics/counter-data.ts";

/** Data of the frame around every page; the same for all visitors. Times are ISO strings. */
export type FrameData = {
  publicUrl: string;
  year: number;
  shop: Omit<ShopIdentity, "placeholders"> & {
    /** A text of every receipt; depends on the seller's tax system. */
    receiptNote: string;
  };
  rates: { code: ShownRateCode; name: string; unit: string; value: number; percent: number }[];
  ratesAt: string | null;
  isStale: boolean;
  /** Version of the price list from which the page's prices were computed. */
  priceList: number;
  /** `note` says why it is closed, `until` when that changes; null when not known. */
  market: { isOpen: boolean; note: string | null; until: string | null };
  /** Pause between two sign-in codes to one phone, seconds. */
  codeResendSeconds: number;
  /** The visit counter, for visitors who agree to it; null when the shop has none. */
  counter: CounterData | null;
  /** The line above the header; null: none now. */
  banner: { id: string; label: string; long: string; short: string; href: string | null; isDismissible: boolean } | null;
  menu: Omit<MenuPart, "kind">;
  /** A sentence about the shop, and the heading of its telephones and address. */
  slogan: string;
  office: string;
  /** The picture of the coin on the error page; null: none. */
  errorPicture: string | null;
  sections: { slug: string; title: string; children: { slug: string; title: string }[] }[];
};

/** The frame's data in those of the root's loader. */
export const frameDataOf = (sent: TextData): FrameData => fromText<FrameData>(sent);

/** The day's change in percent of the previous close. */
export const percentOf = (value: number, diff: number): number => (value === diff ? 0 : (diff / (value - diff)) * 100);
