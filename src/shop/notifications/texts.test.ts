import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { letterText } from "./letter.ts";
import { orderMessageKinds, type OrderMessage } from "./message.ts";
import { letterOf, signInCodeText, smsOf, type Sender } from "./texts.ru.ts";

const sender: Sender = { shopName: "Чекан", publicUrl: "https://chekan.example", phone: "+7 495 000-00-00", email: "info@chekan.example" };

function anOrderMessage(overrides: Partial<OrderMessage> = {}): OrderMessage {
  return {
    kind: "order_placed",
    about: "order:o1",
    email: "buyer@example.com",
    phone: "+79161234567",
    order: {
      id: "o1",
      number: 1042,
      guestKey: "k-1",
      total: kopecks(12_345_650),
      payUntil: new Date("2026-11-20T10:05:00Z"),
      collectUntil: null,
      dueOnCollection: null,
      lines: [{ title: "Георгий Победоносец, 50 рублей", quantity: 2, sum: kopecks(12_345_600) }],
      delivery: {
        name: "Пункт выдачи СДЭК",
        price: kopecks(50),
        place: "Москва, Тверская, 1",
        workTime: "Пн–Вс 10–20",
        trackingNumber: null,
        sealNumber: null,
        insuredValue: null,
        arrival: null,
      },
    },
    ...overrides,
  };
}

test("the sign-in SMS contains the code as its only group of four digits and fits in one message", () => {
  const text = signInCodeText("Чекан", "0042");
  expect(text.match(/\d+/g)).toEqual(["0042"]);
  expect(text.length).toBeLessThanOrEqual(70);
});

test.each(orderMessageKinds)("the SMS of %s fits in one Cyrillic message and names the order", (kind) => {
  const message = anOrderMessage({ kind, amount: kopecks(99_999_999_00) });
  const order = {
    ...message.order,
    collectUntil: new Date("2026-09-25T15:00:00Z"),
    dueOnCollection: kopecks(700_000_00),
    number: 1_234_567,
    total: kopecks(99_999_999_00),
    delivery: { ...message.order.delivery, trackingNumber: "1234567890" },
  };
  const text = smsOf({ ...message, order }, sender);
  expect(text.length).toBeLessThanOrEqual(70);
  expect(text).toContain("№1234567");
  expect(text.match(/(?<!\d)\d{4}(?!\d)/)).toBeNull(); // four digits could be taken for a sign-in code
});

test("the letter about a new order names the coins, the prices, the delivery, the payment deadline and the terms of return", () => {
  const letter = letterOf(anOrderMessage(), sender);
  const { subject } = letter;
  const text = letterText(letter);
  expect(subject).toBe("Заказ №1042 принят — Чекан");
  expect(text).toContain("• Георгий Победоносец, 50 рублей — 2\u00A0шт., 123\u00A0456\u00A0₽");
  expect(text).toContain("Доставка: 0,50\u00A0₽");
  expect(text).toContain("Итого: 123\u00A0456,50\u00A0₽");
  expect(text).toContain("Москва, Тверская, 1");
  expect(text).toContain("до 20\u00A0ноября 2026, 13:05");
  expect(text).toContain("https://chekan.example/order/o1?key=k-1");
  expect(text).toContain("в течение семи дней");
});

test("a customer's letter links to the account and contains no key", () => {
  const { order } = anOrderMessage();
  expect(letterText(letterOf(anOrderMessage({ order: { ...order, guestKey: null } }), sender))).toContain(
    "https://chekan.example/my/orders/o1",
  );
});

test("the letter about a refund names the refunded amount, not the order's total", () => {
  expect(letterText(letterOf(anOrderMessage({ kind: "money_returned", amount: kopecks(500_00) }), sender))).toContain("вернули 500\u00A0₽");
});

test("the letter about a guest's order offers an account with the order's key; a customer's letter does not", () => {
  const message = anOrderMessage();
  expect(letterText(letterOf(message, sender))).toContain("https://chekan.example/cabinet/create?order=o1&key=k-1");
  expect(letterText(letterOf({ ...message, order: { ...message.order, guestKey: null } }, sender))).not.toContain("/cabinet/create");
});

test("the letter about an order paid on collection names the deadline and the amount due, and why it was cancelled", () => {
  const { order } = anOrderMessage();
  const waiting = { ...order, payUntil: null, collectUntil: new Date("2026-11-23T10:05:00Z"), dueOnCollection: order.total };
  const until = "23\u00A0ноября 2026, 13:05";
  expect(letterText(letterOf(anOrderMessage({ order: waiting }), sender))).toContain(`отложены для вас до ${until}`);
  const reminder = letterOf(anOrderMessage({ kind: "order_reminder", order: waiting }), sender);
  expect(reminder.subject).toContain(until);
  expect(letterText(reminder)).toContain("к оплате 123\u00A0456,50\u00A0₽");
  expect(letterText(letterOf(anOrderMessage({ kind: "order_ready", order: waiting }), sender))).toContain(
    "К оплате при получении: 123\u00A0456,50\u00A0₽",
  );
  const cancelled = letterText(
    letterOf(anOrderMessage({ kind: "order_cancelled", order: waiting, reason: "not_collected_in_time" }), sender),
  );
  expect(cancelled).toContain("за ним не пришли вовремя");
  expect(cancelled).not.toContain("деньги вернутся");
});

test("the refund of a double payment is reported as a surplus, and the order stays valid", () => {
  const letter = letterOf(anOrderMessage({ kind: "surplus_returned", amount: kopecks(500_00) }), sender);
  expect(letter.subject).not.toContain("Деньги за заказ");
  expect(letterText(letter)).toContain("заказ в силе");
});

test("letters about a parcel on its way name the expected days", () => {
  const { order } = anOrderMessage();
  const expected = (first: string, last: string) => ({
    ...order,
    payUntil: null,
    delivery: { ...order.delivery, arrival: { first: new Date(first), last: new Date(last) } },
  });
  const shipped = anOrderMessage({ kind: "order_shipped", order: expected("2026-11-24T09:00:00Z", "2026-11-25T09:00:00Z") });
  expect(letterText(letterOf(shipped, sender))).toContain("Ожидаем доставку 24–25\u00A0ноября.");
  const placed = anOrderMessage({
    order: { ...expected("2026-11-30T09:00:00Z", "2026-12-01T09:00:00Z"), payUntil: new Date("2026-11-20T10:05:00Z") },
  });
  expect(letterText(letterOf(placed, sender))).toContain("Ожидаем доставку 30\u00A0ноября — 1\u00A0декабря, если оплатить сегодня.");
});

test("letters about a parcel on its way name the seal and the insured value; before packing and at the office there is no seal", () => {
  const { order } = anOrderMessage();
  const packed = { ...order, delivery: { ...order.delivery, sealNumber: "00412345", insuredValue: kopecks(462_149_00) } };
  for (const kind of ["order_shipped", "order_ready"] as const) {
    const text = letterText(letterOf(anOrderMessage({ kind, order: packed }), sender));
    expect(text).toContain("Номер пломбы на пакете: 00412345.");
    expect(text).toContain("Посылка застрахована на 462\u00A0149\u00A0₽.");
    expect(letterText(letterOf(anOrderMessage({ kind, order }), sender))).not.toMatch(/пломб|застрахован/);
  }
});
