import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction, rowsOf, waitUpTo } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import { days, hours, minutes } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { coinsByIds } from "#shop/catalog/service.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import { openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { Ctx } from "#shop/context.ts";
import * as metal from "#shop/metal/service.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as documents from "#shop/stock/documents/document.service.ts";
import * as stock from "#shop/stock/service.ts";
import { stockDocuments } from "#shop/stock/tables.ts";
import { testClock } from "#tests/shop.ts";
import { currentSum, pricesByCondition, type DealWithLines, type EnteredLine, type Identity } from "./deal.ts";
import { sweeps } from "./jobs.ts";
import * as payouts from "./payout.service.ts";
import * as deals from "./service.ts";
import { shelve } from "./shelve.service.ts";
import { buybackDeals } from "./tables.ts";

let shop: ShopToBuy;
let clerk: Ctx;
let other: Ctx;
beforeAll(async () => {
  shop = await openShopToBuy({
    clock: testClock(),
    coins: [
      aCoin({ id: 1 }),
      aCoin({ id: 2, metal: "silver", pureMassMg: 31_100, totalMassMg: 31_200 }),
      aCoin({ id: 3, buybackBp: null }),
    ],
  });
  clerk = { ...shop.ctx, actor: { kind: "staff", name: "vera" } };
  other = { ...(await shop.another()), actor: { kind: "staff", name: "boris" } };
});
afterAll(async () => {
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await shop.close();
});

const line = (coinId: number, quantity: number, roubles: number): EnteredLine => ({
  coinId,
  quantity,
  condition: "good",
  unitPrice: kopecks(roubles * 100),
});
const seller = { requestId: null, name: "Пётр Нумизматов", phone: "+79161112233", email: "", note: "" };
const passport = (number = "123456"): Identity => ({
  lastName: `Нумизматов-${number}`,
  name: "Пётр",
  secondName: "",
  birthDate: "1980-05-01",
  kind: "passport",
  series: "4510",
  number,
  issuedBy: "ОВД Арбат",
  issuedOn: "2005-06-01",
  address: "Москва, Арбат, 1",
});
/** The same person as in `passport("333333")`, as another document writes it. */
const namesake = { lastName: "НУМИЗМАТОВ-333333" };
let orders = 0;
const transfer = () => ({ account: "40817810099910004312", bik: "044525225", number: String((orders += 1)), date: "2026-11-20" });

/** The deal of a change that went through. */
function ok(result: deals.Changed): DealWithLines {
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
}
const codeOf = (result: deals.Changed): string => (result.ok ? result.value.state : result.error.code);
/** An offer; a line without `isTyped` has a price typed by hand. */
const offered = async (lines: (EnteredLine & { isTyped?: boolean })[], isLocked = true) =>
  ok(
    await deals.create(
      clerk,
      { ...seller, lines: lines.map((each) => ({ isTyped: true, ...each })), isLocked },
      { login: "vera", mayOpenAll: false },
    ),
  );
const asOffered = ({ lines }: DealWithLines): EnteredLine[] =>
  lines.flatMap(({ coinId, offered: each }) =>
    each ? [{ coinId, quantity: each.quantity, condition: each.condition, unitPrice: each.unitPrice }] : [],
  );
async function checked(lines: EnteredLine[]): Promise<DealWithLines> {
  const received = ok(await deals.receive(clerk, await offered(lines)));
  return ok(await deals.check(clerk, received, { lines: asOffered(received), reason: "" }));
}
async function payable(lines: EnteredLine[], number?: string): Promise<DealWithLines> {
  return ok(await payouts.saveIdentity(clerk, await checked(lines), passport(number)));
}
const pay = (ctx: Ctx, deal: DealWithLines) => payouts.pay(ctx, deal, { transfer: transfer(), shown: currentSum(deal) });
const onHand = async (coinId: number) => (await stock.onHand(shop.ctx.db, [coinId])).get(coinId);

