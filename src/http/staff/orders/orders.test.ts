import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approve, readApproval, readApprovals, refuse } from "#contract/staff/access/approvals.ts";
import { retryRefund } from "#contract/staff/money.ts";
import * as contract from "#contract/staff/orders/orders.ts";
import { findAnything } from "#contract/staff/search.ts";
import { readRates } from "#contract/staff/prices/rates.ts";
import { priceText } from "#kit/format.ts";
import { fromRoubles } from "#kit/money.ts";
import { days, minutes, seconds } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { auditEntries } from "#shop/audit/tables.ts";
import * as cart from "#shop/cart/service.ts";
import * as checkout from "#shop/checkout/service.ts";
import { aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { Order, StaffDetails, StaffEvent } from "#shop/orders/order.ts";
import * as orderService from "#shop/orders/service.ts";
import { applyEvent } from "#shop/orders/staff/apply-event.service.ts";
import * as payment from "#shop/payment/service.ts";
import { putPromoCode } from "#shop/pricing/promo-codes/testing.ts";
import { rates as rateRows } from "#shop/rates/tables.ts";
import { staff as staffTable } from "#shop/staff/tables.ts";
import { testClock } from "#tests/shop.ts";
import { openStaffBench, type StaffBench } from "../testing.ts";

let shop: ShopToBuy;
let bench: StaffBench;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 200, limits: { writesPerMinute: 100_000, requestsPerMinute: 100_000 } });
  bench = await openStaffBench({ shop });
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await bench.close();
});

let people = 0;
async function anOrder(content: Record<number, number> = { 1: 2, 2: 1 }): Promise<Order> {
  people += 1;
  shop.clock.advance(seconds(1));
  return shop.ordered(aVisitor(`h${people}`), content, byPoint);
}
async function aPaidOrder(content?: Record<number, number>): Promise<Order> {
  const order = await anOrder(content);
  return shop.paid(order);
}
const auditOf = async (order: Order): Promise<string[]> =>
  (
    await shop.ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `order:${order.id}`))
  ).map(({ actor, action }) => `${actor} ${action}`);
/** Every key of a JSON value, at any depth. */
const keysOf = (value: unknown): string[] =>
  typeof value === "object" && value !== null ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]) : [];

describe("a role that may not see money", () => {
  test("gets no sums at all: not in the list, not on the card", async () => {
    const order = await aPaidOrder();
    const packing = await bench.as("packing");
    const list = await packing.call(contract.readOrderList, { query: { text: String(order.number) } });
    expect(list.data.rows).toMatchObject([{ number: order.number, buyer: "Иван Петров", pieces: 3 }]);
    const card = await packing.call(contract.readOrderCard, { params: { id: order.id } });
    expect(card.data).toMatchObject({ number: order.number });
    const money = ["sum", "price", "total", "money", "paid", "refunded", "left", "insured", "amount"];
    for (const { response } of [list, card]) expect(keysOf(response.json()).filter((key) => money.includes(key))).toEqual([]);
    for (const { response } of [list, card]) expect(response.body).not.toMatch(/6000|9000|21000/);
    // The buyer's link opens a page with prices.
    for (const { response } of [list, card]) expect(response.body).not.toMatch(/key=/);
    for (const { response } of [list, card]) expect(response.body).not.toContain(orderService.keyOf(shop.ctx, order.id));
    const sales = await (await bench.as("sales")).call(contract.readOrderCard, { params: { id: order.id } });
    expect(sales.data.money).toMatchObject({ total: order.total / 100, left: order.total / 100 });
  });

  test("gets no promo code; others see the code of the order and what it took off", async () => {
    const { code } = await putPromoCode(shop.ctx, { code: "КАРТОЧКА" });
    const buyer = aVisitor("with-code");
    await shop.fill(buyer, { 1: 2 });
    await cart.enterPromo(shop.ctx, buyer, code, null);
    const placed = await checkout.placeOrder(shop.ctx, buyer, shop.orderRequestFor(await shop.quoted(buyer)));
    const params = { id: placed.ok ? placed.value.order.id : "" };
    const cardOf = async (role: "sales" | "packing") => (await bench.as(role)).call(contract.readOrderCard, { params });
    expect((await cardOf("sales")).data.money?.promo).toEqual({ code, discount: 1_000 });
    expect((await cardOf("packing")).response.body).not.toContain(code);
  });

  test("gets no information about sums by filtering", async () => {
    const order = await aPaidOrder();
    const packing = await bench.as("packing");
    const found = await packing.call(contract.readOrderList, { query: { text: String(order.number), sumFrom: "999999" } });
    expect(found.data.rows).toHaveLength(1);
    const sales = await bench.as("sales");
    const none = await sales.call(contract.readOrderList, { query: { text: String(order.number), sumFrom: "999999" } });
    expect(none.data.rows).toEqual([]);
  });
});

test("contacts are masked until they are opened, and the audit says who opened them", async () => {
  const order = await aPaidOrder();
  const sales = await bench.as("sales");
  const card = await sales.call(contract.readOrderCard, { params: { id: order.id } });
  expect(card.response.body).not.toContain("9161234567");
  expect(card.response.body).not.toContain("ivan@example.ru");
  const opened = await sales.call(contract.openContacts, { params: { id: order.id } });
  expect(opened.data.user).toMatchObject({ phone: "+79161234567", email: "ivan@example.ru" });
  expect(await auditOf(order)).toEqual([`staff:${sales.member.login} order.open_contacts`]);
  expect((await (await bench.as("packing")).call(contract.openContacts, { params: { id: order.id } })).problem?.code).toBe(
    "staff.forbidden",
  );
});

