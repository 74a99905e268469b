import { expect, test } from "vitest";
import { fromRoubles } from "#kit/money.ts";
import { limitsText, limitExceeded } from "./payment-texts.ts";

const limits = { 4: fromRoubles(350_000), 5: fromRoubles(700_000), 6: null, 7: fromRoubles(700_000) };
const textFor = (roubles: number, allowed: number[], prices: number[] = [roubles], type: "carrier" | "office" | "special" = "office") =>
  limitsText({
    type,
    total: fromRoubles(roubles),
    limits,
    allowed,
    receiptLines: prices.length,
    receiptLinesMax: 80,
    lines: prices.map((price) => ({ price: fromRoubles(price), quantity: 1 })),
  }).replaceAll("\u00A0", " ");

test("within all limits only the limits are named, that of the office only if payment there is possible", () => {
  expect(textFor(350_000, [4, 5, 6, 7])).toBe(
    "Пределы ставит платёжная система на один платёж: картой до 350 000 ₽, по СБП до 700 000 ₽. В офисе принимаем до 700 000 ₽.",
  );
  expect(textFor(350_000, [4, 5, 6], [350_000], "carrier")).not.toContain("офис");
});

test("above a limit the text names the unavailable methods, an available one, and how to make the card available", () => {
  expect(textFor(350_001, [4, 5, 6, 7])).toMatch(
    /Ваш заказ больше, для него не подходит: банковская карта\. Счёт в банке вмещает любой заказ\.$/,
  );
  expect(textFor(700_001, [4, 5, 6, 7])).toContain("не подходит: банковская карта, СБП, оплата в офисе. Счёт в банке");
  expect(textFor(440_000, [4, 5, 6], [95_000, 110_000, 235_000])).toContain(
    "Уберите из корзины одну монету за 95 000 ₽, и карта откроется.",
  );
  expect(textFor(900_000, [4, 5, 6], [95_000, 110_000, 235_000])).not.toContain("Уберите");
});

test("with more lines than a receipt holds the text names the unavailable methods, an available one, and the surplus of coins", () => {
  const many = (count: number, allowed = [4, 5, 6, 7]) =>
    textFor(
      200_000,
      allowed,
      Array.from({ length: count }, () => 2_000),
    );
  expect(many(80)).not.toContain("чек");
  const reason =
    "В кассовый чек онлайн-оплаты помещается не больше 80 позиций, в вашем заказе 81: " +
    "для него не подходит банковская карта, СБП. Счёт в банке вмещает любой заказ. " +
    "Уберите из корзины 1 вид монет или разделите покупку на два заказа.";
  expect(many(81).slice(-reason.length)).toBe(reason);
  expect(many(102)).toContain("Уберите из корзины 22 вида монет");
  const order = { total: fromRoubles(400_000), limits, receiptLines: 81, receiptLinesMax: 80 };
  expect([4, 5, 6, 7].map((id) => limitExceeded(id, order))).toEqual(["sum", "lines", null, null]);
});

test("special contact has a single payment method", () => {
  expect(textFor(5_000_000, [6], [5_000_000], "special")).toContain("только по счёту");
});