test("a deal goes from the offer to the shelf, and its coins enter the stock with the checked prices as costs", async () => {
  const before = (await onHand(1)) ?? 0;
  const deal = await payable([line(1, 2, 80_000), line(2, 3, 4_000)]);
  const again = ok(await deals.check(clerk, deal, { lines: [line(1, 2, 80_000), line(2, 1, 3_500)], reason: "двух нет, потёртость" }));
  expect([again.checkedSum, again.pieces, again.offerSum]).toEqual([163_500_00, 3, 172_000_00]);
  const paid = ok(await pay(clerk, again));
  expect(paid.payout).toMatchObject({ sum: 163_500_00, accountEnd: "4312" });
  const shelved = ok(await shelve(clerk, paid));
  expect(await onHand(1)).toBe(before + 2);
  const document = await documents.find(clerk, shelved.stockDocumentId ?? 0);
  expect(document).toMatchObject({
    state: "posted",
    supplier: `Выкуп № ${deal.id}`,
    note: expect.stringMatching(/^Состояние: .+ хорошее; .+ хорошее$/),
    lines: [
      { coinId: 1, quantity: 2, unitCost: 80_000_00 },
      { coinId: 2, quantity: 1, unitCost: 3_500_00 },
    ],
  });
  const history = await deals.history(clerk, deal.id);
  expect(history.map(({ kind, actor }) => `${actor} ${kind}`)).toEqual(
    ["create", "lock", "receive", "check", "identity", "check", "pay", "shelve"].map((kind) => `staff:vera ${kind}`),
  );
});

test("two clerks lock, pay or shelve one deal: one of them does, the other sees what is stored", async () => {
  const race = async (deal: DealWithLines, act: (ctx: Ctx, deal: DealWithLines) => Promise<deals.Changed>) => {
    const results = await Promise.all([act(clerk, deal), act(other, deal)]);
    const [won] = results.filter((each) => each.ok);
    expect(results.map(codeOf).toSorted()).toEqual(["buyback.stale", won?.ok ? won.value.state : ""].toSorted());
    const [lost] = results.filter((each) => !each.ok);
    if (won?.ok && lost?.ok === false && lost.error.code === "buyback.stale") expect(lost.error.current).toEqual(won.value);
    return won?.ok ? won.value : deal;
  };
  const locked = await race(await offered([line(1, 1, 80_000)], false), (ctx, deal) => deals.lock(ctx, deal, deal.offerSum));
  const received = await race(locked, (ctx, deal) => deals.receive(ctx, deal));
  const done = ok(await deals.check(clerk, received, { lines: asOffered(received), reason: "" }));
  const paid = await race(ok(await payouts.saveIdentity(clerk, done, passport("222222"))), pay);
  const before = (await onHand(1)) ?? 0;
  await race(paid, shelve);
  expect(await onHand(1)).toBe(before + 1);
  const made = await shop.ctx.db
    .select()
    .from(stockDocuments)
    .where(eq(stockDocuments.sourceKey, `buyback:${paid.id}`));
  expect(made).toHaveLength(1);
});

