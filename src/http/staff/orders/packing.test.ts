import { inflateSync } from "node:zlib";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packOrder } from "#contract/staff/orders/orders.ts";
import * as contract from "#contract/staff/orders/packing.ts";
import { minutes, seconds } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { auditEntries } from "#shop/audit/tables.ts";
import { openShopToBuy, shelf, type ShopToBuy } from "#shop/checkout/testing.ts";
import * as labels from "#shop/delivery/labels/label.service.ts";
import type { Order } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import { aPaidOrder } from "#shop/packing/testing.ts";
import { testClock } from "#tests/shop.ts";
import { openStaffBench, type StaffBench, type StaffClient } from "../testing.ts";

let shop: ShopToBuy;
let bench: StaffBench;
beforeAll(async () => {
  shop = await openShopToBuy({
    clock: testClock(),
    stock: 200,
    coins: shelf.map((coin) => ({ ...coin, catalogueNumber: `5111-000${coin.id}` })),
    limits: { writesPerMinute: 100_000, requestsPerMinute: 100_000 },
  });
  bench = await openStaffBench({ shop });
});
afterAll(async () => {
  expect(bench.faults).toEqual([]);
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await bench.close();
});

const changesOf = async (order: Order) =>
  (
    await shop.ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `order:${order.id}`))
      .orderBy(auditEntries.id)
  ).map(({ before, after }) => [before, after]);
const auditOf = async (order: Order): Promise<string[]> =>
  (
    await shop.ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, `order:${order.id}`))
      .orderBy(auditEntries.id)
  ).map(({ actor, action }) => `${actor} ${action}`);

async function batchOf(who: StaffClient, ...of: Order[]): Promise<number> {
  const opened = await who.call(contract.openBatch, { body: { orders: of.map(({ id }) => id) } });
  expect(opened.status).toBe(200);
  return opened.data.id;
}
const place = (batchId: number, { id }: Order) => ({ id: String(batchId), orderId: id });

async function packAll(who: StaffClient, batchId: number, order: Order, seal: string) {
  const { data: batch } = await who.call(contract.readBatch, { params: { id: String(batchId) } });
  for (const line of batch.orders.find(({ id }) => id === order.id)?.lines ?? [])
    for (let piece = line.checked; piece < line.count; piece += 1)
      expect((await who.call(contract.scanPiece, { params: place(batchId, order), body: { code: line.code } })).status).toBe(200);
  return who.call(contract.finishOrder, { params: place(batchId, order), body: { seal } });
}

/** What a PDF shows: its pages hold glyph numbers, which the character map of the font in use translates. */
function textOf(bytes: Buffer): string {
  const objects = new Map(
    [...bytes.toString("latin1").matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id = "", body = ""]) => [id, body]),
  );
  const streamOf = (body = ""): string => {
    const data = Buffer.from(/stream\r?\n([\s\S]*?)\r?\nendstream/.exec(body)?.[1] ?? "", "latin1");
    return data[0] === 0x78 ? inflateSync(data).toString("latin1") : "";
  };
  const lettersOf = (fontId: string): Map<string, string> => {
    const letters = new Map<string, string>();
    const map = streamOf(objects.get(/\/ToUnicode (\d+) 0 R/.exec(objects.get(fontId) ?? "")?.[1] ?? ""));
    for (const [, from = "", list = ""] of map.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g))
      [...list.matchAll(/<([0-9a-f]+)>/g)].forEach(([, code = ""], index) =>
        letters.set((parseInt(from, 16) + index).toString(16).padStart(4, "0"), Buffer.from(code, "hex").swap16().toString("utf16le")),
      );
    return letters;
  };
  const fonts = new Map(
    [...objects.values()]
      .flatMap((body) => [...body.matchAll(/\/(F\d+) (\d+) 0 R/g)])
      .map(([, name = "", id = ""]) => [name, lettersOf(id)]),
  );
  let font = new Map<string, string>();
  const shown: string[] = [];
  for (const page of [...objects.values()].map(streamOf).filter((stream) => stream.includes("BT")))
    for (const [, name, glyphs = ""] of page.matchAll(/\/(F\d+) [\d.]+ Tf|\[(<[^\]]*)\] TJ/g)) {
      if (name !== undefined) font = fonts.get(name) ?? new Map<string, string>();
      else shown.push((glyphs.replaceAll(/<|>[^<]*/g, "").match(/.{4}/g) ?? []).map((glyph) => font.get(glyph) ?? "").join(""));
    }
  return shown.join("\n");
}

