import { XMLParser } from "fast-xml-parser";
import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import type { OrderForAccounting } from "#shop/exchange/accounting/accounting.ts";
import { commerceMl } from "./adapter.ts";
import { documentFile, goodsFile, offersFile } from "./simulator.ts";
import { readFile, UnreadableFile } from "./wire.ts";

test("goods are read in UTF-8 with and without a byte-order mark, and in windows-1251", () => {
  const goods = [{ guid: "g-1", article: "5216-0060", name: "Победоносец &lt;ММД&gt; &amp; К" }];
  const wanted = [{ guid: "g-1", article: "5216-0060", name: "Победоносец <ММД> & К", isDeleted: false }];
  expect(readFile(goodsFile(goods)).goods).toEqual(wanted);
  expect(readFile(goodsFile(goods, "windows-1251")).goods).toEqual(wanted);
  expect(readFile(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), goodsFile(goods)])).goods).toEqual(wanted);
});

test("offers bring kopecks and whole pieces; a missing quantity is not zero, and an impossible one is reported", () => {
  const { offers, faults } = readFile(
    offersFile([
      { guid: "a", quantity: "12.000", price: "15 000,50" },
      { guid: "b", price: "1" },
      { guid: "c", rests: ["3", "4"] },
      { guid: "d#size", quantity: "1" },
      { guid: "d#other", quantity: "2" },
      { guid: "e", quantity: "99999999999999", price: "0.001" },
      { guid: "f", quantity: "1.5" },
    ]),
  );
  expect(offers.map(({ guid, quantity, price }) => [guid, quantity, price])).toEqual([
    ["a", 12, 1_500_050],
    ["b", null, 100],
    ["c", 7, null],
    ["d", 3, null],
    ["e", null, null],
    ["f", null, null],
  ]);
  expect(faults).toHaveLength(3);
});

test("a document names its order, its number in 1C and its status", () => {
  const [document] = readFile(documentFile({ guid: "order-1" })).documents;
  expect(document).toMatchObject({
    orderIds: ["order-1", "1"],
    number: "ЧК-000017",
    isPosted: true,
    amount: 150_000,
    date: "2026-11-22 11:00:00",
  });
  expect(document?.details["Статус заказа"]).toBe("Отгружен");
});

test.each([
  ["a file that ends too early", goodsFile([{ guid: "g", name: "x" }]).subarray(0, 200)],
  [
    "a part that was sent twice",
    Buffer.concat([goodsFile([{ guid: "g", name: "x" }]).subarray(0, 150), goodsFile([{ guid: "g", name: "x" }])]),
  ],
  ["no XML", Buffer.from("PK nonsense")],
  ["another format", Buffer.from('<?xml version="1.0"?><yml_catalog/>')],
  [
    "bytes that are no UTF-8",
    Buffer.concat([Buffer.from('<?xml version="1.0" encoding="utf-8"?><КоммерческаяИнформация>'), Buffer.from([0xff, 0xfe])]),
  ],
  [
    "entities",
    Buffer.from(
      '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><КоммерческаяИнформация>&b;</КоммерческаяИнформация>',
    ),
  ],
  [
    "elements without end",
    Buffer.from(`<?xml version="1.0"?><КоммерческаяИнформация>${"<а>".repeat(200)}${"</а>".repeat(200)}</КоммерческаяИнформация>`),
  ],
])("%s is refused as a whole", (_, bytes) => {
  expect(() => readFile(bytes)).toThrow(UnreadableFile);
});

test("the thread answers as the reader does", async () => {
  expect(await commerceMl.read(goodsFile([{ guid: "g", name: "x" }]))).toMatchObject({ ok: true, value: { goods: [{ guid: "g" }] } });
  expect(await commerceMl.read(Buffer.from("<x"))).toMatchObject({ ok: false, error: { code: "accounting.unreadable" } });
});

test("orders are written in windows-1251 with sums in roubles, and nothing of a name becomes markup", () => {
  const order: OrderForAccounting = {
    id: "order-1",
    number: 10_017,
    createdAt: new Date("2026-11-22T09:00:00Z"),
    state: "paid",
    stateName: "Оплачен",
    isPaid: true,
    isCancelled: false,
    isShipped: false,
    paymentName: "СБП",
    deliveryName: "Курьер",
    deliveryPrice: kopecks(50_000),
    address: "Москва",
    buyer: { id: "b1", name: 'Анна "О\'Нил" <script> 𝄞', phone: "+79161234567", email: "a@b.ru" },
    lines: [{ guid: "", article: "1001", title: "Монета & Ко", quantity: 2, price: kopecks(5_000_025) }],
  };
  const bytes = commerceMl.orders([order], new Date("2026-11-22T09:00:00Z"));
  const text = new TextDecoder("windows-1251").decode(bytes);
  expect(text.startsWith('<?xml version="1.0" encoding="windows-1251"?>')).toBe(true);
  const parsed = new XMLParser({ parseTagValue: false, htmlEntities: true }).parse(text) as Record<string, Record<string, unknown>>;
  expect(parsed["КоммерческаяИнформация"]?.["Документ"]).toMatchObject({
    Ид: "order-1",
    Дата: "2026-11-22",
    Время: "12:00:00",
    Сумма: "100500.50",
    Контрагенты: { Контрагент: { Наименование: 'Анна "О\'Нил" <script> 𝄞' } },
    Товары: {
      Товар: [
        { Ид: "site-1001", Количество: "2", Сумма: "100000.50" },
        { Ид: "ORDER_DELIVERY", Сумма: "500.00" },
      ],
    },
  });
  expect(new TextDecoder("windows-1251").decode(commerceMl.orders([], new Date(0)))).toContain("</КоммерческаяИнформация>");
});
