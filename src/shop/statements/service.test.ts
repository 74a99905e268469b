import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readStatement as reader } from "#integrations/bank-statement/client-bank-exchange.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { atOffice, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { Ctx } from "#shop/context.ts";
import { days } from "#kit/time.ts";
import type { Order } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import * as payment from "#shop/payment/service.ts";
import { bankTransfers } from "#shop/payment/tables.ts";
import { testClock } from "#tests/shop.ts";
import * as statements from "./service.ts";
import { bankStatementEntries, bankStatements } from "./tables.ts";
import { aStatementFile, importFile, type FileDocument } from "./testing.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 5_000, limits: { unpaidOrders: 10_000 } });
  shop.ctx.gateways.bankStatements = { read: reader };
});
afterAll(async () => {
  await shop.sweep();
  expect(await checkLedger(shop.ctx.db, [])).toEqual([]);
  await shop.close();
});

let made = 0;
const ordered = () => shop.ordered(aVisitor(`st${(made += 1)}`), { 1: 1 }, { ...atOffice, paymentId: 6 });
const documentFor = (order: Order, change: Partial<FileDocument> = {}): FileDocument => ({
  number: String((made += 1)),
  sum: (order.total / 100).toFixed(2),
  purpose: `Оплата заказа № ${order.number}`,
  ...change,
});
const fileOf = (documents: readonly FileDocument[]) => aStatementFile(shop.ctx.settings.seller.account, documents);
const imported = (documents: readonly FileDocument[], ctx: Ctx = shop.ctx) =>
  importFile(ctx, { name: "statement.txt", bytes: fileOf(documents) });
const leftOf = async (statementId: number) => (await statements.readStatement(shop.ctx, statementId))?.left ?? [];
const transfersOf = async (order: Order): Promise<number> =>
  (await shop.ctx.db.select().from(bankTransfers).where(eq(bankTransfers.orderId, order.id))).length;

test("a hundred entries are one import: orders that are named are paid, the rest waits with its reason", async () => {
  const named = await Promise.all(Array.from({ length: 20 }, ordered));
  const documents = [
    ...named.map((order) => documentFor(order)),
    ...Array.from({ length: 78 }, () => ({ number: String((made += 1)), sum: "100.00", isOutgoing: true, purpose: "комиссия" })),
    { number: "n1", sum: "555.00", purpose: "перевод" },
    { number: "n2", sum: "556.00", purpose: "заказ 99999999" },
  ];
  const { statement, isRepeat } = await imported(documents);
  expect(isRepeat).toBe(false);
  expect(statement).toMatchObject({ entryCount: 100, counts: { counted: 20, foreign: 78, left: 2 }, totals: { spent: 780_000 } });
  for (const order of named) expect(await shop.now(order)).toMatchObject({ state: "paid", paid: order.total });
  expect((await leftOf(statement.id)).map(({ reason }) => reason)).toEqual(["no_order_number", "no_such_order"]);
});

test("the same file again, and the same document in another file, count nothing twice", async () => {
  const [order, second] = [await ordered(), await ordered()];
  const documents = [documentFor(order), { number: "m1", sum: "10.00", purpose: "перевод" }];
  const first = await imported(documents);
  const again = await imported(documents);
  expect([again.isRepeat, again.statement.id]).toEqual([true, first.statement.id]);
  const longer = await imported([...documents, documentFor(second), documentFor(second, { number: String(made) })]);
  expect(longer.statement.counts).toMatchObject({ repeated: 3, counted: 1, left: 0 });
  expect([await transfersOf(order), await transfersOf(second)]).toEqual([1, 1]);
});

