import type { Kopecks } from "#kit/money.ts";
import type { Seller } from "#shop/seller.ts";

/** The largest number of characters in a field (GOST R 56042-2014, tables 1 and 2). */
const maxLengths = { Name: 160, BankName: 45, Purpose: 210 } as const;

/** Characters that may separate the fields, the recommended one first. */
const separators = ["|", "~", "^", ";", "#"] as const;

/**
 * The text of the QR code of an invoice for a bank's app: GOST R 56042-2014, version 0001, UTF-8 (`ST00012`). `Sum` is in kopecks.
 * The format has no escaping: when a value contains the separator, another one is used; the character after the header names it.
 * Line breaks become spaces, fields that are too long are cut, empty fields (the KPP of a sole trader) are omitted.
 */
export function bankQrText(seller: Seller, { purpose, sum }: { purpose: string; sum: Kopecks }): string {
  const fields = [
    ["Name", seller.name],
    ["PersonalAcc", seller.account],
    ["BankName", seller.bank],
    ["BIC", seller.bic],
    ["CorrespAcc", seller.corrAccount],
    ["PayeeINN", seller.inn],
    ["KPP", seller.kpp],
    ["Purpose", purpose],
    ["Sum", String(sum)],
  ].flatMap(([name = "", value = ""]) => {
    const clean = value.replaceAll(/\s+/g, " ").trim();
    const cut = Array.from(clean)
      .slice(0, maxLengths[name as keyof typeof maxLengths] ?? clean.length)
      .join("")
      .trim();
    return cut === "" ? [] : [`${name}=${cut}`];
  });
  const separator = separators.find((each) => !fields.some((field) => field.includes(each)));
  if (!separator) throw new RangeError("no separator is left for the payment QR code");
  return ["ST00012", ...fields].join(separator);
}