test("an order is packed by its card's own buttons, and a stale press shows the order as it is now", async () => {
  const order = await aPaidOrder();
  const [packing, sales] = [await bench.as("packing"), await bench.as("sales")];
  const { data: card } = await packing.call(contract.readOrderCard, { params: { id: order.id } });
  const act = (name: string) => card.acts.find(({ act: each }) => each === name);
  expect(act("assemble")).toMatchObject({ allowed: true, reason: null });
  expect(act("ship")).toMatchObject({ allowed: false, reason: "Заказ ещё не собран" });
  expect(act("cancel")).toMatchObject({ allowed: false, grant: null, reason: "Вашей роли это действие недоступно" });

  const press = { params: { id: order.id }, body: { event: "assemble" as const, revision: card.revision, seal: `HT${order.number}` } };
  const packed = await packing.call(contract.packOrder, press);
  expect(packed.data).toMatchObject({ state: "assembled", stateText: "Собран" });
  const stale = await sales.call(contract.moveOrder, { params: { id: order.id }, body: { event: "cancel", revision: card.revision } });
  expect([stale.status, stale.problem]).toMatchObject([
    409,
    {
      code: "staff.stale",
      data: { revision: packed.data.revision, current: { state: "assembled", seal: `HT${order.number}`, changedBy: packing.member.name } },
    },
  ]);
  const refused = await packing.call(contract.packOrder, { ...press, body: { event: "make_ready", revision: packed.data.revision } });
  expect(refused.problem).toMatchObject({ code: "staff.act_refused", data: { reason: "Заказ не забирают в офисе" } });
  expect(await auditOf(order)).toEqual([`staff:${packing.member.login} order.pack`]);
});

test("a stale press names the colleague who has the order now, not the login", async () => {
  const order = await aPaidOrder();
  const [packing, sales] = [await bench.as("packing"), await bench.as("sales")];
  const { data: card } = await packing.call(contract.readOrderCard, { params: { id: order.id } });
  const params = { id: order.id };
  await sales.call(contract.assignOrder, { params, body: { revision: card.revision, assignee: sales.member.login } });
  const press = { event: "assemble" as const, revision: card.revision, seal: `HT${order.number}` };
  const stale = await packing.call(contract.packOrder, { params, body: press });
  expect(stale.problem).toMatchObject({
    code: "staff.stale",
    data: { current: { assignee: sales.member.login, assigneeName: sales.member.name, changedBy: sales.member.name } },
  });
});

test("two clerks press different buttons at once in two processes: one is done, one is refused", async () => {
  const order = await aPaidOrder();
  const [one, two] = [await bench.as("sales"), await bench.as("owner")];
  const other = (await bench.secondProcess())(two);
  const results = await Promise.all([
    one.call(contract.packOrder, {
      params: { id: order.id },
      body: { event: "assemble", revision: order.revision, seal: `TW${order.number}` },
    }),
    other.call(contract.moveOrder, { params: { id: order.id }, body: { event: "cancel", revision: order.revision } }),
  ]);
  expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await auditOf(order)).toHaveLength(1);
});

test("a page that begins at no moment is the first one", async () => {
  const sales = await bench.as("sales");
  const { status, data } = await sales.call(contract.readOrderList, { query: { page: "older.999999999999999_abcdefgh" } });
  expect([status, data.newer]).toEqual([200, null]);
});

