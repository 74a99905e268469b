import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readStatement } from "#integrations/bank-statement/client-bank-exchange.ts";
import { createYookassaGateway } from "#integrations/yookassa/adapter.ts";
import { startYookassaSimulator } from "#integrations/yookassa/simulator.ts";
import { kopecks } from "#kit/money.ts";
import { minutes, seconds } from "#kit/time.ts";
import { atOffice, aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import * as cart from "#shop/cart/service.ts";
import * as orders from "#shop/orders/service.ts";
import * as payment from "#shop/payment/service.ts";
import { putPromoCode } from "#shop/pricing/promo-codes/testing.ts";
import { aStatementFile, importFile } from "#shop/statements/testing.ts";
import * as documents from "#shop/stock/documents/document.service.ts";
import { testClock } from "#tests/shop.ts";
import { checkLedger, watchLedger } from "./ledger.ts";

let shop: ShopToBuy;
let [unpaid, paid, cancelled, returned, desk, wired] = ["", "", "", "", "", ""];
/** Two orders with one promo code; the second is cancelled. */
let [cheaper, calledOff] = ["", ""];

beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 100 });
  const made = async (name: string, isPaid: boolean) => {
    const order = await shop.ordered(aVisitor(name), { 1: 2, 2: 1 }, byPoint);
    await shop.pay(order);
    if (isPaid) shop.provider.pay(order.id);
    shop.clock.advance(seconds(3));
    await payment.checkOrder(shop.ctx, order.id);
    await shop.work();
    return order.id;
  };
  [unpaid, paid, cancelled, returned] = [await made("a", false), await made("b", true), await made("c", true), await made("d", true)];
  await orders.cancel(shop.ctx, { orderId: cancelled, viewer: shop.guest({ id: cancelled }) });
  for (const event of ["assemble", "ship", "turn_back", "refund"] as const) await orders.apply(shop.ctx, returned, event);
  wired = await made("w", true);
  await cancelAndWire(wired);
  ({ id: desk } = await shop.ordered(aVisitor("e"), { 1: 1 }, { ...atOffice, paymentId: 7 }));
  for (const event of ["assemble", "make_ready", "deliver"] as const) await orders.apply(shop.ctx, desk, event);
  await shop.work();
  await importTwice();
  await receiveGoods();
  [cheaper, calledOff] = await orderTwiceWithCode();
  await shop.ctx.db.execute(
    sql`insert into sign_in_codes (phone, code_hmac, challenge_hash, address, created_at, expires_at)
      values ('+79160000000', 'x', 'x', 'x', now(), now())`,
  );
});
afterAll(() => shop.close());

/** Cancels an order whose refund the bank refuses; staff pays it by transfer. */
async function cancelAndWire(id: string): Promise<void> {
  shop.provider.controls.refunds = "canceled";
  await orders.cancel(shop.ctx, { orderId: id, viewer: shop.guest({ id }) });
  await shop.work();
  shop.provider.controls.refunds = "succeeded";
  const [refund] = await payment.refundsOfOrder(shop.ctx.db, id);
  if (!refund) throw new Error("nothing to pay");
  const clerk = { ...shop.ctx, actor: { kind: "staff" as const, name: "test" } };
  const transfer = { number: "311", date: "2026-11-20" };
  await orders.recordRefundTransfer(clerk, { orderId: id, refundId: refund.id, transfer, amount: refund.amount });
}

/** Goods with a cost, and a write-off that was taken back. */
async function receiveGoods(): Promise<void> {
  const head = { supplier: "Гознак", number: "", date: null, note: "для проверки" };
  const lines = [{ coinId: 1, quantity: 3, unitCost: kopecks(700_000) }];
  const received = await documents.create(shop.ctx, { ...head, kind: "receipt", lines });
  const spoilt = await documents.create(shop.ctx, { ...head, kind: "write_off", lines: [{ coinId: 2, quantity: 1, unitCost: null }] });
  if (!received.ok || !spoilt.ok) throw new Error("the documents were refused");
  await documents.post(shop.ctx, received.value.id, 0);
  await documents.post(shop.ctx, spoilt.value.id, 0);
  await documents.reverse(shop.ctx, spoilt.value.id, 1, "нашлась");
}

