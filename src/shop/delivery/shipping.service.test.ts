import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCdekGateway } from "#integrations/cdek/adapter.ts";
import { type CdekSimulator, startCdekSimulator } from "#integrations/cdek/simulator.ts";
import { inTransaction } from "#kit/db.ts";
import { silentLog } from "#kit/log.ts";
import { days, hours, minutes, plus, seconds } from "#kit/time.ts";
import * as alarms from "#shop/alarms/service.ts";
import { type TestShop, testClock, testShop } from "#tests/shop.ts";
import { seedCities } from "../../../db/seed/seed-cities.ts";
import { jobs, sweeps } from "./jobs.ts";
import type { RegisterShipment } from "./shipment.ts";
import * as shipping from "./shipping.service.ts";
import { carrierEvents, shipments } from "./tables.ts";

let shop: TestShop;
let carrier: CdekSimulator;
let moved: unknown[];
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  const clock = testClock();
  carrier = await startCdekSimulator({ now: clock.now });
  const gateway = createCdekGateway({ baseUrl: carrier.url, clientId: "shop", clientSecret: "secret", now: clock.now });
  shop = await testShop({ gateways: { delivery: gateway }, clock });
  await seedCities(shop.ctx);
  moved = [];
  closers.push(
    () => carrier.close(),
    () => gateway.close(),
    () => shop.close(),
  );
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const toPoint: RegisterShipment = {
  orderId: "o1",
  number: "1042",
  to: { pointId: "KZN101", isLocker: false },
  recipient: { name: "Иванов Иван", phone: "+79161234567", email: "ivan@example.com" },
  lines: [{ title: "Георгий Победоносец", article: "1001", quantity: 1, unitPriceKopecks: 90_637_00, weightGrams: 8 }],
};
const order = async (request: unknown = toPoint): Promise<void> => jobs["delivery.register"](shop.ctx, request);
/** Advances the clock, runs the sweep and collects the `delivery.moved` jobs. */
async function after(milliseconds: number): Promise<void> {
  shop.clock.advance(milliseconds);
  await sweeps["delivery.track"].run(shop.ctx);
  await shop.drain({ "delivery.moved": async (_, payload) => void moved.push(payload), "delivery.recalled": async () => {} });
}
const shipment = async (orderId = "o1") => (await shipping.shipments(shop.ctx.db, [orderId]))[0];
/** A parcel that the carrier has registered. */
async function registered(request: unknown = toPoint): Promise<void> {
  await order(request);
  await after(0);
  await after(seconds(11));
}