describe("a refund", () => {
  test("is made once for a key, however often it is sent and by whichever process", async () => {
    const order = await aPaidOrder();
    const owner = await bench.as("owner");
    const other = (await bench.secondProcess())(owner);
    const body = { revision: order.revision, key: "refund-1234", pieces: [{ id: 2, count: 1 }], reason: "Царапина" };
    const send = (client: Pick<typeof owner, "call">) => client.call(contract.refundOrder, { params: { id: order.id }, body });
    const results = await Promise.all([send(owner), send(other), send(owner)]);
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200]);
    await shop.sweep();
    expect((await shop.now(order)).refunded).toBe(9_000_00);
    expect(await payment.refundsOfOrder(shop.ctx.db, order.id)).toHaveLength(1);
  });

  test("of sales waits for a second person and changes nothing before", async () => {
    const order = await aPaidOrder();
    const sales = await bench.as("sales");
    const pending = await sales.call(contract.refundOrder, {
      params: { id: order.id },
      body: { revision: order.revision, key: "refund-5678", sum: 100, reason: "Скол" },
    });
    expect([pending.status, pending.approval?.reason]).toEqual([202, "При такой роли это действие подтверждает второй сотрудник"]);
    expect(await payment.refundsOfOrder(shop.ctx.db, order.id)).toEqual([]);

    const waiting = async (query: { area: string; record: string }) =>
      (await sales.call(readApprovals, { query })).data.items.map(({ id }) => id);
    const [shown] = (await sales.call(readApprovals, { query: { area: "order", record: order.id } })).data.items;
    expect(shown?.orderNumber).toBe(order.number);
    expect(await waiting({ area: "order", record: order.id })).toEqual([pending.approval?.id]);
    expect(await waiting({ area: "stock", record: order.id })).toEqual([]);
    expect(await waiting({ area: "order", record: (await aPaidOrder()).id })).toEqual([]);
  });

  test("of sales that could not be made now is refused at once, and needs no approval", async () => {
    const order = await aPaidOrder();
    const sales = await bench.as("sales");
    const params = { id: order.id };
    const body = { revision: order.revision, key: "refund-asks", reason: "Ошибка" };
    const all = order.lines.map(({ coinId, quantity }) => ({ id: coinId, count: quantity }));
    const tooMuch = await sales.call(contract.refundOrder, { params, body: { ...body, sum: 50_000 } });
    expect(tooMuch.problem).toMatchObject({ code: "order.refund_too_much", data: { left: order.total / 100 } });
    expect((await sales.call(contract.refundOrder, { params, body: { ...body, pieces: all } })).problem?.code).toBe("order.pieces_refused");
    const stale = await sales.call(contract.refundOrder, { params, body: { ...body, revision: order.revision - 1, sum: 100 } });
    expect(stale.problem).toMatchObject({ code: "staff.stale", data: { revision: order.revision } });
    const settled = await sales.call(contract.settleRefund, { params, body: { revision: order.revision } });
    expect(settled.problem).toMatchObject({ code: "staff.act_refused", data: { reason: "Нет возвратов, которые ждут вас" } });
    expect((await sales.call(readApprovals, { query: { area: "order", record: order.id } })).data.items).toEqual([]);
  });

  test("above the limit of an order waits for a second person, whatever the role", async () => {
    const order = await aPaidOrder({ 3: 2 });
    const owner = await bench.as("owner");
    const preview = await owner.call(contract.previewRefund, { params: { id: order.id }, query: {} });
    expect(preview.data).toMatchObject({ amount: order.total / 100, leftAfter: 0, shares: [{ channel: "card", registrar: "provider" }] });
    expect(preview.data.approval).toMatch(/второй человек/);
    const pending = await owner.call(contract.refundOrder, {
      params: { id: order.id },
      body: { revision: order.revision, key: "refund-9999", reason: "Передумал" },
    });
    expect([pending.status, pending.approval?.reason]).toEqual([202, preview.data.approval]);
  });

  describe("that waits for a second person", () => {
    /** What sales asks for, and what became of it once something else happened to the order. */
    async function decidedAfter(
      order: Order,
      part: { sum?: number; pieces?: { id: number; count: number }[] },
      meanwhile: (owner: Awaited<ReturnType<typeof bench.as>>) => Promise<unknown>,
    ) {
      const [sales, owner] = [await bench.as("sales"), await bench.as("owner")];
      const asked = await sales.call(contract.refundOrder, {
        params: { id: order.id },
        body: { revision: (await shop.now(order)).revision, key: `asked-${order.number}`, reason: "Скол", ...part },
      });
      await meanwhile(owner);
      const { data } = await (await bench.as("accountant")).call(approve, { params: { id: asked.approval?.id ?? "" } });
      await shop.sweep();
      return { state: data.state, note: data.note, refunded: (await shop.now(order)).refunded };
    }
    const params = (order: Order) => ({ id: order.id });
    const done = (outcome: { status: number }) => expect(outcome.status).toBe(200);
    const outdated = { state: "failed", note: "С тех пор изменилось то, о чём просили. Проверьте и попросите ещё раз" };

    test("is made though the order got an assignee, a comment and another recipient, was packed and sent", async () => {
      const order = await aPaidOrder();
      const outcome = await decidedAfter(order, { sum: 100 }, async (owner) => {
        const revision = async () => (await shop.now(order)).revision;
        done(
          await owner.call(contract.assignOrder, {
            params: params(order),
            body: { revision: await revision(), assignee: owner.member.login },
          }),
        );
        done(await owner.call(contract.commentOrder, { params: params(order), body: { text: "Звонил" } }));
        const user = { name: "Анна", lastName: "Орлова", email: "orlova@example.ru", phone: "+7 900 000-00-01" };
        done(await owner.call(contract.changeRecipient, { params: params(order), body: { revision: await revision(), ...user } }));
        await orderService.apply(shop.ctx, order.id, "assemble");
        await shop.pass(minutes(1));
        await orderService.apply(shop.ctx, order.id, "ship");
      });
      expect(outcome).toEqual({ state: "approved", note: "", refunded: 100_00 });
      expect((await shop.now(order)).state).toBe("shipped");
    });

    test("is not made when another refund left less, also if it would still be enough", async () => {
      const order = await aPaidOrder();
      const outcome = await decidedAfter(order, { sum: 100 }, async (owner) => {
        const body = { revision: order.revision, key: `other-${order.number}`, sum: 50, reason: "Скол" };
        done(await owner.call(contract.refundOrder, { params: params(order), body }));
      });
      expect(outcome).toEqual({ ...outdated, refunded: 50_00 });
    });

    test("is not made when the coins, which were to leave the order, have been sent", async () => {
      const order = await aPaidOrder();
      const outcome = await decidedAfter(order, { pieces: [{ id: 2, count: 1 }] }, async () => {
        await orderService.apply(shop.ctx, order.id, "assemble");
        await shop.pass(minutes(1));
        await orderService.apply(shop.ctx, order.id, "ship");
      });
      expect(outcome).toEqual({ ...outdated, refunded: 0 });
    });

    test("of a cancellation is made with another assignee, and not once the order is packed", async () => {
      for (const [isPacked, state] of [
        [false, "cancelled"],
        [true, "assembled"],
      ] as const) {
        const order = await aPaidOrder();
        const [sales, accountant, owner] = [await bench.as("sales"), await bench.as("accountant"), await bench.as("owner")];
        const body = { event: "cancel", revision: order.revision } as const;
        const asked = await sales.call(contract.moveOrder, { params: params(order), body });
        const assigned = { revision: order.revision, assignee: owner.member.login };
        done(await owner.call(contract.assignOrder, { params: params(order), body: assigned }));
        if (isPacked) await orderService.apply(shop.ctx, order.id, "assemble");
        done(await accountant.call(approve, { params: { id: asked.approval?.id ?? "" } }));
        expect((await shop.now(order)).state).toBe(state);
      }
    });
  });

  test("of more than is left is refused with what is left", async () => {
    const order = await aPaidOrder();
    const owner = await bench.as("owner");
    const refused = await owner.call(contract.refundOrder, {
      params: { id: order.id },
      body: { revision: order.revision, key: "refund-0001", sum: 50_000, reason: "Ошибка" },
    });
    expect(refused.problem).toMatchObject({ code: "order.refund_too_much", data: { left: order.total / 100 } });
  });
});