test("two payouts to one person at once are summed one after the other, so the second is under control", async () => {
  const [one, two] = [await payable([line(1, 6, 100_000)], "333333"), await payable([line(1, 4, 100_000)], "333333")];
  // Both are held back before they write, when each that does not wait for the other has read the sum of the year.
  const patiently = (ctx: Ctx, deal: DealWithLines) =>
    inTransaction(ctx.db, async (tx) => {
      await waitUpTo(tx, minutes(1));
      return pay({ ...ctx, db: tx }, deal);
    });
  const waiting = async () => {
    const [found] = await rowsOf<{ n: number }>(
      shop.ctx.db,
      sql`select count(*)::int as n from pg_locks where not granted
        and database = (select oid from pg_database where datname = current_database())`,
    );
    return found?.n;
  };
  let running: Promise<deals.Changed[]> = Promise.resolve([]);
  await inTransaction((await shop.another()).db, async (tx) => {
    await tx.execute(sql`lock table buyback_events in share mode`);
    running = Promise.all([patiently(clerk, one), patiently(other, two)]);
    await expect.poll(waiting, { interval: 10 }).toBe(2);
  });
  const results = await running;
  expect(results.map((each) => each.ok)).toEqual([true, true]);
  expect(results.filter((each) => each.ok && each.value.isFlagged)).toHaveLength(1);
  const otherDocument = ok(await payouts.saveIdentity(clerk, await checked([line(2, 1, 1_000)]), { ...passport("333334"), ...namesake }));
  expect(await payouts.approvalReason(clerk, otherDocument)).toContain("115-ФЗ");
  const third = await payable([line(2, 1, 1_000)], "333333");
  expect(await payouts.approvalReason(clerk, third)).toContain("115-ФЗ");
  expect(await payouts.approvalReason(clerk, await payable([line(2, 1, 1_000)], "444444"))).toBeNull();
  expect(await payouts.approvalReason(clerk, await payable([line(1, 4, 100_000)], "444444"))).toContain("300");
});

test("two deals are paid with one payment order at once: one of them is, the other names it", async () => {
  const [one, two] = [await payable([line(2, 1, 4_000)], "666001"), await payable([line(2, 1, 4_000)], "666002")];
  const order = transfer();
  const results = await Promise.all(
    (
      [
        [clerk, one],
        [other, two],
      ] as const
    ).map(([ctx, deal]) => payouts.pay(ctx, deal, { transfer: order, shown: currentSum(deal) })),
  );
  const won = results.findIndex((each) => each.ok);
  expect(results[1 - won]).toEqual({ ok: false, error: { code: "buyback.order_known", dealId: [one, two][won]?.id } });
});

test("one receipt is recorded for two deals at once: one of them has it, the other names it", async () => {
  const [one, two] = [
    ok(await pay(clerk, await payable([line(2, 1, 4_000)], "666003"))),
    ok(await pay(clerk, await payable([line(2, 1, 4_000)], "666004"))),
  ];
  const numbers = { storageNumber: "9960440300000077", documentNumber: "77", attribute: "777" };
  const results = await Promise.all([payouts.recordReceipt(clerk, one, numbers), payouts.recordReceipt(other, two, numbers)]);
  const won = results.findIndex((each) => each.ok);
  expect(results[1 - won]).toEqual({ ok: false, error: { code: "buyback.receipt_known", dealId: [one, two][won]?.id } });
});

test("a locked offer that has run out is not received; it is renewed at today's prices when their sum was shown", async () => {
  await shop.receiveRates({ gold: 11_500 });
  const price = await proposedFor(1);
  const deal = await offered([{ ...line(1, 2, 1), unitPrice: price, isTyped: false }, line(3, 1, 500)]);
  expect(codeOf(await deals.renew(clerk, deal, deal.offerSum))).toBe("buyback.wrong_state");
  shop.clock.advance(hours(24));
  expect(codeOf(await deals.receive(clerk, deal))).toBe("buyback.expired");
  await shop.receiveRates({ gold: 12_000 });
  const today = await proposedFor(1);
  expect(today).toBeGreaterThan(price);
  expect(await deals.renew(clerk, deal, deal.offerSum)).toEqual({
    ok: false,
    error: { code: "buyback.other_sum", sum: today * 2 + 500_00 },
  });
  const renewed = ok(await deals.renew(clerk, deal, kopecks(today * 2 + 500_00)));
  expect(renewed.lines.map(({ offered: each }) => each?.unitPrice)).toEqual([today, 500_00]);
  expect(codeOf(await deals.receive(clerk, renewed))).toBe("received");
});

