import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import * as approvalCalls from "#contract/staff/access/approvals.ts";
import { findAnything } from "#contract/staff/search.ts";
import * as contract from "#contract/staff/stock.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { auditEntries } from "#shop/audit/tables.ts";
import { aCoin, putCoins } from "#shop/catalog/testing.ts";
import { findCoinsToAdd } from "#shop/checkout/addition.service.ts";
import { atOffice, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { stocktakes } from "#shop/stock/tables.ts";
import { testClock } from "#tests/shop.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "../testing.ts";

let shop: ShopToBuy;
let bench: StaffBench;
let packing: StaffClient;
let owner: StaffClient;
beforeAll(async () => {
  shop = await openShopToBuy({
    clock: testClock(),
    stock: 5,
    coins: [aCoin({ id: 1, catalogueNumber: "5111-0001" }), aCoin({ id: 2, metal: "silver" }), aCoin({ id: 3, metal: "silver" })],
    limits: { writesPerMinute: 100_000, requestsPerMinute: 100_000 },
  });
  bench = await openStaffBench({ shop });
  [packing, owner] = [await bench.as("packing"), await bench.as("owner")];
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await bench.close();
});

type Draft = z.input<typeof contract.createDocument.body>;
const receipt = (coin: number, quantity: number, unitCost: number): Draft => ({
  kind: "receipt",
  supplier: "Гознак",
  lines: [{ coin, quantity, unitCost }],
});
async function drafted(body: Draft) {
  const made = await packing.call(contract.createDocument, { body });
  expect([made.status, made.problem]).toEqual([200, null]);
  return made.data;
}
const params = (id: number) => ({ id: String(id) });
const levelOf = async (id: number, who = owner) => (await who.call(contract.readStockCoin, { params: params(id) })).data;

describe("goods", () => {
  test("of a supplier are entered by packing and posted; repeated presses change nothing, the audit names both steps", async () => {
    const { id } = await drafted(receipt(2, 3, 4_500.5));
    const press = { params: params(id), body: { revision: 0 }, key: "post-1" };
    for (const _ of [1, 2]) expect((await packing.call(contract.postDocument, press)).data).toMatchObject({ state: "posted", pieces: 3 });
    const { name } = packing.member;
    expect((await owner.call(contract.readDocument, { params: params(id) })).data).toMatchObject({ createdBy: name, postedBy: name });
    expect((await owner.call(contract.readDocuments)).data.items[0]).toMatchObject({ id, createdBy: name, postedBy: name });
    expect((await owner.call(contract.readStockEntries, { params: params(2) })).data.items[0]).toMatchObject({ documentId: id, by: name });
    expect(await levelOf(2)).toMatchObject({ onHand: 8, available: 8, uncosted: 5, cost: 13_501.5, averageCost: 4_500.5 });
    const entries = await shop.ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `stock_document:${id}`))
      .orderBy(auditEntries.id);
    expect(entries.map(({ action, actor }) => `${actor} ${action}`)).toEqual([
      `staff:${packing.member.login} stock.draft`,
      `staff:${packing.member.login} stock.post`,
    ]);
  });

  test("with wrong fields are refused beside each field", async () => {
    const sent = await packing.call(contract.createDocument, {
      body: {
        kind: "receipt",
        lines: [
          { coin: 2, quantity: 0, unitCost: null },
          { coin: 2, quantity: 1, unitCost: 1 },
        ],
      },
    });
    expect(sent.problem?.fields).toEqual({
      supplier: "Назовите поставщика",
      "0.quantity": "Хотя бы одна монета",
      "0.unitCost": "Сколько стоила одна монета",
      "1.coin": "Эта монета уже есть в документе",
    });
    const finer = await packing.call(contract.createDocument, { body: receipt(2, 1, 1.000_01) });
    expect(finer.problem?.fields).toEqual({
      unitCost: "Не больше двух знаков после запятой",
      "lines.0.unitCost": "Не больше двух знаков после запятой",
    });
    const unknown = await packing.call(contract.createDocument, { body: receipt(77, 1, 1) });
    expect(unknown.problem?.fields).toEqual({ lines: "Таких монет нет: 77" });
  });

  test("show their cost only to roles that enter goods or read reports", async () => {
    const sales = await bench.as("sales");
    for (const data of [await levelOf(2, sales), (await sales.call(contract.readDocuments)).data.items[0]]) {
      expect(data).toBeDefined();
      expect(data).not.toHaveProperty("cost");
    }
    expect(await levelOf(2, await bench.as("accountant"))).toHaveProperty("cost");
  });
});

