import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commerceMl } from "#integrations/commerceml/adapter.ts";
import { goodsFile, offersFile } from "#integrations/commerceml/simulator.ts";
import { inTransaction } from "#kit/db.ts";
import { hours, minutes } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { coins } from "#shop/catalog/tables.ts";
import { atOffice, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { Ctx } from "#shop/context.ts";
import * as orders from "#shop/orders/service.ts";
import { stockItems } from "#shop/stock/tables.ts";
import { testClock } from "#tests/shop.ts";
import * as imports from "../imports/import.service.ts";
import { sweeps } from "../jobs.ts";
import type { OfferKind } from "./accounting.ts";
import { saveGoods } from "./accounting.repository.ts";
import * as accounting from "./accounting.service.ts";
import * as offers from "./offers.service.ts";

/** Coins 1 and 2 are memorable and silver, 3 is gold bullion; ten pieces of each. Their goods are g-1 and g-2; g-9 is none yet. */
let shop: ShopToBuy;
beforeEach(async () => {
  shop = await openShopToBuy({ clock: testClock() });
  shop.ctx.gateways.accounting = commerceMl;
  await send(
    goodsFile([
      { guid: "g-1", article: "1", name: "Один" },
      { guid: "g-2", article: "2", name: "Два" },
      { guid: "g-9", name: "Без артикула" },
    ]),
  );
});
afterEach(async () => {
  expect(await checkLedger(shop.ctx.db, [])).toEqual([]);
  await shop.close();
});

/** One session of the catalogue with these files, a minute later. */
async function send(...files: Buffer[]): Promise<void> {
  shop.clock.advance(minutes(1));
  const ctx: Ctx = { ...shop.ctx, actor: { kind: "provider", name: "1c" } };
  const session = await accounting.findSession(ctx, await accounting.begin(ctx, "catalog"));
  if (!session) throw new Error("no session");
  for (const [index, bytes] of files.entries()) {
    const name = `offers0_${index + 1}.xml`;
    await accounting.receivePart(ctx, session, name, bytes);
    expect(await accounting.importFile(ctx, session, name)).toMatchObject({ verdict: "success" });
  }
}
const recheck = async () => offers.store(shop.ctx, await offers.compare(shop.ctx));
const map = (guid: string, coinId: number | null) => accounting.mapGood(shop.ctx, { guid, coinId, isIgnored: false });
async function waiting(kind: OfferKind) {
  const found = await imports.waitingFromAccounting(shop.ctx, kind);
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0] ?? null;
}
async function rowsOf(kind: OfferKind) {
  const made = await waiting(kind);
  return made ? imports.rowsOf(shop.ctx, made.id, { outcomes: ["changed", "unchanged", "error"], after: 0, limit: 100 }) : [];
}
/** The rows of the import that waits: `1 changed 10 → 7`. */
const shown = async (kind: OfferKind = "stock"): Promise<string[]> =>
  (await rowsOf(kind)).map(({ coinId, outcome, changes }) => `${coinId} ${outcome} ${changes[0]?.before} → ${changes[0]?.after}`);
const said = async (kind: OfferKind = "stock"): Promise<string[]> =>
  (await rowsOf(kind)).flatMap(({ messages }) => messages.map(({ message }) => message));
async function apply(kind: OfferKind = "stock") {
  const made = await waiting(kind);
  if (!made) throw new Error("nothing waits");
  return imports.apply(shop.ctx, made);
}
const onHand = async (id: number) => (await shop.ctx.db.select().from(stockItems).where(eq(stockItems.coinId, id)))[0]?.onHand;
const priceOf = async (id: number) => (await shop.ctx.db.select().from(coins).where(eq(coins.id, id)))[0]?.fixedPriceKopecks;
/** A piece of this coin leaves the shop. */
async function sell(coinId: number): Promise<void> {
  shop.clock.advance(minutes(1));
  const order = await shop.ordered(aVisitor("sale"), { [coinId]: 1 }, { ...atOffice, paymentId: 7 });
  for (const event of ["assemble", "make_ready", "deliver"] as const) expect((await orders.apply(shop.ctx, order.id, event)).ok).toBe(true);
}