test("an offer is locked at today's prices when their sum was shown", async () => {
  await shop.receiveRates({ gold: 11_500 });
  const price = await proposedFor(1);
  const deal = await offered([{ ...line(1, 2, 1), unitPrice: price, isTyped: false }, line(3, 1, 500)], false);
  await shop.receiveRates({ gold: 12_000 });
  const today = await proposedFor(1);
  const sum = kopecks(today * 2 + 500_00);
  expect(await deals.sumToday(clerk, deal)).toBe(sum);
  expect(await deals.lock(clerk, deal, deal.offerSum)).toEqual({ ok: false, error: { code: "buyback.other_sum", sum } });
  const locked = ok(await deals.lock(clerk, deal, sum));
  expect([locked.state, locked.offerSum]).toEqual(["locked", sum]);
  expect(locked.lines.map(({ offered: each }) => each?.unitPrice)).toEqual([today, 500_00]);
  expect((await deals.history(clerk, deal.id)).at(-1)).toMatchObject({ kind: "lock", sum });
});

test("a price of the list that is no longer today's is not stored as one that was typed", async () => {
  await shop.receiveRates({ gold: 11_500 });
  const lines = [
    { ...line(1, 2, 1), unitPrice: await proposedFor(1), isTyped: false },
    { ...line(2, 1, 4_000), isTyped: true },
  ];
  const deal = await offered(lines, false);
  await shop.receiveRates({ gold: 12_000 });
  const refused = { ok: false, error: { code: "buyback.other_prices", ids: [1, 2] } };
  expect(await deals.create(clerk, { ...seller, lines, isLocked: true }, { login: "vera", mayOpenAll: false })).toEqual(refused);
  expect(await deals.edit(clerk, deal, { note: "", lines, isLocked: false })).toEqual(refused);
  const today = { ...line(1, 2, 1), unitPrice: await proposedFor(1), isTyped: false };
  const edited = ok(await deals.edit(clerk, deal, { note: "", lines: [today, { ...line(2, 1, 3_900), isTyped: true }], isLocked: false }));
  expect(edited.lines.map(({ offered: each }) => [each?.unitPrice, each?.isTyped])).toEqual([
    [today.unitPrice, false],
    [3_900_00, true],
  ]);
});

async function proposedFor(coinId: number) {
  const [coin] = await coinsByIds(shop.ctx.db, [coinId]);
  const price = coin ? pricesByCondition(deals.buybackToday(coin, await pricing.current(shop.ctx))).good : null;
  if (price === null) throw new Error("no price");
  return price;
}

test("a check that differs from the offer needs a reason, and one that leaves no coin is refused", async () => {
  const deal = ok(await deals.receive(clerk, await offered([line(2, 2, 4_000)])));
  const find = (quantity: number, roubles: number, reason = "") =>
    deals.check(clerk, deal, { lines: [line(2, quantity, roubles)], reason });
  expect(codeOf(await find(2, 4_100))).toBe("buyback.reason_missing");
  expect(codeOf(await find(0, 4_000, "ничего нет"))).toBe("buyback.nothing");
  expect(codeOf(await find(2, 4_100, "лучше, чем на снимке"))).toBe("checked");
});

test("a payout needs the identity document, the exact sum and a payment order of its own", async () => {
  const deal = await checked([line(2, 1, 4_000)]);
  expect(codeOf(await pay(clerk, deal))).toBe("buyback.no_identity");
  const known = ok(await payouts.saveIdentity(clerk, deal, passport("555555")));
  const asked = { transfer: transfer(), shown: kopecks(3_999_00) };
  expect(await payouts.pay(clerk, known, asked)).toEqual({ ok: false, error: { code: "buyback.other_sum", sum: 4_000_00 } });
  const paid = ok(await payouts.pay(clerk, known, { ...asked, shown: kopecks(4_000_00) }));
  const next = await payable([line(2, 1, 4_000)], "555555");
  expect(await payouts.pay(clerk, next, { ...asked, shown: kopecks(4_000_00) })).toEqual({
    ok: false,
    error: { code: "buyback.order_known", dealId: paid.id },
  });
  expect(codeOf(await payouts.saveIdentity(clerk, paid, passport("666666")))).toBe("buyback.wrong_state");
});

