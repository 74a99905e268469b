import { fromRoubles } from "#kit/money.ts";
import type { StaffDetails } from "#shop/orders/order.ts";
import { readSealNumber } from "#shop/orders/parcel/seal.ts";
import { readReference } from "#shop/payment/transfers/bank-transfer.ts";
import { fiscalNumberFormats, type FiscalNumbers } from "#shop/payment/receipts/receipt.ts";

/**
 * Arguments of an event, as the demo call takes them: roubles, or pieces of coins and the delivery; the bank's reference; the seal's
 * number.
 */
type StaffArguments = {
  amount?: number;
  items?: { id: number; count: number }[];
  delivery?: boolean;
  reference?: { number: string; date: string; payerAccount?: string };
  seal?: string;
};

/** The arguments as the order service takes them. */
export const staffDetails = ({ amount, items, delivery, reference, seal }: StaffArguments): StaffDetails => ({
  ...(reference ? { reference: { ...reference, payerAccount: reference.payerAccount ?? null } } : {}),
  ...(amount === undefined ? {} : { amount: fromRoubles(amount) }),
  ...(items ? { pieces: items.map((each) => ({ coinId: each.id, quantity: each.count })) } : {}),
  ...(delivery ? { isDeliveryToo: true } : {}),
  ...(seal === undefined ? {} : { sealNumber: seal }),
});

/** Null: malformed. */
function parseSumOrPieces(words: readonly string[], { ref, payer }: Options = {}): StaffArguments | null {
  if (ref !== undefined) {
    const [named, sum] = [readReference(ref, payer ?? null), parseSumOrPieces(words)];
    if (!named || !sum) return null;
    const { number, date, payerAccount } = named;
    return { ...sum, reference: { number, date, ...(payerAccount === null ? {} : { payerAccount }) } };
  }
  if (words.length === 0) return {};
  const [only = ""] = words;
  if (words.length === 1 && /^\d{1,9}([.,]\d{1,2})?$/.test(only))
    return Number(only.replace(",", ".")) > 0 ? { amount: Number(only.replace(",", ".")) } : null;
  const pieces = words.filter((word) => word !== "delivery").map((word) => /^(\d{1,9}):(\d{1,3})$/.exec(word));
  if (!pieces.every((each) => each !== null)) return null;
  return {
    items: pieces.map(([, coin, count]) => ({ id: Number(coin), count: Number(count) })),
    ...(words.includes("delivery") ? { delivery: true } : {}),
  };
}

/** `--name value` options; `--as` names the member of staff. */
export const optionNames = ["seal", "ref", "payer", "fn", "fd", "fpd", "as"] as const;

export type Options = Partial<Record<(typeof optionNames)[number], string>>;

/** Arguments of `order`. `pay` with a sum requires the bank's reference, which no other event accepts. Null: malformed. */
export function parseOrderArguments(event: string, words: readonly string[], options: Options): StaffArguments | null {
  if (event === "seal" || event === "assemble") return parseSeal(event, words, options);
  if (options.seal !== undefined) return null;
  const money = event === "pay" || event === "refund" ? parseSumOrPieces(words, options) : words.length === 0 ? {} : null;
  if (event === "give_back") return onlyPieces(parseSumOrPieces(words), options);
  const isPart = money?.amount !== undefined;
  if (event === "pay") return words.length > 0 && !(isPart && money.reference) ? null : money;
  return options.ref === undefined ? money : null;
}

/** `assemble [--seal <number>]`, `seal <number>`. */
function parseSeal(event: "assemble" | "seal", words: readonly string[], { seal, ref }: Options): StaffArguments | null {
  const named = event === "seal" ? words[0] : seal;
  if (ref !== undefined || words.length > (event === "seal" ? 1 : 0)) return null;
  if (named === undefined || (event === "seal" && seal !== undefined)) return event === "assemble" ? {} : null;
  const number = readSealNumber(named);
  return number === null ? null : { seal: number };
}

/** What is wrong with the number of the seal in arguments that `parseOrderArguments` refuses; null: it is not the number. */
export function sealFault(event: string, words: readonly string[], { seal }: Options): string | null {
  if (seal !== undefined && event !== "assemble") return "--seal: goes with assemble";
  const [number, prefix] = event === "seal" ? [words[0], ""] : [seal, "--seal: "];
  if (number === undefined || readSealNumber(number) !== null) return null;
  return `${prefix}${number} is not the number of a seal: 5 to 20 letters, digits and hyphens, at least four of them digits`;
}

const onlyPieces = (money: StaffArguments | null, options: Options): StaffArguments | null =>
  money?.amount !== undefined || money?.delivery || options.ref !== undefined ? null : money;

/** Null: a number is missing or malformed; undefined: none was given. */
export function parseFiscalNumbers({ fn, fd, fpd }: Options): FiscalNumbers | null | undefined {
  if (fn === undefined && fd === undefined && fpd === undefined) return undefined;
  const signs = { storageNumber: fn ?? "", documentNumber: fd ?? "", attribute: fpd ?? "" };
  return (Object.keys(signs) as (keyof FiscalNumbers)[]).every((each) => fiscalNumberFormats[each].test(signs[each])) ? signs : null;
}
