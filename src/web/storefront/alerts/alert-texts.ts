import { nbsp, number } from "#kit/format.ts";
import type { AlertView } from "#shop/alerts/alert.ts";

const rates: Record<string, { name: string; unit: string }> = {
  XAU_RUB: { name: "Золото", unit: "₽ за грамм" },
  XAG_RUB: { name: "Серебро", unit: "₽ за грамм" },
  XAU_USD: { name: "Золото", unit: "$ за унцию" },
  XAG_USD: { name: "Серебро", unit: "$ за унцию" },
  USD_RUB: { name: "Доллар", unit: "₽" },
};

/** `about` begins a line; `inText` is the same inside a sentence. */
export type AlertTexts = { about: string; inText: string; href: string; conditionText: string };

/** The unit of an alert's limit: roubles for a coin, or the unit of a rate. */
export const markUnit = (course: string | undefined): string => rates[course ?? ""]?.unit ?? "₽";

/** The texts of an alert: its subject, the address of the subject, and the condition (`conditionText`). */
export function alertTexts({ coin, rateCode, rule, value }: Pick<AlertView, "coin" | "rateCode" | "rule" | "value">): AlertTexts {
  const rate = rates[rateCode ?? ""];
  const about = coin?.title ?? rate?.name ?? "Монета";
  const inText = coin ? about : about.toLowerCase();
  const href = coin ? `/products/${coin.slug}` : `/quotes-online?code=${rateCode ?? ""}`;
  if (rule === "market_open") return { about: "Торги на бирже", inText: "торги на бирже", href: "/cart", conditionText: "откроются" };
  if (rule === "in_stock" || value === null) return { about, inText, href, conditionText: "снова появится в продаже" };
  const amount = coin ? `${number(value / 100)}${nbsp}₽` : `${number(value / 10_000, 2)}${nbsp}${rate?.unit ?? ""}`;
  return { about, inText, href, conditionText: `станет ${rule === "below" ? "не дороже" : "не дешевле"} ${amount}` };
}
