import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readAudit } from "#contract/staff/access/audit.ts";
import { exportOrders } from "#contract/staff/exchange.ts";
import { readPayments } from "#contract/staff/money.ts";
import { readOrderList } from "#contract/staff/orders/orders.ts";
import * as contract from "#contract/staff/prices/metal.ts";
import { downloadReport, readReport } from "#contract/staff/reports.ts";
import { createDocument } from "#contract/staff/stock.ts";
import { readWaiting } from "#contract/staff/waiting/waiting.ts";
import { inTransaction } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import * as checkout from "#shop/checkout/service.ts";
import { atOffice, aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import * as orders from "#shop/orders/service.ts";
import type { Order } from "#shop/orders/order.ts";
import { aPaidOrder } from "#shop/packing/testing.ts";
import * as reports from "#shop/reports/service.ts";
import { flushMissedSearches, noteMissedSearch } from "#shop/reports/searches/missed.service.ts";
import { reportNames, rowLimit, type ReportName } from "#shop/reports/report.ts";
import { searchMisses } from "#shop/reports/tables.ts";
import * as documents from "#shop/stock/documents/document.service.ts";
import * as stock from "#shop/stock/service.ts";
import { testClock } from "#tests/shop.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "./testing.ts";

let shop: ShopToBuy;
let bench: StaffBench;
let owner: StaffClient;
beforeAll(async () => {
  shop = await openShopToBuy({
    clock: testClock(),
    stock: 0,
    coins: [aCoin({ id: 1, title: "=Опасная" }), aCoin({ id: 2, metal: "silver", pureMassMg: 31_100, totalMassMg: 31_200 })],
    limits: { writesPerMinute: 100_000, requestsPerMinute: 100_000, openGoldGrams: 50, openSilverGrams: 0 },
  });
  await inTransaction(shop.ctx.db, async (tx) => {
    await stock.receive(tx, shop.ctx, 1, 10, kopecks(8_000_000));
    await stock.receive(tx, shop.ctx, 2, 20);
  });
  bench = await openStaffBench({ shop });
  owner = await bench.as("owner");
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await bench.close();
});

const exposure = async () => (await owner.call(contract.readExposure)).data;
const today = { from: "2026-11-20", till: "2026-11-20" };
const report = async (name: ReportName, period = today) => {
  const { status, data } = await owner.call(readReport, { params: { name }, query: period });
  expect([name, status]).toEqual([name, 200]);
  return data;
};

async function paid(order: Order): Promise<Order> {
  return shop.paid(order);
}

const aHedge = { metal: "gold", side: "sell", massMg: 60_000, price: 11_480.5, counterparty: "Банк", agreedOn: "2026-11-20" } as const;

describe("open grams", () => {
  test("are the metal on hand without what is sold at a locked price and what is hedged", async () => {
    expect((await exposure()).metals).toMatchObject([
      { metal: "gold", onHandMg: 77_800, pieces: 10, lockedMg: 0, hedgedMg: 0, openMg: 77_800, isBeyond: true, limitMg: 50_000 },
      { metal: "silver", onHandMg: 622_000, openMg: 622_000, isBeyond: false },
    ]);
    const order = await shop.ordered(aVisitor("open"), { 1: 2 }, { ...atOffice, paymentId: 6 });
    const sold = await exposure();
    // 62.24 g at 11 500 ₽ are 715 760 ₽; one per cent of it.
    expect(sold.metals[0]).toMatchObject({ lockedMg: 15_560, lockedOrders: 1, openMg: 62_240, openValue: 715_760, onePercent: 7_157.6 });
    expect(sold.locks).toMatchObject([{ order: { id: order.id, number: order.number }, goldMg: 15_560, silverMg: 0 }]);
    const press = { body: aHedge, key: "hedge-1" };
    for (const _ of [1, 2]) expect((await owner.call(contract.addHedge, press)).status).toBe(200);
    expect((await exposure()).metals[0]).toMatchObject({ hedgedMg: 60_000, hedges: 1, openMg: 2_240, isBeyond: false });
    const [stored] = (await owner.call(contract.readHedges)).data.items;
    expect(stored).toMatchObject({ ...aHedge, reversedAt: null, createdBy: owner.member.name });
    await owner.call(contract.reverseHedge, { params: { id: String(stored?.id) }, body: { reason: "закрыт" } });
    expect((await exposure()).metals[0]).toMatchObject({ hedgedMg: 0, openMg: 62_240 });
    expect((await owner.call(contract.readHedges)).data.items[0]).toMatchObject({
      reversalReason: "закрыт",
      reversedBy: owner.member.name,
    });
    await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
  });

  test("name a wrong hedge beside its fields, and are not for packing", async () => {
    const wrong = await owner.call(contract.addHedge, {
      body: { metal: "gold", side: "sell", massMg: 0, price: 0, counterparty: "", agreedOn: "20.11" },
    });
    expect(Object.keys(wrong.problem?.fields ?? {})).toEqual(["massMg", "price", "counterparty", "agreedOn"]);
    const later = await owner.call(contract.addHedge, { body: { ...aHedge, agreedOn: "2062-11-20" } });
    expect(later.problem?.fields).toEqual({ agreedOn: "Этот день ещё не наступил" });
    expect((await (await bench.as("packing")).call(contract.readExposure)).problem?.code).toBe("staff.forbidden");
    expect((await (await bench.as("accountant")).call(contract.addHedge, { body: aHedge })).problem?.code).toBe("staff.forbidden");
  });
});

test("low stock, corrections to post and metal beyond its limit wait, each with the screen that settles it", async () => {
  const line = { coinId: 2, quantity: -1, unitCost: null };
  const draft = { kind: "correction" as const, supplier: "", number: "", date: null, note: "Пересчёт", lines: [line] };
  const before = (await owner.call(readWaiting)).data.map(({ id }) => id);
  await stock.setLowAt(shop.ctx, 2, { before: null, lowAt: 20 });
  const made = await documents.create(shop.ctx, draft);
  const waits = async (client: StaffClient) =>
    (await client.call(readWaiting)).data.flatMap(({ id, count, path }) =>
      ["low_stock", "stock_corrections", "open_metal"].includes(id) ? [[id, count, path]] : [],
    );
  expect(before).not.toContain("low_stock");
  expect(await waits(owner)).toEqual([
    ["open_metal", 1, "/metal"],
    ["stock_corrections", 1, "/stock/documents?kind=correction&state=draft"],
    ["low_stock", 1, "/stock?part=low"],
  ]);
  expect((await waits(await bench.as("packing"))).map(([id]) => id)).toEqual(["stock_corrections", "low_stock"]);
  expect(await waits(await bench.as("sales"))).toEqual([]);
  // An accountant sees the open metal in its report and cannot close it.
  expect(await waits(await bench.as("accountant"))).toEqual([]);
  if (made.ok) await documents.discard(shop.ctx, made.value.id, made.value.revision);
  await stock.setLowAt(shop.ctx, 2, { before: 20, lowAt: null });
});

test("the open grams are saved as a table", async () => {
  const { response } = await owner.call(contract.downloadExposure, { query: { format: "csv" } });
  const [head, gold, silver] = response.rawPayload.toString().replace("\uFEFF", "").trim().split("\r\n");
  const { metals } = await exposure();
  expect(head?.split(";")).toContain("Открыто, г");
  expect(gold?.split(";").slice(0, 3)).toEqual([
    "Золото",
    String(metals[0]!.onHandMg / 1_000).replace(".", ","),
    String(metals[0]!.pieces),
  ]);
  expect(silver?.split(";")[0]).toBe("Серебро");
  const xlsx = await owner.call(contract.downloadExposure, { query: { format: "xlsx" } });
  expect(xlsx.response.headers["content-disposition"]).toContain(".xlsx");
});

test.each(["0000-01-01", "0001-01-01", "1899-12-31"])("a day that is a typing error is refused beside its field: %s", async (day) => {
  const period = { from: day, till: day };
  const answers = [
    await owner.call(readReport, { params: { name: "orders" }, query: period }),
    await owner.call(downloadReport, { params: { name: "orders" }, query: { ...period, format: "csv" } }),
    await owner.call(exportOrders, { body: { ...period, states: ["paid"], deliveries: [], payments: [], format: "csv" } }),
    await owner.call(readOrderList, { query: { from: day } }),
    await owner.call(readPayments, { query: { from: day } }),
    await owner.call(readAudit, { query: { from: `${day}T00:00:00+03:00` } }),
    await owner.call(readAudit, { query: { till: "9999-12-31T23:59:59-01:00" } }),
    await owner.call(contract.addHedge, { body: { ...aHedge, agreedOn: day } }),
    await owner.call(createDocument, { body: { kind: "receipt", date: day } }),
  ];
  expect(answers.map(({ problem }) => problem?.code)).toEqual(answers.map(() => "request.invalid"));
});

describe("a report", () => {
  test("of sales has the margin over metal and over the known cost, by day, coin, order and way", async () => {
    const order = await aPaidOrder(shop, { 1: 2, 2: 3 });
    for (const event of ["assemble", "ship"] as const) await orders.apply(shop.ctx, order.id, event);
    const [gold, silver] = [order.lines.find(({ coinId }) => coinId === 1), order.lines.find(({ coinId }) => coinId === 2)];
    if (!gold || !silver) throw new Error("the order has other lines");
    const goods = (2 * gold.price + 3 * silver.price) / 100;
    // 2 × 7.78 g at 11 500 ₽ and 3 × 31.1 g at 150 ₽.
    const overMetal = goods - 178_940 - 13_995;
    const overCost = (2 * gold.price) / 100 - 160_000;
    const days = await report("days");
    const keys = days.columns.map(({ key }) => key);
    expect(keys).toEqual(["day", "orders", "pieces", "goods", "overMetal", "overMetalShare", "overCost", "uncosted"]);
    const share = Math.round((overMetal / goods) * 1_000) / 10;
    expect(days.rows).toEqual([["2026-11-20", 1, 5, goods, overMetal, share, overCost, 3]]);
    const coins = await report("coins");
    expect(coins.rows.map(([title, , pieces, , , , cost]) => [title, pieces, cost])).toEqual([
      ["=Опасная", 2, overCost],
      ["Coin 2", 3, null],
    ]);
    // One order with two coins is one order.
    expect(coins.totals).toEqual(["Всего", 1, 5, goods, overMetal, share, overCost, 3]);
    expect((await report("orders")).rows[0]?.[0]).toBe(String(order.number));
    expect((await report("delivery")).rows[0]?.[0]).toBe("Пункт выдачи, бесплатно");
    expect((await report("payment")).rows[0]?.[0]).toBe("Карта");
    expect((await report("buyers")).rows[0]?.[0]).toBe("Без входа в кабинет");
    expect((await report("margin_days")).rows[0]?.[3]).toBe(overMetal);
    expect((await report("days", { from: "2026-11-19", till: "2026-11-19" })).rows).toEqual([]);
    await orders.apply(shop.ctx, order.id, "turn_back");
    await orders.apply(shop.ctx, order.id, "refund");
    expect((await report("days")).rows).toEqual([]);
  });

  test("of channels and sources has orders by where their buyers came from", async () => {
    const yandex = { channel: "search", name: "yandex.ru", campaign: null } as const;
    const letter = { channel: "mail", name: "letter", campaign: "осень" } as const;
    const made: Order[] = [];
    for (const [index, source] of [yandex, yandex, letter, undefined].entries()) {
      const buyer = aVisitor(`channel-${index}`);
      await shop.fill(buyer, { 1: 1 });
      const placed = await checkout.placeOrder(shop.ctx, buyer, {
        ...shop.orderRequestFor(await shop.quoted(buyer, byPoint)),
        ...(source ? { source } : {}),
      });
      if (placed.ok) made.push(await paid(placed.value.order));
    }
    const price = (made[0]?.lines[0]?.price ?? 0) / 100;
    const counted = ({ rows }: Awaited<ReturnType<typeof report>>) => rows.map(([name, orderCount, , goods]) => [name, orderCount, goods]);
    const channels = await report("channels");
    expect(channels.columns.map(({ key }) => key)).toContain("overMetal");
    expect(new Set(counted(channels))).toEqual(
      new Set([
        ["Поиск", 2, price * 2],
        ["Почта и рассылки", 1, price],
        ["Не определён", 1, price],
      ]),
    );
    expect(new Set(counted(await report("sources")))).toEqual(
      new Set([
        ["Поиск: yandex.ru", 2, price * 2],
        ["Почта и рассылки: letter, осень", 1, price],
        ["Не определён", 1, price],
      ]),
    );
    for (const order of made) await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
  });

  test("knows who bought before", async () => {
    await aPaidOrder(shop, { 2: 1 });
    await aPaidOrder(shop, { 2: 1 });
    const { rows, totals } = await report("repeat");
    expect(rows.map(([who, buyers, orderCount]) => [who, buyers, orderCount])).toEqual([
      ["Покупали раньше", 1, 1],
      ["Первая покупка", 1, 1],
    ]);
    // Who bought for the first time and once more in the period is one buyer.
    expect(totals?.slice(0, 4)).toEqual(["Всего", 1, 2, 100]);
  });

  test("of the stock says «not known» instead of a cost of zero", async () => {
    expect((await report("stock")).rows).toMatchObject([
      ["=Опасная", "золото", 10, 77.8, 894_700, 800_000, 0],
      ["Coin 2", "серебро", 20, 622, 93_300, null, 20],
    ]);
  });

  test("of searches counts queries that found nothing once each, after a while, in one statement", async () => {
    for (const query of ["Динозавр", "динозавр ", "+7 916 123-45-67"]) noteMissedSearch(shop.ctx, query);
    await flushMissedSearches(shop.ctx);
    noteMissedSearch(shop.ctx, "динозавр");
    await flushMissedSearches(shop.ctx);
    await flushMissedSearches(shop.ctx);
    expect((await report("searches")).rows).toEqual([["динозавр", 3, "2026-11-20"]]);
  });

  test("of unfinished purchases counts carts, locked prices and orders of a day", async () => {
    await shop.fill(aVisitor("cart only"), { 2: 1 });
    await shop.fill(aVisitor("quote only"), { 2: 1 });
    await shop.quoted(aVisitor("quote only"));
    const [row] = (await report("checkout")).rows;
    expect(row?.[0]).toBe("2026-11-20");
    expect(Number(row?.[1])).toBeGreaterThanOrEqual(2);
    expect(Number(row?.[2])).toBeGreaterThan(Number(row?.[3]));
  });

  test("has a chart of one of its columns, whatever report", async () => {
    for (const name of reportNames) {
      const { columns, chart } = await report(name);
      const units = chart.columns.map((key) => columns.find((column) => column.key === key)?.unit);
      expect([name, units.length > 0 && units.every((unit) => unit === "roubles" || unit === "pieces")]).toEqual([name, true]);
    }
    expect((await report("checkout")).chart.by).toBe("sums");
  });

  test("is saved with all its rows, also those that the screen leaves out", async () => {
    const missed = Array.from({ length: rowLimit + 1 }, (_, index) => ({ day: today.till, query: `монета ${index}`, times: 1 }));
    await shop.ctx.db.insert(searchMisses).values(missed);
    expect(await report("searches")).toMatchObject({ isCut: true, rows: { length: rowLimit } });
    expect((await report("searches")).totals).toEqual(["Всего", rowLimit + 1 + 3, null]);
    const { response } = await owner.call(downloadReport, { params: { name: "searches" }, query: { ...today, format: "csv" } });
    expect(response.body.trim().split("\r\n").length).toBeGreaterThanOrEqual(rowLimit + 2);
    expect(response.headers["content-disposition"]).not.toContain(encodeURIComponent("не всё"));
  });

  test("has totals of all rows, also of those that are left out", async () => {
    const whole = await report("orders");
    expect(whole.rows.length).toBeGreaterThan(1);
    const cut = await reports.table(shop.ctx, "orders", today, 1);
    expect(cut).toMatchObject({ isCut: true, rows: [whole.rows[0]], totals: whole.totals });
  });

  test("of the stock leaves out the coins of the least value, not the last by title", async () => {
    await inTransaction(shop.ctx.db, (tx) => stock.receive(tx, shop.ctx, 2, 300));
    const whole = await report("stock");
    expect(whole.rows.map(([title]) => title)).toEqual(["Coin 2", "=Опасная"]);
    const cut = await reports.table(shop.ctx, "stock", today, 1);
    expect(cut).toMatchObject({ isCut: true, rows: [whole.rows[0]], totals: whole.totals });
  });

  test("is saved as a spreadsheet in which no text is a formula", async () => {
    const query = { ...today, format: "csv" };
    const { response } = await owner.call(downloadReport, { params: { name: "stock" }, query });
    expect(response.headers["content-disposition"]).toContain(".csv");
    expect(response.body).toContain("'=Опасная;золото;10;77,8");
    const xlsx = await owner.call(downloadReport, { params: { name: "stock" }, query: { ...today, format: "xlsx" } });
    expect(xlsx.response.rawPayload.subarray(0, 2).toString()).toBe("PK");
  });

  test("is refused for a period that ends before it begins or is longer than a year", async () => {
    const of = async (from: string, till: string) =>
      (await owner.call(readReport, { params: { name: "days" }, query: { from, till } })).problem?.fields;
    expect(await of("2026-11-20", "2026-11-19")).toEqual({ till: "Последний день раньше первого" });
    expect(await of("2025-01-01", "2026-11-19")).toEqual({ from: "Не больше года за раз" });
  });
});
