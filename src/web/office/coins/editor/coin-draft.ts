import type { AnswerOf } from "../../client.ts";
import type * as contract from "#contract/staff/calls.ts";
import type { StaffEntryOf } from "#contract/staff/calls.ts";
import { toSlug } from "#kit/text/slug.ts";
import { factFields, type CoinFacts, type FactField } from "#shop/catalog/coin-rules.ts";
import { decimal } from "../words.ts";

export type CoinView = AnswerOf<StaffEntryOf<typeof contract.readCoin>>;
type TextField = Exclude<FactField, "categories">;
/** The values of the fields, as typed. */
export type CoinDraft = Record<TextField, string> & { categories: readonly string[] };
/** The first prices of a new coin, as typed: per cent and roubles. */
export type PriceDraft = { premium: string; buyback: string; fixedPrice: string; fixedBuyback: string };

/** Fields with numbers: how many of the stored unit make one of the field. */
const scales: Readonly<Partial<Record<FactField, number>>> = {
  year: 1,
  denominationValue: 1,
  finenessTenths: 10,
  pureMassMg: 1_000,
  totalMassMg: 1_000,
  diameterMm: 1,
  thicknessMm: 1,
  lengthMm: 1,
  widthMm: 1,
  mintage: 1,
  vatCode: 1,
  purchaseLimit: 1,
  featuredPosition: 1,
};
const required: ReadonlySet<FactField> = new Set(["year", "finenessTenths", "pureMassMg", "totalMassMg", "vatCode"]);
/** Texts that are null when empty. */
const optionalTexts: ReadonlySet<FactField> = new Set([
  "mint",
  "denominationCurrency",
  "series",
  "catalogueNumber",
  "shape",
  "edge",
  "artist",
]);
const texts = factFields.filter((field): field is TextField => field !== "categories");

export function draftOf(facts: CoinFacts): CoinDraft {
  const typed = texts.map((field) => {
    const value = facts[field];
    return [field, typeof value === "number" ? decimal(value / (scales[field] ?? 1)) : (value ?? "")];
  });
  return { ...(Object.fromEntries(typed) as Record<TextField, string>), categories: facts.categories };
}

/** A typed number with comma or point, spaces allowed; NaN when it is none. */
export const parseDecimal = (text: string): number => {
  const plain = text
    .replaceAll(/[\s\u00a0\u202f]/g, "")
    .replace(",", ".")
    .replace("−", "-");
  return /^-?\d{1,12}(\.\d{1,6})?$/.test(plain) ? Number(plain) : Number.NaN;
};

/** The facts behind the fields, and a message for each field that is not a number. */
export function readDraft(draft: CoinDraft): { facts: CoinFacts; errors: Partial<Record<FactField, string>> } {
  const errors: Partial<Record<FactField, string>> = {};
  const read = (field: TextField): string | number | null => {
    const typed = draft[field].trim();
    const scale = scales[field];
    if (scale === undefined) return typed === "" && optionalTexts.has(field) ? null : typed;
    if (typed === "" && !required.has(field)) return null;
    const value = parseDecimal(typed) * scale;
    const whole = Math.abs(value - Math.round(value)) < 1e-6 ? Math.round(value) : value;
    if (typed === "") errors[field] = "Обязательное поле";
    else if (Number.isNaN(whole)) errors[field] = "Введите число";
    else if (scale > 1 && !Number.isInteger(whole)) errors[field] = "Слишком много знаков после запятой";
    return whole;
  };
  const facts = Object.fromEntries(texts.map((field) => [field, read(field)]));
  return { facts: { ...facts, categories: [...draft.categories] } as unknown as CoinFacts, errors };
}

export const noPriceDraft: PriceDraft = { premium: "", buyback: "", fixedPrice: "", fixedBuyback: "" };
/** `premiumBp` null: not entered yet, or the coin has a fixed price. */
export type FirstPricesView = Omit<CoinView["prices"], "premiumBp"> & { premiumBp: number | null };

/**
 * The first prices behind the fields, and a message for each wrong one by its stored name. Only the fields that this kind of coin shows are
 * read: what was typed before the kind was changed does not count.
 */
export function readPrices(draft: PriceDraft, kind: CoinFacts["kind"]): { prices: FirstPricesView; errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const read = (text: string, field: string, isRequired = false): number | null => {
    if (text.trim() === "") {
      if (isRequired) errors[field] = "Обязательное поле";
      return null;
    }
    const value = parseDecimal(text);
    if (Number.isNaN(value)) errors[field] = "Введите число";
    return value;
  };
  const percent = (text: string, field: string, isRequired = false): number | null => {
    const value = read(text, field, isRequired);
    return value === null ? null : Math.round(value * 100);
  };
  const none: FirstPricesView = { premiumBp: null, buybackBp: null, fixedPrice: null, fixedBuyback: null };
  const prices =
    kind === "bullion"
      ? { ...none, premiumBp: percent(draft.premium, "premiumBp", true), buybackBp: percent(draft.buyback, "buybackBp") }
      : {
          ...none,
          fixedPrice: read(draft.fixedPrice, "fixedPriceKopecks", true),
          fixedBuyback: read(draft.fixedBuyback, "fixedBuybackKopecks"),
        };
  return { prices, errors };
}

/** The categories that a coin of this metal and kind surely has. */
export const usualCategories = (metal: string, kind: string, known: readonly { slug: string }[]): string[] =>
  [metal, `${metal}/${kind}-coins`, `${kind}-coins`].filter((slug) => known.some((each) => each.slug === slug));

/** A new coin before anything is typed. */
export const emptyDraft = (year: number, known: readonly { slug: string }[]): CoinDraft => ({
  ...(Object.fromEntries(texts.map((field) => [field, ""])) as Record<TextField, string>),
  metal: "gold",
  kind: "bullion",
  country: "Россия",
  issuer: "Банк России",
  year: String(year),
  denominationCurrency: "RUB",
  shape: "round",
  quality: "АЦ",
  vatCode: "1",
  categories: usualCategories("gold", "bullion", known),
});

/** A further issue of a coin: what each issue has of its own is left out. */
export const nextIssue = (coin: CoinView, year: number): CoinDraft => {
  const title = coin.facts.title.replace(/\d{4}/, String(year));
  return { ...draftOf(coin.facts), title, slug: toSlug(title), year: String(year), catalogueNumber: "", mintage: "", featuredPosition: "" };
};
