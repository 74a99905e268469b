import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCdekGateway } from "#integrations/cdek/adapter.ts";
import { type CdekSimulator, startCdekSimulator } from "#integrations/cdek/simulator.ts";
import { days, hours, minutes, seconds } from "#kit/time.ts";
import { type TestShop, testClock, testShop } from "#tests/shop.ts";
import { seedCities } from "../../../db/seed/seed-cities.ts";
import { jobs, sweeps } from "./jobs.ts";
import * as delivery from "./service.ts";
import type { RegisterShipment } from "./shipment.ts";

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
const shipment = async (orderId = "o1") => (await delivery.shipments(shop.ctx.db, [orderId]))[0];

describe("a parcel", () => {
  test("is registered, followed, and its steps are announced once each", async () => {
    await order();
    await order(); // the job came twice
    await after(0);
    expect(await shipment()).toEqual({ orderId: "o1", state: "accepted", trackingNumber: null });
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