async function orderTwiceWithCode(): Promise<[string, string]> {
  const { code } = await putPromoCode(shop.ctx);
  const made: string[] = [];
  for (const name of ["g", "h"]) {
    await shop.fill(aVisitor(name), { 1: 1 });
    await cart.enterPromo(shop.ctx, aVisitor(name), code, null);
    made.push((await shop.ordered(aVisitor(name), {})).id);
  }
  const [kept = "", off = ""] = made;
  await orders.cancel(shop.ctx, { orderId: off, viewer: shop.guest({ id: off }) });
  return [kept, off];
}

/** Two statements about one transfer: the first counts it, the second, where the bank does not name the account, knows it. */
async function importTwice(): Promise<void> {
  const order = await shop.ordered(aVisitor("f"), { 1: 1 }, { ...atOffice, paymentId: 6 });
  shop.ctx.gateways.bankStatements = { read: readStatement };
  for (const payerAccount of ["40817810099910004312", ""]) {
    const document = { number: "1", sum: (order.total / 100).toFixed(2), purpose: `заказ ${order.number}`, payerAccount };
    const bytes = aStatementFile(shop.ctx.settings.seller.account, [document]);
    await importFile(shop.ctx, { name: "statement.txt", bytes });
  }
}

const theirs = () => [...shop.provider.payments.values()].map((each) => ({ ...each, isTaken: each.status === "succeeded" }));

test("the ledger of a shop that kept all rules has no broken invariant", async () => {
  expect(await checkLedger(shop.ctx.db, theirs())).toEqual([]);
});