describe("a refused refund that was paid by transfer", () => {
  const refusedIds: string[] = [];
  afterAll(async () => {
    for (const id of refusedIds) await orderService.retryRefund(shop.ctx, id);
    await shop.receiveRates();
    await shop.work();
  });
  /** Cancelled by its buyer; the bank refuses to send the money back. */
  async function aRefused(content?: Record<number, number>): Promise<{ order: Order; params: { id: string; refundId: string } }> {
    const order = await aPaidOrder(content);
    shop.provider.controls.refunds = "canceled";
    await orderService.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
    await shop.work();
    shop.provider.controls.refunds = "succeeded";
    const [refund] = await payment.refundsOfOrder(shop.ctx.db, order.id);
    refusedIds.push(refund?.id ?? "");
    return { order, params: { id: order.id, refundId: refund?.id ?? "" } };
  }
  const bodyOf = (order: Order, number = `${order.number}`) => ({ amount: order.total / 100, number, date: "2026-11-20" });
  const stateOf = async (order: Order) => (await payment.refundsOfOrder(shop.ctx.db, order.id)).map(({ state }) => state);

  test("of sales waits for a person who may refund; then it is recorded in the name of the clerk who requested it", async () => {
    const { order, params } = await aRefused();
    const sales = await bench.as("sales");
    const card = await sales.call(contract.readOrderCard, { params: { id: order.id } });
    expect(card.data.money?.refunds).toMatchObject([{ id: params.refundId, state: "canceled", owed: order.total / 100, transfer: null }]);
    const pending = await sales.call(contract.payRefundByTransfer, { params, body: bodyOf(order) });
    expect([pending.status, pending.approval?.reason]).toEqual([202, "При такой роли это действие подтверждает второй сотрудник"]);
    expect(await stateOf(order)).toEqual(["canceled"]);
    const accountant = await bench.as("accountant");
    expect((await accountant.call(approve, { params: { id: pending.approval?.id ?? "" } })).data).toMatchObject({ state: "approved" });
    await shop.work();
    expect([await stateOf(order), (await shop.now(order)).refunded]).toEqual([["succeeded"], order.total]);
    expect(await auditOf(order)).toContain(`staff:${sales.member.login} order.refund_transfer`);
  });

  test("of the owner runs at once up to the limit and soon after the second factor, and above it waits for a second person", async () => {
    const [small, later, large] = [await aRefused(), await aRefused(), await aRefused({ 3: 2 })];
    const owner = await bench.as("owner");
    const call = ({ order, params }: typeof small) => owner.call(contract.payRefundByTransfer, { params, body: bodyOf(order) });
    expect((await call(small)).status).toBe(200);
    expect((await call(small)).status).toBe(200); // the same payment order again
    expect([(await call(large)).status, await stateOf(large.order)]).toEqual([202, ["canceled"]]);
    shop.clock.advance(minutes(shop.ctx.settings.limits.staffStepUpMinutes + 1));
    expect((await call(later)).problem?.code).toBe("staff.verify_again");
    const packing = await bench.as("packing");
    const refused = await packing.call(contract.payRefundByTransfer, { params: later.params, body: bodyOf(later.order) });
    expect([refused.status, refused.problem?.code]).toEqual([403, "staff.forbidden"]);
  });

  test("is refused with another sum, for what does not wait, and with a payment order of another order", async () => {
    const [{ order, params }, other] = [await aRefused(), await aRefused()];
    const owner = await bench.as("owner");
    const call = (sent: typeof params, body: ReturnType<typeof bodyOf>) => owner.call(contract.payRefundByTransfer, { params: sent, body });
    const wrong = await call(params, { ...bodyOf(order), amount: 1 });
    expect(wrong.problem).toMatchObject({ code: "staff.refund_other_sum", data: { owed: order.total / 100 } });
    expect((await call({ ...params, id: other.order.id }, bodyOf(order))).problem?.code).toBe("staff.not_found");
    expect((await call(params, bodyOf(order))).status).toBe(200);
    expect((await call(params, bodyOf(order, "999"))).problem?.code).toBe("staff.refund_not_waiting");
    expect((await call(other.params, { ...bodyOf(other.order), number: `${order.number}` })).problem).toMatchObject({
      code: "order.transfer_known",
      data: { orderNumber: order.number },
    });
    const fields = await call(other.params, { amount: 0, number: "!", date: "" });
    expect(Object.keys(fields.problem?.fields ?? {}).toSorted()).toEqual(["amount", "date", "number"]);
    const [entry] = await shop.ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.action, "order.refund_transfer"))
      .orderBy(desc(auditEntries.id))
      .limit(1);
    expect(entry?.after).toMatchObject({ refundId: params.refundId, kopecks: order.total, number: `${order.number}`, date: "2026-11-20" });
  });
});