describe("documents", () => {
  test("of a batch: pick list and slips are PDFs without a sum and without a phone", async () => {
    const [one, two] = [await aPaidOrder(shop, { 1: 2, 2: 1 }), await aPaidOrder(shop, { 1: 3 })];
    const packing = await bench.as("packing");
    const batchId = await batchOf(packing, one, two);
    const params = { id: String(batchId) };
    const list = await packing.call(contract.printPickList, { params });
    const slips = await packing.call(contract.printSlips, { params });
    for (const { response } of [list, slips]) {
      expect(response.headers["content-type"]).toBe("application/pdf");
      expect(response.headers["content-disposition"]).toMatch(/^inline; /);
      expect(response.rawPayload.subarray(0, 5).toString()).toBe("%PDF-");
    }
    const shown = textOf(slips.response.rawPayload);
    expect(shown).toContain(`Упаковочный лист к заказу ${one.number}`);
    expect(shown).toContain(`Упаковочный лист к заказу ${two.number}`);
    expect(shown).toContain("Петров Иван");
    expect(shown).toContain("5111-0001");
    expect(shown).toContain("Пломба");
    for (const text of [shown, textOf(list.response.rawPayload)]) expect(text).not.toMatch(/6.?000|9.?000|21.?000|₽|916/);
    expect(textOf(list.response.rawPayload)).toContain("5111-0001");
    await packAll(packing, batchId, one, "PAPER-0001");
    expect(textOf((await packing.call(contract.printSlip, { params: { orderId: one.id } })).response.rawPayload)).toContain("PAPER-0001");
    await packAll(packing, batchId, two, "PAPER-0002");
  });
});

describe("an order at the packing table", () => {
  test("is packed by scans and its seal; each step is in the audit, a repeated press changes nothing", async () => {
    const order = await aPaidOrder(shop, { 1: 2 });
    const packing = await bench.as("packing");
    const batchId = await batchOf(packing, order);
    const wrong = await packing.call(contract.scanPiece, { params: place(batchId, order), body: { code: "5111-0002" } });
    expect([wrong.status, wrong.problem]).toMatchObject([409, { code: "packing.wrong_piece", data: { why: "not_in_order" } }]);
    const press = { params: place(batchId, order), body: { code: "5111-0001" }, key: "scan-1" };
    for (const _ of [1, 2]) expect((await packing.call(contract.scanPiece, press)).data).toMatchObject({ checked: 1, count: 2 });
    const early = await packing.call(contract.finishOrder, { params: place(batchId, order), body: { seal: "AUDIT-0001" } });
    expect(early.problem).toMatchObject({ code: "packing.incomplete", data: { left: 1 } });
    const bad = await packing.call(contract.finishOrder, { params: place(batchId, order), body: { seal: "x" } });
    expect(bad.problem?.fields).toMatchObject({ seal: "Номер пломбы: от 5 до 20 букв и цифр, цифр не меньше четырёх" });
    expect((await packAll(packing, batchId, order, "audit-0001")).data).toMatchObject({
      number: order.number,
      label: { state: "waiting" },
    });
    expect(await shop.now(order)).toMatchObject({ state: "assembled", sealNumber: "AUDIT-0001" });
    const who = `staff:${packing.member.login}`;
    expect(await auditOf(order)).toEqual([`${who} packing.check`, `${who} packing.check`, `${who} packing.pack`]);
  });

  test("shows a checked coin of which every piece was dropped, until it is put back", async () => {
    const order = await aPaidOrder(shop, { 1: 1, 2: 1 });
    const packing = await bench.as("packing");
    const batchId = await batchOf(packing, order);
    for (const code of ["5111-0001", "5111-0002"])
      await packing.call(contract.scanPiece, { params: place(batchId, order), body: { code } });
    await orders.apply(shop.ctx, order.id, "refund", { pieces: [{ coinId: 2, quantity: 1 }] });
    const shown = async () =>
      (await packing.call(contract.readBatch, { params: { id: String(batchId) } })).data.orders[0]?.lines.map(
        ({ coin, code, count, checked }) => [coin, code, count, checked],
      );
    expect(await shown()).toEqual([
      [1, "5111-0001", 1, 1],
      [2, "5111-0002", 0, 1],
    ]);
    const back = { params: place(batchId, order), body: { coin: 2, checked: 0 } };
    expect((await packing.call(contract.tickPieces, back)).status).toBe(200);
    expect(await shown()).toEqual([[1, "5111-0001", 1, 1]]);
    expect((await packAll(packing, batchId, order, "BACK-0001")).status).toBe(200);
  });

  test("is not sealed with the code of a piece too many, which is named beside the field", async () => {
    const order = await aPaidOrder(shop, { 1: 1 });
    const packing = await bench.as("packing");
    const batchId = await batchOf(packing, order);
    await packing.call(contract.scanPiece, { params: place(batchId, order), body: { code: "5111-0001" } });
    const title = order.lines[0]?.title ?? "";
    const again = await packing.call(contract.finishOrder, { params: place(batchId, order), body: { seal: "5111-0001" } });
    expect([again.status, again.problem]).toMatchObject([
      409,
      {
        code: "packing.wrong_piece",
        data: { why: "enough", title },
        fields: { seal: `Это код монеты, а не номер пломбы: ${title}. Лишнюю монету уберите` },
      },
    ]);
    expect(await shop.now(order)).toMatchObject({ state: "paid", sealNumber: null });
  });

  test("is not sealed with the code of a coin on its card either", async () => {
    const order = await aPaidOrder(shop, { 1: 1 });
    const packing = await bench.as("packing");
    const refused = await packing.call(packOrder, {
      params: { id: order.id },
      body: { event: "assemble", revision: order.revision, seal: "5111-0001" },
    });
    const title = order.lines[0]?.title ?? "";
    expect([refused.status, refused.problem]).toMatchObject([
      409,
      { code: "order.seal_is_coin", data: { title }, fields: { seal: `Это код монеты, а не номер пломбы: ${title}` } },
    ]);
    expect(await shop.now(order)).toMatchObject({ state: "paid", sealNumber: null });
  });

  test("keeps its checked pieces for the next look, and names its packer to the others", async () => {
    const order = await aPaidOrder(shop, { 1: 2 });
    const [first, second] = [await bench.as("packing"), await bench.as("packing")];
    const batchId = await batchOf(first, order);
    await first.call(contract.scanPiece, { params: place(batchId, order), body: { code: "5111-0001" } });
    const seen = await second.call(contract.readBatch, { params: { id: String(batchId) } });
    expect(seen.data.orders).toMatchObject([{ packer: { name: first.member.name, isMe: false }, lines: [{ checked: 1, count: 2 }] }]);
    const refused = await second.call(contract.tickPieces, { params: place(batchId, order), body: { coin: 1, checked: 2 } });
    expect(refused.problem).toMatchObject({ code: "packing.taken", data: { name: first.member.name } });
    await second.call(contract.takeOverOrder, { params: place(batchId, order) });
    expect((await second.call(contract.tickPieces, { params: place(batchId, order), body: { coin: 1, checked: 2 } })).status).toBe(200);
    const [taken, ticked] = (await changesOf(order)).slice(-2);
    expect(taken).toEqual([
      { batch: batchId, packer: first.member.login },
      { batch: batchId, packer: second.member.login },
    ]);
    expect(ticked).toMatchObject([{ checked: 1 }, { checked: 2 }]);
    await packAll(second, batchId, order, `LOOK${order.number}`);
    expect((await changesOf(order)).at(-1)).toMatchObject([
      { seal: null, state: "paid" },
      { seal: `LOOK${order.number}`, state: "assembled" },
    ]);
  });
});

