import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as approvals from "#contract/staff/access/approvals.ts";
import * as contract from "#contract/staff/prices/promo-codes.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { auditEntries } from "#shop/audit/tables.ts";
import * as cart from "#shop/cart/service.ts";
import { aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { testClock } from "#tests/shop.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "../testing.ts";

let shop: ShopToBuy;
let bench: StaffBench;
let owner: StaffClient;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), limits: { writesPerMinute: 100_000, requestsPerMinute: 100_000 } });
  bench = await openStaffBench({ shop });
  owner = await bench.as("owner");
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await bench.close();
});

const body = {
  code: "Осень 26",
  percentBp: null,
  sum: 500,
  startsAt: "2026-01-01T00:00:00+03:00",
  endsAt: null,
  maxUses: 10,
  maxUsesPerPerson: 1,
  minSum: 5_000,
  coinIds: [1],
  categories: null,
  isWithPromos: false,
};

describe("promo codes in the back office", () => {
  test("are added, used, read with their orders, stopped, and in the audit", async () => {
    const made = await owner.call(contract.createPromoCode, { body });
    expect(made).toMatchObject({
      status: 200,
      data: { code: "ОСЕНЬ26", sum: 500, state: "active", used: 0, coins: [{ id: 1, title: "Coin 1" }], createdBy: owner.member.name },
    });
    const { id } = made.data;
    const buyer = aVisitor("office promo");
    await shop.fill(buyer, { 1: 1 });
    await cart.enterPromo(shop.ctx, buyer, "осень26", null);
    const order = await shop.ordered(buyer, {});
    const { data } = await owner.call(contract.readPromoCode, { params: { id } });
    expect(data).toMatchObject({
      code: { used: 1 },
      items: [{ orderId: order.id, number: order.number, discount: 500, returnedAt: null }],
      next: null,
    });
    expect((await owner.call(contract.stopPromoCode, { params: { id } })).data).toMatchObject({ state: "stopped", used: 1 });
    expect((await owner.call(contract.readPromoCodes)).data.items).toMatchObject([{ id, state: "stopped" }]);
    const audited = await shop.ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `promo-code:${id}`))
      .orderBy(asc(auditEntries.id));
    expect(audited.map(({ action }) => action)).toEqual(["promo_code.create", "promo_code.stop"]);
  });

  test("are refused beside the field that is wrong", async () => {
    const fieldsOf = async (change: object) =>
      (await owner.call(contract.createPromoCode, { body: { ...body, ...change } })).problem?.fields;
    expect(await fieldsOf({})).toEqual({ code: "Такой промокод уже есть" });
    expect(await fieldsOf({ code: "А!" })).toHaveProperty("code");
    expect(await fieldsOf({ code: "X-1", percentBp: 100 })).toHaveProperty("sum");
    expect(await fieldsOf({ code: "X-1", endsAt: body.startsAt })).toHaveProperty("endsAt");
    expect(await fieldsOf({ code: "X-1", coinIds: [1, 999] })).toEqual({ coinIds: "Таких монет нет: 999" });
    expect(await fieldsOf({ code: "X-1", categories: ["nowhere"] })).toHaveProperty("categories");
  });

  test("of more than the limits wait for a second person", async () => {
    const asked = await owner.call(contract.createPromoCode, { body: { ...body, code: "BIG", sum: 5_001 } });
    expect(asked.status).toBe(202);
    expect(asked.approval?.reason).toContain("без согласования");
    const second = await bench.as("owner");
    const { data: waiting } = await second.call(approvals.readApproval, { params: { id: asked.approval!.id } });
    expect(waiting.shown!.after).toMatchObject({ Промокод: "BIG", Скидка: "5\u00A0001\u00A0₽", "Для монет": "Coin 1", Конец: "без срока" });
    expect((await second.call(approvals.approve, { params: { id: asked.approval!.id } })).status).toBe(200);
    expect((await owner.call(contract.readPromoCodes)).data.items[0]).toMatchObject({ code: "BIG", createdBy: owner.member.name });
  });

  test("are closed to roles without prices", async () => {
    const sales = await bench.as("sales");
    expect((await sales.call(contract.readPromoCodes)).status).toBe(403);
    expect((await sales.call(contract.createPromoCode, { body })).status).toBe(403);
  });
});
