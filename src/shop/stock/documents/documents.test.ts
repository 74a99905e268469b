import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import { atOffice, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { packedPieces } from "#shop/orders/reservation/reserved.service.ts";
import * as checkout from "#shop/checkout/service.ts";
import * as orders from "#shop/orders/service.ts";
import { testClock } from "#tests/shop.ts";
import * as overview from "../overview/overview.service.ts";
import * as stock from "../service.ts";
import * as stocktakes from "../stocktakes/stocktake.service.ts";
import { stockItems } from "../tables.ts";
import type { DocumentDraft, DocumentKind, DocumentLine } from "./document.ts";
import * as documents from "./document.service.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({
    clock: testClock(),
    stock: 0,
    coins: Array.from({ length: 40 }, (_, index) => aCoin({ id: index + 1, metal: index < 20 ? "gold" : "silver" })),
    limits: { unpaidOrders: 10_000 },
  });
});
afterAll(() => shop.close());
afterEach(async () => expect(await checkLedger(shop.ctx.db)).toEqual([]));

const draftOf = (kind: DocumentKind, ...lines: [coinId: number, quantity: number, unitCost?: number][]): DocumentDraft => ({
  kind,
  supplier: "Гознак",
  number: "УПД 17",
  date: "2026-11-20",
  note: "по накладной",
  lines: lines.map(([coinId, quantity, cost]): DocumentLine => ({ coinId, quantity, unitCost: cost === undefined ? null : kopecks(cost) })),
});

async function posted(...of: Parameters<typeof draftOf>): Promise<number> {
  const made = await documents.create(shop.ctx, draftOf(...of));
  if (!made.ok) throw new Error(made.error.code);
  const result = await documents.post(shop.ctx, made.value.id, 0);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return made.value.id;
}
async function row(coinId: number) {
  const [found] = await shop.ctx.db.select().from(stockItems).where(eq(stockItems.coinId, coinId));
  return found && [found.onHand, found.reserved, found.costedPieces, found.costKopecks];
}
let buyers = 0;
/** An order of a coin that is paid on collection; `sold` has left the stock. */
async function ordered(coinId: number, quantity: number, isSold: boolean) {
  const order = await shop.ordered(aVisitor(`s${(buyers += 1)}`), { [coinId]: quantity }, { ...atOffice, paymentId: 7 });
  if (isSold) for (const event of ["assemble", "make_ready"] as const) await orders.apply(shop.ctx, order.id, event);
  return order;
}