test("two files of a session and the changes of the next one are one import of pieces and one of prices", async () => {
  await send(offersFile([{ guid: "g-1", quantity: "7" }]), offersFile([{ guid: "g-2", quantity: "8", price: "9100" }]));
  expect(await shown()).toEqual(["1 changed 10 → 7", "2 changed 10 → 8"]);
  expect(await shown("prices")).toEqual(["2 changed 9000 → 9100"]);
  await send(offersFile([{ guid: "g-1", quantity: "6", price: "6100" }]));
  expect(await shown()).toEqual(["1 changed 10 → 6", "2 changed 10 → 8"]);
  expect(await shown("prices")).toEqual(["1 changed 6000 → 6100", "2 changed 9000 → 9100"]);
  for (const kind of ["stock", "prices"] as const) expect(await apply(kind)).toMatchObject({ ok: true });
  expect([await onHand(1), await onHand(2), await priceOf(1), await priceOf(2)]).toEqual([6, 8, 6_100_00, 9_100_00]);
  expect(await recheck()).toEqual([]);
});

test("pieces and price of a good that is mapped later are part of the next check", async () => {
  await send(offersFile([{ guid: "g-9", quantity: "4" }]));
  expect(await shown()).toEqual([]);
  await map("g-9", 3);
  expect([await shown(), (await accounting.status(shop.ctx)).offersWaiting]).toEqual([[], 1]);
  await send(offersFile([{ guid: "g-1", quantity: "7" }]));
  expect(await shown()).toEqual(["1 changed 10 → 7", "3 changed 10 → 4"]);
  expect((await accounting.status(shop.ctx)).offersWaiting).toBe(0);
});

describe("an applied import settles", () => {
  test("the pieces that it contained: what arrived since stays, although the stock has moved", async () => {
    await send(offersFile([1, 2].map((n) => ({ guid: `g-${n}`, quantity: "8" }))));
    const newer = { guid: "g-2", article: "2", name: "", isDeleted: false, coinId: 2, quantity: 5, price: null };
    // The first half of the next exchange: its offers are stored and not compared yet.
    await inTransaction(shop.ctx.db, (tx) => saveGoods(tx, [newer], shop.clock.now()));
    shop.clock.advance(minutes(1));
    expect(await apply()).toMatchObject({ ok: true });
    await recheck();
    expect(await shown()).toEqual(["2 changed 8 → 5"]);
  });

  test("all goods of a coin, of which the newest counts", async () => {
    await map("g-9", 1);
    await send(offersFile([{ guid: "g-9", quantity: "7" }]));
    await send(offersFile([{ guid: "g-1", quantity: "5" }]));
    expect(await shown()).toEqual(["1 changed 10 → 5"]);
    await apply();
    expect([await onHand(1), await recheck()]).toEqual([5, []]);
  });
});

test("what the shop has already is settled: a sale afterwards is not undone", async () => {
  await send(offersFile([{ guid: "g-1", quantity: "10", price: "6000" }]));
  await sell(1);
  expect([await recheck(), await onHand(1)]).toEqual([[], 9]);
});

test("a price of bullion is settled: it follows the metal", async () => {
  await map("g-9", 3);
  await send(offersFile([{ guid: "g-9", price: "1.00" }]));
  expect([await shown("prices"), (await accounting.status(shop.ctx)).offersWaiting]).toEqual([[], 0]);
});

test("an import that expired, or that staff has put aside, comes again", async () => {
  await send(offersFile([{ guid: "g-1", quantity: "7" }]));
  shop.clock.advance(hours(shop.ctx.settings.limits.exchangeCheckHours + 1));
  await sweeps["exchange.forget"].run(shop.ctx);
  expect([await shown(), (await accounting.status(shop.ctx)).offersWaiting]).toEqual([[], 1]);
  await recheck();
  expect(await shown()).toEqual(["1 changed 10 → 7"]);
  await imports.discard(shop.ctx, (await waiting("stock"))?.id ?? 0);
  await send(offersFile([{ guid: "g-2", quantity: "8" }]));
  expect(await shown()).toEqual(["1 changed 10 → 7", "2 changed 10 → 8"]);
});

