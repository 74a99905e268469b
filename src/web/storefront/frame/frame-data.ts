import type { ShopIdentity } from "#shop/settings.ts";

/** What the frame of every page shows; the same for all visitors. Times are ISO strings. */
export type FrameData = {
  publicUrl: string;
  year: number;
  shop: Omit<ShopIdentity, "placeholders">;
  rates: { code: string; name: string; unit: string; value: number; percent: number }[];
  ratesAt: string | null;
  isStale: boolean;
  market: { isOpen: boolean; note: string | null };
  sections: { slug: string; title: string; children: { slug: string; title: string }[] }[];
};