describe("goods", () => {
  test("come with their cost, once however often they are posted, and are sold at the moving average", async () => {
    const id = await posted("receipt", [1, 2, 10_000]);
    await documents.post(shop.ctx, id, 1);
    await posted("receipt", [1, 1, 10_001]);
    expect(await row(1)).toEqual([3, 0, 3, 30_001]);
    const order = await ordered(1, 2, true);
    expect(await row(1)).toEqual([1, 0, 1, 10_000]);
    const [sale] = await overview.ledger(shop.ctx, 1, { before: null, limit: 1 });
    expect(sale).toMatchObject({ kind: "sold", quantity: -2, costed: -2, cost: -20_001, balance: 1, orderId: order.id });
    await orders.apply(shop.ctx, order.id, "deliver");
    await orders.apply(shop.ctx, order.id, "give_back");
    expect(await row(1)).toEqual([3, 0, 3, 30_001]);
  });

  test("of unknown cost get it once, as an opening cost, and it can be taken back", async () => {
    await inTransaction(shop.ctx.db, (tx) => stock.receive(tx, shop.ctx, 2, 4));
    await posted("receipt", [2, 1, 500]);
    const id = await posted("opening_cost", [2, 0, 300]);
    expect(await row(2)).toEqual([5, 0, 5, 1_700]);
    expect(await documents.find(shop.ctx, id)).toMatchObject({ pieces: 4, cost: 1_200, lines: [{ quantity: 4 }] });
    const again = await documents.create(shop.ctx, draftOf("opening_cost", [2, 0, 300]));
    expect(again.ok && (await documents.post(shop.ctx, again.value.id, 0))).toMatchObject({
      ok: false,
      error: { code: "stock.line_refused", lines: [{ coinId: 2, why: "cost_known" }] },
    });
    await documents.reverse(shop.ctx, id, 1, "не та цена");
    expect(await row(2)).toEqual([5, 0, 1, 500]);
  });

  test("are not posted from a draft that was changed meanwhile, and of a coin that does not exist not at all", async () => {
    const made = await documents.create(shop.ctx, draftOf("receipt", [3, 2, 100]));
    if (!made.ok) throw new Error(made.error.code);
    const { id } = made.value;
    await documents.save(shop.ctx, id, 0, draftOf("receipt", [3, 5, 100]));
    expect(await documents.post(shop.ctx, id, 0)).toMatchObject({ error: { code: "stock.stale", current: { revision: 1, pieces: 5 } } });
    expect(await documents.save(shop.ctx, id, 1, draftOf("receipt", [777, 1, 1]))).toMatchObject({
      error: { code: "stock.unknown_coins", ids: [777] },
    });
    await documents.discard(shop.ctx, id, 1);
    expect(await documents.post(shop.ctx, id, 2)).toMatchObject({ error: { code: "stock.wrong_state", state: "discarded" } });
    expect(await row(3)).toEqual([0, 0, 0, 0]);
  });

  test("are posted with all lines or none: a write-off of reserved pieces is refused line by line", async () => {
    await posted("receipt", [4, 3, 100], [5, 3, 100]);
    await ordered(4, 2, false);
    const made = await documents.create(shop.ctx, draftOf("write_off", [4, 2], [5, 1]));
    expect(made.ok && (await documents.post(shop.ctx, made.value.id, 0))).toEqual({
      ok: false,
      error: { code: "stock.line_refused", lines: [{ coinId: 4, why: "short", needed: 2, onHand: 3, reserved: 2 }] },
    });
    expect(await row(5)).toEqual([3, 0, 3, 300]);
    await posted("write_off", [4, 1], [5, 1]);
    expect([await row(4), await row(5)]).toEqual([
      [2, 2, 2, 200],
      [2, 0, 2, 200],
    ]);
  });
});

describe("a reversal", () => {
  test("takes the pieces and their own cost out again, once", async () => {
    await posted("receipt", [6, 2, 100]);
    const id = await posted("receipt", [6, 2, 900]);
    await documents.reverse(shop.ctx, id, 1, "ошибка");
    await documents.reverse(shop.ctx, id, 1, "ошибка");
    expect(await row(6)).toEqual([2, 0, 2, 200]);
    expect(await documents.find(shop.ctx, id)).toMatchObject({ state: "reversed", reversalReason: "ошибка" });
  });

  test("is refused when pieces are sold or reserved, with the numbers of each coin", async () => {
    const id = await posted("receipt", [7, 3, 100], [8, 1, 100]);
    await ordered(7, 1, true);
    await ordered(8, 1, false);
    expect(await documents.reverse(shop.ctx, id, 1, "ошибка")).toEqual({
      ok: false,
      error: {
        code: "stock.line_refused",
        lines: [
          { coinId: 7, why: "short", needed: 3, onHand: 2, reserved: 0 },
          { coinId: 8, why: "short", needed: 1, onHand: 1, reserved: 1 },
        ],
      },
    });
    expect([await row(7), await row(8)]).toEqual([
      [2, 0, 2, 200],
      [1, 1, 1, 100],
    ]);
  });

  test("of a write-off brings the pieces back at the cost they took along", async () => {
    await posted("receipt", [9, 3, 100]);
    const id = await posted("write_off", [9, 2]);
    await posted("receipt", [9, 1, 700]);
    await documents.reverse(shop.ctx, id, 1, "нашлись");
    expect(await row(9)).toEqual([4, 0, 4, 1_000]);
  });

  test("beside sales of the same coin leaves either the reversal or the sales, never both", async () => {
    const other = await shop.another();
    for (let round = 0; round < 12; round += 1) {
      const id = await posted("receipt", [10, 2, 100]);
      const buyer = aVisitor(`race-${round}`);
      await shop.fill(buyer, { 10: 2 });
      const request = { ...shop.orderRequestFor(await shop.quoted(buyer, { ...atOffice, paymentId: 7 })), customerId: null };
      const reverse = () => documents.reverse({ ...other, actor: shop.ctx.actor }, id, 1, "ошибка");
      const buy = () => checkout.placeOrder(shop.ctx, buyer, request);
      // The one that is sent first mostly wins; both must be right.
      const [reversed, bought] =
        round % 2 === 0
          ? await Promise.all([reverse(), buy()])
          : await Promise.all([buy(), reverse()]).then(([second, first]) => [first, second] as const);
      expect([reversed.ok, bought.ok]).toEqual([reversed.ok, !reversed.ok]);
      if (bought.ok) await orders.cancel(shop.ctx, { orderId: bought.value.order.id, viewer: shop.guest(bought.value.order) });
      await documents.reverse(shop.ctx, id, 1, "ошибка");
      expect(await row(10)).toEqual([0, 0, 0, 0]);
    }
    // Which of both wins depends on the machine. Without a sale the reversal does, after a whole order it is refused, and not by a
    // constraint.
    const free = await posted("receipt", [10, 2, 100]);
    expect((await documents.reverse(shop.ctx, free, 1, "ошибка")).ok).toBe(true);
    const sold = await posted("receipt", [10, 2, 100]);
    await ordered(10, 2, false);
    expect((await documents.reverse(shop.ctx, sold, 1, "ошибка")).ok).toBe(false);
  });
});