test("a document that had not arrived is counted by the file in which it has, once, and a person's decision about it stays", async () => {
  const [order, marked, nameless] = [await ordered(), await ordered(), String((made += 1))];
  const documents = [documentFor(order), documentFor(marked), { number: nameless, sum: "31.00", purpose: "перевод" }];
  const early = await imported(documents.map((each) => ({ ...each, isPending: true })));
  const waiting = await leftOf(early.statement.id);
  expect(waiting.map(({ reason }) => reason)).toEqual(["not_arrived", "not_arrived", "not_arrived"]);
  await statements.markEntry(shop.ctx, { entryId: waiting[1]?.id ?? 0, mark: "not_ours", note: "отозван" });

  const files = [documents, [...documents, { number: String((made += 1)), sum: "1.00", isOutgoing: true }]];
  const elsewhere = await shop.another();
  const [first, second] = await Promise.all([imported(files[0] ?? []), imported(files[1] ?? [], elsewhere)]);
  expect([first.statement.counts.repeated, second.statement.counts.repeated]).toEqual([3, 3]);
  expect(await shop.now(order)).toMatchObject({ state: "paid", paid: order.total });
  expect([await transfersOf(order), await transfersOf(marked)]).toEqual([1, 0]);
  const settled = await statements.settledEntries(shop.ctx, early.statement.id, { after: -1, limit: 10 });
  expect(settled).toMatchObject([
    { state: "counted", reason: null, orderId: order.id, entry: { arrivedOn: "2026-11-20" } },
    { state: "not_ours" },
  ]);
  expect(await leftOf(early.statement.id)).toMatchObject([{ reason: "no_order_number", entry: { arrivedOn: "2026-11-20" } }]);
  await orders.cancel(shop.ctx, { orderId: marked.id, viewer: shop.guest(marked) });
});

test("a transfer that was entered without its payer does not hold up another payer's of the same number, day and sum", async () => {
  const [order, other, byHand] = [await ordered(), await ordered(), await ordered()];
  const number = String((made += 1));
  const reference = { number, date: "2026-11-20", payerAccount: null };
  await orders.apply(shop.ctx, order.id, "pay", { reference });
  // The other payer's is first in the file.
  const [second, first] = [documentFor(other, { number, payerAccount: "40817810099910007777" }), documentFor(order, { number })];
  const { statement } = await imported([second, first]);
  expect(statement.counts).toMatchObject({ counted: 1, known: 1, left: 0 });
  expect(await shop.now(other)).toMatchObject({ state: "paid", paid: other.total });

  // Also when a person says whose it is.
  const [mine, theirs] = [String((made += 1)), "40817810099910006666"];
  await orders.apply(shop.ctx, byHand.id, "pay", { reference: { ...reference, number: mine } });
  const late = await ordered();
  const held = await imported([documentFor(late, { number: mine, payerAccount: theirs })]);
  const [blocked] = await leftOf(held.statement.id);
  const settle = (entryId = 0, to = late) => statements.settleEntry(shop.ctx, { entryId, orderId: to.id });
  expect(await settle(blocked?.id)).toMatchObject({ error: { code: "order.transfer_known" } });
  const next = await imported([documentFor(byHand, { number: mine, purpose: `заказ ${late.number}` })]);
  const [own] = await leftOf(next.statement.id);
  expect(await settle(own?.id, byHand)).toMatchObject({ value: { state: "known" } });
  expect(await settle(blocked?.id)).toMatchObject({ value: { state: "settled" } });
});

test("nor does it hold up one that was in an earlier file before it had arrived", async () => {
  const [order, other] = [await ordered(), await ordered()];
  const number = String((made += 1));
  const second = documentFor(other, { number, payerAccount: "40817810099910007777" });
  const early = await imported([{ ...second, isPending: true }]);
  await orders.apply(shop.ctx, order.id, "pay", { reference: { number, date: "2026-11-20", payerAccount: null } });
  await imported([second, documentFor(order, { number })]);
  expect(await leftOf(early.statement.id)).toEqual([]);
  expect(await shop.now(other)).toMatchObject({ state: "paid", paid: other.total });
  expect(await transfersOf(other)).toBe(1);
});