describe("a refused refund that is sent again", () => {
  /** A clerk refunds the whole order; the bank refuses it, or sends the money. */
  async function refundedBy(clerk: Awaited<ReturnType<typeof bench.as>>, outcome: "canceled" | "succeeded"): Promise<[Order, string]> {
    const order = await aPaidOrder();
    shop.provider.controls.refunds = outcome;
    const body = { revision: order.revision, key: `again-${order.number}`, sum: order.total / 100, reason: "Передумал" };
    expect((await clerk.call(contract.refundOrder, { params: { id: order.id }, body })).status).toBe(200);
    await shop.work();
    shop.provider.controls.refunds = "succeeded";
    const [refund] = await payment.refundsOfOrder(shop.ctx.db, order.id);
    return [order, refund?.id ?? ""];
  }
  const stateOf = async (order: Order) => (await payment.refundsOfOrder(shop.ctx.db, order.id)).map(({ state }) => state);

  test("is not, while the record of its transfer waits for a second person; after the refusal it is", async () => {
    const [owner, sales, accountant] = [await bench.as("owner"), await bench.as("sales"), await bench.as("accountant")];
    const [order, refundId] = await refundedBy(owner, "canceled");
    const asked = () =>
      sales.call(contract.payRefundByTransfer, {
        params: { id: order.id, refundId },
        body: { amount: order.total / 100, number: `${order.number}`, date: "2026-11-20" },
      });
    const retry = () => accountant.call(retryRefund, { params: { id: refundId } });
    const settle = async () =>
      owner.call(contract.settleRefund, { params: { id: order.id }, body: { revision: (await shop.now(order)).revision } });
    const params = { id: (await asked()).approval?.id ?? "" };
    const changed = async () => ({ params: { id: order.id }, revision: (await shop.now(order)).revision });
    /** The whole rest, which includes what the bank had refused. */
    const refund = async (client: typeof owner) => {
      const { revision, ...sent } = await changed();
      return client.call(contract.refundOrder, { ...sent, body: { revision, key: `rest-${order.number}`, reason: "Передумал" } });
    };
    const cancel = async () => {
      const { revision, ...sent } = await changed();
      return owner.call(contract.moveOrder, { ...sent, body: { event: "cancel", revision } });
    };
    for (const again of [await retry(), await settle(), await refund(owner), await refund(sales), await cancel()])
      expect([again.status, again.problem?.code]).toEqual([409, "refund.transfer_waits"]);
    const atDesk = async (event: StaffEvent, details: StaffDetails = {}) => applyEvent(shop.ctx, order.id, event, details);
    const ofDesk = [await atDesk("refund"), await atDesk("refund", { amount: fromRoubles(1) }), await atDesk("cancel")];
    for (const again of ofDesk) expect(again).toEqual({ ok: false, error: { code: "refund.transfer_waits" } });
    await shop.work();
    expect(await stateOf(order)).toEqual(["canceled"]);
    expect((await owner.call(refuse, { params, body: { note: "Перевода не было" } })).status).toBe(200);
    expect((await retry()).status).toBe(200);
    await shop.work();
    expect(await stateOf(order)).toEqual(["succeeded"]);
  });

  test("is at the desk too, while no transfer waits", async () => {
    const [order] = await refundedBy(await bench.as("owner"), "canceled");
    expect(await applyEvent(shop.ctx, order.id, "refund")).toMatchObject({ ok: true });
    await shop.work();
    expect(await stateOf(order)).toEqual(["succeeded"]);
  });

  test("is not by an approval that was asked for before the record of a transfer", async () => {
    const [owner, sales, accountant] = [await bench.as("owner"), await bench.as("sales"), await bench.as("accountant")];
    const [order, refundId] = await refundedBy(owner, "canceled");
    const params = { id: order.id, refundId };
    const again = await sales.call(contract.settleRefund, {
      params: { id: order.id },
      body: { revision: (await shop.now(order)).revision },
    });
    expect(again.status).toBe(202);
    const transfer = await sales.call(contract.payRefundByTransfer, {
      params,
      body: { amount: order.total / 100, number: `${order.number}`, date: "2026-11-20" },
    });
    const decided = await accountant.call(approve, { params: { id: again.approval?.id ?? "" } });
    expect([decided.data.state, await stateOf(order)]).toEqual(["failed", ["canceled"]]);
    expect((await accountant.call(approve, { params: { id: transfer.approval?.id ?? "" } })).data.state).toBe("approved");
    await shop.work();
    expect(await stateOf(order)).toEqual(["succeeded"]);
  });

  test("counts towards the day on which the clerk decided it: above its limit it waits for a second person, also the next day", async () => {
    const owner = await bench.as("owner");
    const [order, refundId] = await refundedBy(owner, "canceled");
    const limit = shop.ctx.settings.limits.refundApprovalDayRoubles;
    for (let n = Math.floor(limit / (order.total / 100)); n > 0; n -= 1) await refundedBy(owner, "succeeded");
    const reason = `Возвраты сотрудника за день больше ${priceText(fromRoubles(limit))}: нужен второй человек`;
    const settled = await owner.call(contract.settleRefund, {
      params: { id: order.id },
      body: { revision: (await shop.now(order)).revision },
    });
    expect([settled.status, settled.approval?.reason]).toEqual([202, reason]);
    shop.clock.advance(days(1));
    await shop.receiveRates();
    const [accountant, approver] = [await bench.as("accountant"), await bench.as("owner")];
    const pending = await accountant.call(retryRefund, { params: { id: refundId } });
    expect([pending.status, pending.approval?.reason]).toEqual([202, reason]);
    await shop.work();
    expect(await stateOf(order)).toEqual(["canceled"]);
    expect((await approver.call(approve, { params: { id: pending.approval?.id ?? "" } })).data.state).toBe("approved");
    await shop.work();
    expect(await stateOf(order)).toEqual(["succeeded"]);
  });
});

describe("a cancellation of a paid order", () => {
  const cancel = async (client: Awaited<ReturnType<typeof bench.as>>, order: Order) =>
    client.call(contract.moveOrder, {
      params: { id: order.id },
      body: { event: "cancel", revision: (await shop.now(order)).revision },
    });

  test("of sales waits for a person who may refund; another clerk of sales cannot approve it", async () => {
    const order = await aPaidOrder();
    const sales = await bench.as("sales");
    const pending = await cancel(sales, order);
    expect([pending.status, pending.approval?.reason]).toEqual([
      202,
      "Отмена вернёт деньги покупателю: при такой роли её подтверждает второй сотрудник",
    ]);
    expect((await shop.now(order)).state).toBe("paid");
    const params = { id: pending.approval?.id ?? "" };
    expect((await (await bench.as("sales")).call(approve, { params })).problem?.code).toBe("staff.not_found");
    const accountant = await bench.as("accountant");
    const { data: seen } = await accountant.call(readApproval, { params });
    expect(seen.shown).toEqual({ before: { state: "paid" }, after: { event: "cancel", refund: priceText(order.total) } });
    expect((await accountant.call(approve, { params })).data).toMatchObject({ state: "approved" });
    await shop.sweep();
    expect(await shop.now(order)).toMatchObject({ state: "cancelled", refunded: order.total });
  });

  test("of sales runs at once while nothing is paid", async () => {
    const order = await anOrder();
    expect((await cancel(await bench.as("sales"), order)).data).toMatchObject({ state: "cancelled" });
  });

  test("of the owner runs at once up to the limit, and only soon after the second factor", async () => {
    const [order, later] = [await aPaidOrder(), await aPaidOrder()];
    const owner = await bench.as("owner");
    expect((await cancel(owner, order)).data).toMatchObject({ state: "cancelled" });
    shop.clock.advance(minutes(shop.ctx.settings.limits.staffStepUpMinutes + 1));
    expect((await cancel(owner, later)).problem?.code).toBe("staff.verify_again");
    expect((await shop.now(later)).state).toBe("paid");
  });

  test("above the limit waits for a second person, whatever the role", async () => {
    const order = await aPaidOrder({ 3: 2 });
    const pending = await cancel(await bench.as("owner"), order);
    expect([pending.status, pending.approval?.reason]).toEqual([202, expect.stringContaining("Возвраты по заказу больше")]);
    expect((await shop.now(order)).state).toBe("paid");
  });

  test("that the carrier decides is confirmed like one", async () => {
    const order = await aPaidOrder();
    await orderService.apply(shop.ctx, order.id, "assemble");
    await shop.pass(minutes(1));
    await orderService.apply(shop.ctx, order.id, "cancel");
    const { revision, state } = await shop.now(order);
    expect(state).toBe("cancellation_requested");
    const confirm = async (role: "sales" | "owner") =>
      (await bench.as(role)).call(contract.moveOrder, { params: { id: order.id }, body: { event: "confirm_cancel", revision } });
    expect((await confirm("sales")).status).toBe(202);
    expect((await confirm("owner")).data).toMatchObject({ state: "cancelled" });
  });
});

