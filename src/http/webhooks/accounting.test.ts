import Fastify, { type FastifyInstance } from "fastify";
import { eq } from "drizzle-orm";
import { zipSync } from "fflate";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readSettings, saveSettings } from "#contract/staff/site/settings.ts";
import { commerceMl } from "#integrations/commerceml/adapter.ts";
import { createAccountingClient, documentFile, goodsFile, offersFile } from "#integrations/commerceml/simulator.ts";
import { decode } from "#integrations/commerceml/wire.ts";
import { kopecks } from "#kit/money.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { coins } from "#shop/catalog/tables.ts";
import { atOffice, aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { accountingCalls, accountingDocuments, accountingFiles, accountingGoods, exchangeImports } from "#shop/exchange/tables.ts";
import * as imports from "#shop/exchange/imports/import.service.ts";
import { deliveryIds } from "#shop/method-ids.ts";
import type { StaffDetails } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import * as settings from "#shop/settings/service.ts";
import { minutes } from "#kit/time.ts";
import { testClock } from "#tests/shop.ts";
import type { HttpConfig } from "../config.ts";
import { registerHttp } from "../http.ts";
import { serverOptions } from "../server/server-options.ts";
import { openStaffBench, type StaffBench } from "../staff/testing.ts";

const access = { login: "1c", password: "a-long-password" };
let shop: ShopToBuy;
let bench: StaffBench;
let app: FastifyInstance;
const clock = testClock();
const open = async (accounting: HttpConfig["accounting"]) => {
  const config: HttpConfig = {
    port: 3000,
    publicUrl: undefined,
    trustProxy: [],
    isDemo: true,
    metricsToken: undefined,
    version: "test",
    accounting,
  };
  const made = Fastify(serverOptions(config));
  registerHttp(made, { ctx: shop.ctx, config });
  await made.ready();
  return made;
};
beforeAll(async () => {
  shop = await openShopToBuy({
    clock,
    limits: { unpaidOrders: 1_000, accountingSignInsPerMinute: 1_000, accountingMegabytes: 2, freePickupFromRoubles: 1_000_000 },
  });
  bench = await openStaffBench({ shop });
  shop.ctx.gateways.accounting = commerceMl;
  app = await open(access);
});
afterAll(async () => {
  expect(await checkLedger(shop.ctx.db, [])).toEqual([]);
  await app.close();
  await bench.close();
});
afterEach(() => clock.advance(minutes(2)));

const client = (at = app, password = access.password) =>
  createAccountingClient(
    async (url, { method, headers, body }) => {
      const answer = await at.inject({ method, url, headers: { host: "localhost:3000", ...headers }, ...(body ? { payload: body } : {}) });
      return { status: answer.statusCode, body: answer.rawPayload };
    },
    { password },
  );
const newestImports = () => imports.list(shop.ctx, { before: null, limit: 5 });
const idsOf = (xml: Buffer): string[] => [...decode(xml).matchAll(/<Документ><Ид>([^<]+)<\/Ид>/g)].map(([, id = ""]) => id);

describe("the dialogue", () => {
  test("does not exist without login and password, and refuses wrong ones", async () => {
    const closed = await open(null);
    expect((await client(closed).signIn("catalog")).status).toBe(404);
    await closed.close();
    expect(await client(app, "wrong").signIn("catalog")).toMatchObject({ status: 401, verdict: "failure" });
    const ours = client();
    expect((await ours.call("catalog", "init")).status).toBe(401);
    await ours.signIn("catalog");
    ours.setCookie("exchange=someone-elses-token");
    expect((await ours.call("catalog", "file", { filename: "import.xml" }, Buffer.from("x"))).status).toBe(401);
  });

  test("reads the last value of a parameter that is given twice", async () => {
    const basic = `Basic ${Buffer.from(`${access.login}:${access.password}`).toString("base64")}`;
    const words = (bytes: Buffer) => new TextDecoder("windows-1251").decode(bytes);
    const get = async (query: string, headers: Record<string, string>) =>
      app.inject({ url: `/api/exchange/1c?${query}`, headers: { host: "localhost:3000", ...headers } });
    const signedIn = await get("type=catalog&mode=init&mode=checkauth", { authorization: basic });
    const [verdict, name, token] = words(signedIn.rawPayload).split("\n");
    expect([signedIn.statusCode, verdict]).toEqual([200, "success"]);
    const cookie = `${name}=${token}`;
    const imported = await get("type=catalog&mode=import&filename=a.xml&filename=b.xml", { cookie });
    expect([imported.statusCode, words(imported.rawPayload)]).toEqual([200, "failure\nФайл b.xml не передан\n"]);
  });

  test("ends a session after a pause, and after the next sign-in of its type", async () => {
    const [one, two] = [client(), client()];
    await one.signIn("catalog");
    expect((await one.init("catalog")).lines[0]).toBe("zip=yes");
    await two.signIn("catalog");
    expect((await one.init("catalog")).status).toBe(401);
    clock.advance(minutes(61));
    expect((await two.init("catalog")).status).toBe(401);
  });

  test("limits the calls and the sign-ins of an address, each as the office has set it since", async () => {
    const owner = await bench.as("owner");
    const set = async (values: Record<string, number>) => {
      const { data } = await owner.call(readSettings, { params: { key: "load" } });
      const body = { revision: data.revision, values: { ...data.values, ...values } };
      expect((await owner.call(saveSettings, { params: { key: "load" }, body })).status).toBe(200);
      await settings.refresh(shop.ctx); // what the process does every second
    };
    const ours = client();
    await ours.signIn("catalog");
    await set({ accountingCallsPerMinute: 10, accountingSignInsPerMinute: 12 });
    clock.advance(minutes(1)); // the sign-in is forgotten
    const calls = [];
    for (let count = 0; count < 12; count += 1) calls.push((await ours.init("catalog")).status);
    expect(calls.filter((status) => status === 429)).toHaveLength(2);
    const guess = client(app, "wrong");
    const guesses = [];
    for (let count = 0; count < 14; count += 1) guesses.push((await guess.signIn("catalog")).status);
    expect([guesses.filter((status) => status === 401).length, guesses.at(-1)]).toEqual([12, 429]);
    expect((await client().signIn("catalog")).status).toBe(429);
    await set({ accountingCallsPerMinute: 600, accountingSignInsPerMinute: 1_000 });
  });
});

describe("goods and offers", () => {
  test("known goods become a checked import that staff applies; unknown ones wait, and no coin is created", async () => {
    const before = await shop.ctx.db.$count(coins);
    const goods = [
      { guid: "g-1", article: "1", name: "Монета один" },
      { guid: "g-2", article: "2", name: "Монета два" },
      { guid: "g-9", article: "нет", name: "Футляр" },
    ];
    expect((await client().sendCatalog("import.xml", goodsFile(goods, "windows-1251"), { zip: true })).verdict).toBe("success");
    expect((await shop.ctx.db.select().from(accountingGoods)).map(({ guid, coinId }) => `${guid} ${coinId}`).toSorted()).toEqual([
      "g-1 1",
      "g-2 2",
      "g-9 null",
    ]);
    const offers = [
      { guid: "g-1", quantity: "7", price: "6100.00" },
      { guid: "g-2", quantity: "10", price: "9000" },
      { guid: "g-9", quantity: "5" },
    ];
    expect((await client().sendCatalog("offers.xml", offersFile(offers))).verdict).toBe("success");
    const [prices, stock] = await newestImports();
    expect(prices).toMatchObject({ kind: "prices", source: "accounting", state: "checked", counts: { changed: 1, unchanged: 1 } });
    expect(stock).toMatchObject({ kind: "stock", source: "accounting", counts: { changed: 1, unchanged: 1 } });
    expect((await shop.ctx.db.select().from(coins).where(eq(coins.id, 1)))[0]?.fixedPriceKopecks).toBe(600_000);
    for (const each of [stock!, prices!]) expect((await imports.apply(shop.ctx, each)).ok).toBe(true);
    expect((await shop.ctx.db.select().from(coins).where(eq(coins.id, 1)))[0]?.fixedPriceKopecks).toBe(610_000);
    expect(await shop.ctx.db.$count(coins)).toBe(before);
  });

  test("a newer file takes the place of one that waits, and a repeated import makes no second one", async () => {
    await client().sendCatalog("offers.xml", offersFile([{ guid: "g-1", quantity: "3" }]));
    const count = await shop.ctx.db.$count(exchangeImports);
    const ours = client();
    await ours.sendCatalog("offers.xml", offersFile([{ guid: "g-1", quantity: "4" }]));
    expect((await ours.import("catalog", "offers.xml")).lines.join(" ")).toContain("уже принят");
    const [newest, older] = await newestImports();
    expect([await shop.ctx.db.$count(exchangeImports), newest?.state, older?.state]).toEqual([count + 1, "checked", "discarded"]);
    await imports.discard(shop.ctx, newest!.id);
  });

  test("bullion has no price in roubles", async () => {
    await client().sendCatalog("import.xml", goodsFile([{ guid: "g-3", article: "3", name: "Золото" }]));
    const count = await shop.ctx.db.$count(exchangeImports);
    await client().sendCatalog("offers.xml", offersFile([{ guid: "g-3", price: "1.00" }]));
    expect(await shop.ctx.db.$count(exchangeImports)).toBe(count);
  });

  test("a part that came twice, half an archive, broken XML and too much change nothing and say so", async () => {
    const counts = async () => [await shop.ctx.db.$count(exchangeImports), await shop.ctx.db.$count(accountingGoods)];
    const before = await counts();
    const many = offersFile(
      Array.from({ length: 3_000 }, (_, n) => ({ guid: `x-${n}`, name: `Товар ${n} ${"я".repeat(20)}`, quantity: "1" })),
    );
    const ours = client();
    await ours.signIn("catalog");
    await ours.init("catalog");
    await ours.file("catalog", "offers.xml", many, { resend: true });
    expect((await ours.import("catalog", "offers.xml")).verdict).toBe("failure");
    await ours.init("catalog");
    await ours.file("catalog", "v8.zip", Buffer.from("PK\u0003\u0004half of an archive"));
    expect((await ours.import("catalog", "offers.xml")).verdict).toBe("failure");
    expect((await ours.import("catalog", "nothing.xml")).verdict).toBe("failure");
    await ours.init("catalog");
    expect((await ours.file("catalog", "../../etc/offers.xml", Buffer.alloc(3 * 1024 * 1024, "x"))).verdict).toBe("failure");
    expect(await counts()).toEqual(before);
    expect((await ours.file("catalog", "import_files/aa/picture.jpg", Buffer.alloc(1_000))).verdict).toBe("success");
    await ours.init("catalog");
    expect(await shop.ctx.db.$count(accountingFiles)).toBe(0);
    const [last] = (await shop.ctx.db.select().from(accountingCalls)).toSorted((a, b) => b.id - a.id);
    expect(last).toMatchObject({ mode: "init", outcome: "success" });
  });

  test("thousands of goods in parts are taken whole", async () => {
    const many = Array.from({ length: 5_000 }, (_, n) => ({ guid: `m-${n}`, article: `М-${n}`, name: `Товар ${n}` }));
    expect((await client().sendCatalog("import0_1.xml", goodsFile(many))).verdict).toBe("success");
    const huge = Array.from({ length: 3 }, (_, n) => ({ guid: `m-${n}`, quantity: "9".repeat(40) }));
    expect((await client().sendCatalog("offers0_1.xml", offersFile(huge))).lines.join(" ")).toContain("не прочитано 3");
  });
});

describe("orders", () => {
  const query = async () => {
    const ours = client();
    await ours.signIn("sale");
    await ours.init("sale", "2.05");
    const { body } = await ours.call("sale", "query");
    return { ours, body, ids: idsOf(body) };
  };

  test("confirmed ones go out until success, then again when they change; unpaid ones never", async () => {
    const unpaid = await shop.ordered(aVisitor("a1"), { 1: 1 }, { ...atOffice, paymentId: 6 });
    const paid = await shop.ordered(aVisitor("a2"), { 1: 2, 2: 1 }, { ...atOffice, paymentId: 6 });
    await orders.apply(shop.ctx, paid.id, "pay", {
      amount: paid.total,
      reference: { number: "7", date: "2026-11-20", payerAccount: null },
    });
    const first = await query();
    expect([first.ids.includes(paid.id), first.ids.includes(unpaid.id)]).toEqual([true, false]);
    expect(decode(first.body)).toContain(`<Сумма>${(paid.total / 100).toFixed(2)}</Сумма>`);
    expect(decode(first.body)).toContain("<Ид>g-1</Ид>");
    const again = await query();
    expect(again.ids).toEqual(first.ids);
    expect((await again.ours.call("sale", "success")).verdict).toBe("success");
    expect((await query()).ids).toEqual([]);
    await orders.apply(shop.ctx, paid.id, "assemble");
    expect((await query()).ids).toEqual([paid.id]);
  });

  test("the states and methods that orders are sent with are listed with their ids", async () => {
    const ours = client();
    await ours.signIn("sale");
    await ours.init("sale");
    const { body } = await ours.call("sale", "info");
    const text = decode(body);
    expect(text).toMatch(/^<\?xml version="1\.0" encoding="windows-1251"\?>\n<Справочник>/);
    for (const list of ["Cтатусы", "Статусы"])
      expect(text).toMatch(new RegExp(`<${list}>.*<Элемент><Ид>paid</Ид><Название>Оплачен</Название></Элемент>.*</${list}>`));
    expect(text).toMatch(/<ПлатежныеСистемы>.*<Элемент><Ид>5<\/Ид><Название>СБП<\/Название><\/Элемент>/);
    expect(text).toMatch(/<СлужбыДоставки>.*<Элемент><Ид>35<\/Ид><Название>Офис<\/Название><\/Элемент>/);
  });

  test("a change between query and success is sent again", async () => {
    const order = await shop.ordered(aVisitor("a3"), { 1: 1 }, { ...atOffice, paymentId: 6 });
    await orders.apply(shop.ctx, order.id, "pay", {
      amount: order.total,
      reference: { number: "8", date: "2026-11-20", payerAccount: null },
    });
    const { ours, ids } = await query();
    expect(ids).toContain(order.id);
    await orders.apply(shop.ctx, order.id, "assemble");
    await ours.call("sale", "success");
    expect((await query()).ids).toEqual([order.id]);
  });

  test.each([
    ["one transfer", []],
    ["two transfers", [500_000]],
  ])("dropped pieces and a refunded delivery, paid by %s, leave the document, whose sum is that of its lines", async (name, parts) => {
    const order = await shop.ordered(aVisitor(`a5 ${name}`), { 1: 3 }, { ...byPoint, deliveryId: deliveryIds.pickup_point, paymentId: 6 });
    const [price, delivery] = [order.lines[0]?.price ?? 0, order.delivery.price];
    expect(delivery).toBeGreaterThan(0);
    const reference = { number: `9${order.number}`, date: "2026-11-20", payerAccount: null };
    for (const amount of parts) await orders.apply(shop.ctx, order.id, "pay", { amount: kopecks(amount), reference });
    await orders.apply(shop.ctx, order.id, "pay", { reference });
    const document = async () => {
      await shop.work();
      const { ours, body } = await query();
      await ours.call("sale", "success");
      const text = decode(body)
        .split("<Документ>")
        .find((each) => each.includes(`<Ид>${order.id}</Ид>`));
      const all = (name: string): string[] =>
        [...(text ?? "").matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, of = ""]) => of);
      const flag = (name: string) => text?.includes(`<Наименование>${name}</Наименование><Значение>true</Значение>`);
      // The first sum is that of the document; those of its lines follow.
      return { sums: all("Сумма"), pieces: all("Количество"), isPaid: flag("Заказ оплачен"), isCancelled: flag("Отменен") };
    };
    const refund = async (money: StaffDetails) => expect((await orders.apply(shop.ctx, order.id, "refund", money)).ok).toBe(true);
    const roubles = (kopecks: number): string => (kopecks / 100).toFixed(2);
    expect(await document()).toEqual({
      sums: [order.total, 3 * price, delivery].map(roubles),
      pieces: ["3", "1"],
      isPaid: true,
      isCancelled: false,
    });
    await refund({ pieces: [{ coinId: 1, quantity: 1 }], refundKey: "one piece" });
    expect(await document()).toMatchObject({
      sums: [2 * price + delivery, 2 * price, delivery].map(roubles),
      pieces: ["2", "1"],
      isPaid: true,
    });
    await refund({ isDeliveryToo: true, refundKey: "the delivery" });
    expect(await document()).toMatchObject({ sums: [2 * price, 2 * price].map(roubles), pieces: ["2"], isPaid: true });
    await refund({ amount: kopecks(100_00), refundKey: "a discount" });
    expect(await document()).toMatchObject({ sums: [2 * price, 2 * price].map(roubles), isPaid: true });
    await orders.apply(shop.ctx, order.id, "cancel");
    await orders.apply(shop.ctx, order.id, "refund");
    expect(await document()).toMatchObject({ isPaid: false, isCancelled: true });
  });

  test("archives are taken only where import is called for them", async () => {
    const order = await shop.ordered(aVisitor("a6"), { 2: 1 }, { ...atOffice, paymentId: 6 });
    const archive = Buffer.from(zipSync({ "documents.xml": documentFile({ guid: order.id, number: "ZIP-1" }) }));
    const ours = client();
    await ours.signIn("sale");
    expect((await ours.init("sale")).lines[0]).toBe("zip=no");
    expect((await ours.file("sale", "orders.zip", archive)).verdict).toBe("failure");
    expect((await ours.init("sale", "2.05")).lines[0]).toBe("zip=yes");
    expect((await ours.file("sale", "orders.zip", archive)).verdict).toBe("success");
    expect((await ours.import("sale", "documents.xml")).verdict).toBe("success");
    const [stored] = await shop.ctx.db.select().from(accountingDocuments).where(eq(accountingDocuments.guid, order.id));
    expect(stored?.number).toBe("ZIP-1");
  });

  test("what 1C says about them is stored and moves nothing, with a version and without", async () => {
    const order = await shop.ordered(aVisitor("a4"), { 1: 1 }, { ...atOffice, paymentId: 6 });
    const ours = client();
    await ours.signIn("sale");
    await ours.init("sale", "2.05");
    await ours.file("sale", "documents.xml", documentFile({ guid: order.id }));
    expect((await ours.import("sale", "documents.xml")).verdict).toBe("success");
    await ours.init("sale");
    expect((await ours.file("sale", "C:\\1c\\orders.xml", documentFile({ guid: order.id, status: "Закрыт" }))).verdict).toBe("success");
    const [stored] = await shop.ctx.db.select().from(accountingDocuments).where(eq(accountingDocuments.guid, order.id));
    expect(stored).toMatchObject({ orderId: order.id, number: "ЧК-000017", details: { "Статус заказа": "Закрыт" } });
    expect(await shop.now(order)).toMatchObject({ state: "awaiting_payment", paid: 0 });
  });
});
