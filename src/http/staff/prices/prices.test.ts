import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as approvals from "#contract/staff/access/approvals.ts";
import { percent } from "#kit/format.ts";
import * as coinCalls from "#contract/staff/coins/coins.ts";
import * as contract from "#contract/staff/prices/prices.ts";
import { hours, plus } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { auditEntries } from "#shop/audit/tables.ts";
import { coins } from "#shop/catalog/tables.ts";
import { aCoin, putCoins } from "#shop/catalog/testing.ts";
import { openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { priceLists } from "#shop/pricing/tables.ts";
import { testClock } from "#tests/shop.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "../testing.ts";

let shop: ShopToBuy;
let bench: StaffBench;
let owner: StaffClient;
beforeAll(async () => {
  shop = await openShopToBuy({
    clock: testClock(),
    limits: { writesPerMinute: 100_000, requestsPerMinute: 100_000, priceApprovalCoins: 1 },
  });
  bench = await openStaffBench({ shop });
  owner = await bench.as("owner");
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await bench.close();
});

const premiumOf = async (id: number): Promise<number | undefined> =>
  (await shop.ctx.db.select({ bp: coins.premiumBp }).from(coins).where(eq(coins.id, id)))[0]?.bp;

const lower = { field: "premium", mode: "add", bp: -50 } as const;
async function previewOf(action: object, query: Record<string, string> = {}) {
  const { data } = await owner.call(contract.previewPrices, { query: { ...query, action: JSON.stringify(action) } });
  return data;
}
const chosen = (rows: Awaited<ReturnType<typeof previewOf>>["rows"]) => rows.map(({ id, before }) => ({ id, seen: before }));

describe("prices in the back office", () => {
  test("are previewed by a filter with their reason, changed, listed and undone, each in the audit", async () => {
    const before = await premiumOf(3);
    const { rows, summary } = await previewOf(lower, { kinds: "bullion", metals: "gold", text: "coin" });
    expect(rows).toMatchObject([{ id: 3, before: { premiumBp: before }, after: { premiumBp: before! - 50 }, isChanged: true }]);
    expect(summary).toMatchObject({ coins: 1, changed: 1, reason: null });
    const done = await owner.call(contract.changePrices, { body: { action: lower, coins: chosen(rows), label: "Золото", dueAt: null } });
    expect(done).toMatchObject({ status: 200, data: { state: "applied", changed: 1, createdBy: owner.member.name } });
    expect(await premiumOf(3)).toBe(before! - 50);
    const undone = await owner.call(contract.undoPriceChange, { params: { id: done.data.id } });
    expect(undone).toMatchObject({ status: 200, data: { undoes: done.data.id, changed: 1 } });
    expect(await premiumOf(3)).toBe(before);
    const { data: listed } = await owner.call(contract.readPriceChanges);
    expect(listed.items.slice(0, 2).map(({ id, undoneBy }) => [id, undoneBy])).toEqual([
      [undone.data.id, null],
      [done.data.id, undone.data.id],
    ]);
    const { data: card } = await owner.call(contract.readPriceChange, { params: { id: done.data.id } });
    expect(card.items).toMatchObject([{ coinId: 3, outcome: "changed", title: "Coin 3" }]);
    const audited = await shop.ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `price-change:${done.data.id}`));
    expect(audited.map(({ action }) => action)).toEqual(["price.change"]);
  });

  test("below the metal wait for a second person, who applies them with the prices that were seen", async () => {
    const sink = { field: "premium", mode: "set", bp: -30 } as const;
    const { rows, summary } = await previewOf(sink, { ids: "3" });
    expect(summary).toMatchObject({ belowMetal: 1, reason: expect.stringContaining("ниже металла") });
    const before = await premiumOf(3);
    const pending = await owner.call(contract.changePrices, { body: { action: sink, coins: chosen(rows), label: "", dueAt: null } });
    expect(pending.status).toBe(202);
    expect(await premiumOf(3)).toBe(before);
    expect((await owner.call(approvals.approve, { params: { id: pending.approval!.id } })).problem?.code).toBe("approval.own");
    const second = await bench.as("owner");
    const { data: waiting } = await second.call(approvals.readApproval, { params: { id: pending.approval!.id } });
    const [was, is] = [waiting.shown!.before, waiting.shown!.after].map((side) => Object.values(side)[0]);
    expect([was, is]).toEqual([expect.stringContaining(`премия ${percent(before!)} %`), expect.stringContaining("премия −0,3 %")]);
    expect((await second.call(approvals.approve, { params: { id: pending.approval!.id } })).status).toBe(200);
    expect(await premiumOf(3)).toBe(-30);
    const { data } = await owner.call(contract.readPriceChanges);
    expect(data.items[0]).toMatchObject({ createdBy: owner.member.name, approvalReason: expect.stringContaining("ниже металла") });
    // The way back is 5.8 points: it waits too.
    expect((await owner.call(contract.undoPriceChange, { params: { id: data.items[0]!.id } })).status).toBe(202);
  });

  test("of more coins than the setting wait for a second person", async () => {
    const { rows } = await previewOf({ field: "price", mode: "percent", bp: 100, roundTo: 10 }, { kinds: "memorable" });
    const pending = await owner.call(contract.changePrices, {
      body: { action: { field: "price", mode: "percent", bp: 100, roundTo: 10 }, coins: chosen(rows), label: "", dueAt: null },
    });
    expect(pending.approval?.reason).toContain("Меняются цены 2 монет");
  });

  test("are scheduled, shown among the scheduled ones and cancelled", async () => {
    const { rows } = await previewOf(lower, { ids: "3" });
    const dueAt = plus(shop.clock.now(), hours(3)).toISOString();
    const made = await owner.call(contract.changePrices, { body: { action: lower, coins: chosen(rows), label: "Вечером", dueAt } });
    // A premium below the metal stays below it: this needs approval again.
    expect(made.status).toBe(202);
    const rise = { field: "premium", mode: "add", bp: 150 } as const;
    const due = await owner.call(contract.changePrices, { body: { action: rise, coins: chosen(rows), label: "Вечером", dueAt } });
    expect(due).toMatchObject({ status: 200, data: { state: "scheduled" } });
    const { data } = await owner.call(contract.readPriceChanges, { query: { part: "scheduled" } });
    expect(data.items.map(({ id }) => id)).toEqual([due.data.id]);
    expect((await owner.call(contract.cancelPriceChange, { params: { id: due.data.id } })).data.state).toBe("cancelled");
    expect((await owner.call(contract.readPriceChanges, { query: { part: "scheduled" } })).data.items).toEqual([]);
  });

  test("are refused with a message beside the field", async () => {
    const wrong = await owner.call(contract.changePrices, {
      body: { action: { field: "premium", mode: "set", bp: 1.5 }, coins: [], label: "", dueAt: "завтра" } as never,
    });
    expect(wrong.problem).toMatchObject({
      code: "request.invalid",
      fields: { coins: "Отметьте хотя бы одну монету", dueAt: "Укажите день и время" },
    });
    const { rows } = await previewOf(lower, { ids: "3" });
    const past = await owner.call(contract.changePrices, {
      body: { action: { field: "premium", mode: "add", bp: 150 }, coins: chosen(rows), label: "", dueAt: "2020-01-01T00:00:00Z" },
    });
    expect(past.problem?.code).toBe("price_change.past");
  });

  test("by quantity are refused beside their row, audited with their former values, and those can be saved again", async () => {
    const scope = { metal: "silver" } as const;
    const save = (revision: number, list: readonly (readonly [number, number])[]) =>
      owner.call(contract.savePriceSteps, {
        body: { scope, revision, steps: list.map(([quantity, discountBp]) => ({ quantity, discountBp })) },
      });
    const former = async () => (await owner.call(contract.readFormerPriceSteps, { query: { metal: "silver" } })).data.items;
    expect(
      (
        await save(0, [
          [5, 50],
          [1, 60],
        ])
      ).problem?.fields,
    ).toMatchObject({ "steps.1.quantity": "Не меньше 2 штук" });
    expect(
      (
        await save(0, [
          [5, 50],
          [10, 50],
        ])
      ).problem?.fields,
    ).toEqual({ "steps.1.discountBp": "Больше, чем в ступени выше" });
    // What could not be saved is not put before a second person.
    expect(
      (
        await save(0, [
          [5, 4_000],
          [4, 4_500],
        ])
      ).problem?.fields,
    ).toHaveProperty(["steps.1.quantity"]);
    expect(await former()).toEqual([]);

    expect((await save(0, [[5, 50]])).status).toBe(200);
    expect(
      (
        await save(1, [
          [5, 50],
          [10, 100],
        ])
      ).status,
    ).toBe(200);
    const [last, first] = await former();
    expect(last).toMatchObject({ replacedBy: owner.member.name, steps: [{ quantity: 5, discountBp: 50 }] });
    expect(first).toMatchObject({ steps: null });
    const [entry] = await shop.ctx.db.select().from(auditEntries).where(eq(auditEntries.id, last!.entry));
    expect(entry).toMatchObject({
      action: "price.steps",
      subject: "price-steps:silver",
      before: { steps: [{ quantity: 5 }] },
      after: { steps: [{ quantity: 5 }, { quantity: 10 }] },
    });
    const wrong = await owner.call(contract.readFormerPriceSteps, { query: {} });
    expect(wrong.problem?.code).toBe("request.invalid");
  });

  test("follow the metal, kind and mass of a coin on sale, by the same rule and with a version of the price list", async () => {
    const other = aCoin({ id: 602, metal: "silver", kind: "memorable", fixedPriceKopecks: 90_000_00, year: 1962, categories: ["silver"] });
    await putCoins(shop.ctx.db, [aCoin({ id: 601, year: 1961, title: "Монета 1961", categories: ["gold"] }), other]);
    const editor = await bench.as("editor");
    const { data: coin } = await editor.call(coinCalls.readCoin, { params: { id: 601 } });
    const save = (values: Partial<typeof coin.facts>, revision = 0) =>
      editor.call(coinCalls.saveCoin, {
        params: { id: 601 },
        body: { revision, facts: { ...coin.facts, ...values }, pictures: coin.pictures },
      });
    const lists = () => shop.ctx.db.$count(priceLists);
    const before = await lists();
    const stored = async () => (await shop.ctx.db.select().from(coins).where(eq(coins.id, 601)))[0];

    const lighter = await save({ pureMassMg: 778, totalMassMg: 789 });
    expect(lighter.approval?.reason).toBe("Металл, вид или чистая масса: 1\u00A0монета: цена меняется больше чем на 2 %");
    expect([lighter.status, (await save({ metal: "silver", categories: ["silver"] })).status]).toEqual([202, 202]);
    expect((await save({ kind: "memorable" })).problem).toMatchObject({ code: "coin.not_ready", data: { reasons: ["price"] } });
    expect([await lists(), (await stored())?.pureMassMg]).toEqual([before, 7_780]);
    const second = await bench.as("owner");
    const { data: waiting } = await second.call(approvals.readApproval, { params: { id: lighter.approval!.id } });
    expect(waiting.shown).toMatchObject({
      before: { "Чистый металл, г": "7,78" },
      after: { "Чистый металл, г": "0,778", "Масса, г": "0,789", "Цена сейчас": expect.stringContaining("₽") },
    });
    expect((await second.call(approvals.approve, { params: { id: lighter.approval!.id } })).status).toBe(200);
    expect([await lists(), (await stored())?.pureMassMg]).toEqual([before + 1, 778]);

    // A correction within the limit needs no second person, and open pages follow it; other facts make no list.
    expect((await save({ pureMassMg: 780, totalMassMg: 789 }, 1)).status).toBe(200);
    expect(await lists()).toBe(before + 2);
    expect((await save({ pureMassMg: 780, totalMassMg: 789, artist: "А. Б." }, 2)).status).toBe(200);
    expect(await lists()).toBe(before + 2);
  });

  test("are for the owner only", async () => {
    for (const role of ["sales", "packing", "editor", "accountant", "admin"] as const)
      expect((await (await bench.as(role)).call(contract.previewPrices)).problem?.code).toBe("staff.forbidden");
  });
});
