import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as contract from "#contract/staff/money.ts";
import { readWaiting } from "#contract/staff/waiting/waiting.ts";
import type { StaffCall } from "#contract/staff/call.ts";
import { readStatement as reader } from "#integrations/bank-statement/client-bank-exchange.ts";
import { kopecks } from "#kit/money.ts";
import { seconds } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { auditEntries } from "#shop/audit/tables.ts";
import { atOffice, aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { Order } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import * as payment from "#shop/payment/service.ts";
import { paymentDifferences } from "#shop/payment/tables.ts";
import { roles } from "#shop/staff/role.ts";
import { aStatementFile, type FileDocument } from "#shop/statements/testing.ts";
import { testClock } from "#tests/shop.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "../testing.ts";

let shop: ShopToBuy;
let bench: StaffBench;
let accountant: StaffClient;
beforeAll(async () => {
  shop = await openShopToBuy({
    clock: testClock(),
    stock: 500,
    limits: { unpaidOrders: 1_000, writesPerMinute: 100_000, requestsPerMinute: 100_000 },
  });
  shop.ctx.gateways.bankStatements = { read: reader };
  bench = await openStaffBench({ shop });
  accountant = await bench.as("accountant");
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await bench.close();
});

let made = 0;
const ordered = (paymentId = 6) => shop.ordered(aVisitor(`m${(made += 1)}`), { 1: 1 }, { ...atOffice, paymentId });
async function aPaidOrder(): Promise<Order> {
  const order = await shop.ordered(aVisitor(`m${(made += 1)}`), { 1: 1 }, byPoint);
  return shop.paid(order);
}
const base64 = (documents: readonly FileDocument[]): string =>
  aStatementFile(shop.ctx.settings.seller.account, documents).toString("base64");
const sumOf = (order: Order): string => (order.total / 100).toFixed(2);
const drop = (content: string, client = accountant, key?: string) =>
  client.call(contract.importStatement, { body: { name: "kl_to_1c.txt", content }, ...(key ? { key } : {}) });
const changesOf = async (subject: string) =>
  (await shop.ctx.db.select().from(auditEntries).where(eq(auditEntries.subject, subject)).orderBy(auditEntries.id)).map(
    ({ before, after }) => [before, after],
  );
const auditOf = async (action: string): Promise<string[]> =>
  (await shop.ctx.db.select().from(auditEntries).where(eq(auditEntries.action, action))).map(({ actor, subject }) => `${actor} ${subject}`);

describe("money is for the accountant and the owner only", () => {
  const calls = Object.values(contract).filter((each): each is typeof each & StaffCall => typeof each === "object" && "path" in each);

  test("every call of the section refuses the other roles before it reads anything", async () => {
    expect(calls.length).toBeGreaterThan(20);
    for (const role of roles) {
      const client = await bench.as(role);
      for (const call of calls as StaffCall[]) {
        const { status, problem } = await client.call(call, { params: { id: "1" }, body: {} as never });
        if (role === "accountant" || role === "owner")
          expect([role, call.path, problem?.code]).not.toEqual([role, call.path, "staff.forbidden"]);
        else expect([role, call.path, status, problem?.code]).toEqual([role, call.path, 403, "staff.forbidden"]);
      }
    }
  });
});

describe("the bank's statement", () => {
  test("is dropped, what is left is settled by its suggestion, and the audit names who did it", async () => {
    const [named, mistyped] = [await ordered(), await ordered()];
    const wrong = String(mistyped.number).replace(/(\d)(\d)$/, "$2$1");
    const answer = await drop(
      base64([
        { number: "d1", sum: sumOf(named), purpose: `заказ ${named.number}` },
        { number: "d2", sum: sumOf(mistyped), purpose: `за монеты ${wrong}`, payer: "ПЕТРОВ И." },
        { number: "d3", sum: "12.00", purpose: "комиссия", isOutgoing: true },
      ]),
    );
    expect(answer.data).toMatchObject({
      isRepeat: false,
      statement: { entries: 3, isBalanced: true, counts: { counted: 1, left: 1, foreign: 1 } },
    });
    const read = await accountant.call(contract.readStatement, { params: { id: "newest" } });
    expect(read.data.statement.importedBy).toBe(accountant.member.name);
    const [left] = read.data.left;
    const [best] = left?.suggestions ?? [];
    expect(best?.reasons).toContain("sum");
    const settled = await accountant.call(contract.settleEntries, { body: { entries: [{ id: left?.id ?? 0, orderId: mistyped.id }] } });
    expect(settled.data.results).toEqual([{ id: left?.id, isSettled: true, orderNumber: mistyped.number, message: "" }]);
    const list = await accountant.call(contract.readSettledEntries, { params: { id: read.data.statement.id } });
    expect(list.data.items.map(({ state }) => state)).toEqual(["counted", "settled", "foreign"]);
    const nowhere = { params: { id: read.data.statement.id }, query: { cursor: "99999999999" } };
    expect((await accountant.call(contract.readSettledEntries, nowhere)).data.items).toHaveLength(3);
    expect(await auditOf("statement.import")).toContain(`staff:${accountant.member.login} statement:${read.data.statement.id}`);
    expect(await auditOf("statement.settle")).toContain(`staff:${accountant.member.login} statement-entry:${left?.id}`);
  });

  test("dropped twice, and pressed twice with one key, it is the same statement", async () => {
    const order = await ordered();
    const content = base64([{ number: "e1", sum: sumOf(order), purpose: `заказ ${order.number}` }]);
    const first = await drop(content, accountant, "one-press");
    const press = await drop(content, accountant, "one-press");
    expect(press.data).toEqual(first.data);
    const other = await drop(content, await bench.as("owner"));
    expect(other.data).toMatchObject({ isRepeat: true, statement: { id: first.data.statement.id } });
    expect(await payment.ofOrder(shop.ctx.db, order.id)).toHaveLength(1);
  });

  test.each([
    ["a picture", Buffer.from("PNG"), "Это не выписка в формате 1С (1CClientBankExchange). Выгрузите её из банк-клиента «для 1С»"],
    ["an empty file", Buffer.alloc(0), "Файл пустой"],
    ["another account", aStatementFile("40702810000000000009", [{ number: "1", sum: "5.00" }]), "Это выписка по другому счёту"],
    ["more than 5 MB", Buffer.alloc(5 * 1024 * 1024 + 3, "1"), "Файл больше 5 МБ"],
  ])("of %s is refused in Russian beside the file", async (_, bytes, message) => {
    const { status, problem } = await drop(bytes.toString("base64"));
    expect([status, problem?.fields]).toEqual([422, { content: message }]);
  });

  test("of 5 MB is read; a body beyond that is refused before it is read", async () => {
    const order = await ordered();
    const file = aStatementFile(shop.ctx.settings.seller.account, [{ number: "f1", sum: sumOf(order), purpose: `заказ ${order.number}` }]);
    const padded = Buffer.concat([file, Buffer.alloc(contract.statementFileBytes - file.length, "\n")]);
    expect((await drop(padded.toString("base64"))).data.statement.counts).toMatchObject({ counted: 1 });
    expect((await drop("A".repeat(8_000_000))).status).toBe(413);
  });

  test("is read before the transaction of the call: PostgreSQL ends one in which a slow machine is silent for ten seconds", async () => {
    const order = await ordered();
    const steps: string[] = [];
    shop.ctx.gateways.bankStatements = {
      read(bytes) {
        steps.push("read");
        return reader(bytes);
      },
    };
    const begin = vi.spyOn(shop.ctx.db, "transaction");
    begin.mockImplementation(function (this: typeof shop.ctx.db, ...run) {
      steps.push("begin");
      begin.mockRestore();
      return this.transaction(...run);
    });
    const { status } = await drop(base64([{ number: "before", sum: sumOf(order), purpose: `заказ ${order.number}` }]));
    shop.ctx.gateways.bankStatements = { read: reader };
    expect([status, ...steps]).toEqual([200, "read", "begin"]);
  });

  test("an entry is marked with a note, found again by number, and settled once", async () => {
    const order = await ordered();
    await drop(base64([{ number: "g1", sum: "77.00", purpose: "перевод" }]));
    const { data } = await accountant.call(contract.readStatement, { params: { id: "newest" } });
    const id = String(data.left[0]?.id);
    expect((await accountant.call(contract.markEntry, { params: { id }, body: { mark: "not_ours", note: "" } })).problem?.fields).toEqual({
      note: "Обязательное поле",
    });
    expect(
      (await accountant.call(contract.markEntry, { params: { id }, body: { mark: "not_ours", note: "Проценты" } })).data,
    ).toMatchObject({
      state: "not_ours",
      note: "Проценты",
      settledBy: accountant.member.name,
    });
    await accountant.call(contract.reopenEntry, { params: { id } });
    const found = await accountant.call(contract.findPayableOrder, { query: { number: String(order.number) } });
    expect(found.data.order).toMatchObject({ id: order.id, total: order.total / 100 });
    await accountant.call(contract.settleEntry, { params: { id }, body: { orderId: order.id } });
    expect((await changesOf(`statement-entry:${id}`)).slice(0, 2)).toEqual([
      [{ state: "left" }, { state: "not_ours", note: "Проценты" }],
      [
        { state: "not_ours", note: "Проценты" },
        { state: "left", note: "" },
      ],
    ]);
    const late = await accountant.call(contract.settleEntry, { params: { id }, body: { orderId: order.id } });
    expect(late.problem?.code).toBe("staff.entry_settled");
    expect(await shop.now(order)).toMatchObject({ paid: 7_700 });
  });
});

test("money to be sent back to its sender waits with its sum until the accountant has sent it", async () => {
  await drop(base64([{ number: "r1", sum: "640.00", purpose: "не туда", payer: "Захаров Пётр", payerAccount: "40817810099910004312" }]));
  const { data } = await accountant.call(contract.readStatement, { params: { id: "newest" } });
  const id = String(data.left[0]?.id);
  const counts = async () => (await accountant.call(contract.readMoneyCounts)).data.entriesToReturn;
  const waiting = async () => (await accountant.call(readWaiting)).data.find((each) => each.id === "entries_to_return");
  expect([await counts(), await waiting()]).toEqual([0, undefined]);
  await accountant.call(contract.markEntry, { params: { id }, body: { mark: "to_return", note: "Чужой перевод" } });
  expect(await counts()).toBe(1);
  expect(await waiting()).toMatchObject({ count: 1, facts: "1\u00A0перевод", sum: 640 });
  expect((await accountant.call(contract.readEntriesToReturn)).data.items).toMatchObject([
    { number: "r1", amount: 640, payer: "Захаров Пётр", payerAccount: "40817810099910004312", statementId: data.statement.id },
  ]);
  const sent = await accountant.call(contract.confirmEntryReturned, { params: { id }, body: { note: "Отправлено, поручение 311" } });
  expect(sent.data).toMatchObject({ state: "not_ours", note: "Чужой перевод; Отправлено, поручение 311" });
  expect([await counts(), await waiting()]).toEqual([0, undefined]);
  expect((await changesOf(`statement-entry:${id}`)).at(-1)).toEqual([
    { state: "to_return", note: "Чужой перевод" },
    { state: "not_ours", note: "Чужой перевод; Отправлено, поручение 311" },
  ]);
  const again = await accountant.call(contract.confirmEntryReturned, { params: { id }, body: { note: "ещё раз" } });
  expect(again.problem?.code).toBe("staff.entry_settled");
});

test("payments and receipts are found by the number of their order, a payment also by the number of the provider", async () => {
  const [order, other] = [await aPaidOrder(), await aPaidOrder()];
  const paymentsOf = async (number: string) =>
    (await accountant.call(contract.readPayments, { query: { number } })).data.items.map((each) => each.order.id);
  const receiptsOf = async (query: { number: string; part?: "to_print" | "printed" }) =>
    (await accountant.call(contract.readReceipts, { query })).data.items.map((each) => each.order.id);
  for (const typed of [`${order.number}`, `№ ${order.number}`, ` №${order.number} `])
    expect(await paymentsOf(typed), typed).toEqual([order.id]);
  const [row] = (await accountant.call(contract.readPayments, { query: { number: `${other.number}` } })).data.items;
  expect(await paymentsOf(row?.providerId ?? "")).toEqual([other.id]);
  expect([await paymentsOf("999999999999"), await paymentsOf("no-such-payment")]).toEqual([[], []]);

  expect(await receiptsOf({ number: `${order.number}` })).toEqual([order.id]);
  expect(await receiptsOf({ number: `${order.number}`, part: "to_print" })).toEqual([]);
  expect(await receiptsOf({ number: "999999999999" })).toEqual([]);
});

test("payments are listed by state, method and day, and a card shows the provider's id and the history", async () => {
  const order = await aPaidOrder();
  const all = await accountant.call(contract.readPayments, { query: { state: "succeeded", method: "card", from: "2000-01-01" } });
  const row = all.data.items.find((each) => each.order.id === order.id);
  expect(row).toMatchObject({ amount: order.total / 100, order: { number: String(order.number) }, provider: "test" });
  const card = await accountant.call(contract.readPayment, { params: { id: row?.id ?? "" } });
  expect(card.data).toMatchObject({ providerId: row?.providerId, receipts: [{ kind: "payment" }] });
  expect((await accountant.call(contract.readPayments, { query: { till: "2000-01-01" } })).data.items).toEqual([]);
  expect((await accountant.call(contract.readPayments, { query: { state: "succeeded", method: "sbp" } })).data.items).toEqual([]);
});

test("pages of a list follow each other without a gap or a repetition", async () => {
  for (let n = 0; n < 3; n += 1) await aPaidOrder();
  const whole = await payment.listPayments(shop.ctx.db, {}, { after: null, limit: 1_000 });
  const seen: string[] = [];
  for (let after: { at: Date; id: string } | null = null; ;) {
    const page: typeof whole = await payment.listPayments(shop.ctx.db, {}, { after, limit: 2 });
    seen.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (!last || page.length < 2) break;
    after = { at: last.createdAt, id: last.id };
  }
  expect(seen).toEqual(whole.map(({ id }) => id));
  const rows = Array.from({ length: 51 }, (_, n) => ({
    kind: "state",
    provider: "test",
    providerId: `page${n}`,
    ours: "a",
    theirs: "b",
    foundAt: shop.clock.now(),
  }));
  await shop.ctx.db.insert(paymentDifferences).values(rows);
  const first = await accountant.call(contract.readDifferences);
  const second = await accountant.call(contract.readDifferences, { query: { cursor: first.data.next ?? "" } });
  expect([first.data.items.length, second.data.next]).toEqual([50, null]);
  expect(second.data.items.map(({ providerId }) => providerId)).toEqual(["page0"]);
});

test("a receipt to print gets its fiscal numbers, wrong ones are refused by field, and it leaves the list", async () => {
  const order = await ordered();
  await orders.apply(shop.ctx, order.id, "pay");
  const { data } = await accountant.call(contract.readReceipts, { query: { part: "to_print" } });
  const receipt = data.items.find((each) => each.order.id === order.id);
  expect(receipt).toMatchObject({ registrar: "office", state: "new", order: { number: String(order.number) } });
  const params = { id: receipt?.id ?? "" };
  const wrong = await accountant.call(contract.printReceipt, { params, body: { storageNumber: "1", documentNumber: "0", attribute: "x" } });
  expect(Object.keys(wrong.problem?.fields ?? {}).sort()).toEqual(["attribute", "documentNumber", "storageNumber"]);
  const numbers = { storageNumber: "9999078900004312", documentNumber: "125", attribute: "3522207165" };
  expect((await accountant.call(contract.printReceipt, { params, body: numbers })).status).toBe(200);
  const [printed] = await payment.receiptsOfOrder(shop.ctx.db, order.id);
  expect(printed).toMatchObject({ state: "succeeded", fiscal: numbers });
  expect((await accountant.call(contract.retryReceipt, { params })).problem?.code).toBe("receipt.event_refused");

  // Who saw no numbers does not overwrite them; the same ones again, and a correction of those that were seen, are stored.
  const others = { ...numbers, documentNumber: "126" };
  const stale = await accountant.call(contract.printReceipt, { params, body: { ...others, earlier: null } });
  expect([stale.status, stale.problem?.code, stale.problem?.data]).toEqual([409, "staff.stale", { current: numbers }]);
  expect((await accountant.call(contract.printReceipt, { params, body: { ...numbers, earlier: null } })).status).toBe(200);
  expect((await accountant.call(contract.printReceipt, { params, body: { ...others, earlier: numbers } })).status).toBe(200);
  expect((await payment.receiptsOfOrder(shop.ctx.db, order.id))[0]).toMatchObject({ fiscal: others });
  expect(await auditOf("receipt.print")).toContain(`staff:${accountant.member.login} receipt:${params.id}`);
  const facts = (fiscal: typeof numbers) => ({ state: "succeeded", ...fiscal });
  expect(await changesOf(`receipt:${params.id}`)).toEqual([
    [{ state: "new" }, { ...facts(numbers), orderId: order.id }],
    [facts(numbers), { ...facts(numbers), orderId: order.id }],
    [facts(numbers), { ...facts(others), orderId: order.id }],
  ]);
});

test("a transfer is entered by hand once, and wrong fields are named", async () => {
  const order = await ordered();
  const body = { orderId: order.id, number: "№ 0042", date: "20.11.2026", payerAccount: "", amount: order.total / 100 };
  const wrong = await accountant.call(contract.enterTransfer, {
    body: { ...body, number: "!", date: "31.02.2026", payerAccount: "12", amount: 0 },
  });
  expect(Object.keys(wrong.problem?.fields ?? {}).sort()).toEqual(["amount", "date", "number", "payerAccount"]);
  expect((await accountant.call(contract.enterTransfer, { body })).data.order).toMatchObject({ number: order.number, state: "paid" });
  expect((await accountant.call(contract.enterTransfer, { body })).problem).toMatchObject({
    code: "order.transfer_known",
    data: { orderNumber: order.number },
  });
  expect((await changesOf(`order:${order.id}`)).at(-1)).toMatchObject([{ state: "awaiting_payment" }, { state: "paid", number: "42" }]);
  const list = await accountant.call(contract.readTransfers, { query: { number: "42" } });
  expect(list.data.items).toMatchObject([
    { number: "42", date: "2026-11-20", order: { number: String(order.number) }, enteredBy: accountant.member.name },
  ]);
});

test("a difference is settled once with a note, and no longer waits", async () => {
  const [row] = await shop.ctx.db
    .insert(paymentDifferences)
    .values({ kind: "amount", provider: "test", providerId: "p1", ours: "1", theirs: "2", foundAt: shop.clock.now() })
    .returning();
  const params = { id: String(row?.id) };
  const counts = async () => (await accountant.call(contract.readMoneyCounts)).data.differences;
  const before = await counts();
  expect((await accountant.call(contract.settleDifference, { params, body: { note: "Ручной возврат в кабинете" } })).status).toBe(200);
  const again = await accountant.call(contract.settleDifference, { params, body: { note: "x" } });
  expect(again.problem?.code).toBe("staff.difference_settled");
  expect(await counts()).toBe(before - 1);
  const settled = await accountant.call(contract.readDifferences, { query: { part: "settled" } });
  expect(settled.data.items).toMatchObject([{ note: "Ручной возврат в кабинете", settledBy: accountant.member.name }]);
});

test("staff compares with the provider at once: what it knows and the shop does not is found once, and an outage is named", async () => {
  const order = await aPaidOrder();
  const paid = [...shop.provider.payments.values()].find(({ orderId }) => orderId === order.id);
  if (!paid) throw new Error("the provider does not know the payment");
  paid.refunded = kopecks(10_000);
  shop.provider.payments.set("cabinet", { ...paid, id: "cabinet", orderId: null, attemptId: null, refunded: kopecks(0) });
  shop.clock.advance(seconds(1)); // what is created at this very moment is compared the next time
  const found = await accountant.call(contract.compareWithProvider);
  expect(found.data).toEqual({ found: 2 });
  const { data } = await accountant.call(contract.readDifferences);
  const seen = data.items.filter(({ orderId, providerId }) => orderId === order.id || providerId === "cabinet");
  expect(seen.map(({ kind, ours, theirs }) => [kind, ours, theirs]).toSorted(([a = ""], [b = ""]) => a.localeCompare(b))).toEqual([
    ["refunded", "0", "10000"],
    ["unknown_here", "", `succeeded ${order.total}`],
  ]);
  expect((await accountant.call(contract.compareWithProvider)).data).toEqual({ found: 0 });
  expect(await auditOf("difference.compare")).toContain(`staff:${accountant.member.login} provider:test`);
  shop.provider.controls.isOut = true;
  const silent = await accountant.call(contract.compareWithProvider);
  shop.provider.controls.isOut = false;
  expect([silent.status, silent.problem?.code]).toEqual([503, "staff.provider_silent"]);
});

describe("refunds that wait", () => {
  const waiting = async (order: Order) =>
    (await accountant.call(contract.readRefunds)).data.items.filter((each) => each.order.id === order.id);

  test("one by hand shows where to send the money, and «sent» settles this one only", async () => {
    const order = await ordered();
    const account = "40817810099910004312";
    for (const [number, amount] of [
      ["h1", order.total],
      ["h2", 50_000],
    ] as const)
      await orders.apply(shop.ctx, order.id, "pay", {
        amount: amount as never,
        reference: { number, date: "2026-11-20", payerAccount: account },
      });
    await orders.apply(shop.ctx, order.id, "cancel");
    const [first, second] = await waiting(order);
    expect(new Set([first?.amount, second?.amount])).toEqual(new Set([order.total / 100, 500]));
    expect(first).toMatchObject({ why: "by_hand", payer: { account, name: "Петров Иван" } });
    const params = { id: first?.id ?? "" };
    expect((await accountant.call(contract.confirmRefundSent, { params })).status).toBe(200);
    expect((await waiting(order)).map(({ id }) => id)).toEqual([second?.id]);
    expect((await accountant.call(contract.confirmRefundSent, { params })).status).toBe(200);
    expect((await accountant.call(contract.retryRefund, { params })).problem?.code).toBe("staff.refund_not_waiting");
  });

  test("one that the provider refused is sent again", async () => {
    const order = await aPaidOrder();
    shop.provider.controls.refunds = "refused";
    await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
    await shop.work();
    shop.provider.controls.refunds = "succeeded";
    expect(bench.faults.splice(0)).toHaveLength(1); // the refusal is logged
    const [refund] = await waiting(order);
    expect(refund).toMatchObject({ why: "refused", method: "card" });
    expect((await accountant.call(contract.confirmRefundSent, { params: { id: refund?.id ?? "" } })).problem?.code).toBe(
      "staff.refund_not_waiting",
    );
    expect((await accountant.call(contract.retryRefund, { params: { id: refund?.id ?? "" } })).status).toBe(200);
    await shop.work();
    expect(await waiting(order)).toEqual([]);
    expect(shop.provider.heldFor(order.id)).toBe(0);
  });

  test("the second factor must be recent", async () => {
    shop.clock.advance(seconds(60 * 20));
    const { problem } = await accountant.call(contract.confirmRefundSent, { params: { id: "abcdefgh" } });
    expect(problem?.code).toBe("staff.verify_again");
  });
});