describe("an import", () => {
  test("of ten thousand lines is one document, made once", async () => {
    await shop.ctx.db.execute(sql`
      insert into coins select made.*
      from coins c, generate_series(100000, 109999) n,
        lateral jsonb_populate_record(c, jsonb_build_object('id', n, 'slug', 'many-' || n, 'title', 'Many ' || n)) made
      where c.id = 1`);
    const many = Array.from({ length: 10_000 }, (_, index) => 100_000 + index);
    const lines = many.map((coinId) => ({ coinId, quantity: 3, unitCost: kopecks(1_000) }));
    const first = await documents.postImported(shop.ctx, { ...draftOf("receipt"), lines }, "file-1");
    const again = await documents.postImported(shop.ctx, { ...draftOf("receipt"), lines }, "file-1");
    expect([first.ok && first.value.id, first.ok && first.value.state]).toEqual([again.ok && again.value.id, "posted"]);
    expect(await row(100_000)).toEqual([3, 0, 3, 3_000]);
  });

  test("brings coins to wanted pieces with one correction, and to the same pieces with none", async () => {
    await posted("receipt", [11, 5, 100], [12, 1, 100]);
    const wanted = [
      { coinId: 11, onHand: 3 },
      { coinId: 12, onHand: 1 },
      { coinId: 13, onHand: 2 },
    ];
    expect(await documents.linesToLevels(shop.ctx.db, wanted)).toEqual([
      { coinId: 11, quantity: -2, unitCost: null },
      { coinId: 13, quantity: 2, unitCost: null },
    ]);
    expect(await documents.postLevels(shop.ctx, wanted, { note: "файл", sourceKey: "levels-1" })).toMatchObject({ ok: true });
    expect([await row(11), await row(13)]).toEqual([
      [3, 0, 3, 300],
      [2, 0, 0, 0],
    ]);
    expect(await documents.postLevels(shop.ctx, wanted, { note: "файл", sourceKey: "levels-2" })).toEqual({ ok: true, value: null });
    await ordered(11, 2, false);
    expect(await documents.postLevels(shop.ctx, [{ coinId: 11, onHand: 1 }], { note: "файл", sourceKey: "levels-3" })).toMatchObject({
      error: { code: "stock.line_refused" },
    });
  });
});