test("an import that would be the same stays, with the approval that may wait for it", async () => {
  await send(offersFile([{ guid: "g-2", quantity: "7" }]));
  const before = await waiting("stock");
  await send(offersFile([{ guid: "g-1", quantity: "10" }]));
  await recheck();
  expect(await waiting("stock")).toEqual(before);
});

test("offers that arrive while others are compared are in the import too", async () => {
  await send(offersFile([{ guid: "g-1", quantity: "7" }]));
  const early = await offers.compare(shop.ctx);
  await send(offersFile([{ guid: "g-2", quantity: "8" }]));
  await offers.store(shop.ctx, early);
  expect(await shown()).toEqual(["1 changed 10 → 7", "2 changed 10 → 8"]);
});

test("wrong rows are left out with a reason, the others are applied, and the wrong ones come again", async () => {
  const order = await shop.ordered(aVisitor("reserves"), { 1: 3 }, { ...atOffice, paymentId: 6 });
  await shop.ctx.db.update(coins).set({ fixedBuybackKopecks: 5_000_00 }).where(eq(coins.id, 1));
  await send(
    offersFile([
      { guid: "g-1", quantity: "2", price: "4000" },
      { guid: "g-2", quantity: "8", price: "9100" },
    ]),
  );
  expect(await shown()).toEqual(["1 unchanged 10 → 2", "2 changed 10 → 8"]);
  expect(await said()).toEqual(["Пропущено. Посчитано меньше, чем отложено для заказов: 3 шт."]);
  expect(await shown("prices")).toEqual(["1 unchanged 6000 → 4000", "2 changed 9000 → 9100"]);
  expect(await said("prices")).toContain("Пропущено. Выкуп не ниже цены продажи");
  expect((await waiting("stock"))?.counts).toMatchObject({ changed: 1, errors: 0, warnings: 1 });
  for (const kind of ["stock", "prices"] as const) expect(await apply(kind)).toMatchObject({ ok: true });
  expect([await onHand(1), await onHand(2), await priceOf(1), await priceOf(2)]).toEqual([10, 8, 6_000_00, 9_100_00]);
  await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
  await recheck();
  expect([await shown(), await shown("prices")]).toEqual([["1 changed 10 → 2"], ["1 unchanged 6000 → 4000"]]);
});

test("after a parcel left, its coin waits for new pieces of 1C, and a new check applies the others", async () => {
  await send(offersFile([1, 2].map((n) => ({ guid: `g-${n}`, quantity: "8" }))));
  await sell(1);
  expect(await apply()).toMatchObject({ ok: false, error: { code: "exchange.stale" } });
  await recheck();
  expect(await shown()).toEqual(["1 unchanged 9 → 8", "2 changed 10 → 8"]);
  expect(await said()).toEqual([expect.stringMatching(/^Пропущено\. Остаток прислан .* ждём нового остатка$/)]);
  expect(await apply()).toMatchObject({ ok: true });
  expect([await onHand(1), await onHand(2)]).toEqual([9, 8]);
  await send(offersFile([{ guid: "g-1", quantity: "7" }]));
  expect(await shown()).toEqual(["1 changed 9 → 7"]);
});

test("a good that gets another coin takes its offer along, and the import that would write the old one is put aside", async () => {
  await send(offersFile([{ guid: "g-1", quantity: "7" }]));
  const before = await waiting("stock");
  await map("g-1", 2);
  expect(await shown()).toEqual([]);
  expect(await imports.apply(shop.ctx, { id: before?.id ?? 0, hash: before?.hash ?? "" })).toMatchObject({
    ok: false,
    error: { code: "exchange.closed" },
  });
  await recheck();
  await apply();
  expect([await onHand(1), await onHand(2)]).toEqual([10, 7]);
});
