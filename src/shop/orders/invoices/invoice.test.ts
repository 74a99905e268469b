import { inflateSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { kopecks, toDecimalString } from "#kit/money.ts";
import { qrOf } from "#kit/documents/qr.ts";
import { printedText } from "#tests/printed-text.ts";
import { readQr } from "#tests/read-qr.ts";
import { testSeller } from "#tests/shop.ts";
import { invoicePdf } from "./invoice-pdf.ts";
import { invoiceWords, sumInWords } from "./invoice-texts.ru.ts";
import { invoiceOf } from "./invoice.ts";
import type { Order } from "../order.ts";

const noon = new Date("2026-11-20T09:00:00Z");
const aLine = (change: Partial<Order["lines"][number]> = {}): Order["lines"][number] => ({
  coinId: 1,
  slug: "coin",
  title: "Георгий Победоносец, 50 рублей 2026",
  quantity: 2,
  price: kopecks(9_512_300),
  sum: kopecks(19_024_600),
  vatCode: 1,
  dropped: 0,
  returned: 0,
  ...change,
});
const anOrder = (change: Partial<Order> = {}): Order => ({
  id: "o1",
  number: 10_001,
  customerId: null,
  state: "awaiting_payment",
  lines: [aLine()],
  delivery: {
    id: 45,
    name: "Курьер СДЭК",
    cityCode: "0000073738",
    cityName: "Москва",
    point: null,
    minDays: 1,
    maxDays: 2,
    note: "",
    price: kopecks(45_000),
    trackingNumber: null,
    parcel: null,
    insuredValue: null,
  },
  payment: { methodId: 6, status: "pending", paidAt: null },
  user: { name: "Анна", lastName: "Воронцова", secondName: "", email: "a@example.ru", phone: "+79161234567" },
  address: null,
  total: kopecks(19_069_600),
  paid: kopecks(0),
  refunded: kopecks(0),
  sealNumber: null,
  revision: 0,
  assignee: null,
  linkedOrderId: null,
  promo: null,
  refundAfterRecall: null,
  changeAfterRecall: null,
  priceListVersion: 1,
  createdAt: noon,
  reservedUntil: new Date("2026-11-21T09:00:00Z"),
  history: [],
  ...change,
});

test("an invoice names the lines with their VAT, the delivery, the missing sum, its purpose and the deadline", () => {
  expect(invoiceOf(anOrder(), testSeller)).toMatchObject({
    number: 10_001,
    day: "20\u00A0ноября 2026",
    buyer: "Воронцова Анна",
    total: 19_069_600,
    received: 0,
    missing: 19_069_600,
    payUntil: "до 21\u00A0ноября 2026, 12:00",
    lines: [
      { quantity: 2, sum: 19_024_600, vatRate: null },
      { title: "Доставка: Курьер СДЭК", quantity: 1, sum: 45_000, vatRate: 22 },
    ],
    vat: [{ rate: 22, amount: 8115 }], // 450 × 22 / 122 = 81.147…
    purpose: "Оплата заказа № 10001. В том числе НДС 22% 81.15",
  });
});

test("a part payment is named, and the QR code for the bank's app is over the rest", () => {
  const invoice = invoiceOf(anOrder({ paid: kopecks(10_000_000) }), testSeller);
  expect(invoice).toMatchObject({ received: 10_000_000, missing: 9_069_600 });
  expect(invoice?.qrText).toContain("|Sum=9069600");
});

test("a paid invoice has nothing to pay; a cancelled order or one paid another way has no invoice", () => {
  expect(invoiceOf(anOrder({ state: "paid", paid: kopecks(19_069_600) }), testSeller)).toMatchObject({
    missing: 0,
    qrText: null,
    payUntil: null,
  });
  expect(invoiceOf(anOrder({ state: "cancelled" }), testSeller)).toBeNull();
  expect(invoiceOf(anOrder({ payment: { methodId: 4, status: "pending", paidAt: null } }), testSeller)).toBeNull();
});

test("an invoice stays as it was paid after pieces left the order, and names them", async () => {
  const paid = { state: "paid", paid: kopecks(19_069_600) } as const;
  const [whole, less] = [invoiceOf(anOrder(paid), testSeller), invoiceOf(anOrder({ ...paid, lines: [aLine({ dropped: 1 })] }), testSeller)];
  if (!whole || !less) throw new Error("no invoice");
  expect([whole.dropped, less.dropped]).toEqual([[], [{ title: aLine().title, quantity: 1, sum: 9_512_300 }]]);
  expect(less).toEqual({ ...whole, dropped: less.dropped });
  expect(invoiceWords.dropped(less.dropped).replaceAll("\u00A0", " ")).toBe(
    "После оплаты из заказа убрали: Георгий Победоносец, 50 рублей 2026, 1 шт. на 95 123 ₽. Деньги за это возвращаем отдельно.",
  );
  expect((await invoicePdf(less, noon)).length).toBeGreaterThan((await invoicePdf(whole, noon)).length);
});

test("the PDF is the same to the byte for the same invoice, holds many lines on several pages, and begins as a PDF does", async () => {
  const invoice = invoiceOf(anOrder({ lines: Array.from({ length: 40 }, (_, index) => aLine({ coinId: index })) }), testSeller);
  if (!invoice) throw new Error("no invoice");
  const [one, two] = [await invoicePdf(invoice, noon), await invoicePdf(invoice, noon)];
  expect(one.subarray(0, 5).toString()).toBe("%PDF-");
  expect(one.equals(two)).toBe(true);
  expect(one.toString("latin1").match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(1);
});

test("each page of an invoice has the heads of the columns and says of what it is a page", async () => {
  const invoice = invoiceOf(anOrder({ lines: Array.from({ length: 40 }, (_, index) => aLine({ coinId: index })) }), testSeller);
  if (!invoice) throw new Error("no invoice");
  const texts = await printedText(() => invoicePdf(invoice, noon));
  expect(texts.filter((text) => text === invoiceWords.columns[1])).toHaveLength(2);
  expect(texts.slice(-2)).toEqual(["Счёт на оплату № 10001 от 20 ноября 2026 · 1 / 2", "Счёт на оплату № 10001 от 20 ноября 2026 · 2 / 2"]);
});

test("an invoice is the same to the byte whatever was printed before it, so that its text can be searched", async () => {
  // In the font the Cyrillic letters are composed of the Latin ones.
  const invoice = invoiceOf(anOrder({ lines: [aLine({ title: "ABEMHOPCTX aeopcyx" })] }), testSeller);
  const other = invoiceOf(anOrder({ lines: [aLine({ title: "АВЕМНОРСТХ аеорсух" })] }), testSeller);
  if (!invoice || !other) throw new Error("no invoice");
  vi.resetModules();
  const alone = await import("./invoice-pdf.ts");
  const first = await alone.invoicePdf(invoice, noon);
  vi.resetModules();
  const later = await import("./invoice-pdf.ts");
  await later.invoicePdf(other, noon);
  expect((await later.invoicePdf(invoice, noon)).equals(first)).toBe(true);
});

/** What the PDF fills in one go, as SVG: pdfkit draws from the top down like it, and writes rectangles (`re`). */
function filledShapes(pdf: Buffer): string[] {
  const streams = [...pdf.toString("latin1").matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].flatMap(([, body = ""]) => {
    try {
      return [inflateSync(Buffer.from(body, "latin1")).toString("latin1")];
    } catch {
      return [];
    } // fonts and the like
  });
  const shapes = streams.flatMap((text) => text.match(/(?:(?:[-\d.]+ ){4}re\n)+(?=f\n|\/DeviceRGB)/g) ?? []);
  return shapes.map((shape) => {
    const rectangles = shape.replaceAll(/([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) re\n/g, (_, x, y, width, height) => {
      return `M${x} ${y}h${width}v${height}h-${width}z`;
    });
    return `<path d="${rectangles}"/>`;
  });
}

test("the code in the PDF is read back to the letter: requisites, purpose and what is still missing", async () => {
  const invoice = invoiceOf(anOrder({ paid: kopecks(10_000_000) }), testSeller);
  if (!invoice) throw new Error("no invoice");
  const [shape = ""] = filledShapes(await invoicePdf(invoice, noon)).filter((each) => each.length > 5_000);
  const { size } = qrOf(invoice.qrText ?? "");
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="600" height="600">` +
    `<rect width="${size}" height="${size}" fill="#fff"/>${shape}</svg>`;
  expect(await readQr(Buffer.from(svg))).toBe(invoice.qrText);
  expect(invoice.qrText).toContain("|Purpose=Оплата заказа № 10001.");
});

test.each([
  [0, "Ноль рублей 00 копеек"],
  [101, "Один рубль 01 копейка"],
  [2_250, "Двадцать два рубля 50 копеек"],
  [1_100_000, "Одиннадцать тысяч рублей 00 копеек"],
  [4_512_302, "Сорок пять тысяч сто двадцать три рубля 02 копейки"],
  [100_000_000, "Один миллион рублей 00 копеек"],
  [200_100_000, "Два миллиона одна тысяча рублей 00 копеек"],
  [21_214_11_111, "Двадцать один миллион двести четырнадцать тысяч сто одиннадцать рублей 11 копеек"],
  [300_000_512_015, "Три миллиарда пять тысяч сто двадцать рублей 15 копеек"],
  [91_202_213, "Девятьсот двенадцать тысяч двадцать два рубля 13 копеек"],
])("%s kopecks in words: %s", (amount, words) => {
  expect([toDecimalString(kopecks(amount)), sumInWords(kopecks(amount))]).toEqual([toDecimalString(kopecks(amount)), words]);
});

test("a QR code keeps four empty units around, is drawn with figures only, and grows with its text", () => {
  const small = qrOf("ST00012|Name=ООО «Чекан»");
  expect(small.path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/);
  const [, x, y] = /^M(\d+) (\d+)h7v1/.exec(small.path) ?? [];
  expect([x, y]).toEqual(["4", "4"]); // the corner mark, seven squares wide
  expect(qrOf("я".repeat(300)).size).toBeGreaterThan(small.size);
});