describe("finds", () => {
  class Undo extends Error {}
  /** Changes rows past the constraints, checks the ledger, and rolls back. */
  async function found(...breaks: string[]): Promise<string[]> {
    let broken: string[] = [];
    await shop.ctx.db
      .transaction(async (tx) => {
        for (const each of breaks)
          await tx.execute(
            sql.raw(
              each
                .replaceAll("$unpaid", unpaid)
                .replaceAll("$paid", paid)
                .replaceAll("$cancelled", cancelled)
                .replaceAll("$returned", returned)
                .replaceAll("$desk", desk)
                .replaceAll("$cheaper", cheaper)
                .replaceAll("$called_off", calledOff)
                .replaceAll("$wired", wired),
            ),
          );
        broken = await checkLedger(tx, undefined);
        throw new Undo();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error;
      });
    return [...new Set(broken.map((line) => line.split(" ")[0] ?? ""))].sort();
  }

  test.each([
    [
      "negative stock",
      ["I1", "I13", "I2"],
      [
        "alter table stock_items drop constraint stock_on_hand, drop constraint stock_reserved",
        "update stock_items set on_hand = -1, reserved = 0 where coin_id = 3",
      ],
    ],
    ["pieces without a stock entry", ["I2"], ["update stock_items set on_hand = on_hand + 1 where coin_id = 3"]],
    ["a sale without its entry", ["I2"], ["delete from stock_entries where order_id = '$returned' and kind = 'sold'"]],
    ["a return without its stock entry", ["I2"], ["delete from stock_entries where order_id = '$returned' and kind = 'returned'"]],
    ["a cost that no entry has", ["I13"], ["update stock_items set cost_kopecks = cost_kopecks + 1 where coin_id = 1"]],
    [
      "more pieces with a cost than are there",
      ["I13"],
      [
        "update stock_items set costed_pieces = on_hand + 1 where coin_id = 1",
        "update stock_entries set costed_pieces = costed_pieces + 1 + (select on_hand - sum from stock_items, " +
          "(select sum(costed_pieces) as sum from stock_entries where coin_id = 1) e where coin_id = 1) where id = " +
          "(select min(id) from stock_entries where coin_id = 1 and document_id is null and order_id is null)",
      ],
    ],
    [
      "a return that brings back another cost than the sale took out",
      ["I13"],
      ["update stock_entries set cost_kopecks = cost_kopecks - 1 where order_id = '$returned' and kind = 'returned'"],
    ],
    [
      "a posted document without its entry",
      ["I13", "I2"],
      ["delete from stock_entries where document_id is not null and kind = 'receipt'"],
    ],
    ["an entry of a draft", ["I13"], ["update stock_documents set state = 'draft', posted_at = null where kind = 'receipt'"]],
    [
      "a document that says another number of pieces",
      ["I13"],
      ["update stock_document_lines set quantity = quantity + 1 where quantity > 0"],
    ],
    [
      "a reversed document whose pieces are still there",
      ["I13"],
      ["update stock_documents set state = 'reversed', reversed_at = now(), reversed_by = 'staff:test' where kind = 'receipt'"],
    ],
    ["a promo code that counts another number of uses", ["I14"], ["update promo_codes set used = used + 1"]],
    [
      "a promo code that took off another sum than the use says",
      ["I14"],
      ["update promo_code_uses set discount_kopecks = discount_kopecks - 1 where order_id = '$cheaper'"],
    ],
    ["an order with a promo code without its use", ["I14"], ["delete from promo_code_uses where order_id = '$called_off'"]],
    [
      "a cancelled order that keeps its use of a promo code",
      ["I14"],
      ["update promo_code_uses set returned_at = null where order_id = '$called_off'", "update promo_codes set used = used + 1"],
    ],
    ["a reservation without an order", ["I3"], ["update stock_items set reserved = reserved + 1 where coin_id = 1"]],
    ["a key without its order", ["I4"], ["update idempotency_keys set order_id = 'gone' where order_id = '$unpaid'"]],
    ["a quote that names another order", ["I4", "I5"], ["update quotes set used_by_order_id = 'gone' where used_by_order_id = '$unpaid'"]],
    ["a link to an order for which the quote was not made", ["I4"], ["update orders set linked_order_id = '$paid' where id = '$unpaid'"]],
    [
      "a total that is not the sum",
      ["I5", "I9"],
      [
        "update orders set total_kopecks = total_kopecks + 100 where id = '$cancelled'",
        "update quotes set total_kopecks = total_kopecks + 100 where used_by_order_id = '$cancelled'",
        "update payments set amount_kopecks = amount_kopecks + 100 where order_id = '$cancelled'",
        "update refunds set amount_kopecks = amount_kopecks + 100 where order_id = '$cancelled'",
        "update orders set paid_kopecks = paid_kopecks + 100 where id = '$cancelled'",
        "update payments set refunded_kopecks = refunded_kopecks + 100 where order_id = '$cancelled'",
        "delete from receipts where order_id = '$cancelled'",
      ],
    ],
    [
      "a price that was not quoted",
      ["I5"],
      [
        "update order_lines set price_kopecks = price_kopecks + 100 where order_id = '$unpaid' and coin_id = 2",
        "update order_lines set price_kopecks = price_kopecks - 50 where order_id = '$unpaid' and coin_id = 1",
      ],
    ],
    ["money recorded on the order without a kept payment", ["I6"], ["update payments set is_kept = 'undecided' where order_id = '$paid'"]],
    ["a paid order without money", ["I6"], ["update orders set paid_kopecks = 0 where id = '$paid'"]],
    [
      "a paid order with a part of its money",
      ["I6", "I7"],
      [
        "update payments set amount_kopecks = amount_kopecks - 1 where order_id = '$paid'",
        "update orders set paid_kopecks = paid_kopecks - 1 where id = '$paid'",
      ],
    ],
    [
      "a partial payment that is missing from the history",
      ["I6", "I7"],
      [
        "update payments set state = 'succeeded', is_kept = 'kept', provider = 'by_hand', amount_kopecks = 100 where order_id = '$unpaid'",
        "update orders set paid_kopecks = 100 where id = '$unpaid'",
        "update payments set attempt = 2 where order_id = '$unpaid'",
      ],
    ],
    ["more refunded than the sum of the refunds", ["I6"], ["update payments set refunded_kopecks = 100 where order_id = '$paid'"]],
    [
      "a cancelled order whose money is not refunded",
      ["I6", "I9"],
      [
        "delete from receipts where order_id = '$cancelled'",
        "delete from refunds where order_id = '$cancelled'",
        "update payments set refunded_kopecks = 0 where order_id = '$cancelled'",
        "update orders set refunded_kopecks = 0 where id = '$cancelled'",
      ],
    ],
    ["a gap between attempts", ["I7"], ["update payments set attempt = 2 where order_id = '$unpaid'"]],
    ["an attempt over another sum", ["I7"], ["update payments set amount_kopecks = amount_kopecks + 1 where order_id = '$unpaid'"]],
    ["money that is neither kept nor refunded", ["I6", "I7"], ["update payments set is_kept = 'returned' where order_id = '$paid'"]],
    [
      "a transition that the state table does not have",
      ["I8"],
      ["update order_history set event = 'ship' where order_id = '$returned' and event = 'assemble'"],
    ],
    ["a state other than the last one of the history", ["I3", "I8"], ["update orders set state = 'assembled' where id = '$cancelled'"]],
    ["a missing step", ["I8"], ["update order_history set step = 9 where order_id = '$returned' and event = 'refund'"]],
    [
      "a message that was sent twice",
      ["I9"],
      [
        "drop index outbox_once",
        "insert into outbox (channel, kind, about, recipient, subject, text, created_at) " +
          "select channel, kind, about, recipient, subject, text, created_at from outbox limit 1",
      ],
    ],
    [
      "a receipt that was requested twice",
      ["I9"],
      [
        "alter table receipts drop constraint receipts_about_unique",
        "insert into receipts " +
          "(id, about, order_id, payment_id, kind, registrar, mode, amount_kopecks, receipt, state, idempotence_key, created_at) " +
          "select 'again', about, order_id, payment_id, kind, registrar, mode, amount_kopecks, receipt, state, 'again', created_at " +
          "from receipts limit 1",
      ],
    ],
    ["a receipt over another sum", ["I6"], ["update receipts set amount_kopecks = amount_kopecks + 1 where order_id = '$paid'"]],
    [
      "a hand-over without its receipt",
      ["I2", "I3", "I8", "I9"],
      [
        "update orders set state = 'delivered' where id = '$paid'",
        "insert into order_history (order_id, step, event, state, at, actor) " +
          "values ('$paid', 3, 'deliver', 'delivered', now() + interval '100 years', 'staff:test')",
      ],
    ],
    [
      "an order handed over at the desk without its money",
      ["I6"],
      [
        "delete from receipts where order_id = '$desk'",
        "delete from payments where order_id = '$desk'",
        "update orders set paid_kopecks = 0 where id = '$desk'",
      ],
    ],
    ["kept money without its receipt", ["I9"], ["delete from receipts where kind = 'payment' and order_id = '$returned'"]],
    ["a refund by transfer that names another order", ["I6"], ["update refund_transfers set order_id = '$paid'"]],
    [
      "a refund by transfer whose receipt the provider should print",
      ["I9"],
      ["update receipts set registrar = 'provider' where kind = 'refund' and order_id = '$wired'"],
    ],
    ["a refund by transfer that staff did not record", ["I12"], ["update refund_transfers set actor = 'job:orders'"]],
    [
      "a payment order that paid refunds of two orders",
      ["I6"],
      [
        "insert into refund_transfers (refund_id, order_id, number, date, recorded_at, actor) " +
          "select r.id, r.order_id, t.number, t.date, t.recorded_at, t.actor from refunds r, refund_transfers t " +
          "where r.order_id = '$cancelled'",
        "update receipts set registrar = 'office' where kind = 'refund' and order_id = '$cancelled'",
      ],
    ],
    ["a refund without its receipt", ["I9"], ["delete from receipts where kind = 'refund' and order_id = '$cancelled'"]],
    [
      "a prepaid order handed over with the receipt of the prepayment alone",
      ["I9"],
      ["update receipts set mode = 'full_prepayment' where order_id = '$desk'"],
    ],
    ["an order without its message", ["I9"], ["delete from outbox where about = 'order:$unpaid'"]],
    [
      "a refund without an actor",
      ["I12"],
      ["update refunds set actor = null, created_at = created_at + interval '2 hours' where order_id = '$cancelled'"],
    ],
    [
      "a sale without an actor",
      ["I12"],
      ["update stock_entries set actor = null, at = at + interval '2 hours' where order_id = '$returned' and kind = 'sold'"],
    ],
    [
      "a statement entry that is counted without a transfer of its sum",
      ["I6"],
      ["update bank_statement_entries set amount_kopecks = amount_kopecks + 1 where state = 'counted'"],
    ],
    [
      "a statement entry that staff settled for another order",
      ["I6"],
      [
        "update bank_statement_entries " +
          "set state = 'settled', settled_at = now(), settled_by = 'staff:a', order_id = '$paid' where state = 'counted'",
      ],
    ],
    [
      "a transfer that two statement entries count",
      ["I6"],
      [
        "drop index bank_statement_entries_counted_once",
        "update bank_statement_entries set state = 'settled', settled_at = now(), settled_by = 'staff:a' where state = 'known'",
      ],
    ],
    ["a statement with an entry missing", ["I6"], ["delete from bank_statement_entries where state = 'known'"]],
    [
      "a statement entry settled without an actor",
      ["I12"],
      [
        "alter table bank_statement_entries drop constraint bank_statement_entries_settled",
        "update bank_statement_entries set settled_at = now() + interval '2 hours' where state = 'known'",
      ],
    ],
    ["a transfer that paid for nothing", ["I6"], ["update bank_transfers set amount_kopecks = amount_kopecks + 1"]],
    [
      "a bank transfer that a buyer entered",
      ["I12", "I6"],
      [
        "insert into bank_transfers (order_id, number, date, amount_kopecks, entered_at, actor) " +
          "values ('$paid', '1', '2026-11-20', 100, now(), 'visitor')",
      ],
    ],
    [
      "a line with quantity zero",
      ["I10"],
      [
        "alter table cart_lines drop constraint cart_lines_quantity",
        "insert into cart_lines (cart_id, coin_id, quantity, added_at) select id, 1, 0, now() from carts limit 1",
      ],
    ],
    [
      "a sixth attempt at a code",
      ["I11"],
      ["alter table sign_in_codes drop constraint sign_in_codes_attempts", "update sign_in_codes set attempts = 6"],
    ],
    [
      "two live codes for one phone",
      ["I11"],
      [
        "drop index sign_in_codes_one_live",
        "insert into sign_in_codes (phone, code_hmac, challenge_hash, address, created_at, expires_at) " +
          "select phone, code_hmac, challenge_hash, address, created_at, expires_at from sign_in_codes",
      ],
    ],
  ])("%s", async (_, invariants, breaks) => {
    expect(await found(...breaks)).toEqual(invariants);
  });

  test("rows of the previous release within an hour of the first stored actor are accepted", async () => {
    expect(
      await found("update refunds set actor = null, created_at = created_at + interval '10 minutes' where order_id = '$cancelled'"),
    ).toEqual([]);
  });

  test("payments that only one side knows are found, ours and the provider's", async () => {
    const [first, ...rest] = theirs().filter((each) => each.isTaken);
    if (!first) throw new Error("no payment was made");
    const all = theirs();
    expect(await checkLedger(shop.ctx.db, [...all, { ...first, id: "elsewhere" }])).toEqual([
      "I6 payment elsewhere: taken by the provider, unknown here",
    ]);
    expect(
      await checkLedger(
        shop.ctx.db,
        all.filter((each) => each.id !== first.id),
      ),
    ).toHaveLength(1);
    expect(
      await checkLedger(
        shop.ctx.db,
        all.map((each) => (each.id === first.id ? { ...each, amount: each.amount + 1 } : each)),
      ),
    ).toHaveLength(1);
    expect(rest).not.toHaveLength(0);
  });
});

