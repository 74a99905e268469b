import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCdekGateway } from "#integrations/cdek/adapter.ts";
import { type CdekSimulator, startCdekSimulator } from "#integrations/cdek/simulator.ts";
import { kopecks } from "#kit/money.ts";
import { days, hours, minutes, plus, seconds } from "#kit/time.ts";
import { type TestShop, testClock, testShop } from "#tests/shop.ts";
import { seedCities } from "../../../db/seed/seed-cities.ts";
import { jobs, sweeps } from "./jobs.ts";
import type { RegisterShipment } from "./shipment.ts";
import * as shipping from "./shipping.service.ts";
import { carrierEvents } from "./tables.ts";

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
  closers.push(() => carrier.close(), () => gateway.close(), () => shop.close());
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const toPoint: RegisterShipment = {
  orderId: "o1", number: "1042", to: { pointId: "KZN101", isLocker: false }, recipient: { name: "Иванов Иван", phone: "+79161234567", email: "ivan@example.com" },
  lines: [{ title: "Георгий Победоносец", article: "1001", quantity: 1, unitPriceKopecks: 90_637_00, weightGrams: 8 }],
};
const order = async (request: unknown = toPoint): Promise<void> => jobs["delivery.register"](shop.ctx, request);
/** Lets time go and the sweep run, and hears the announcements. */
async function after(milliseconds: number): Promise<void> {
  shop.clock.advance(milliseconds);
  await sweeps["delivery.track"].run(shop.ctx);
  await shop.drain({ "delivery.moved": async (_, payload) => void moved.push(payload) });
}
const shipment = async (orderId = "o1") => (await shipping.shipments(shop.ctx.db, [orderId]))[0];
/** A parcel that the carrier has registered. */
async function registered(request: unknown = toPoint): Promise<void> {
  await order(request);
  await after(0);
  await after(seconds(11));
}

