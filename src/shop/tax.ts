import type { ReceiptMode } from "#shop/payment/gateway.ts";

/**
 * Tax systems of a seller with their codes on receipts (54-FZ tag 1055; YooKassa, "54-FZ parameters", tax_system_code).
 * Code 4 (ЕНВД) was abolished in 2021.
 */
export const taxSystems = {
  general: 1,
  simplified_income: 2,
  simplified_income_less_expenses: 3,
  agricultural: 5,
  patent: 6,
} as const;
export type TaxSystem = keyof typeof taxSystems;

/**
 * VAT that a seller on the simplified system may charge, per cent; a seller without one is exempt
 * (Tax Code, articles 145 and 164, since 2025; 22 since 2026).
 */
export const simplifiedVatRates = [5, 7, 22] as const;

/** How the seller is taxed. Decides the VAT of each line of receipts and invoices. */
export type SellerTax = {
  system: TaxSystem;
  /** On the simplified system only: the VAT that it charges, per cent; null: none. */
  simplifiedVatPercent: (typeof simplifiedVatRates)[number] | null;
  /** The rate on the receipt of a prepayment: computed (22/122) or full (22 %). */
  prepaymentVat: "computed" | "full";
  /** Whether receipts carry the code of the tax system: «Чеки от ЮKassa» ignore it, some other registers require it. */
  sendsTaxSystem: boolean;
};

/** Describes a contradiction in these settings; null: there is none. A sole trader has a tax number of twelve digits. */
export function taxFault(tax: SellerTax, inn: string): string | null {
  const isSimplified = tax.system === "simplified_income" || tax.system === "simplified_income_less_expenses";
  if (tax.simplifiedVatPercent !== null && !isSimplified)
    return `tax.simplifiedVatPercent is for the simplified system, not for ${tax.system}`;
  if (tax.system === "patent" && inn.length !== 12) return "tax.system patent is for sole traders: INN has twelve digits";
  return null;
}

/** `vat_code` of a line (YooKassa, "54-FZ parameters", rates of 2026). */
const noVat = 1;
const standardVat = 11;
const codeOfSimplified = { 5: 7, 7: 8, 22: standardVat } as const;
/** Codes of computed rates, which extract VAT from a prepayment: 10/110, 20/120, 5/105, 7/107, 22/122. */
const computedCodes: Readonly<Record<number, number>> = { 3: 5, 4: 6, 7: 9, 8: 10, 11: 12 };
const fullCodes: Readonly<Record<number, number>> = Object.fromEntries(
  Object.entries(computedCodes).map(([full, computed]) => [computed, Number(full)]),
);

/** Whether this seller charges VAT on anything; if so, delivery carries it. */
export const chargesVat = (tax: SellerTax): boolean => vatCodeOf(tax, standardVat) !== noVat;

/**
 * The VAT code of a line of goods for this seller. `code` is the goods' own. Code 1 (exempt, as legal tender coins of precious metals)
 * stays exempt under every tax system.
 */
export function vatCodeOf(tax: SellerTax, code: number): number {
  if (code === noVat) return noVat;
  switch (tax.system) {
    case "general":
    case "agricultural":
      return code;
    case "patent":
      return noVat;
    default:
      return tax.simplifiedVatPercent === null
        ? noVat
        : tax.simplifiedVatPercent === 22
          ? code
          : codeOfSimplified[tax.simplifiedVatPercent];
  }
}

/**
 * The VAT code as printed on a receipt of this mode: the computed rate for money paid before the goods are handed over
 * (Tax Code, article 164, paragraph 4), the full rate at hand-over. Accepts a code of either form.
 */
export function vatCodeForMode(tax: SellerTax, mode: ReceiptMode, code: number): number {
  const full = fullCodes[code] ?? code;
  return mode === "full_payment" || tax.prepaymentVat === "full" ? full : (computedCodes[full] ?? full);
}

/** Returns the receipt with the VAT codes of this mode. */
export const withReceiptMode = <R extends { lines: readonly { vatCode: number }[] }>(tax: SellerTax, mode: ReceiptMode, receipt: R): R => ({
  ...receipt,
  lines: receipt.lines.map((line) => ({ ...line, vatCode: vatCodeForMode(tax, mode, line.vatCode) })),
});

/** The tax system code that receipts carry; undefined: none. */
export const taxSystemCodeOf = (tax: SellerTax): number | undefined => (tax.sendsTaxSystem ? taxSystems[tax.system] : undefined);
