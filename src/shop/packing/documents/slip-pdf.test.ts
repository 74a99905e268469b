import { expect, test } from "vitest";
import type { OrderToPack } from "#shop/orders/parcel/order-to-pack.ts";
import { printedText } from "#tests/printed-text.ts";
import { slipsPdf } from "./slip-pdf.ts";

const madeAt = new Date("2026-11-20T09:00:00Z");
const anOrder = (number: number, lines: number): OrderToPack => ({
  id: `o${number}`,
  number,
  state: "paid",
  createdAt: madeAt,
  recipient: "Петров Иван Сергеевич",
  deliveryType: "office",
  deliveryName: "Офис",
  city: "Москва",
  point: null,
  sealNumber: null,
  needsSeal: false,
  lines: Array.from({ length: lines }, (_, index) => ({ coinId: index + 1, slug: "coin", title: "Соболь, 3 рубля 1995", quantity: 1 })),
  dropped: [],
  declaredValue: null,
  parcel: null,
});

test("slips of several orders are counted each by itself: a loose page names its order", async () => {
  const texts = await printedText(() => slipsPdf([anOrder(10_001, 30), anOrder(10_002, 1)], new Map(), { author: "ООО «Чекан»", madeAt }));
  expect(texts.slice(-3)).toEqual([
    "Упаковочный лист к заказу 10001 · 1 / 2",
    "Упаковочный лист к заказу 10001 · 2 / 2",
    "Упаковочный лист к заказу 10002 · 1 / 1",
  ]);
});
