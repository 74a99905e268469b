import { taxFault, type SellerTax } from "./tax.ts";

/** The seller as named on invoices and in payment orders, and how it is taxed. */
export type Seller = {
  name: string;
  inn: string;
  kpp: string;
  address: string;
  bank: string;
  bic: string;
  account: string;
  corrAccount: string;
  tax: SellerTax;
};

/**
 * Reads the seller's bank details from the placeholders of the settings file, which texts and invoices share.
 * `fault` names the wrong placeholders; null: all are valid. A bank refuses a transfer to an account that fails its check digit,
 * so a typo stops the start of the shop and does not reach a buyer.
 */
export function sellerOf(
  values: Readonly<Record<string, string>>,
  tax: SellerTax,
): { seller: Seller; fault: null } | { seller: null; fault: string } {
  const value = (name: string): string => (values[name] ?? "").trim();
  const seller: Seller = {
    name: value("LEGAL_NAME"),
    inn: value("INN"),
    kpp: value("KPP"),
    address: value("ADDRESS"),
    bank: value("BANK"),
    bic: value("BIK"),
    account: value("ACCOUNT"),
    corrAccount: value("CORR_ACCOUNT"),
    tax,
  };
  const fault = [
    seller.name === "" && "LEGAL_NAME is missing",
    !isInn(seller.inn) && "INN fails its check digits",
    !(seller.inn.length === 12 ? /^(\d{9})?$/ : /^\d{9}$/).test(seller.kpp) && "KPP has nine digits",
    seller.bank === "" && "BANK is missing",
    !/^\d{9}$/.test(seller.bic) && "BIK has nine digits",
    !isAccount(seller.account, seller.bic.slice(-3)) && "ACCOUNT fails its check digit for this BIK",
    !isAccount(seller.corrAccount, `0${seller.bic.slice(4, 6)}`) && "CORR_ACCOUNT fails its check digit for this BIK",
    taxFault(tax, seller.inn) ?? false,
  ]
    .filter((each) => each !== false)
    .join("; ");
  return fault === "" ? { seller, fault: null } : { seller: null, fault };
}

const weighed = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);

/** Checks the digits of a tax number: ten for a company, twelve for a person (order ММВ-7-6/435 of the tax service). */
export function isInn(inn: string): boolean {
  const hasCheckDigit = (weights: readonly number[]): boolean => (weighed(inn, weights) % 11) % 10 === Number(inn[weights.length]);
  if (/^\d{10}$/.test(inn)) return hasCheckDigit([2, 4, 10, 3, 5, 9, 4, 6, 8]);
  return /^\d{12}$/.test(inn) && hasCheckDigit([7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) && hasCheckDigit([3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]);
}

/**
 * Checks an account by its digit: the bank's three and the account's twenty, weighted 7, 1, 3 in turn (Bank of Russia, order 515 of 1997).
 */
export const isAccount = (account: string, bankDigits: string): boolean =>
  /^\d{20}$/.test(account) &&
  weighed(
    bankDigits + account,
    Array.from({ length: 23 }, (_, index) => [7, 1, 3][index % 3] ?? 0),
  ) %
    10 ===
    0;