describe("a parcel", () => {
  test("is registered and tracked, and each state is announced once", async () => {
    await order();
    await order(); // the job came twice
    await after(0);
    expect(await shipment()).toMatchObject({ orderId: "o1", state: "accepted", trackingNumber: null, isBehind: false });
    await after(seconds(11));
    expect(await shipment()).toMatchObject({ state: "registered", trackingNumber: expect.any(String) });
    expect(carrier.orders()).toHaveLength(1);

    for (const code of [
      "RECEIVED_AT_SHIPMENT_WAREHOUSE",
      "SEND_TO_TRANSIT_OFFICE",
      "ACCEPTED_AT_PICK_UP_POINT",
      "ACCEPTED_AT_PICK_UP_POINT",
      "DELIVERED",
    ]) {
      carrier.setOrderStatus("1042", code);
      await after(minutes(15));
    }
    expect(moved).toEqual(["in_transit", "at_point", "delivered"].map((state) => ({ orderId: "o1", state })));
    expect(await shipment()).toMatchObject({ state: "delivered" });

    const before = carrier.calls("GET", `/orders/${carrier.orders()[0]?.uuid}`);
    await after(hours(3));
    expect(carrier.calls("GET", `/orders/${carrier.orders()[0]?.uuid}`)).toBe(before);
  });

  test("never moves backwards", async () => {
    await order();
    await after(0);
    await after(seconds(11));
    for (const code of ["ACCEPTED_AT_PICK_UP_POINT", "SEND_TO_TRANSIT_OFFICE"]) {
      carrier.setOrderStatus("1042", code);
      await after(minutes(15));
    }
    expect(await shipment()).toMatchObject({ state: "at_point" });
    expect(moved).toEqual([{ orderId: "o1", state: "at_point" }]);
  });

  test("with a courier is registered with the carrier's city code", async () => {
    await order({ ...toPoint, to: { cityCode: "1000000424", address: "ул. Баумана, 5, кв. 3" } });
    await after(0);
    const toDoor = { tariff_code: 137, to_location: { code: 424, address: "ул. Баумана, 5, кв. 3" } };
    expect(carrier.orders()[0]?.content).toMatchObject(toDoor);

    await order({
      ...toPoint,
      orderId: "o2",
      number: "1043",
      to: { cityCode: "1000000424", address: "ул. Баумана, 5, кв. 3", comment: "этаж 5" },
    });
    await after(0);
    expect(carrier.orders()[1]?.content).toMatchObject({ ...toDoor, comment: "этаж 5" });
  });

  test("that the carrier refuses raises one alarm", async () => {
    await order({ ...toPoint, to: { pointId: "KZN999", isLocker: false } });
    await after(0);
    await after(seconds(11));
    await after(hours(2));
    expect(await shipment()).toMatchObject({ state: "invalid" });
    expect(shop.alarms).toMatchObject([
      { name: "delivery.refused", fields: { orderId: "o1", reason: "delivery_location_is_not_recognized" } },
    ]);
    expect(await shipping.shipments(shop.ctx.db, ["o1"])).toMatchObject([{ refusal: "delivery_location_is_not_recognized" }]);
    expect(moved).toEqual([]);
  });

  test("waits while the carrier is unavailable, raises an alarm when that lasts, and is sent afterwards", async () => {
    carrier.setFault("error");
    await order();
    for (let each = 0; each < 6; each += 1) await after(minutes(16));
    expect(await shipment()).toMatchObject({ state: "new" });
    expect(shop.alarms.map(({ name }) => name)).toEqual(["delivery.unanswered"]);
    carrier.setFault("ok");
    await after(hours(1));
    expect(await shipment()).toMatchObject({ state: "accepted" });
    expect(carrier.orders()).toHaveLength(1);
  });

  test("whose registration succeeded but whose answer was lost is found again and not sent twice", async () => {
    const { register } = shop.ctx.gateways.delivery;
    let isLost = true;
    shop.ctx.gateways.delivery = {
      ...shop.ctx.gateways.delivery,
      async register(request) {
        const made = await register(request);
        if (!isLost) return made;
        isLost = false;
        throw new Error("the answer was lost");
      },
    };
    await order();
    await after(0);
    await after(minutes(2));
    expect(carrier.orders()).toHaveLength(1);
    expect(await shipment()).toMatchObject({ state: "registered" });
  });

  test("is handled by one process when two sweep at once", async () => {
    for (let each = 0; each < 12; each += 1) await order({ ...toPoint, orderId: `o${each}`, number: `${2000 + each}` });
    const other = await shop.another();
    await Promise.all([shop.ctx, other, other].map((ctx) => sweeps["delivery.track"].run(ctx)));
    expect(carrier.calls("POST", "/orders")).toBe(12);
  });

  test("that does not move is tracked for ninety days", async () => {
    await order();
    await after(0);
    await after(days(91));
    const calls = (): number => carrier.calls("GET", `/orders/${carrier.orders()[0]?.uuid}`);
    expect(calls()).toBe(1);
    await after(days(1));
    expect(calls()).toBe(1);
  });

  test("with an incomplete job payload is rejected and not stored", async () => {
    await expect(order({ ...toPoint, lines: [] })).rejects.toThrow();
    expect(await shipment()).toBeUndefined();
  });
});