describe("a parcel", () => {
  test("is registered, followed, and its steps are announced once each", async () => {
    await order();
    await order(); // the job came twice
    await after(0);
    expect(await shipment()).toMatchObject({ orderId: "o1", state: "accepted", trackingNumber: null, isBehind: false });
    await after(seconds(11));
    expect(await shipment()).toMatchObject({ state: "registered", trackingNumber: expect.any(String) });
    expect(carrier.orders()).toHaveLength(1);

    for (const code of ["RECEIVED_AT_SHIPMENT_WAREHOUSE", "SEND_TO_TRANSIT_OFFICE", "ACCEPTED_AT_PICK_UP_POINT", "ACCEPTED_AT_PICK_UP_POINT", "DELIVERED"]) {
      carrier.setOrderStatus("1042", code);
      await after(minutes(15));
    }
    expect(moved).toEqual(["in_transit", "at_point", "delivered"].map((state) => ({ orderId: "o1", state })));
    expect(await shipment()).toMatchObject({ state: "delivered" });

    const before = carrier.calls("GET", `/orders/${carrier.orders()[0]?.uuid}`);
    await after(hours(3));
    expect(carrier.calls("GET", `/orders/${carrier.orders()[0]?.uuid}`)).toBe(before);
  });

  test("never goes back", async () => {
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

  test("goes to the door by the city's code", async () => {
    await order({ ...toPoint, to: { cityCode: "1000000424", address: "ул. Баумана, 5, кв. 3" } });
    await after(0);
    expect(carrier.orders()[0]?.content).toMatchObject({ tariff_code: 137, to_location: { code: 424, address: "ул. Баумана, 5, кв. 3" } });
  });

  test("that the carrier refuses calls for somebody, once", async () => {
    await order({ ...toPoint, to: { pointId: "KZN999", isLocker: false } });
    await after(0);
    await after(seconds(11));
    await after(hours(2));
    expect(await shipment()).toMatchObject({ state: "invalid" });
    expect(shop.alarms).toMatchObject([{ name: "delivery.failed", fields: { orderId: "o1", reason: "delivery_location_is_not_recognized" } }]);
    expect(moved).toEqual([]);
  });

  test("waits while the carrier is out, alarms when that lasts, and is sent once he is back", async () => {
    carrier.setFault("error");
    await order();
    for (let each = 0; each < 6; each += 1) await after(minutes(16));
    expect(await shipment()).toMatchObject({ state: "new" });
    expect(shop.alarms.map(({ name }) => name)).toEqual(["delivery.failed"]);
    carrier.setFault("ok");
    await after(hours(1));
    expect(await shipment()).toMatchObject({ state: "accepted" });
    expect(carrier.orders()).toHaveLength(1);
  });

  test("registered although its answer was lost, is found again and not sent twice", async () => {
    const { register } = shop.ctx.gateways.delivery;
    let isLost = true;
    shop.ctx.gateways.delivery = { ...shop.ctx.gateways.delivery, async register(ask) {
      const made = await register(ask);
      if (!isLost) return made;
      isLost = false;
      throw new Error("the answer was lost");
    } };
    await order();
    await after(0);
    await after(minutes(2));
    expect(carrier.orders()).toHaveLength(1);
    expect(await shipment()).toMatchObject({ state: "registered" });
  });

  test("is taken by one process only when two sweep at once", async () => {
    for (let each = 0; each < 12; each += 1) await order({ ...toPoint, orderId: `o${each}`, number: `${2000 + each}` });
    const other = await shop.another();
    await Promise.all([shop.ctx, other, other].map((ctx) => sweeps["delivery.track"].run(ctx)));
    expect(carrier.calls("POST", "/orders")).toBe(12);
  });

  test("that moves no more is followed for ninety days", async () => {
    await order();
    await after(0);
    await after(days(91));
    const asked = (): number => carrier.calls("GET", `/orders/${carrier.orders()[0]?.uuid}`);
    expect(asked()).toBe(1);
    await after(days(1));
    expect(asked()).toBe(1);
  });

  test("whose payload is not whole is a fault of ours and is not kept", async () => {
    await expect(order({ ...toPoint, lines: [] })).rejects.toThrow();
    expect(await shipment()).toBeUndefined();
  });
});

describe("the carrier's webhooks", () => {
  /** Hears them as the shop's own address does, in the carrier's order. */
  async function listening(): Promise<string[]> {
    const heard: string[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (part: Buffer) => { body += part.toString("utf8"); }).on("end", () => {
        heard.push(request.url ?? "");
        void shipping.receiveWebhook(shop.ctx, body).then(() => response.end("{}"));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closers.push(async () => void server.close());
    shop.ctx.settings.publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await shipping.subscribe(shop.ctx);
    return heard;
  }
  const events = () => shop.ctx.db.$count(carrierEvents);

  test("come to an address that only he knows, and are asked for once a day", async () => {
    const heard = await listening();
    await shipping.subscribe(shop.ctx);
    await registered();
    carrier.setOrderStatus("1042", "RECEIVED_AT_SHIPMENT_WAREHOUSE");
    await carrier.told();
    expect(carrier.calls("POST", "/webhooks")).toBe(1);
    expect(heard).toHaveLength(1);
    const secret = heard[0]?.split("/").at(-1) ?? "";
    expect(heard[0]).toBe(`/api/delivery/cdek/webhook/${secret}`);
    expect([shipping.isWebhookSecret(shop.ctx, secret), shipping.isWebhookSecret(shop.ctx, `${secret.slice(0, -1)}x`), shipping.isWebhookSecret(shop.ctx, "")]).toEqual([true, false, false]);
  });

  test("bring the news at once, without waiting for the next question; five times the same is one event", async () => {
    await listening();
    await registered();
    carrier.setOrderStatus("1042", "RECEIVED_AT_SHIPMENT_WAREHOUSE", { times: 5 });
    await carrier.told();
    await after(0);
    expect(moved).toEqual([{ orderId: "o1", state: "in_transit" }]);
    expect(await events()).toBe(1);
  });

  test("out of order move nothing back, and the way is told in the order of time", async () => {
    await listening();
    await registered();
    const start = shop.clock.now();
    shop.clock.advance(hours(5));
    carrier.setOrderStatus("1042", "ACCEPTED_AT_PICK_UP_POINT", { city: "Казань", at: plus(start, hours(4)) });
    await carrier.told();
    await after(0);
    carrier.setOrderStatus("1042", "SEND_TO_RECIPIENT_OFFICE", { city: "Москва", at: plus(start, hours(2)) });
    await carrier.told();
    await after(0);
    expect(await shipment()).toMatchObject({ state: "at_point" });
    expect((await shipment())?.steps.map(({ code, city }) => `${code} ${city}`)).toEqual(["ACCEPTED ", "CREATED ", "SEND_TO_RECIPIENT_OFFICE Москва", "ACCEPTED_AT_PICK_UP_POINT Казань"]);
    expect(moved).toEqual([{ orderId: "o1", state: "at_point" }]);
  });

  test("that take a word back take it off the way; the end taken back calls for somebody", async () => {
    await listening();
    await registered();
    carrier.setOrderStatus("1042", "ACCEPTED_AT_PICK_UP_POINT");
    carrier.takeBack("1042", "ACCEPTED_AT_PICK_UP_POINT");
    await carrier.told();
    await after(0);
    expect(await shipment()).toMatchObject({ state: "registered" });
    expect(moved).toEqual([]);
    carrier.setOrderStatus("1042", "DELIVERED");
    await carrier.told();
    await after(0);
    carrier.takeBack("1042", "DELIVERED");
    await carrier.told();
    await after(0);
    expect(await shipment()).toMatchObject({ state: "delivered" });
    expect(shop.alarms).toEqual([{ name: "delivery.failed", fields: { orderId: "o1", reason: "DELIVERED was taken back" } }]);
  });

  test("are believed by nobody: a forged one asks the carrier and changes nothing", async () => {
    await registered();
    const uuid = carrier.orders()[0]?.uuid ?? "";
    const forged = (about: string) => JSON.stringify({ type: "ORDER_STATUS", uuid: about, attributes: { code: "DELIVERED", status_date_time: "2026-11-20T10:00:00+0300" } });
    expect(await shipping.receiveWebhook(shop.ctx, forged(uuid))).toBe("stored");
    expect(await shipping.receiveWebhook(shop.ctx, forged("somebody-else"))).toBe("dropped");
    await after(0);
    expect(await shipment()).toMatchObject({ state: "registered" });
  });

  test("that never come do not matter: the carrier is asked", async () => {
    await registered();
    carrier.setOrderStatus("1042", "DELIVERED", { times: 0 });
    await after(minutes(15));
    expect(moved).toEqual([{ orderId: "o1", state: "delivered" }]);
  });
});

describe("a parcel that the carrier refused", () => {
  const toClosed = { ...toPoint, to: { pointId: "KZN103", isLocker: false } };

  test("because its point closed after it was chosen is sent again to another one, under a new number", async () => {
    carrier.closePoint("KZN103");
    await registered(toClosed);
    expect(await shipment()).toMatchObject({ state: "invalid" });
    expect(shop.alarms).toHaveLength(1);
    expect(await shipping.retry(shop.ctx, "o1", { pointId: "KZN101", isLocker: false })).toEqual({ ok: true, value: "new" });
    await after(0);
    await after(seconds(11));
    expect(await shipment()).toMatchObject({ state: "registered", trackingNumber: expect.any(String) });
    expect(carrier.orders().map(({ number, content }) => `${number} ${content.delivery_point}`)).toEqual(["1042 KZN103", "1042-2 KZN101"]);
    expect(shop.alarms).toHaveLength(1);
  });

  test("is sent again where it was to go, and calls for somebody again when that is refused too", async () => {
    carrier.closePoint("KZN103");
    await registered(toClosed);
    await shipping.retry(shop.ctx, "o1");
    await after(0);
    await after(seconds(11));
    expect(await shipment()).toMatchObject({ state: "invalid" });
    expect(shop.alarms).toHaveLength(2);
  });

  test("only such a one is sent again", async () => {
    await registered();
    expect(await shipping.retry(shop.ctx, "o1")).toEqual({ ok: false, error: { code: "shipment.not_refused", state: "registered" } });
    expect(await shipping.retry(shop.ctx, "o9")).toEqual({ ok: false, error: { code: "shipment.not_found" } });
  });
});

describe("a parcel whose order was cancelled", () => {
  const callOff = async () => jobs["delivery.call_off"](shop.ctx, { orderId: "o1" });

  test("is struck out with the carrier while it has not left, once", async () => {
    await registered();
    await callOff();
    await callOff();
    await after(0);
    expect(await shipment()).toMatchObject({ state: "called_off" });
    expect(carrier.orders()).toMatchObject([{ isRemoved: true, isRefused: false }]);
    await after(hours(2));
    expect(shop.alarms).toEqual([]);
  });

  test("is never registered when that was still ahead, even if the carrier has it and his answer was lost", async () => {
    await order();
    await callOff();
    await after(0);
    expect(carrier.orders()).toEqual([]);
    expect(await shipment()).toMatchObject({ state: "called_off" });

    await order({ ...toPoint, orderId: "o2", number: "1043" });
    await shop.ctx.gateways.delivery.register({ number: "1043", to: { pointId: "KZN101", isLocker: false }, recipient: toPoint.recipient, lines: [{ title: "Г", article: "1", quantity: 1, unitPrice: kopecks(100), weightGrams: 8 }] });
    shop.clock.advance(seconds(11));
    await jobs["delivery.call_off"](shop.ctx, { orderId: "o2" });
    await after(0);
    expect(carrier.orders()).toMatchObject([{ number: "1043", isRemoved: true }]);
  });

  test("is turned back when it has left, and somebody is called; it is followed until it is back", async () => {
    await registered();
    carrier.setOrderStatus("1042", "SEND_TO_TRANSIT_OFFICE", { times: 0 });
    await callOff();
    await after(0);
    expect(carrier.orders()).toMatchObject([{ isRemoved: false, isRefused: true }]);
    expect(shop.alarms).toMatchObject([{ fields: { reason: "the parcel had left before its order was cancelled" } }]);
    carrier.setOrderStatus("1042", "NOT_DELIVERED", { times: 0 });
    await after(minutes(15));
    await after(minutes(15));
    expect(await shipment()).toMatchObject({ state: "not_delivered" });
    expect(shop.alarms).toHaveLength(1);
  });

  test("waits while the carrier is out", async () => {
    await registered();
    carrier.setFault("error");
    await callOff();
    await after(0);
    expect(await shipment()).toMatchObject({ state: "registered", isBehind: true });
    carrier.setFault("ok");
    await after(minutes(2));
    expect(await shipment()).toMatchObject({ state: "called_off" });
  });
});

test("while the carrier is out his last word stands, and is marked as behind", async () => {
  await registered();
  expect(await shipment()).toMatchObject({ isBehind: false, heardAt: shop.clock.now() });
  carrier.setFault("timeout");
  await after(minutes(15));
  expect(await shipment()).toMatchObject({ state: "registered", isBehind: true });
  carrier.setFault("ok");
  await after(minutes(2));
  expect(await shipment()).toMatchObject({ isBehind: false });
});