describe("a correction", () => {
  test("of silver is posted by the owner at once; from packing it needs a second person", async () => {
    const spoilt: Draft = { kind: "write_off", note: "брак", lines: [{ coin: 3, quantity: 1 }] };
    const [one, two] = [await drafted(spoilt), await drafted(spoilt)];
    expect((await owner.call(contract.postCorrection, { params: params(one.id), body: { revision: 0 } })).data).toMatchObject({
      state: "posted",
    });
    const pending = await packing.call(contract.postCorrection, { params: params(two.id), body: { revision: 0 } });
    expect(pending.status).toBe(202);
    expect((await levelOf(3)).onHand).toBe(4);
    expect((await owner.call(approvalCalls.approve, { params: { id: pending.approval?.id ?? "" } })).status).toBe(200);
    expect((await levelOf(3)).onHand).toBe(3);
  });

  test("of gold needs a second person even from the owner, and so does a reversal", async () => {
    const { id } = await drafted({ kind: "correction", note: "пересчёт", lines: [{ coin: 1, quantity: -1 }] });
    const pending = await owner.call(contract.postCorrection, { params: params(id), body: { revision: 0 } });
    expect([pending.status, pending.approval?.reason]).toEqual([202, "Остатки золота исправляют вдвоём"]);
    const own = await owner.call(approvalCalls.approve, { params: { id: pending.approval?.id ?? "" } });
    expect(own.problem?.code).toBe("approval.own");
    const second = await bench.as("owner");
    const waiting = await second.call(approvalCalls.readApproval, { params: { id: pending.approval?.id ?? "" } });
    expect([Object.values(waiting.data.shown?.before ?? {}), Object.values(waiting.data.shown?.after ?? {})]).toEqual([
      ["5 шт."],
      ["4 шт."],
    ]);
    expect((await second.call(approvalCalls.approve, { params: { id: pending.approval?.id ?? "" } })).status).toBe(200);
    expect((await levelOf(1)).onHand).toBe(4);
    const back = await owner.call(contract.reverseDocument, { params: params(id), body: { revision: 1, reason: "ошибка" } });
    expect(back.status).toBe(202);
  });

  test("is not posted by the call of receipts, and an outdated draft shows both versions", async () => {
    const made = await drafted({ kind: "write_off", note: "брак", lines: [{ coin: 2, quantity: 1 }] });
    expect((await packing.call(contract.postDocument, { params: params(made.id), body: { revision: 0 } })).problem?.code).toBe(
      "stock.wrong_state",
    );
    const draft: Draft = { kind: "write_off", note: "брак, две", lines: [{ coin: 2, quantity: 2 }] };
    await packing.call(contract.saveDocument, { params: params(made.id), body: { revision: 0, draft } });
    const stale = await packing.call(contract.saveDocument, { params: params(made.id), body: { revision: 0, draft } });
    expect(stale.problem).toMatchObject({ code: "staff.stale", data: { revision: 1, current: { note: "брак, две" } } });
  });

  test("that takes reserved pieces is refused with the numbers of the coin", async () => {
    const { id } = await drafted(receipt(3, 2, 100));
    await packing.call(contract.postDocument, { params: params(id), body: { revision: 0 } });
    const { available } = await levelOf(3);
    const order = await shop.ordered(aVisitor("held"), { 3: available }, { ...atOffice, paymentId: 7 });
    const refused = await owner.call(contract.reverseDocument, { params: params(id), body: { revision: 1, reason: "ошибка" } });
    expect(refused.problem).toMatchObject({
      code: "stock.line_refused",
      data: { lines: [{ coin: { id: 3 }, why: "short", needed: 2, reserved: available }] },
    });
    expect((await levelOf(3)).orders).toMatchObject([{ id: order.id, pieces: available, state: "placed" }]);
  });
});

test("a count by two devices is blind until it ends, and its difference waits in a draft", async () => {
  const started = await packing.call(contract.startStocktake, { body: { title: "Золото в сейфе", metal: "gold" } });
  const { id } = started.data;
  const other = await bench.as("buyback");
  await packing.call(contract.countPieces, { params: params(id), body: { code: "5111-0001", quantity: 1, mode: "add" } });
  await other.call(contract.countPieces, { params: params(id), body: { coin: 1, quantity: 2, mode: "add" } });
  const wrong = await packing.call(contract.countPieces, { params: params(id), body: { code: "999", quantity: 1, mode: "add" } });
  expect(wrong.problem?.code).toBe("stock.code_unknown");
  const blind = await owner.call(contract.readStocktake, { params: params(id) });
  expect(blind.data.lines).toHaveLength(1);
  expect(blind.data.lines[0]).toMatchObject({ counted: 3 });
  expect(JSON.stringify(blind.data)).not.toContain("expected");
  const { documentId } = (await packing.call(contract.finishStocktake, { params: params(id) })).data;
  expect((await owner.call(contract.readStocktake, { params: params(id) })).data.lines[0]).toMatchObject({ counted: 3, expected: 4 });
  expect((await owner.call(contract.readStocktakes)).data.items[0]).toMatchObject({
    createdBy: packing.member.name,
    endedBy: packing.member.name,
  });
  const document = (await owner.call(contract.readDocument, { params: params(documentId ?? 0) })).data;
  expect(document).toMatchObject({ kind: "correction", state: "draft", stocktakeId: id, lines: [{ coin: { id: 1 }, quantity: -1 }] });
});