describe("the audit of a change has the parts that changed, before and after", () => {
  const lastEntry = async (order: Order) => {
    const subject = eq(auditEntries.subject, `order:${order.id}`);
    const [entry] = await shop.ctx.db.select().from(auditEntries).where(subject).orderBy(desc(auditEntries.id)).limit(1);
    return entry && { action: entry.action, before: entry.before, after: entry.after };
  };
  const state = { state: "paid" };

  test("state and seal, also of many at once", async () => {
    const [one, two] = [await aPaidOrder(), await aPaidOrder()];
    const packing = await bench.as("packing");
    const seal = `BA${one.number}`;
    await packing.call(contract.packOrder, { params: { id: one.id }, body: { event: "assemble", revision: one.revision, seal } });
    expect(await lastEntry(one)).toEqual({
      action: "order.pack",
      before: { seal: null, state: "paid", revision: one.revision },
      after: { event: "assemble", seal, state: "assembled", revision: (await shop.now(one)).revision },
    });
    await packing.call(contract.packOrders, { body: { ids: [two.id] } });
    expect(await lastEntry(two)).toMatchObject({ before: state, after: { event: "assemble", state: "assembled" } });
  });

  test("assignee, point, and what was refunded", async () => {
    const order = await aPaidOrder();
    const sales = await bench.as("sales");
    const params = { id: order.id };
    await sales.call(contract.assignOrder, { params, body: { revision: order.revision, assignee: sales.member.login } });
    expect(await lastEntry(order)).toMatchObject({ before: { assignee: null }, after: { assignee: sales.member.login } });
    const pointId = (await shop.now(order)).delivery.point?.id;
    const { revision } = await shop.now(order);
    expect((await sales.call(contract.changePoint, { params, body: { revision, pointId: "MSK1" } })).status).toBe(200);
    expect(await lastEntry(order)).toMatchObject({ before: { pointId }, after: { pointId: "MSK1" } });
    const owner = await bench.as("owner");
    const body = { revision: (await shop.now(order)).revision, key: "refund-audit", pieces: [{ id: 2, count: 1 }], reason: "Царапина" };
    await owner.call(contract.refundOrder, { params, body });
    expect(await lastEntry(order)).toMatchObject({ before: { pieces: 3 }, after: { pieces: 2, kopecks: 9_000_00, reason: "Царапина" } });
  });

  test("recipient and contacts masked, because entries are never erased", async () => {
    const order = await aPaidOrder();
    const sales = await bench.as("sales");
    const user = { name: "Анна", lastName: "Орлова", email: "anna@example.ru", phone: "+79035556677" };
    await sales.call(contract.changeRecipient, { params: { id: order.id }, body: { revision: order.revision, ...user } });
    const entry = await lastEntry(order);
    expect(entry).toMatchObject({
      action: "order.change_recipient",
      before: { recipient: "П••• И•••", phone: "+7 ••• •••-45-67", email: "i•••@example.ru" },
      after: { recipient: "О••• А•••", phone: "+7 ••• •••-66-77", email: "a•••@example.ru" },
    });
    expect(JSON.stringify(entry)).not.toMatch(/Орлова|Петров|903555|916123|anna@|ivan@/);
  });
});

test("an order is assigned to a colleague who works with orders, or to no one; other logins are refused", async () => {
  const order = await aPaidOrder();
  const [sales, packing, editor, gone] = [
    await bench.as("sales"),
    await bench.as("packing"),
    await bench.as("editor"),
    await bench.as("sales"),
  ];
  await shop.ctx.db.update(staffTable).set({ disabledAt: shop.clock.now() }).where(eq(staffTable.id, gone.member.id));
  const send = async (assignee: string | null) =>
    sales.call(contract.assignOrder, { params: { id: order.id }, body: { revision: (await shop.now(order)).revision, assignee } });
  const refusal = { code: "request.invalid", fields: { assignee: "Этот сотрудник не работает с заказами" } };
  for (const login of ["nobody-has-this", editor.member.login, gone.member.login]) {
    const refused = await send(login);
    expect([login, refused.status, refused.problem]).toMatchObject([login, 422, refusal]);
  }
  const bulk = await sales.call(contract.assignOrders, {
    body: { orders: [{ id: order.id, revision: order.revision }], assignee: editor.member.login },
  });
  expect(bulk.problem).toMatchObject(refusal);
  expect((await shop.now(order)).assignee).toBeNull();
  for (const who of [sales.member, packing.member, null]) {
    expect((await send(who?.login ?? null)).status).toBe(200);
    expect((await shop.now(order)).assignee).toBe(who?.login ?? null);
    const { rows } = (await sales.call(contract.readOrderList, { query: { text: String(order.number) } })).data;
    expect(rows).toMatchObject([{ assignee: who?.login ?? null, assigneeName: who?.name ?? null }]);
  }
});