test("the database has neither the identity document nor the account in the clear; a returned deal forgets the document", async () => {
  const deal = await payable([line(2, 1, 4_000)], "777888");
  const paid = ok(await pay(clerk, deal));
  const [row] = await shop.ctx.db.select().from(buybackDeals).where(eq(buybackDeals.id, paid.id));
  for (const secret of ["777888", "Арбат", "40817810099910004312"]) expect(JSON.stringify(row)).not.toContain(secret);
  expect(await payouts.openIdentity(clerk, paid.id)).toEqual(passport("777888"));
  expect(await payouts.openAccount(clerk, paid.id)).toBe("40817810099910004312");
  const back = ok(await deals.giveBack(clerk, await payable([line(2, 1, 4_000)]), "передумал"));
  expect([back.state, back.identity, await payouts.openIdentity(clerk, back.id)]).toEqual(["returned", null, null]);
});

test("metal of deals is open from the lock to the shelf, without offers that have run out", async () => {
  const bought = async () => (await metal.openMetal(shop.ctx)).find((each) => each.metal === "silver")!;
  const before = await bought();
  const deal = await offered([line(2, 2, 4_000)]);
  expect(await bought()).toMatchObject({ boughtMg: before.boughtMg + 62_200, openMg: before.openMg + 62_200, deals: before.deals + 1 });
  const lost = await offered([line(2, 5, 4_000)]);
  expect(lost.lockedUntil).not.toBeNull();
  const received = ok(await deals.receive(clerk, deal));
  shop.clock.advance(hours(24) + minutes(1));
  expect((await bought()).boughtMg).toBe(before.boughtMg + 62_200);
  const one = ok(await deals.check(clerk, received, { lines: [line(2, 1, 4_000)], reason: "одна" }));
  expect((await bought()).boughtMg).toBe(before.boughtMg + 31_100);
  const paid = ok(await pay(clerk, ok(await payouts.saveIdentity(clerk, one, passport()))));
  ok(await shelve(clerk, paid));
  expect(await bought()).toMatchObject({ boughtMg: before.boughtMg, openMg: before.openMg + 31_100 });
});

test("a document that staff reverses later leaves the ledger of the deal right; a deal without its document breaks them", async () => {
  const shelved = ok(await shelve(clerk, ok(await pay(clerk, await payable([line(2, 1, 4_000)])))));
  const id = shelved.stockDocumentId ?? 0;
  const reversed = await documents.reverse(clerk, id, 1, "ошибка");
  expect(reversed.ok).toBe(true);
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  class Undo extends Error {}
  const broken = async (statement: ReturnType<typeof sql>): Promise<string[]> => {
    let found: string[] = [];
    await shop.ctx.db
      .transaction(async (tx) => {
        await tx.execute(statement);
        found = await checkLedger(tx);
        throw new Undo();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error;
      });
    return [...new Set(found.map((each) => each.split(" ")[0] ?? ""))];
  };
  expect(await broken(sql`update buyback_lines set checked_kopecks = checked_kopecks + 100 where deal_id = ${shelved.id}`)).toEqual([
    "I15",
  ]);
  expect(await broken(sql`update stock_documents set source_key = null where id = ${id}`)).toEqual(["I15"]);
  expect(await broken(sql`delete from buyback_events where deal_id = ${shelved.id} and kind = 'shelve'`)).toEqual(["I15"]);
  expect(await broken(sql`update stock_document_lines set unit_cost_kopecks = unit_cost_kopecks + 1 where document_id = ${id}`)).toContain(
    "I15",
  );
  await expect(broken(sql`update buyback_deals set payout_kopecks = payout_kopecks + 1 where id = ${shelved.id}`)).rejects.toThrow();
});