test("a count of chosen coins has these coins on its sheet, each once, whatever their metal and whether there are any", async () => {
  const body = { title: "Витрина", coins: [3, 1, 3] };
  const { data: started, status } = await packing.call(contract.startStocktake, { body });
  expect(status).toBe(200);
  const { lines } = (await owner.call(contract.readStocktake, { params: params(started.id) })).data;
  expect(lines.map(({ coin }) => coin.id)).toEqual([3, 1]);
  const off = await packing.call(contract.countPieces, { params: params(started.id), body: { coin: 2, quantity: 1, mode: "add" } });
  expect(off.problem?.code).toBe("stock.not_on_sheet");
  const entries = await shop.ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.subject, `stocktake:${started.id}`));
  expect(entries.map(({ after }) => after)).toContainEqual({ title: "Витрина", coins: 2 });
});

test("a count of a coin that does not exist is not started, and its article is named", async () => {
  const before = await shop.ctx.db.$count(stocktakes);
  const refused = await packing.call(contract.startStocktake, { body: { title: "Витрина", coins: [1, 999] } });
  expect(refused.problem).toMatchObject({ code: "request.invalid", fields: { coins: "Монеты с артикулом 999 нет" } });
  expect(await shop.ctx.db.$count(stocktakes)).toBe(before);
});

test("the stock is listed page by page with its metal value, and a threshold marks a coin as low", async () => {
  const { data } = await owner.call(contract.readStock, { query: { part: "in_stock", metal: "gold" } });
  // 7.78 g at 11 500 ₽ a piece.
  expect(data.items).toMatchObject([{ id: 1, onHand: 4, pureMassMg: 31_120, metalValue: 357_880, isLow: false }]);
  await packing.call(contract.setStockThreshold, { params: params(1), body: { before: null, lowAt: 10 } });
  expect((await owner.call(contract.readStock, { query: { part: "low", text: "5111-0001" } })).data.items).toMatchObject([
    { id: 1, lowAt: 10 },
  ]);
  const summary = (await owner.call(contract.readStockSummary)).data;
  expect(summary).toMatchObject({ lowAt: 3, metals: [{ metal: "gold", pieces: 4 }, { metal: "silver" }] });
  const entries = (await owner.call(contract.readStockEntries, { params: params(3) })).data.items;
  expect(entries.map(({ kind, quantity, balance }) => [kind, quantity, balance])).toEqual([
    ["receipt", 2, 5],
    ["written_off", -1, 3],
    ["written_off", -1, 4],
    ["opening", 5, 5],
  ]);
});

test("a coin that is off sale is found by its title to receive and count it, and is not offered for sale", async () => {
  await putCoins(shop.ctx.db, [aCoin({ id: 4, title: "Полярная сова", isPublished: false })]);
  const text = "сова";
  expect((await packing.call(contract.findStockCoins, { query: { text } })).data).toMatchObject([{ id: 4, title: "Полярная сова" }]);
  const { id } = await drafted(receipt(4, 2, 50_000));
  expect((await packing.call(contract.postDocument, { params: params(id), body: { revision: 0 } })).status).toBe(200);
  const listed = (await owner.call(contract.readStock, { query: { part: "in_stock", text } })).data.items;
  expect(listed).toMatchObject([{ id: 4, onHand: 2, isPublished: false }]);

  const soughtBy = async (client: StaffClient, q: string) =>
    (await client.call(findAnything, { query: { q } })).data.coins.map((coin) => coin.id);
  const sales = await bench.as("sales");
  expect([await soughtBy(owner, text), await soughtBy(sales, text), await soughtBy(sales, "coin 2")]).toEqual([[4], [], [2]]);
  const toAdd = async (words: string) => (await findCoinsToAdd(shop.ctx, words, 20)).map((coin) => coin.id);
  expect([await toAdd(text), await toAdd("4"), await toAdd("coin 2")]).toEqual([[], [], [2]]);
});

test("a threshold that a colleague changed is not overwritten unseen: both numbers are shown, and mine is saved over theirs", async () => {
  const set = (who: StaffClient, body: { before: number | null; lowAt: number | null }) =>
    who.call(contract.setStockThreshold, { params: params(2), body });
  expect((await set(packing, { before: null, lowAt: 7 })).status).toBe(200);
  const late = await set(owner, { before: null, lowAt: 9 });
  expect([late.status, late.problem]).toMatchObject([409, { code: "staff.stale", data: { current: 7 } }]);
  expect((await levelOf(2)).lowAt).toBe(7);
  expect((await set(owner, { before: null, lowAt: 7 })).status).toBe(200); // both make the same change
  expect((await set(owner, { before: 7, lowAt: 9 })).status).toBe(200);
  expect((await levelOf(2)).lowAt).toBe(9);
});