describe("the alarm about a parcel that was not answered for", () => {
  /** Raises alarms as the shop does, and returns what is open. */
  const watched = () => {
    const store = alarms.createAlarmStore({ db: shop.ctx.db, log: silentLog, now: shop.clock.now });
    shop.ctx.alarm = (name, fields) => store.raise(name, fields);
    return async (): Promise<string[]> => {
      await store.settled();
      return (await alarms.list(shop.ctx, ["delivery.failed", "delivery.unanswered"])).map(({ name }) => name).toSorted();
    };
  };
  const silence = async () => {
    carrier.setFault("error");
    for (let each = 0; each < 6; each += 1) await after(minutes(16));
    carrier.setFault("ok");
  };

  test("is settled by the answer, also by a refusal; what a person must look into stays, and so does another parcel's", async () => {
    const open = watched();
    shop.ctx.alarm("delivery.failed", { orderId: "o1", reason: "DELIVERED was taken back" });
    await order({ ...toPoint, to: { pointId: "KZN999", isLocker: false } });
    await order({ ...toPoint, orderId: "o2", number: "1043" });
    await silence();
    expect(await open()).toEqual(["delivery.failed", "delivery.unanswered", "delivery.unanswered"]);
    await shop.ctx.db.update(shipments).set({ nextCheckAt: null }).where(eq(shipments.orderId, "o2"));
    await after(hours(1));
    await after(seconds(11));
    expect(await shipment()).toMatchObject({ state: "invalid" });
    expect(await open()).toEqual(["delivery.failed", "delivery.unanswered"]);
    const [left] = await alarms.list(shop.ctx, ["delivery.unanswered"]);
    expect(left?.fields["orderId"]).toBe("o2");
  });

  test("is settled when the parcel is recalled or received by staff, and when an undecided recall is decided", async () => {
    const open = watched();
    await order();
    await silence();
    expect(await open()).toEqual(["delivery.unanswered"]);
    await inTransaction(shop.ctx.db, (tx) => shipping.recall(tx, shop.ctx, "o1", { mayTurnBack: true }));
    expect(await open()).toEqual([]);
    await silence();
    expect(await open()).toEqual(["delivery.unanswered"]);
    await after(hours(1));
    expect(await shipment()).toMatchObject({ state: "called_off" });
    expect(await open()).toEqual([]);

    await order({ ...toPoint, orderId: "o2", number: "1043" });
    await silence();
    expect(await open()).toEqual(["delivery.unanswered"]);
    await inTransaction(shop.ctx.db, (tx) => shipping.stopTracking(tx, shop.ctx, "o2"));
    expect(await open()).toEqual([]);
  });
});