test("many orders are given to a colleague, each done, so already, or changed meanwhile; a press sent twice does it once", async () => {
  const [free, given, stale] = [await aPaidOrder(), await aPaidOrder(), await aPaidOrder()];
  const [sales, packing] = [await bench.as("sales"), await bench.as("packing")];
  const colleague = packing.member.login;
  const give = ({ id, revision }: Order, assignee: string) =>
    sales.call(contract.assignOrder, { params: { id }, body: { revision, assignee } });
  expect((await give(given, colleague)).status).toBe(200);
  expect((await give(stale, sales.member.login)).status).toBe(200);

  const seen = ({ id, revision }: Order) => ({ id, revision });
  const press = { body: { orders: [free, given, stale].map(seen), assignee: colleague }, key: "assign-once" };
  const first = await sales.call(contract.assignOrders, press);
  expect(first.data).toMatchObject([
    { id: free.id, number: free.number, isDone: true, reason: null },
    { id: given.id, isDone: false, reason: "Этот сотрудник уже ведёт заказ" },
    { id: stale.id, isDone: false, reason: "Запись тем временем изменили" },
  ]);
  expect((await sales.call(contract.assignOrders, press)).data).toEqual(first.data);
  const now = (order: Order) => shop.now(order);
  expect([(await now(free)).assignee, (await now(given)).assignee, (await now(stale)).assignee]).toEqual([
    colleague,
    colleague,
    sales.member.login,
  ]);
  for (const order of [free, given, stale]) expect(await auditOf(order)).toEqual([`staff:${sales.member.login} order.assign`]);

  const toNoOne = async () =>
    (await sales.call(contract.assignOrders, { body: { orders: [seen(await now(free))], assignee: null } })).data.map(
      ({ reason }) => reason,
    );
  expect(await toNoOne()).toEqual([null]);
  expect((await now(free)).assignee).toBeNull();
  expect(await toNoOne()).toEqual(["Заказ и так никто не ведёт"]);
  const twice = await sales.call(contract.assignOrders, { body: { orders: [seen(free), seen(free)], assignee: null } });
  expect(twice.problem?.code).toBe("request.invalid");
  expect((await packing.call(contract.assignOrders, { body: press.body })).problem?.code).toBe("staff.forbidden");
});

test("the point changes to another one of the same city, and to no other", async () => {
  const order = await aPaidOrder();
  const sales = await bench.as("sales");
  const points = await sales.call(contract.readPoints, { params: { id: order.id }, query: { text: "msk1" } });
  expect(points.data).toEqual([expect.objectContaining({ id: "MSK1" })]);
  const change = (pointId: string) =>
    sales.call(contract.changePoint, { params: { id: order.id }, body: { revision: order.revision, pointId } });
  expect((await change("SPB1")).problem?.code).toBe("shipment.no_such_point");
  expect((await change("MSK1")).status).toBe(200);
});

test("a wrong recipient is refused with a message beside each field", async () => {
  const order = await aPaidOrder();
  const sales = await bench.as("sales");
  const refused = await sales.call(contract.changeRecipient, {
    params: { id: order.id },
    body: { revision: order.revision, name: "", lastName: "Орлова", email: "anna", phone: "12" },
  });
  expect(refused.problem).toMatchObject({
    code: "request.invalid",
    fields: { name: "Обязательное поле", email: "Email указан неверно", phone: "Телефон указан неверно" },
  });
});

test("fifty orders are packed with a result for each, and the audit has an entry for each", async () => {
  const [paid, unpaid] = [await aPaidOrder(), await anOrder()];
  const packing = await bench.as("packing");
  const { data } = await packing.call(contract.packOrders, { body: { ids: [unpaid.id, paid.id] } });
  expect(data).toMatchObject([
    { id: unpaid.id, isDone: false, reason: "Заказ ещё не оплачен" },
    { id: paid.id, number: paid.number, isDone: true, stateText: "Собран" },
  ]);
  expect([await auditOf(paid), await auditOf(unpaid)]).toEqual([[`staff:${packing.member.login} order.pack`], []]);
});

test("of many orders those that were changed meanwhile are not packed, and each says so; a press sent twice packs once", async () => {
  const [fresh, stale, packed] = [await aPaidOrder(), await aPaidOrder(), await aPaidOrder()];
  const [sales, packing] = [await bench.as("sales"), await bench.as("packing")];
  const { id, revision } = stale;
  await sales.call(contract.assignOrder, { params: { id }, body: { revision, assignee: sales.member.login } });
  await packing.call(contract.packOrder, { params: { id: packed.id }, body: { event: "assemble", revision: packed.revision } });
  const orders = [fresh, stale, packed].map((order) => ({ id: order.id, revision: order.revision }));
  const press = { body: { orders }, key: "pack-many" };
  const first = await packing.call(contract.packOrders, press);
  expect(first.data).toMatchObject([
    { id: fresh.id, isDone: true, stateText: "Собран" },
    { id: stale.id, isDone: false, reason: "Запись тем временем изменили" },
    { id: packed.id, isDone: false, reason: "Заказ уже собран" },
  ]);
  expect((await packing.call(contract.packOrders, press)).data).toEqual(first.data);
  expect((await shop.now(stale)).state).toBe("paid");
  const twice = await packing.call(contract.packOrders, { body: { orders: [...orders, ...orders] } });
  expect(twice.problem?.code).toBe("request.invalid");
});

test("the list goes page by page and its links lead back to the same rows", async () => {
  for (let more = 0; more < 52; more += 1) await anOrder({ 1: 1 });
  const sales = await bench.as("sales");
  const first = (await sales.call(contract.readOrderList, { query: { view: "all" } })).data;
  expect([first.rows.length, first.newer]).toEqual([50, null]);
  const second = (await sales.call(contract.readOrderList, { query: { page: first.older ?? "" } })).data;
  expect(second.rows[0]?.number).toBeLessThan(first.rows.at(-1)?.number ?? 0);
  const back = (await sales.call(contract.readOrderList, { query: { page: second.newer ?? "" } })).data;
  expect(back.rows.map(({ id }) => id)).toEqual(first.rows.map(({ id }) => id));
  const counts = (await sales.call(contract.countOrders)).data;
  expect(counts.all).toBeGreaterThan(50);
});

