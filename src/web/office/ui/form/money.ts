import { roublesAndKopecks, roubles } from "#kit/format.ts";
import { kopecks, type Kopecks } from "#kit/money.ts";

/**
 * A sum as it is typed: `1 234,50`, `1234.5`, `1234 ₽`. Null: not a sum. More than two digits after the comma are refused instead of
 * rounded, and so is a sum above what a whole number of kopecks can hold exactly.
 */
export function parseMoney(text: string): Kopecks | null {
  const plain = text.replaceAll(/[\s\u00A0\u202F₽]/g, "").replace(",", ".");
  const [, whole = "", part = ""] = /^(\d{1,12})(?:\.(\d{0,2}))?$/.exec(plain) ?? [];
  if (!whole) return null;
  return kopecks(Number(whole) * 100 + Number(part.padEnd(2, "0")));
}

/** How a field shows a sum: kopecks only when there are any. */
export const moneyInField = (amount: Kopecks | null): string =>
  amount === null ? "" : amount % 100 === 0 ? roubles(amount) : roublesAndKopecks(amount);
