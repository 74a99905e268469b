import { kopecks, type Kopecks } from "#kit/money.ts";

/** Per cent of VAT by the code of a receipt (YooKassa, "54-FZ parameters", vat_code, rates of 2026); code 1 has none. */
const rates: Readonly<Record<number, number>> = { 2: 0, 3: 10, 4: 20, 5: 10, 6: 20, 7: 5, 8: 7, 9: 5, 10: 7, 11: 22, 12: 22 };

/** Per cent of VAT by the code of a receipt; null: sold without VAT. */
export const vatRateOf = (vatCode: number): number | null => rates[vatCode] ?? null;

/** The VAT included in a price, rounded to the nearest kopeck as a cash register does; null: sold without VAT. */
export function includedVat(vatCode: number, amount: Kopecks): { rate: number; amount: Kopecks } | null {
  const rate = rates[vatCode];
  return rate === undefined ? null : { rate, amount: kopecks(Math.round((amount * rate) / (100 + rate))) };
}