describe("labels", () => {
  test("are being prepared first, then a PDF; other orders' files are requested together", async () => {
    const orders = [await aPaidOrder(shop, { 1: 1 }), await aPaidOrder(shop, { 2: 1 })];
    const packing = await bench.as("packing");
    const batchId = await batchOf(packing, ...orders);
    for (const order of orders) await packAll(packing, batchId, order, `LABEL${order.number}`);
    const pending = await packing.call(contract.requestLabels, { body: { orders: orders.map(({ id }) => id) } });
    const params = { id: String(pending.data.id) };
    expect(pending.data).toMatchObject({ state: "waiting" });
    expect((await packing.call(contract.printLabel, { params })).status).toBe(404);
    await shop.trackParcels();
    for (const _ of [1, 2]) {
      shop.clock.advance(seconds(2));
      await labels.sweep(shop.ctx);
    }
    expect((await packing.call(contract.readLabel, { params })).data).toMatchObject({ state: "ready" });
    const file = await packing.call(contract.printLabel, { params });
    expect([file.status, file.response.headers["content-type"]]).toEqual([200, "application/pdf"]);
    expect(shop.carrier.labelTasks.at(-1)).toEqual(orders.map(({ number }) => `C${number}`));
  });

  test("leave out orders whose parcel the carrier refused or delivered, and name them with the reason", async () => {
    const [printed, refused, delivered] = [
      await aPaidOrder(shop, { 1: 1 }),
      await aPaidOrder(shop, { 1: 1 }),
      await aPaidOrder(shop, { 1: 1 }),
    ];
    const packer = await bench.as("packing");
    const batchId = await batchOf(packer, printed, refused, delivered);
    for (const order of [printed, refused, delivered]) await packAll(packer, batchId, order, `LEFT${order.number}`);
    await shop.trackParcels();
    shop.carrier.refuse(refused.number);
    shop.carrier.move(delivered.number, "delivered");
    shop.clock.advance(minutes(20));
    await shop.trackParcels();

    const packing = await bench.as("packing");
    const asked = await packing.call(contract.requestLabels, { body: { orders: [refused.id, printed.id, delivered.id] } });
    expect(asked.data).toMatchObject({
      state: "waiting",
      leftOut: [
        { id: refused.id, number: refused.number, reason: "СДЭК отклонил посылку" },
        { id: delivered.id, number: delivered.number, reason: "Посылка уже не едет" },
      ],
    });
    for (const _ of [1, 2]) {
      shop.clock.advance(seconds(2));
      await labels.sweep(shop.ctx);
    }
    expect((await packing.call(contract.readLabel, { params: { id: String(asked.data.id) } })).data).toMatchObject({ state: "ready" });
    expect(shop.carrier.labelTasks.at(-1)).toEqual([`C${printed.number}`]);
    expect((await auditOf(printed)).at(-1)).toBe(`staff:${packing.member.login} packing.labels`);
    expect(await auditOf(refused)).not.toContain(`staff:${packing.member.login} packing.labels`);

    const none = await packing.call(contract.requestLabels, { body: { orders: [refused.id] } });
    expect([none.status, none.problem]).toMatchObject([409, { code: "label.no_parcel", data: { leftOut: [{ number: refused.number }] } }]);
  });
});