test("the identity document, the account and the contacts go when their time is over, the deal stays", async () => {
  const found = { lines: [line(2, 1, 3_900)], reason: "по словам Петра" };
  const paid = ok(await pay(clerk, ok(await deals.check(clerk, await payable([line(2, 1, 4_000)], "999000"), found))));
  const closed = ok(await deals.cancel(clerk, await offered([line(2, 1, 4_000)]), "передумал"));
  shop.clock.advance(days(401));
  await sweeps["buyback.erase"].run(shop.ctx);
  expect((await deals.find(clerk, closed.id))?.phone).toBe("");
  expect((await deals.find(clerk, paid.id))?.phone).toBe(seller.phone);
  shop.clock.advance(days(1826 - 401));
  await sweeps["buyback.erase"].run(shop.ctx);
  expect(await deals.find(clerk, paid.id)).toMatchObject({ state: "paid", name: "", phone: "", checkReason: "", identity: null });
  expect(await deals.find(clerk, paid.id)).toMatchObject({ personHash: null, nameHash: null });
  for (const id of [paid.id, closed.id]) expect(JSON.stringify(await deals.history(clerk, id))).not.toMatch(/передумал|Петра/);
  expect(await payouts.openIdentity(clerk, paid.id)).toBeNull();
  expect(await payouts.openAccount(clerk, paid.id)).toBeNull();
  const events = (await deals.history(clerk, paid.id)).length;
  await sweeps["buyback.erase"].run(shop.ctx);
  expect((await deals.history(clerk, paid.id)).length).toBe(events);
});

test("two workers erase a deal once", async () => {
  const closed = ok(await deals.cancel(clerk, await offered([line(2, 1, 4_000)]), "передумал"));
  shop.clock.advance(days(401));
  await Promise.all([sweeps["buyback.erase"].run(shop.ctx), sweeps["buyback.erase"].run(other)]);
  const kinds = (await deals.history(clerk, closed.id)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "identity_erased")).toHaveLength(1);
});

test("offers and locked ones that have run out are cancelled after 30 days without a change, with their document", async () => {
  const sweeper: Ctx = { ...shop.ctx, actor: { kind: "job", name: "buyback.cancel" } };
  const stale = [await offered([line(2, 1, 4_000)], false), await offered([line(2, 1, 4_000)])];
  const known = ok(await payouts.saveIdentity(clerk, await offered([line(2, 1, 4_000)]), passport("121212")));
  const received = ok(await deals.receive(clerk, await offered([line(2, 1, 4_000)])));
  shop.clock.advance(days(29));
  const fresh = await offered([line(2, 1, 4_000)]);
  await sweeps["buyback.cancel"].run(sweeper);
  expect((await deals.find(clerk, known.id))?.state).toBe("locked");
  shop.clock.advance(days(1) + minutes(1));
  await sweeps["buyback.cancel"].run(sweeper);
  const states = await Promise.all([...stale, known, received, fresh].map(async ({ id }) => (await deals.find(clerk, id))?.state));
  expect(states).toEqual(["cancelled", "cancelled", "cancelled", "received", "locked"]);
  expect(await deals.find(clerk, known.id)).toMatchObject({ identity: null, nameHash: null });
  expect((await deals.history(clerk, known.id)).at(-1)).toMatchObject({
    kind: "cancel",
    actor: "job:buyback.cancel",
    note: "30 дней без изменений",
  });
});

test("a receipt of expense belongs to one deal", async () => {
  const [one, two] = [ok(await pay(clerk, await payable([line(2, 1, 4_000)]))), ok(await pay(clerk, await payable([line(2, 1, 4_000)])))];
  const numbers = { storageNumber: "9960440300000009", documentNumber: "77", attribute: "345" };
  const recorded = ok(await payouts.recordReceipt(clerk, one, numbers));
  expect(await payouts.recordReceipt(clerk, two, { ...numbers, attribute: "1" })).toEqual({
    ok: false,
    error: { code: "buyback.receipt_known", dealId: one.id },
  });
  expect(ok(await payouts.recordReceipt(clerk, recorded, { ...numbers, attribute: "2" })).receipt?.attribute).toBe("2");
});