describe("a stocktake", () => {
  const count = (id: number, coinId: number, quantity: number, mode: "add" | "all" = "all") =>
    stocktakes.count(shop.ctx, id, { coinId, quantity, mode }, packedPieces);

  test("compares each count with the ledger of its moment: sales before and after it make no difference", async () => {
    await posted("receipt", [20, 10, 100], [21, 10, 100], [22, 10, 100]);
    const { id } = await stocktakes.start(shop.ctx, "Сейф", [20, 21, 22]);
    await ordered(20, 2, true);
    await count(id, 20, 8);
    await count(id, 21, 9);
    await ordered(20, 3, true);
    await ordered(21, 3, true);
    const finished = await stocktakes.finish(shop.ctx, id);
    if (!finished.ok || finished.value.documentId === null) throw new Error("no document");
    const document = await documents.find(shop.ctx, finished.value.documentId);
    expect(document).toMatchObject({ kind: "correction", state: "draft", stocktakeId: id, lines: [{ coinId: 21, quantity: -1 }] });
    await documents.post(shop.ctx, finished.value.documentId, 0);
    expect([(await row(20))?.[0], (await row(21))?.[0], (await row(22))?.[0]]).toEqual([5, 6, 10]);
    expect(await stocktakes.finish(shop.ctx, id)).toEqual(finished);
    expect(await count(id, 22, 1)).toMatchObject({ error: { code: "stock.stocktake_ended" } });
  });

  test("by two devices adds up; pieces that left meanwhile make the coin be counted again", async () => {
    await posted("receipt", [23, 6, 100]);
    const { id } = await stocktakes.start(shop.ctx, "Полка", [23]);
    await Promise.all([count(id, 23, 1, "add"), count(id, 23, 2, "add"), count(id, 23, 1, "add")]);
    await ordered(23, 1, true);
    expect(await count(id, 23, 1, "add")).toEqual({ ok: true, value: { counted: 5 } });
    expect(await stocktakes.finish(shop.ctx, id)).toMatchObject({ error: { code: "stock.count_again", coinIds: [23] } });
    await count(id, 23, 5);
    expect(await stocktakes.finish(shop.ctx, id)).toEqual({ ok: true, value: { documentId: null } });
  });

  test("does not take away again what another document has corrected since the count", async () => {
    await posted("receipt", [33, 10, 100], [34, 10, 100]);
    const finish = async (id: number) => {
      const finished = await stocktakes.finish(shop.ctx, id);
      const document = finished.ok && finished.value.documentId !== null ? await documents.find(shop.ctx, finished.value.documentId) : null;
      if (!document) throw new Error("no document");
      return document;
    };
    // Two people count the same shelf, each in a stocktake of their own, and both miss the same piece.
    const [first, second] = [await stocktakes.start(shop.ctx, "Сейф", [33, 34]), await stocktakes.start(shop.ctx, "Полка", [33, 34])];
    for (const { id } of [first, second]) await count(id, 33, 9);
    await count(second.id, 34, 8);
    const [mine, other] = [await finish(first.id), await finish(second.id)];
    shop.clock.advance(1_000);
    expect(await documents.post(shop.ctx, mine.id, 0)).toMatchObject({ ok: true });
    const corrected = { coinId: 33, why: "corrected", needed: 1, onHand: 9, reserved: 0 };
    expect(await documents.post(shop.ctx, other.id, 0)).toEqual({ ok: false, error: { code: "stock.line_refused", lines: [corrected] } });
    expect([(await row(33))?.[0], (await row(34))?.[0]]).toEqual([9, 10]);
    // Without that line the rest is posted.
    await documents.save(shop.ctx, other.id, 0, { ...other, lines: other.lines.filter(({ coinId }) => coinId !== 33) });
    expect(await documents.post(shop.ctx, other.id, 1)).toMatchObject({ ok: true });
    expect([(await row(33))?.[0], (await row(34))?.[0]]).toEqual([9, 8]);
    // A correction that was taken back has corrected nothing.
    const third = await stocktakes.start(shop.ctx, "Ещё раз", [34]);
    await count(third.id, 34, 7);
    const late = await finish(third.id);
    shop.clock.advance(1_000);
    const byHand = await posted("correction", [34, -1]);
    expect(await documents.post(shop.ctx, late.id, 0)).toMatchObject({ error: { code: "stock.line_refused" } });
    await documents.reverse(shop.ctx, byHand, 1, "дважды");
    expect(await documents.post(shop.ctx, late.id, 0)).toMatchObject({ ok: true });
    expect((await row(34))?.[0]).toBe(7);
  });

  test("does not miss the pieces in sealed bags, which are not on the shelf", async () => {
    await posted("receipt", [24, 4, 100]);
    const order = await ordered(24, 1, false);
    await orders.apply(shop.ctx, order.id, "assemble");
    const { id } = await stocktakes.start(shop.ctx, "Полка", [24]);
    await count(id, 24, 3);
    expect(await count(id, 1, 1)).toMatchObject({ error: { code: "stock.not_on_sheet" } });
    expect(await stocktakes.finish(shop.ctx, id)).toEqual({ ok: true, value: { documentId: null } });
  });

  test("beside running sales and its own correction keeps the ledger, and ends at what was on the shelf", async () => {
    const other = await shop.another();
    const coins = [25, 26, 27, 28];
    await posted("receipt", ...coins.map((coin): [number, number, number] => [coin, 30, 101]));
    // One piece of each is gone from the shelf, and the ledger does not know.
    const { id } = await stocktakes.start(shop.ctx, "Ночью", coins);
    const sold = { pieces: 0 };
    await Promise.all([
      (async () => {
        for (let step = 0; step < 12; step += 1) {
          await ordered(coins[step % 4] ?? 25, 1 + (step % 2), step % 3 !== 0);
          sold.pieces += step % 3 === 0 ? 0 : 1 + (step % 2);
        }
      })(),
      (async () => {
        for (const coinId of coins) {
          // What a person sees: the shelf at this moment, one piece short. The locked row keeps pieces from leaving, but an order may be
          // packed between the look and the entry; then the person counts again.
          await inTransaction(other.db, async (tx) => {
            const [found] = await tx.select().from(stockItems).where(eq(stockItems.coinId, coinId)).for("update");
            const inBags = async () => (await packedPieces(tx, [coinId])).get(coinId) ?? 0;
            for (let bags = -1; bags !== (await inBags());) {
              bags = await inBags();
              const seen = (found?.onHand ?? 0) - bags - 1;
              await stocktakes.count(
                { ...other, db: tx, actor: shop.ctx.actor },
                id,
                { coinId, quantity: seen, mode: "all" },
                packedPieces,
              );
            }
          });
        }
      })(),
    ]);
    const finished = await stocktakes.finish(shop.ctx, id);
    if (!finished.ok || finished.value.documentId === null) throw new Error("no document");
    await Promise.all([documents.post({ ...other, actor: shop.ctx.actor }, finished.value.documentId, 0), ordered(25, 1, false)]);
    const levels = await shop.ctx.db.select().from(stockItems);
    const left = levels.filter(({ coinId }) => coins.includes(coinId)).reduce((sum, { onHand }) => sum + onHand, 0);
    expect(left).toBe(4 * 30 - sold.pieces - 4);
  });
});

test("the stock lists low coins, coins that are out and coins without a cost", async () => {
  await posted("receipt", [30, 2, 100], [31, 9, 100]);
  await stock.setLowAt(shop.ctx, 31, { before: null, lowAt: 10 });
  const of = async (part: "low" | "out" | "without_cost") =>
    (await overview.levels(shop.ctx, { part, metal: "silver", text: "", after: null, limit: 100 })).map(({ coinId }) => coinId);
  expect(await of("low")).toEqual(expect.arrayContaining([30, 31]));
  expect(await of("out")).toEqual(expect.arrayContaining([40]));
  expect(await of("without_cost")).toEqual([]);
  const [first] = await overview.levels(shop.ctx, { part: "all", metal: null, text: "", after: null, limit: 1 });
  const [second] = await overview.levels(shop.ctx, { part: "all", metal: null, text: "", after: first?.coinId ?? null, limit: 1 });
  expect([first?.title, second?.title]).toEqual(["Coin 1", "Coin 10"]);
});
