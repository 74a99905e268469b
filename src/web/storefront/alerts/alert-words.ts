import type { AlertView } from "#shop/alerts/alert.ts";
import { number } from "../../ui/format.ts";

const rates: Record<string, { name: string; unit: string }> = {
  XAU_RUB: { name: "Золото", unit: "₽ за грамм" }, XAG_RUB: { name: "Серебро", unit: "₽ за грамм" }, XAU_USD: { name: "Золото", unit: "$ за унцию" }, XAG_USD: { name: "Серебро", unit: "$ за унцию" }, USD_RUB: { name: "Доллар", unit: "₽" },
};

export type AlertWords = { about: string; href: string; wish: string };

/** An alert as people read it: what it is about, where that stands, and when we write. */
export function alertWords({ coin, course, rule, value }: Pick<AlertView, "coin" | "course" | "rule" | "value">): AlertWords {
  const rate = rates[course ?? ""];
  const about = coin?.title ?? rate?.name ?? "Монета";
  const href = coin ? `/products/${coin.slug}` : `/quotes-online?code=${course ?? ""}`;
  if (rule === "in_stock" || value === null) return { about, href, wish: "снова появится в продаже" };
  const amount = coin ? `${number(value / 100)}\u00A0₽` : `${number(value / 10_000, 2)}\u00A0${rate?.unit ?? ""}`;
  return { about, href, wish: `станет ${rule === "below" ? "не дороже" : "не дешевле"} ${amount}` };
}
