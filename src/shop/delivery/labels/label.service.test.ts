import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "#kit/db.ts";
import { minutes, seconds } from "#kit/time.ts";
import { aVisitor, byPoint, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { Ctx } from "#shop/context.ts";
import type { Order } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import { testClock } from "#tests/shop.ts";
import type { LabelFile } from "./label.ts";
import * as labels from "./label.service.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 200 });
});
afterAll(() => shop.close());

let people = 0;
/** An order that is packed; its parcel is not registered before `track`. */
async function aPackedOrder(): Promise<Order> {
  people += 1;
  const order = await shop.ordered(aVisitor(`l${people}`), { 1: 1 }, byPoint);
  await shop.paid(order);
  const packed = await orders.apply(shop.ctx, order.id, "assemble", { sealNumber: `LB${order.number}` });
  if (!packed.ok) throw new Error(packed.error.code);
  return packed.value;
}
const track = () => shop.trackParcels();
async function request(of: readonly Order[], ctx: Ctx = shop.ctx): Promise<LabelFile> {
  const sent = await inTransaction(ctx.db, (tx) =>
    labels.request(
      tx,
      ctx,
      of.map(({ id }) => id),
    ),
  );
  if (!sent.ok) throw new Error(sent.error.code);
  return sent.value;
}
async function sweep(after = seconds(2)): Promise<void> {
  shop.clock.advance(after);
  await labels.sweep(shop.ctx);
}
const now = (file: LabelFile) => labels.find(shop.ctx, file.id);
const alarms = () => shop.alarms.filter(({ name }) => name === "delivery.labels_failed").length;

describe("labels of parcels", () => {
  test("wait until the carrier has registered the parcel, and are stored when they are ready", async () => {
    const order = await aPackedOrder();
    const file = await request([order]);
    await sweep();
    expect(await now(file)).toMatchObject({ state: "waiting" });
    await track();
    await sweep();
    expect(await now(file)).toMatchObject({ state: "asked" });
    await sweep();
    expect(await now(file)).toMatchObject({ state: "ready", orderIds: [order.id] });
    expect((await labels.pdf(shop.ctx, file.id))?.toString()).toMatch(/^%PDF-/);
    expect((await labels.ofOrders(shop.ctx, [order.id])).get(order.id)).toMatchObject({ id: file.id, state: "ready" });
  });

  test("of a batch are one file in the order of the batch", async () => {
    const [one, two] = [await aPackedOrder(), await aPackedOrder()];
    await track();
    const file = await request([two, one]);
    await sweep();
    await sweep();
    expect(shop.carrier.labelTasks.at(-1)).toEqual([`C${two.number}`, `C${one.number}`]);
    expect(await now(file)).toMatchObject({ state: "ready", orderIds: [two.id, one.id] });
  });

  test("requested by two processes at once are requested from the carrier once", async () => {
    const order = await aPackedOrder();
    await track();
    const other = await shop.another();
    const files = await Promise.all([request([order]), request([order], other), request([order], other)]);
    expect(new Set(files.map(({ id }) => id)).size).toBe(1);
    const before = shop.carrier.labelTasks.length;
    shop.clock.advance(seconds(2));
    await Promise.all([labels.sweep(shop.ctx), labels.sweep(other)]);
    expect(shop.carrier.labelTasks.length - before).toBe(1);
  });

  test("are deleted after an hour, and then requested from the carrier again", async () => {
    const order = await aPackedOrder();
    await track();
    const file = await request([order]);
    await sweep();
    await sweep();
    shop.clock.advance(minutes(59));
    expect((await request([order])).id).toBe(file.id);
    await sweep(minutes(2));
    expect([await now(file), await labels.pdf(shop.ctx, file.id)]).toMatchObject([{ state: "expired" }, null]);
    const again = await request([order]);
    expect(again.id).not.toBe(file.id);
    await sweep();
    await sweep();
    expect(await now(again)).toMatchObject({ state: "ready" });
  });

  test("that the carrier lost are requested again; a carrier that is out raises one alarm and loses nothing", async () => {
    const order = await aPackedOrder();
    await track();
    const file = await request([order]);
    await sweep();
    shop.carrier.controls.labels = "gone";
    await sweep();
    expect(await now(file)).toMatchObject({ state: "waiting" });
    shop.carrier.controls.isOut = true;
    const before = alarms();
    for (let turn = 0; turn < 30; turn += 1) await sweep(minutes(1));
    expect(alarms() - before).toBe(1);
    shop.carrier.controls.isOut = false;
    shop.carrier.controls.labels = "ready";
    await sweep(minutes(15));
    await sweep();
    expect(await now(file)).toMatchObject({ state: "ready" });
  });

  test("that the carrier does not finish in ten minutes are requested again", async () => {
    const order = await aPackedOrder();
    await track();
    const file = await request([order]);
    shop.carrier.controls.labels = "pending";
    await sweep();
    const before = shop.carrier.labelTasks.length;
    for (let turn = 0; turn < 12; turn += 1) await sweep(minutes(1));
    shop.carrier.controls.labels = "ready";
    await sweep(minutes(1));
    await sweep();
    expect(await now(file)).toMatchObject({ state: "ready" });
    expect(shop.carrier.labelTasks.length - before).toBe(1);
  });

  test.each(["refuse", "refuse_task"] as const)(
    "that the carrier refuses (%s) have failed with its code; a new press requests them again",
    async (answer) => {
      const order = await aPackedOrder();
      await track();
      const file = await request([order]);
      shop.carrier.controls.labels = answer;
      await sweep();
      await sweep();
      expect(await now(file)).toMatchObject({ state: "failed", fault: answer === "refuse" ? "INVALID" : "v2_entity_invalid" });
      shop.carrier.controls.labels = "ready";
      const again = await request([order]);
      await sweep();
      await sweep();
      expect(await now(again)).toMatchObject({ state: "ready" });
    },
  );

  test("of an order that was cancelled meanwhile are not printed", async () => {
    const order = await aPackedOrder();
    await track();
    const file = await request([order]);
    await orders.apply(shop.ctx, order.id, "cancel");
    await shop.pass(minutes(3));
    await labels.sweep(shop.ctx);
    expect(await now(file)).toMatchObject({ state: "failed", fault: "called_off" });
  });

  test("of an order without a parcel are refused", async () => {
    const order = await shop.ordered(aVisitor("office"), { 1: 1 });
    const refused = await inTransaction(shop.ctx.db, (tx) => labels.request(tx, shop.ctx, [order.id]));
    expect(refused).toEqual({ ok: false, error: { code: "label.no_parcel" } });
  });
});
