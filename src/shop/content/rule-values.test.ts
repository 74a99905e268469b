import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { defaultLimits } from "#shop/settings.ts";
import type { SellerTax } from "#shop/tax.ts";
import { filled } from "./placeholders.ts";
import { ruleValues } from "./rule-values.ts";

const seed = readFileSync("db/seed/data/content.json", "utf8");
const content = JSON.parse(seed) as { faq: object[]; promos: object[]; pages: Record<string, { body: string }> };

const general: SellerTax = { system: "general", simplifiedVatPercent: null, prepaymentVat: "computed", sendsTaxSystem: false };
const simplified: SellerTax = { ...general, system: "simplified_income" };

test("receipts show the VAT of the seller's tax system", () => {
  const delivery = (tax: SellerTax) => filled(content.pages.delivery?.body ?? "", ruleValues(defaultLimits, tax));
  expect(delivery(simplified)).toContain("ставка «без НДС»");
  expect(delivery(general)).toContain("ставка НДС (для монет, которые служат законным платёжным средством, — «без НДС»)");
  expect(JSON.stringify([content.pages.delivery, content.faq])).not.toContain("без НДС");
});

test("texts contain the limits of the settings", () => {
  const delivery = filled(
    content.pages.delivery?.body ?? "",
    ruleValues({ ...defaultLimits, cardLimitRoubles: 200_000, freeCourierFromRoubles: 90_000, freePickupFromRoubles: 30_000 }, general),
  );
  expect(delivery).toContain("до 200\u00A0000 ₽ за один платёж");
  expect(delivery).toContain("от 90\u00A0000 ₽ бесплатно");
  expect(delivery).toContain("бесплатно от 30\u00A0000\u00A0₽");
});

test("no page, question or promo repeats a setting as a literal number", () => {
  const texts = JSON.stringify([content.pages, content.faq, content.promos]).replaceAll("\u00A0", " ");
  const rules = Object.entries(ruleValues(defaultLimits, general))
    .filter(([, value]) => /^[\d\u00A0]{5,}$/.test(value))
    .map(([, value]) => value.replaceAll("\u00A0", " "));
  expect(rules.length).toBeGreaterThan(4);
  expect(rules.filter((value) => new RegExp(`(?<!\\d)${value}(?!\\d)`).test(texts))).toEqual([]);
});

test("every placeholder of the texts has a value, from the limits or from the settings file", () => {
  const { placeholders } = JSON.parse(readFileSync("config/shop.json", "utf8")) as { placeholders: Record<string, string> };
  const known = { ...placeholders, ...ruleValues(defaultLimits, general) };
  const used = new Set([...seed.matchAll(/\{\{\s*([A-Z][A-Z0-9_]*)\s*\}\}/g)].map(([, name = ""]) => name));
  expect([...used].filter((name) => !Object.hasOwn(known, name))).toEqual([]);
});