test("the command's exit code says whether the ledger is in order; its output names each broken invariant", async () => {
  const run = () =>
    spawnSync(process.execPath, [join(import.meta.dirname, "../commands/check-ledger.ts")], {
      encoding: "utf8",
      env: { ...process.env, DATABASE_URL: shop.url, DATA_DIR: mkdtempSync(join(tmpdir(), "chekan-ledger-")) },
    });
  expect(run()).toMatchObject({
    status: 0,
    stdout: "the ledger is in order\nthe payment provider was not compared: YOOKASSA_SHOP_ID and YOOKASSA_SECRET_KEY are not set\n",
  });
  await shop.ctx.db.execute(sql`update stock_items set on_hand = on_hand + 1 where coin_id = 3`);
  const result = run();
  await shop.ctx.db.execute(sql`update stock_items set on_hand = on_hand - 1 where coin_id = 3`);
  expect(result.status).toBe(1);
  expect(result.stderr).toContain("I2 coin 3: on hand 101, entries sum to 100");
  expect(result.stderr).toContain("I2 means: the pieces on hand are the sum of the stock entries");
  expect(result.stderr).not.toContain("I1 means");
});

test("the shop checks its ledger periodically and raises an alarm for each broken invariant", async () => {
  await shop.ctx.db.execute(sql`update stock_items set on_hand = on_hand + 1 where coin_id = 3`);
  await watchLedger(shop.ctx);
  expect(shop.alarms.filter(({ name }) => name === "ledger.broken")).toEqual([
    { name: "ledger.broken", fields: { reason: "I2 coin 3: on hand 101, entries sum to 100" } },
  ]);
  await shop.ctx.db.execute(sql`update stock_items set on_hand = on_hand - 1 where coin_id = 3`);
});