describe("the carrier's webhooks", () => {
  /** Receives them as the shop's webhook URL does, in the carrier's order. */
  async function listening(): Promise<string[]> {
    const received: string[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request
        .on("data", (part: Buffer) => {
          body += part.toString("utf8");
        })
        .on("end", () => {
          received.push(request.url ?? "");
          void shipping.receiveWebhook(shop.ctx, body).then(() => response.end("{}"));
        });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closers.push(async () => void server.close());
    shop.ctx.settings.publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await shipping.subscribe(shop.ctx);
    return received;
  }
  const events = () => shop.ctx.db.$count(carrierEvents);

  test("use a secret URL, and the subscription is renewed once a day", async () => {
    const received = await listening();
    await shipping.subscribe(shop.ctx);
    await registered();
    carrier.setOrderStatus("1042", "RECEIVED_AT_SHIPMENT_WAREHOUSE");
    await carrier.statusesSent();
    expect(carrier.calls("POST", "/webhooks")).toBe(1);
    expect(received).toHaveLength(1);
    const secret = received[0]?.split("/").at(-1) ?? "";
    expect(received[0]).toBe(`/api/delivery/cdek/webhook/${secret}`);
    expect([
      shipping.isWebhookSecret(shop.ctx, secret),
      shipping.isWebhookSecret(shop.ctx, `${secret.slice(0, -1)}x`),
      shipping.isWebhookSecret(shop.ctx, ""),
    ]).toEqual([true, false, false]);
  });

  test("trigger a check at once; the same webhook five times is one event", async () => {
    await listening();
    await registered();
    carrier.setOrderStatus("1042", "RECEIVED_AT_SHIPMENT_WAREHOUSE", { times: 5 });
    await carrier.statusesSent();
    await after(0);
    expect(moved).toEqual([{ orderId: "o1", state: "in_transit" }]);
    expect(await events()).toBe(1);
  });

  test("lose their bodies after 90 days, the events stay", async () => {
    await listening();
    await registered();
    carrier.setOrderStatus("1042", "RECEIVED_AT_SHIPMENT_WAREHOUSE");
    await carrier.statusesSent();
    const bodies = async () => (await shop.ctx.db.select().from(carrierEvents)).map(({ code, body }) => [code, body !== ""]);
    shop.clock.advance(days(89));
    await shipping.eraseOldWebhooks(shop.ctx);
    expect(await bodies()).toEqual([["RECEIVED_AT_SHIPMENT_WAREHOUSE", true]]);
    shop.clock.advance(days(2));
    await shipping.eraseOldWebhooks(shop.ctx);
    expect(await bodies()).toEqual([["RECEIVED_AT_SHIPMENT_WAREHOUSE", false]]);
  });

  test("out of order move nothing backwards, and tracking events are listed in order of time", async () => {
    await listening();
    await registered();
    const start = shop.clock.now();
    shop.clock.advance(hours(5));
    carrier.setOrderStatus("1042", "ACCEPTED_AT_PICK_UP_POINT", { city: "Казань", at: plus(start, hours(4)) });
    await carrier.statusesSent();
    await after(0);
    carrier.setOrderStatus("1042", "SEND_TO_RECIPIENT_OFFICE", { city: "Москва", at: plus(start, hours(2)) });
    await carrier.statusesSent();
    await after(0);
    expect(await shipment()).toMatchObject({ state: "at_point" });
    expect((await shipment())?.steps.map(({ code, city }) => `${code} ${city}`)).toEqual([
      "ACCEPTED ",
      "CREATED ",
      "SEND_TO_RECIPIENT_OFFICE Москва",
      "ACCEPTED_AT_PICK_UP_POINT Казань",
    ]);
    expect(moved).toEqual([{ orderId: "o1", state: "at_point" }]);
  });

  test("that withdraw a status remove it from the tracking events; a withdrawn final state raises an alarm", async () => {
    await listening();
    await registered();
    carrier.setOrderStatus("1042", "ACCEPTED_AT_PICK_UP_POINT");
    carrier.takeBack("1042", "ACCEPTED_AT_PICK_UP_POINT");
    await carrier.statusesSent();
    await after(0);
    expect(await shipment()).toMatchObject({ state: "registered" });
    expect(moved).toEqual([]);
    carrier.setOrderStatus("1042", "DELIVERED");
    await carrier.statusesSent();
    await after(0);
    carrier.takeBack("1042", "DELIVERED");
    await carrier.statusesSent();
    await after(0);
    expect(await shipment()).toMatchObject({ state: "delivered" });
    expect(shop.alarms).toEqual([{ name: "delivery.failed", fields: { orderId: "o1", reason: "DELIVERED was taken back" } }]);
  });

  test("are only hints: a forged one makes the shop fetch the status and changes nothing", async () => {
    await registered();
    const uuid = carrier.orders()[0]?.uuid ?? "";
    const forged = (about: string) =>
      JSON.stringify({
        type: "ORDER_STATUS",
        uuid: about,
        attributes: { code: "DELIVERED", status_date_time: "2026-11-20T10:00:00+0300" },
      });
    expect(await shipping.receiveWebhook(shop.ctx, forged(uuid))).toBe("stored");
    expect(await shipping.receiveWebhook(shop.ctx, forged("somebody-else"))).toBe("dropped");
    await after(0);
    expect(await shipment()).toMatchObject({ state: "registered" });
  });

  test("may be missing: the shop fetches the status anyway", async () => {
    await registered();
    carrier.setOrderStatus("1042", "DELIVERED", { times: 0 });
    await after(minutes(15));
    expect(moved).toEqual([{ orderId: "o1", state: "delivered" }]);
  });
});

describe("a parcel that the carrier refused", () => {
  const toClosed = { ...toPoint, to: { pointId: "KZN103", isLocker: false } };

  test("because its point was closed is sent again to another point under a new number", async () => {
    carrier.closePoint("KZN103");
    await registered(toClosed);
    expect(await shipment()).toMatchObject({ state: "invalid" });
    expect(shop.alarms).toHaveLength(1);
    expect(await shipping.retry(shop.ctx, "o1", { ...toPoint, to: { pointId: "KZN101", isLocker: false } })).toEqual({
      ok: true,
      value: "new",
    });
    await after(0);
    await after(seconds(11));
    expect(await shipment()).toMatchObject({ state: "registered", trackingNumber: expect.any(String) });
    expect(carrier.orders().map(({ number, content }) => `${number} ${content.delivery_point}`)).toEqual(["1042 KZN103", "1042-2 KZN101"]);
    expect(shop.alarms).toHaveLength(1);
  });

  test("is sent again to the same point, and raises another alarm when that is refused too", async () => {
    carrier.closePoint("KZN103");
    await registered(toClosed);
    await shipping.retry(shop.ctx, "o1", toClosed);
    await after(0);
    await after(seconds(11));
    expect(await shipment()).toMatchObject({ state: "invalid" });
    expect(shop.alarms).toHaveLength(2);
  });

  test("at once, without accepting it first, is reported once and can be sent again too", async () => {
    carrier.closePoint("KZN103");
    carrier.refuseAtOnce(true);
    await order(toClosed);
    await after(0);
    await after(hours(2));
    expect(await shipment()).toMatchObject({ state: "invalid", trackingNumber: null });
    expect(shop.alarms).toMatchObject([
      { name: "delivery.refused", fields: { orderId: "o1", reason: "delivery_location_is_not_recognized" } },
    ]);
    expect(carrier.calls("POST", "/orders")).toBe(1);
    expect(await shipping.retry(shop.ctx, "o1", toPoint)).toEqual({ ok: true, value: "new" });
    await after(0);
    await after(seconds(11));
    expect(await shipment()).toMatchObject({ state: "registered" });
  });

  test("is the only kind of parcel that can be sent again", async () => {
    await registered();
    expect(await shipping.retry(shop.ctx, "o1", toPoint)).toEqual({
      ok: false,
      error: { code: "shipment.not_refused", state: "registered" },
    });
    expect(await shipping.retry(shop.ctx, "o9", toPoint)).toEqual({ ok: false, error: { code: "shipment.not_found" } });
  });
});

describe("a recall", () => {
  const recall = (orderId = "o1", how = { mayTurnBack: true }) =>
    inTransaction(shop.ctx.db, (tx) => shipping.recall(tx, shop.ctx, orderId, how));
  let recalled: unknown[];
  beforeEach(() => {
    recalled = [];
  });
  async function later(milliseconds: number): Promise<void> {
    shop.clock.advance(milliseconds);
    await sweeps["delivery.track"].run(shop.ctx);
    await shop.drain({
      "delivery.moved": async (_, payload) => void moved.push(payload),
      "delivery.recalled": async (_, payload) => void recalled.push(payload),
    });
  }

  test("strikes out a parcel that has not moved, and reports it once the carrier confirms", async () => {
    await registered();
    expect(await recall()).toBe("asked");
    expect(await recall()).toBe("asked");
    await later(0);
    expect(await shipment()).toMatchObject({ state: "registered", recall: "sent", isBehind: false });
    expect(recalled).toEqual([]);
    await later(seconds(11));
    expect(await shipment()).toMatchObject({ state: "called_off", recall: "struck_out" });
    expect(carrier.orders()).toMatchObject([{ isRemoved: true, isRefused: false }]);
    await later(hours(2));
    expect(recalled).toEqual([{ orderId: "o1" }]);
    expect(shop.alarms).toEqual([]);
  });

  test("before the registration was sent prevents the registration for good", async () => {
    await order();
    await recall();
    await later(0);
    await later(minutes(5));
    expect(carrier.orders()).toEqual([]);
    expect(await shipment()).toMatchObject({ state: "called_off", recall: "struck_out" });
    expect(recalled).toEqual([{ orderId: "o1" }]);
  });

  test("strikes out a parcel whose registration succeeded but whose answer was lost", async () => {
    const { register } = shop.ctx.gateways.delivery;
    shop.ctx.gateways.delivery = {
      ...shop.ctx.gateways.delivery,
      async register(request) {
        await register(request);
        throw new Error("the answer was lost");
      },
    };
    await order();
    await later(0);
    await recall();
    for (let each = 0; each < 3; each += 1) await later(minutes(1));
    expect(await shipment()).toMatchObject({ state: "called_off", recall: "struck_out" });
    expect(carrier.orders()).toMatchObject([{ number: "1042", isRemoved: true }]);
  });

  test("does not take a failed search for a missing parcel: it waits until the carrier has said what it has", async () => {
    const { register } = shop.ctx.gateways.delivery;
    shop.ctx.gateways.delivery = {
      ...shop.ctx.gateways.delivery,
      async register(request) {
        await register(request);
        throw new Error("the answer was lost");
      },
    };
    await order();
    await later(0);
    carrier.setSearchFault("v2_internal_error");
    await recall();
    for (let each = 0; each < 3; each += 1) await later(minutes(1));
    expect(await shipment()).toMatchObject({ state: "new", recall: "asked" });
    expect(recalled).toEqual([]);
    carrier.setSearchFault(null);
    for (let each = 0; each < 4; each += 1) await later(minutes(5));
    expect(await shipment()).toMatchObject({ state: "called_off", recall: "struck_out" });
    expect(carrier.orders()).toMatchObject([{ isRemoved: true }]);
  });

  test("waits for a registration in flight, so that it does not overtake it", async () => {
    const { register } = shop.ctx.gateways.delivery;
    let arrive = (): void => {};
    const isHeld = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    shop.ctx.gateways.delivery = {
      ...shop.ctx.gateways.delivery,
      async register(request) {
        await isHeld;
        return register(request);
      },
    };
    await order();
    const sending = sweeps["delivery.track"].run(shop.ctx);
    while ((await shop.ctx.db.select().from(shipments))[0]?.nextCheckAt?.getTime() === shop.clock.now().getTime())
      await new Promise((resolve) => setImmediate(resolve));
    await recall();
    await later(seconds(5));
    expect(await shipment()).toMatchObject({ state: "new", recall: "asked" });
    arrive();
    await sending;
    for (let each = 0; each < 3; each += 1) await later(seconds(20));
    expect(await shipment()).toMatchObject({ state: "called_off", recall: "struck_out" });
    expect(carrier.orders()).toMatchObject([{ isRemoved: true }]);
  });

  test("is sent again when a late registration succeeds after all", async () => {
    await order();
    const { register } = shop.ctx.gateways.delivery;
    let arrive = (): void => {};
    const isHeld = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    shop.ctx.gateways.delivery = {
      ...shop.ctx.gateways.delivery,
      async register(request) {
        await isHeld;
        return register(request);
      },
    };
    const sending = sweeps["delivery.track"].run(shop.ctx);
    while ((await shop.ctx.db.select().from(shipments))[0]?.nextCheckAt?.getTime() === shop.clock.now().getTime())
      await new Promise((resolve) => setImmediate(resolve));
    await recall();
    await later(minutes(2)); // far longer than any call may take
    expect(await shipment()).toMatchObject({ state: "called_off", recall: "struck_out" });
    arrive();
    await sending;
    for (let each = 0; each < 3; each += 1) await later(seconds(30));
    expect(carrier.orders()).toMatchObject([{ isRemoved: true }]);
    expect(await shipment()).toMatchObject({ state: "called_off", recall: "struck_out" });
  });

  test("turns back a parcel on its way, which is tracked until it is returned", async () => {
    await registered();
    carrier.setOrderStatus("1042", "SEND_TO_TRANSIT_OFFICE", { times: 0 });
    await recall();
    await later(0);
    await later(seconds(11));
    expect(carrier.orders()).toMatchObject([{ isRemoved: false, isRefused: true }]);
    await later(0);
    expect(await shipment()).toMatchObject({ state: "not_delivered", recall: "turned_back" });
    expect([recalled, moved]).toEqual([[{ orderId: "o1" }], [{ orderId: "o1", state: "not_delivered" }]]);
    carrier.setOrderStatus("1042", "RETURNED_TO_SENDER_CITY_WAREHOUSE", { times: 0 });
    await later(hours(6));
    expect((await shipment())?.steps.at(-1)).toMatchObject({ code: "RETURNED_TO_SENDER_CITY_WAREHOUSE" });
    expect(await shipment()).toMatchObject({ state: "not_delivered" });
    await inTransaction(shop.ctx.db, (tx) => shipping.stopTracking(tx, shop.ctx, "o1"));
    const calls = carrier.calls("GET", `/orders/${carrier.orders()[0]?.uuid}`);
    await later(days(2));
    expect(carrier.calls("GET", `/orders/${carrier.orders()[0]?.uuid}`)).toBe(calls);
  });

  test("that came too late is refused, and tracking continues", async () => {
    await registered();
    carrier.setOrderStatus("1042", "SEND_TO_TRANSIT_OFFICE", { times: 0 });
    await recall("o1", { mayTurnBack: false });
    await later(0);
    expect(await shipment()).toMatchObject({ recall: "refused" });
    await later(0);
    expect(await shipment()).toMatchObject({ state: "in_transit", recall: "refused" });
    expect([recalled, moved]).toEqual([[{ orderId: "o1" }], [{ orderId: "o1", state: "in_transit" }]]);
    expect(carrier.orders()).toMatchObject([{ isRemoved: false, isRefused: false }]);
  });

  test("waits while the carrier is unavailable or undecided, and raises an alarm when that lasts", async () => {
    await registered();
    carrier.setFault("error");
    await recall();
    await later(0);
    expect(await shipment()).toMatchObject({ state: "registered", recall: "asked", isBehind: true });
    carrier.setFault("ok");
    carrier.setRecall("1042", "never");
    for (let each = 0; each < 6; each += 1) await later(minutes(16));
    expect(shop.alarms).toMatchObject([{ name: "delivery.unanswered", fields: { orderId: "o1" } }]);
    carrier.setRecall("1042", "decide");
    await later(hours(1));
    await later(hours(1));
    expect(await shipment()).toMatchObject({ state: "called_off" });
  });

  test("of a parcel that the carrier refused, or that was never stored, is done at once", async () => {
    await registered({ ...toPoint, to: { pointId: "KZN999", isLocker: false } });
    expect(await recall()).toBe("struck_out");
    expect(await recall("o9")).toBe("struck_out");
    expect(await shipping.retry(shop.ctx, "o1", toPoint)).toMatchObject({ ok: false });
  });

  test("leaves the order free to be packed again, under another number", async () => {
    await registered();
    await recall();
    for (let each = 0; each < 2; each += 1) await later(seconds(11));
    await inTransaction(shop.ctx.db, (tx) =>
      shipping.pack(tx, shop.ctx, {
        ...toPoint,
        lines: [{ title: "Г", article: "1", quantity: 2, unitPriceKopecks: 100, weightGrams: 8 }],
      }),
    );
    await later(0);
    await later(seconds(11));
    expect(await shipment()).toMatchObject({ state: "registered", recall: null });
    expect(carrier.orders()).toMatchObject([
      { number: "1042", isRemoved: true },
      { number: "1042-2", isRemoved: false, content: { packages: [{ items: [{ amount: 2 }] }] } },
    ]);
  });
});

describe("jobs of earlier releases", () => {
  test("a cancellation before the registration prevents the registration; both jobs may run twice", async () => {
    for (const each of ["delivery.call_off", "delivery.register", "delivery.call_off", "delivery.register"] as const)
      await jobs[each](shop.ctx, each === "delivery.register" ? toPoint : { orderId: "o1" });
    await after(0);
    await after(minutes(5));
    expect(carrier.orders()).toEqual([]);
    expect(await shipment()).toMatchObject({ state: "called_off" });
  });

  test("a cancellation after the registration recalls the parcel", async () => {
    await registered();
    await jobs["delivery.call_off"](shop.ctx, { orderId: "o1" });
    await sweeps["delivery.track"].run(shop.ctx);
    shop.clock.advance(seconds(11));
    await sweeps["delivery.track"].run(shop.ctx);
    expect(carrier.orders()).toMatchObject([{ isRemoved: true }]);
  });
});

test("while the carrier is unavailable its last state is shown and marked as behind", async () => {
  await registered();
  expect(await shipment()).toMatchObject({ isBehind: false, heardAt: shop.clock.now() });
  carrier.setFault("timeout");
  await after(minutes(15));
  expect(await shipment()).toMatchObject({ state: "registered", isBehind: true });
  carrier.setFault("ok");
  await after(minutes(2));
  expect(await shipment()).toMatchObject({ isBehind: false });
});
