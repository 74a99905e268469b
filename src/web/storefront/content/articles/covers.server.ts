import type { EntrySummary } from "#shop/content/entry.ts";
import news1 from "../../../images/news-1.webp";
import news2 from "../../../images/news-2.webp";
import news3 from "../../../images/news-3.webp";
import news4 from "../../../images/news-4.webp";
import news5 from "../../../images/news-5.webp";
import news6 from "../../../images/news-6.webp";
import promo1 from "../../../images/promo-1.webp";
import promo2 from "../../../images/promo-2.webp";
import promo3 from "../../../images/promo-3.webp";
import promo4 from "../../../images/promo-4.webp";

const covers = [news1, news2, news3, news4, news5, news6] as const;
const banners = [promo1, promo2, promo3, promo4] as const;

/** The picture of a text: its own, else one of the shop's by its id. Null: texts of its kind need none. */
export function coverOf({ kind, id, extra }: Pick<EntrySummary, "kind" | "id" | "extra">): string | null {
  if (extra.cover) return extra.cover.picture;
  const own = kind === "news" ? covers : kind === "promo" ? banners : [];
  return own[(id - 1 + own.length) % own.length] ?? null;
}