describe("compared with the provider's ledger", () => {
  const broken = () => shop.alarms.filter(({ name }) => name === "ledger.broken").map(({ fields }) => fields?.reason);
  /** Checks the ledger after `plant`, and rolls the change back. */
  async function seenAfter(plant: () => () => void): Promise<unknown[]> {
    const before = broken().length;
    const undo = plant();
    await watchLedger(shop.ctx);
    undo();
    return broken().slice(before);
  }
  const paidThere = () => {
    const found = [...shop.provider.payments.values()].find((each) => each.orderId === paid);
    if (!found) throw new Error("not paid there");
    return found;
  };
  const change = (values: Partial<ReturnType<typeof paidThere>>) => () => {
    const there = paidThere();
    const before = { ...there };
    Object.assign(there, values);
    return () => {
      Object.assign(there, before);
    };
  };
  beforeAll(() => {
    shop.clock.advance(minutes(10));
  });

  test("both ledgers agree; a payment of the last minutes is left to the next check", async () => {
    expect(await seenAfter(() => () => {})).toEqual([]);
    const order = await shop.ordered(aVisitor("f"), { 2: 1 }, byPoint);
    await shop.pay(order);
    shop.provider.pay(order.id); // the shop has not fetched its state yet
    expect(await seenAfter(() => () => {})).toEqual([]);
    shop.clock.advance(minutes(10));
    expect(await seenAfter(() => () => {})).toEqual([]); // open for ten minutes: still in transit
    await payment.checkOrder(shop.ctx, order.id);
    await shop.work();
    expect(await seenAfter(() => () => {})).toEqual([]);
  });

  test("a different sum, a refund made past the shop, and a payment that the provider does not know are found", async () => {
    const { id, amount } = paidThere();
    expect(await seenAfter(change({ amount: kopecks(amount + 1) }))).toEqual([
      `I6 amount ${id}, order ${paid}: ours ${amount}, the provider's ${amount + 1}`,
    ]);
    expect(await seenAfter(change({ refunded: kopecks(100) }))).toEqual([`I6 refunded ${id}, order ${paid}: ours 0, the provider's 100`]);
    const there = paidThere();
    expect(
      await seenAfter(() => {
        shop.provider.payments.delete(id);
        return () => {
          shop.provider.payments.set(id, there);
        };
      }),
    ).toEqual([`I6 unknown_there ${id}, order ${paid}: ours succeeded ${amount}, the provider's nothing`]);
  });

  test("a provider that does not answer is not a broken invariant", async () => {
    expect(
      await seenAfter(() => {
        shop.provider.controls.isOut = true;
        return () => {
          shop.provider.controls.isOut = false;
        };
      }),
    ).toEqual([]);
  });

  test("with credentials the command compares with the provider too, and says so", async () => {
    const credentials = { shopId: "100500", secretKey: "secret" };
    const simulator = await startYookassaSimulator({ now: () => new Date(Date.now() - minutes(30)), ...credentials });
    const gateway = createYookassaGateway({ baseUrl: simulator.url, ...credentials });
    const amount = kopecks(100_00);
    const receipt = {
      email: "b@example.ru",
      phone: "",
      lines: [{ title: "Монета", quantity: 1, unitPrice: amount, vatCode: 1, subject: "commodity" as const }],
    };
    const stray = await gateway.create({
      idempotenceKey: "stray",
      orderId: "unknown",
      attemptId: "nothing",
      orderNumber: "1",
      amount,
      method: "card",
      returnUrl: "http://localhost/",
      receipt,
    });
    simulator.act(stray.id, "pay");
    const env = {
      ...process.env,
      DATABASE_URL: shop.url,
      DATA_DIR: mkdtempSync(join(tmpdir(), "chekan-ledger-")),
      YOOKASSA_BASE_URL: simulator.url,
      YOOKASSA_SHOP_ID: credentials.shopId,
      YOOKASSA_SECRET_KEY: credentials.secretKey,
    };
    const run = () =>
      new Promise<{ out: string; err: string }>((resolve) => {
        execFile(process.execPath, [join(import.meta.dirname, "../commands/check-ledger.ts")], { env }, (_, out, err) =>
          resolve({ out, err }),
        );
      });
    const result = await run();
    expect(result).toEqual({
      out: "1 broken\nthe payment provider was compared over 3 days\n",
      err: expect.stringContaining(`I6 unknown_here ${stray.id}, order unknown: ours nothing, the provider's succeeded 10000`),
    });
    simulator.setFault("unauthorized");
    expect((await run()).out).toContain("the payment provider was not compared: yookassa answered 401");
    await gateway.close();
    await simulator.close();
  }, 30_000);
});
