import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { paymentIds } from "#shop/method-ids.ts";
import type { OrderPageView } from "./order-view.ts";
import { OrderDetails } from "./order-details.tsx";

const order: OrderPageView = {
  id: "o1",
  number: 10_001,
  key: null,
  state: "assembled",
  linked: [],
  createdAt: new Date("2026-11-20T09:00:00Z"),
  path: [],
  lines: [],
  count: 1,
  goods: kopecks(90_649_00),
  promo: null,
  total: kopecks(90_649_00),
  paid: kopecks(90_649_00),
  refunded: kopecks(0),
  delivery: {
    id: 45,
    name: "Курьер СДЭК",
    price: kopecks(0),
    city: "Москва",
    isPriceOpen: false,
    point: null,
    arrival: null,
    sealNumber: "00412345",
    insuredValue: kopecks(90_649_00),
    address: null,
    courierNote: "",
  },
  parcel: null,
  payment: { methodId: 6, status: "succeeded", paidAt: new Date("2026-11-20T10:00:00Z") },
  recipient: { name: "Воронцова Анна", phone: null, email: null },
  events: [],
  paper: {
    seller: "ООО «Чекан»",
    requisites: [
      { name: "ИНН", value: "7700000009" },
      { name: "ОГРН", value: "1207700000001" },
    ],
    vat: [{ name: "НДС не облагается", value: null }],
  },
  canCancel: false,
  collectUntil: null,
  invoice: null,
  receipts: [],
  goingBack: kopecks(0),
  pay: null,
};

const htmlOf = (shown: OrderPageView, withPay?: boolean): string => {
  const element = <OrderDetails order={shown} {...(withPay === undefined ? {} : { withPay })} />;
  return renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: "/", element }])} />).replaceAll("\u00A0", " ");
};

test("an unpaid order begins with the sum and its button; a paid one, and the page after checkout, with the coins", () => {
  const unpaid: OrderPageView = {
    ...order,
    state: "awaiting_payment",
    pay: { isInvoice: false, canStart: true, isLate: false, heldUntil: null, methods: [{ id: 4, limit: null, isOver: false }] },
  };
  const isBillFirst = (html: string): boolean => html.indexOf("Итого") < html.indexOf("Монеты</h2>");
  expect(isBillFirst(htmlOf(unpaid))).toBe(true);
  expect(isBillFirst(htmlOf(unpaid, false))).toBe(false);
  expect(isBillFirst(htmlOf(order))).toBe(false);
});

test("a passport is asked for by a courier, not by a locker", () => {
  expect(htmlOf(order)).toContain("Воронцова Анна, паспорт");
  const locker = htmlOf({ ...order, delivery: { ...order.delivery, id: 80 } });
  expect(locker).toContain("Воронцова Анна");
  expect(locker).not.toContain("паспорт");
});

test("an attempt that ended because its time is over is not a refused payment", () => {
  const pay = {
    isInvoice: false,
    canStart: true,
    isLate: false,
    heldUntil: null,
    methods: [{ id: 4 as const, limit: null, isOver: false }],
  };
  const unpaid: OrderPageView = {
    ...order,
    state: "awaiting_payment",
    paid: kopecks(0),
    payment: { ...order.payment, status: "canceled" },
    pay,
  };
  expect(htmlOf(unpaid)).toContain("Платёж не прошёл");
  expect(htmlOf({ ...unpaid, pay: { ...pay, isLate: true } })).toContain("Время оплаты вышло");
});

test("a cancelled order says what became of money that came after its cancellation", () => {
  const cancelled: OrderPageView = { ...order, state: "cancelled", paid: kopecks(0), payment: { ...order.payment, status: "canceled" } };
  expect(htmlOf(cancelled)).toContain("Отменён, деньги не списаны");
  expect(htmlOf({ ...cancelled, goingBack: order.total })).toContain("Отменён, деньги возвращаем");
  expect(htmlOf({ ...cancelled, payment: { ...order.payment, status: "refunded" } })).toContain("Отменён, деньги возвращены");
});

test("a returned order does not wait for its coins any more", () => {
  expect(htmlOf({ ...order, state: "returning" })).toContain("Деньги вернём, когда монеты будут у нас");
  expect(htmlOf({ ...order, state: "returned" })).toContain("Возвращён, деньги вернём");
  expect(htmlOf({ ...order, state: "returned" })).not.toContain("когда монеты будут у нас");
});

test("the printed order names the seller with its details, the buyer, the payment, the VAT, the seal and the insured value", () => {
  const text = htmlOf(order)
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");
  expect(text).toContain(
    "Заказ № 10001 от 20 ноября 2026 в 12:00 Продавец: ООО «Чекан» ИНН 7700000009 ОГРН 1207700000001 " +
      "Покупатель Воронцова Анна Оплата Счёт в банке, оплачен 20 ноября 2026 в 13:00 НДС не облагается",
  );
  expect(text).toContain("Страховка на полную цену, 90 649 ₽ Пломба № 00412345 , сверьте при получении");
});

test("an order whose time ran out was not paid, or not collected where it is paid on collection", () => {
  const expired = (methodId: number) =>
    htmlOf({
      ...order,
      state: "cancelled",
      payment: { ...order.payment, methodId },
      events: [{ event: "expire", at: order.createdAt }],
    });
  expect(expired(paymentIds.card)).toContain("Отменён: не оплачен вовремя");
  expect(expired(paymentIds.on_collection)).toContain("Отменён: не получен вовремя");
});

test("an order that waits in the office is not called on its way", () => {
  const ready = htmlOf({ ...order, state: "ready", delivery: { ...order.delivery, id: 35 } });
  expect(ready).toContain("Заказ ждёт вас. Отказаться можно при получении, после осмотра.");
  expect(ready).not.toContain("уже в доставке");
  expect(htmlOf({ ...order, state: "shipped" })).toContain("Заказ уже в доставке");
});