test("two accountants who drop the same file at once make one statement, and each transfer counts once", async () => {
  const named = await Promise.all(Array.from({ length: 5 }, ordered));
  const documents = named.map((order) => documentFor(order));
  const elsewhere = await shop.another();
  const results = await Promise.all([shop.ctx, elsewhere, shop.ctx, elsewhere].map((ctx) => imported(documents, ctx)));
  expect(new Set(results.map(({ statement }) => statement.id)).size).toBe(1);
  expect(results.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
  for (const order of named) expect(await transfersOf(order)).toBe(1);
});

test("a file that is not a statement, is empty, is of another account or is too long is refused and stores nothing", async () => {
  const before = await shop.ctx.db.$count(bankStatements);
  const codeOf = (bytes: Buffer, ctx = shop.ctx) => {
    const result = statements.readFile(ctx, { name: "x", bytes });
    return result.ok ? "ok" : result.error.code;
  };
  expect(codeOf(Buffer.from("%PDF-1.7"))).toBe("statement.not_a_statement");
  expect(codeOf(fileOf([]))).toBe("statement.empty");
  expect(codeOf(aStatementFile("40702810000000000009", [{ number: "1", sum: "5.00" }]))).toBe("statement.other_account");
  const limits = { ...shop.ctx.settings.limits, statementEntries: 1 };
  const strict = { ...shop.ctx, settings: { ...shop.ctx.settings, limits } };
  expect(
    codeOf(
      fileOf([
        { number: "1", sum: "5.00" },
        { number: "2", sum: "5.00" },
      ]),
      strict,
    ),
  ).toBe("statement.too_many_entries");
  expect(await shop.ctx.db.$count(bankStatements)).toBe(before);
});

test("an entry whose processing fails by a fault is left to staff, and the others are counted", async () => {
  const [order, other] = [await ordered(), await ordered()];
  const documents = [documentFor(order, { number: "broken" }), documentFor(other)];
  await shop.ctx.db.execute(sql`alter table bank_transfers add constraint broken check (number <> 'broken') not valid`);
  const { statement } = await imported(documents);
  await shop.ctx.db.execute(sql`alter table bank_transfers drop constraint broken`);
  expect(statement.counts).toMatchObject({ counted: 1, left: 1 });
  const [left] = await leftOf(statement.id);
  expect(left).toMatchObject({ reason: "failed", suggestions: [{ order: { id: order.id }, reasons: ["sum", "number"], isStrong: true }] });
  expect(await shop.now(order)).toMatchObject({ paid: 0 });
});

test("an entry that was left is settled for the chosen order once, also when two press at once", async () => {
  const order = await ordered();
  const { statement } = await imported([{ number: String((made += 1)), sum: (order.total / 100).toFixed(2), purpose: "за монеты" }]);
  const [entry] = await leftOf(statement.id);
  const entryId = entry?.id ?? 0;
  const elsewhere = await shop.another();
  const results = await Promise.all([shop.ctx, elsewhere].map((ctx) => statements.settleEntry(ctx, { entryId, orderId: order.id })));
  expect(results.map((each) => (each.ok ? each.value.state : each.error.code)).sort()).toEqual(["settled", "statement.entry_settled"]);
  expect(await shop.now(order)).toMatchObject({ state: "paid", paid: order.total });
  expect(await transfersOf(order)).toBe(1);
});

test("money that staff entered by hand is not counted again: with its reference it is known, without it staff is asked", async () => {
  const [order, blind] = [await ordered(), await ordered()];
  const [known, doubtful] = [String((made += 1)), String((made += 1))];
  const { statement } = await imported([
    { number: known, sum: (order.total / 100).toFixed(2), purpose: "за монеты" },
    { number: doubtful, sum: (blind.total / 100).toFixed(2), purpose: "за монеты" },
  ]);
  const [first, second] = await leftOf(statement.id);
  const reference = { number: known, date: "2026-11-20", payerAccount: null };
  await orders.apply(shop.ctx, order.id, "pay", { reference });
  await orders.apply(shop.ctx, blind.id, "pay");
  const settled = await statements.settleEntry(shop.ctx, { entryId: first?.id ?? 0, orderId: order.id });
  expect(settled).toMatchObject({ ok: true, value: { state: "known", orderId: order.id } });
  const pending = await statements.settleEntry(shop.ctx, { entryId: second?.id ?? 0, orderId: blind.id });
  expect(pending).toEqual({ ok: false, error: { code: "order.entered_before" } });
  expect([await transfersOf(order), await transfersOf(blind)]).toEqual([1, 0]);
});

test("several suggestions are accepted together, each with its own result", async () => {
  const [order, atDesk] = [await ordered(), await shop.ordered(aVisitor(`st${(made += 1)}`), { 1: 1 }, { ...atOffice, paymentId: 7 })];
  const { statement } = await imported(
    [order, atDesk].map(({ total }) => ({ number: String((made += 1)), sum: (total / 100).toFixed(2), purpose: "монеты" })),
  );
  const [first, second] = await leftOf(statement.id);
  const results = await statements.settleEntries(shop.ctx, [
    { entryId: second?.id ?? 0, orderId: atDesk.id },
    { entryId: first?.id ?? 0, orderId: order.id },
  ]);
  expect(results.map(({ result }) => (result.ok ? result.value.state : result.error.code))).toEqual(["order.event_refused", "settled"]);
});

test("an entry that belongs to no order is marked with a note, and the mark can be taken back; recorded money cannot", async () => {
  const order = await ordered();
  const { statement } = await imported([documentFor(order), { number: String((made += 1)), sum: "9.00", purpose: "ошибка" }]);
  const [entry] = await leftOf(statement.id);
  const entryId = entry?.id ?? 0;
  await statements.markEntry(shop.ctx, { entryId, mark: "to_return", note: "ошибочный перевод" });
  expect(await leftOf(statement.id)).toEqual([]);
  expect(await statements.markEntry(shop.ctx, { entryId, mark: "not_ours", note: "x" })).toMatchObject({ ok: false });
  for (let n = 0; n < 2; n += 1)
    expect(await statements.reopenEntry(shop.ctx, entryId)).toMatchObject({ ok: true, value: { after: { state: "left" } } });
  const [counted] = await statements.settledEntries(shop.ctx, statement.id, { after: -1, limit: 10 });
  expect(await statements.reopenEntry(shop.ctx, counted?.id ?? 0)).toMatchObject({ error: { code: "statement.entry_settled" } });
});

test("money to be sent back waits until it was sent, which is recorded once, also when two press at once", async () => {
  const before = await statements.countToReturn(shop.ctx.db, 1_001);
  const { statement } = await imported([{ number: String((made += 1)), sum: "77.50", purpose: "ошибка", payer: "Захаров Пётр" }]);
  const [entry] = await leftOf(statement.id);
  const entryId = entry?.id ?? 0;
  const sent = { entryId, note: "отправлено, поручение 311" };
  expect(await statements.confirmReturned(shop.ctx, sent)).toMatchObject({ error: { code: "statement.entry_settled", state: "left" } });
  await statements.markEntry(shop.ctx, { entryId, mark: "to_return", note: "чужой перевод" });
  const waiting = await statements.countToReturn(shop.ctx.db, 1_001);
  expect([waiting.count - before.count, waiting.amount - before.amount]).toEqual([1, 77_50]);
  expect(waiting.since).not.toBeNull();
  expect((await statements.entriesToReturn(shop.ctx.db, { after: entryId - 1, limit: 10 })).map(({ id }) => id)).toEqual([entryId]);

  const other = await shop.another();
  const results = await Promise.all([statements.confirmReturned(shop.ctx, sent), statements.confirmReturned(other, sent)]);
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  const [settled] = await statements.settledEntries(shop.ctx, statement.id, { after: -1, limit: 10 });
  expect(settled).toMatchObject({ state: "not_ours", note: "чужой перевод; отправлено, поручение 311" });
  expect((await statements.countToReturn(shop.ctx.db, 1_001)).count).toBe(before.count);
  expect(await statements.entriesToReturn(shop.ctx.db, { after: entryId - 1, limit: 10 })).toEqual([]);
});

test("payers, accounts and purposes are erased after the legal term, and the money stays", async () => {
  const order = await ordered();
  await imported([documentFor(order)]);
  const later = { ...shop.ctx, now: () => new Date(shop.clock.now().getTime() + days(shop.ctx.settings.limits.orderPersonalDays + 10)) };
  await statements.erasePayers(later);
  const [kept] = await shop.ctx.db.select().from(bankStatementEntries).where(eq(bankStatementEntries.orderId, order.id));
  expect(kept).toMatchObject({ payer: "", payerAccount: "", purpose: "", amountKopecks: order.total, state: "counted" });
  expect(await payment.ofOrder(shop.ctx.db, order.id)).toHaveLength(1);
});
