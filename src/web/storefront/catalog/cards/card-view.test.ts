import { expect, test } from "vitest";
import type { Card } from "#shop/search/card.ts";
import { cardView, plateShare, trueShare, distinctFirst } from "./card-view.ts";
import { aCard } from "./testing.ts";

const sub = (part: Partial<Card>) => cardView(aCard(part)).sub.replaceAll("\u00A0", " ");

test("a card names the coin, its face value, year and mint once each", () => {
  expect(cardView(aCard()).name).toBe("Георгий Победоносец");
  expect(sub({})).toBe("50 рублей · 2026 · ММД");
  expect(sub({ title: "Георгий Победоносец, 50 рублей 2026" })).toBe("50 рублей · 2026 · ММД");
});
test("a foreign coin names its country, a variant keeps its remark", () => {
  expect(sub({ title: "Крюгерранд 1 унция 2025", year: 2025, country: "ЮАР", mint: "South African Mint" })).toBe("1 унция · 2025 · ЮАР");
  expect(
    sub({ title: "160-летие Банка России, 3 рубля 2020 (второй сюжет)", year: 2020, mint: "Санкт-Петербургский монетный двор (СПМД)" }),
  ).toBe("3 рубля · 2020 · СПМД · второй сюжет");
});
test("a memorable coin shows no premium: its price does not follow the metal", () => {
  expect(cardView(aCard({ kind: "memorable" })).premiumBp).toBeNull();
  expect(cardView(aCard()).premiumBp).toBe(550);
});
test("a larger coin has a larger picture, and no picture is larger than its card", () => {
  expect([16, 22.6, 39, 130, null].map(plateShare)).toEqual([50, 59, 80, 89, 72]);
  expect([16, 22.6, 39, 130].map(trueShare)).toEqual([34, 47, 82, 96]);
});
test("a short list shows each coin once before it repeats one", () => {
  const cards = ["Георгий", "Георгий", "Сеятель", "Соболь"].map((name, id) => ({ id, name, metal: "gold" as const }));
  expect(distinctFirst(cards, 3).map(({ id }) => id)).toEqual([0, 2, 3]);
  expect(distinctFirst(cards, 9).map(({ id }) => id)).toEqual([0, 2, 3, 1]);
});
test("a photograph is described in the words of staff", () => {
  expect(cardView(aCard({ alt: "Всадник поражает змея" })).alt).toBe("Всадник поражает змея");
  expect(cardView(aCard()).alt).toBeNull();
});
