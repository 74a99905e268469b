import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readApproval } from "#contract/staff/access/approvals.ts";
import * as contract from "#contract/staff/prices/price-promos.ts";
import { previewPrices } from "#contract/staff/prices/prices.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { days, hours, plus } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { auditEntries } from "#shop/audit/tables.ts";
import { openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
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

const action = { field: "premium", mode: "add", bp: -100 } as const;
async function bodyFor(fromHours: number, forHours: number, change: object = {}) {
  const { data } = await owner.call(previewPrices, { query: { ids: "3", action: JSON.stringify(action) } });
  expect(data.rows).toMatchObject([{ id: 3, isChanged: true, isBelowMetal: false }]);
  const from = plus(shop.clock.now(), hours(fromHours));
  return {
    action,
    coins: data.rows.map(({ id, before }) => ({ id, seen: before })),
    label: "Неделя золота",
    startsAt: isoMoscow(from),
    endsAt: isoMoscow(plus(from, hours(forHours))),
    ...change,
  };
}

describe("price promos in the back office", () => {
  test("are made from a preview, listed, read with their coins, stopped, and in the audit", async () => {
    const made = await owner.call(contract.createPricePromo, { body: await bodyFor(-1, 24) });
    expect(made).toMatchObject({ status: 200, data: { state: "running", coins: 1, crossedOut: 0, createdBy: owner.member.name } });
    const { id } = made.data;
    const { data } = await owner.call(contract.readPricePromo, { params: { id } });
    // The coin is not on sale for the settled period yet.
    expect(data.items).toMatchObject([{ coinId: 3, title: "Coin 3", premiumBefore: 550, premiumBp: 450, settled: null }]);
    expect((await owner.call(contract.stopPricePromo, { params: { id } })).data).toMatchObject({
      state: "ended",
      closedBy: owner.member.name,
    });
    expect((await owner.call(contract.stopPricePromo, { params: { id } })).problem?.code).toBe("price_promo.closed");
    expect((await owner.call(contract.readPricePromos)).data.items).toMatchObject([{ id, state: "ended" }]);
    const audited = await shop.ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `price-promo:${id}`))
      .orderBy(asc(auditEntries.id));
    expect(audited.map(({ action: act, before, after }) => [act, before, (after as { state: string }).state])).toEqual([
      ["price_promo.create", null, "running"],
      ["price_promo.stop", { state: "running" }, "ended"],
    ]);
  });

  test("that overlap another one of the same coin are refused beside the field, with its name and time", async () => {
    const first = await owner.call(contract.createPricePromo, { body: await bodyFor(24, 48) });
    const clash = await owner.call(contract.createPricePromo, { body: await bodyFor(48, 48) });
    expect(clash.problem).toMatchObject({ statusCode: 409, code: "price_promo.overlaps" });
    expect(clash.problem!.fields!["startsAt"]).toMatch(/Уже есть акция «Неделя золота» с .*: Coin 3/);
    await owner.call(contract.stopPricePromo, { params: { id: first.data.id } });
  });

  test("with wrong fields are refused beside them; deep ones wait for a second person", async () => {
    const body = await bodyFor(1, 24);
    expect((await owner.call(contract.createPricePromo, { body: { ...body, label: " " } })).problem?.fields).toHaveProperty("label");
    expect((await owner.call(contract.createPricePromo, { body: { ...body, endsAt: body.startsAt } })).problem?.fields).toHaveProperty(
      "endsAt",
    );
    const far = isoMoscow(plus(shop.clock.now(), days(100)));
    expect((await owner.call(contract.createPricePromo, { body: { ...body, endsAt: far } })).problem?.fields).toHaveProperty("endsAt");
    const deep = await owner.call(contract.createPricePromo, { body: { ...body, action: { ...action, bp: -600 } } });
    expect([deep.status, deep.approval?.reason]).toEqual([202, expect.stringContaining("ниже металла")]);
    const { data: waiting } = await owner.call(readApproval, { params: { id: deep.approval!.id } });
    const [before, after] = [waiting.shown!.before, waiting.shown!.after].map((side) => side["Coin 3, артикул 3"]);
    expect([before, after]).toEqual([expect.stringContaining("премия 5,5 %"), expect.stringContaining("премия −0,5 %")]);
    expect(waiting.shown!.after).toMatchObject({ label: body.label, endsAt: body.endsAt });
  });
});