test("colleagues who have the same order open see each other, and their comments", async () => {
  const order = await aPaidOrder();
  const [one, two] = [await bench.as("sales"), await bench.as("owner")];
  await one.call(contract.seeWhoLooks, { params: { id: order.id } });
  const look = async () => (await two.call(contract.seeWhoLooks, { params: { id: order.id } })).data;
  const { revision } = order;
  expect(await look()).toEqual({ others: [{ login: one.member.login, name: one.member.name }], revision, comments: 0 });
  const written = await one.call(contract.commentOrder, { params: { id: order.id }, body: { text: "Перезвонить" } });
  expect(written.data).toMatchObject([{ text: "Перезвонить", author: `staff:${one.member.login}` }]);
  const assigned = await one.call(contract.assignOrder, { params: { id: order.id }, body: { revision, assignee: one.member.login } });
  expect(assigned.data.revision).toBe(revision + 1);
  shop.clock.advance(minutes(2));
  expect(await look()).toEqual({ others: [], revision: revision + 1, comments: 1 });
  const { data: card } = await two.call(contract.readOrderCard, { params: { id: order.id } });
  expect(card.people).toContainEqual({ login: one.member.login, name: one.member.name });
});

test("the search of one order answers what its clerk can do with it now; of several it answers none", async () => {
  const order = await aPaidOrder();
  const [sales, packing] = [await bench.as("sales"), await bench.as("packing")];
  const find = async (client: typeof sales, q: string) => (await client.call(findAnything, { query: { q } })).data;
  expect((await find(sales, `${order.number}`)).acts).toEqual(expect.arrayContaining(["refund", "change_point", "cancel"]));
  expect((await find(packing, `${order.number}`)).acts).toEqual(["assemble"]);
  const several = await find(sales, order.user.lastName);
  expect([several.orders.length > 1, several.acts]).toEqual([true, []]);
});

test("coins are added by a new order; the same press sent twice makes one, and the buyer's page shows both orders", async () => {
  const order = await aPaidOrder();
  const sales = await bench.as("sales");
  const params = { id: order.id };
  const coins = await sales.call(contract.findCoinsToAdd, { params, query: { text: order.lines[1]?.title ?? "" } });
  expect(coins.data).toContainEqual(expect.objectContaining({ id: 2, price: 9_000 }));
  const quoted = await sales.call(contract.quoteAddition, { params, body: { pieces: [{ id: 2, count: 1 }], paymentId: 5 } });
  expect(quoted.data).toMatchObject({ total: 9_000, delivery: { price: 0, isTogether: true }, revision: order.revision });
  const body = { revision: order.revision, quoteId: quoted.data.quoteId };
  const [one, two] = [
    await sales.call(contract.placeAddition, { params, body, key: "add-once" }),
    await sales.call(contract.placeAddition, { params, body, key: "add-once" }),
  ];
  expect(two.data).toEqual(one.data);
  const again = await sales.call(contract.placeAddition, { params, body });
  expect(again.problem?.code).toBe("staff.stale");
  const short = await sales.call(contract.quoteAddition, { params, body: { pieces: [{ id: 2, count: 999 }], paymentId: 5 } });
  expect(short.problem).toMatchObject({ code: "cart.stock_short", data: { short: [{ id: 2 }] } });
  const { data: card } = await sales.call(contract.readOrderCard, { params });
  expect(card.linked).toEqual([{ id: one.data.id, number: one.data.number }]);
  expect(card.history.at(-1)).toMatchObject({ event: "add_coins", text: "Добавлены монеты отдельным заказом" });
  expect((await auditOf(order)).toSorted()).toEqual(
    ["order.add_coins", "order.quote_addition"].map((action) => `staff:${sales.member.login} ${action}`),
  );
});

test("slips and labels of chosen orders are one file each, with the reason for every order that has none", async () => {
  const [packed, paid, cancelled] = [await aPaidOrder(), await aPaidOrder(), await anOrder()];
  const packing = await bench.as("packing");
  const pack = { event: "assemble" as const, revision: packed.revision, seal: `PR${packed.number}` };
  await packing.call(contract.packOrder, { params: { id: packed.id }, body: pack });
  const sales = await bench.as("sales");
  await sales.call(contract.moveOrder, { params: { id: cancelled.id }, body: { event: "cancel", revision: cancelled.revision } });

  const ids = [packed.id, paid.id, cancelled.id];
  const slips = await packing.call(contract.printOrders, { body: { ids, paper: "slips" } });
  expect(slips.data.rows.map(({ isDone, reason }) => [isDone, reason])).toEqual([
    [true, null],
    [true, null],
    [false, "Складывать нечего"],
  ]);
  const file = await packing.call(contract.printOrderSlips, { query: { ids: ids.join(",") } });
  expect([file.response.statusCode, file.response.headers["content-type"]]).toEqual([200, "application/pdf"]);
  expect(file.response.rawPayload.subarray(0, 5).toString()).toBe("%PDF-");
  const labels = await packing.call(contract.printOrders, { body: { ids, paper: "labels" } });
  expect(labels.data.rows.map(({ number, reason }) => [number, reason])).toEqual([
    [packed.number, null],
    [paid.number, "Заказ ещё не собран"],
    [cancelled.number, "Посылки нет"],
  ]);
  expect(labels.data.path).toMatch(/^[/]packing[/]labels[/]\d+$/);
  const none = await packing.call(contract.printOrders, { body: { ids: [cancelled.id], paper: "labels" } });
  expect(none.data.path).toBeNull();
});

test("rates are shown with their age to roles that sell, buy or account for coins, and to no other", async () => {
  const at = shop.clock.now();
  const dollar = { code: "USD_RUB", valueE4: 800_000, previousCloseE4: null, source: "bank", observedAt: at, receivedAt: at, heardAt: at };
  await shop.ctx.db.insert(rateRows).values(dollar);
  await shop.receiveRates();
  for (const role of ["sales", "buyback", "accountant", "owner"] as const) {
    const rates = await (await bench.as(role)).call(readRates);
    expect(rates.data, role).toMatchObject({ isOpen: true, metals: { gold: { value: 11_500 }, silver: { value: 150 } } });
  }
  for (const role of ["packing", "editor", "admin"] as const)
    expect((await (await bench.as(role)).call(readRates)).problem?.code, role).toBe("staff.forbidden");
});