describe("the hand-over", () => {
  test("lists packed orders for the courier, the declared value only for roles that see sums; «Передано» answers for each", async () => {
    const order = await aPaidOrder(shop, { 1: 2 });
    const packing = await bench.as("packing");
    await packAll(packing, await batchOf(packing, order), order, "HAND-0001");
    await shop.trackParcels();
    const listed = await packing.call(contract.readHandOver);
    expect(listed.data.find(({ id }) => id === order.id)).toMatchObject({ seal: "HAND-0001", tracking: `T${order.number}`, pieces: 2 });
    expect(listed.response.body).not.toMatch(/declared|12000/);
    const sales = await bench.as("sales");
    expect((await sales.call(contract.readHandOver)).data.find(({ id }) => id === order.id)).toMatchObject({ declared: 12_000 });
    const list = textOf((await packing.call(contract.printHandOver)).response.rawPayload);
    expect(list).toContain("HAND-0001");
    expect(list).toContain(`T${order.number}`);
    expect(list).not.toMatch(/12.?000|Ценность/);
    expect(textOf((await sales.call(contract.printHandOver)).response.rawPayload)).toMatch(/12.000,00/);

    const second = await aPaidOrder(shop, { 1: 1 });
    await packAll(packing, await batchOf(packing, second), second, "HAND-0002");
    const sheetOf = (...numbers: number[]) => packing.call(contract.printHandOver, { query: { numbers: numbers.join(",") } });
    const ticked = textOf((await sheetOf(second.number)).response.rawPayload);
    expect(ticked).toContain("HAND-0002");
    expect(ticked).toMatch(/1\sзаказ\./);
    expect(ticked).not.toContain("HAND-0001");
    expect(textOf((await sheetOf(order.number, second.number)).response.rawPayload)).toMatch(/2\sзаказа\.[^]*HAND-0001[^]*HAND-0002/);
    expect((await sheetOf(999_999_999)).status).toBe(404);
    expect((await sheetOf()).problem?.code).toBe("request.invalid");

    const unpacked = await aPaidOrder(shop, { 1: 1 });
    const handed = await packing.call(contract.handOver, { body: { orders: [order.id, unpacked.id] } });
    expect(handed.data.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0))).toMatchObject([
      { number: order.number, isDone: true, reason: null },
      { number: unpacked.number, isDone: false, reason: expect.any(String) as unknown },
    ]);
    expect(await shop.now(order)).toMatchObject({ state: "shipped" });
    expect((await auditOf(order)).at(-1)).toBe(`staff:${packing.member.login} packing.hand_over`);
    expect((await changesOf(order)).at(-1)).toMatchObject([{ state: "assembled" }, { state: "shipped" }]);
  });

  test("refuses a parcel that the carrier refused, with the reason", async () => {
    const order = await aPaidOrder(shop, { 1: 1 });
    const packing = await bench.as("packing");
    await packAll(packing, await batchOf(packing, order), order, "HAND-0003");
    await shop.trackParcels();
    shop.carrier.refuse(order.number);
    await shop.pass(minutes(30), minutes(10));
    const handed = await packing.call(contract.handOver, { body: { orders: [order.id] } });
    expect(handed.data).toMatchObject([{ isDone: false, reason: "Перевозчик отклонил посылку: сначала отправьте её снова" }]);
    expect(await shop.now(order)).toMatchObject({ state: "assembled" });
  });
});
