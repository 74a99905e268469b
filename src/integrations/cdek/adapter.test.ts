import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { ShipmentRefused, type ShipmentRequest } from "#shop/delivery/gateway.ts";
import { testClock } from "#tests/shop.ts";
import { createCdekGateway } from "./adapter.ts";
import { pointsOf, simulatedCities } from "./simulated-country.ts";
import { startCdekSimulator } from "./simulator.ts";
import { printStateOf, stateOf, toPoint, toShipment } from "./wire.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const credentials = { clientId: "shop", clientSecret: "secret" };

async function carrier(options: { tokenLifeSeconds?: number; points?: number; statePath?: string } = {}) {
  const clock = testClock();
  const simulator = await startCdekSimulator({ now: clock.now, credentials, ...options });
  closers.push(() => simulator.close());
  const gateway = createCdekGateway({ baseUrl: `${simulator.url}/v2`, ...credentials, now: clock.now });
  closers.push(() => gateway.close());
  return { clock, simulator, gateway };
}

const moscow = 44;
const kazan = 424;
const parcel = { weightGrams: 500, declaredValue: kopecks(100_000_00) };
const aRequest = (change: Partial<ShipmentRequest> = {}): ShipmentRequest => ({
  number: "1042",
  to: { pointId: "MSK101", isLocker: false },
  recipient: { name: "Иванов Иван", phone: "+79161234567", email: "ivan@example.com" },
  lines: [{ title: "Георгий Победоносец", article: "1001", quantity: 2, unitPrice: kopecks(90_637_00), weightGrams: 8 }],
  ...change,
});

describe("tokens", () => {
  test("ten calls at once fetch one token", async () => {
    const { simulator, gateway } = await carrier();
    await Promise.all(Array.from({ length: 10 }, () => gateway.pointPrice(kazan, parcel)));
    expect(simulator.calls("POST", "/oauth/token")).toBe(1);
  });

  test("a token near its end is renewed in time, once", async () => {
    const { simulator, gateway, clock } = await carrier({ tokenLifeSeconds: 3600 });
    await gateway.pointPrice(kazan, parcel);
    clock.advance(3_541_000);
    await Promise.all(Array.from({ length: 5 }, () => gateway.pointPrice(kazan, parcel)));
    expect(simulator.calls("POST", "/oauth/token")).toBe(2);
  });

  test("a token that died early is replaced once and the calls are repeated", async () => {
    const { simulator, gateway } = await carrier();
    await gateway.pointPrice(kazan, parcel);
    simulator.expireTokens();
    const prices = await Promise.all(Array.from({ length: 5 }, () => gateway.pointPrice(kazan, parcel)));
    expect(new Set(prices.map(({ price }) => price)).size).toBe(1);
    expect(simulator.calls("POST", "/oauth/token")).toBe(2);
  });

  test("wrong credentials are an error, not an endless loop", async () => {
    const { simulator, clock } = await carrier();
    const stranger = createCdekGateway({ baseUrl: simulator.url, clientId: "shop", clientSecret: "guess", now: clock.now });
    closers.push(() => stranger.close());
    await expect(stranger.points(moscow)).rejects.toThrow("401");
    expect(simulator.calls("POST", "/oauth/token")).toBe(1);
  });
});

describe("cities and points", () => {
  test("a city is found by the beginning of its name, with its place on the map", async () => {
    const { gateway } = await carrier();
    expect(await gateway.findCities("калу")).toEqual([
      { carrierCode: 142, name: "Калуга", region: "Калужская область", lat: 54.513845, lon: 36.261215 },
    ]);
    expect(await gateway.findCities("нетакого")).toEqual([]);
  });

  test("Moscow has at least 60 points and lockers, fifteen other cities 100 together, all where they should be", async () => {
    const { gateway } = await carrier();
    const list = await gateway.points(moscow);
    expect(list.length).toBeGreaterThanOrEqual(60);
    expect(new Set(list.map(({ type }) => type))).toEqual(new Set(["PVZ", "POSTAMAT"]));
    expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
    for (const each of list) {
      expect(Math.abs(each.lat - 55.75) + Math.abs(each.lon - 37.6)).toBeLessThan(0.5);
      expect(each).toMatchObject({
        address: expect.stringMatching(/, \d+/),
        workTime: expect.stringMatching(/\S/),
        phone: expect.stringMatching(/^\+7 800/),
        nearestMetro: expect.stringMatching(/\S/),
      });
    }
    const others = simulatedCities
      .filter(({ code }) => code !== moscow)
      .slice(0, 15)
      .map(pointsOf);
    expect(others.flat().length).toBeGreaterThanOrEqual(100);
    expect(others.every((points) => points.some(({ type }) => type === "POSTAMAT") && points.some(({ type }) => type === "PVZ"))).toBe(
      true,
    );
  });

  test("points that hand nothing out are left out", async () => {
    const { gateway } = await carrier();
    const closed = simulatedCities
      .filter(({ code }) => code === moscow)
      .flatMap(pointsOf)
      .filter(({ isHandout }) => !isHandout);
    expect(closed.length).toBeGreaterThan(0);
    const ids = new Set((await gateway.points(moscow)).map(({ id }) => id));
    expect(closed.some(({ code }) => ids.has(code))).toBe(false);
  });

  test("a list in pages is read to its end", async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://x");
      if (url.pathname.endsWith("/oauth/token")) return void response.end(JSON.stringify({ access_token: "t", expires_in: 3600 }));
      const page = Number(url.searchParams.get("page"));
      requests.push(String(page));
      const entries = Array.from({ length: page < 2 ? 500 : 7 }, (_, index) => ({
        code: `P${page}-${index}`,
        name: "",
        type: "PVZ",
        location: { city_code: 44, longitude: 37, latitude: 55, address: "ул. Мира, 1" },
      }));
      response.setHeader("x-total-elements", "1007").end(JSON.stringify(entries));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closers.push(async () => server.close());
    const gateway = createCdekGateway({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
      ...credentials,
      now: testClock().now,
    });
    closers.push(() => gateway.close());
    expect(await gateway.points(44)).toHaveLength(1007);
    expect(requests).toEqual(["0", "1", "2"]);
  });

  test("the country comes page by page, each point with its town; a list that breaks off is a fault", async () => {
    const { gateway, simulator, clock } = await carrier({ points: 1_200 });
    const pages = [];
    for await (const page of gateway.countryPoints()) pages.push(page);
    expect(pages.map((page) => page.length)).toEqual([500, 500, 200]);
    expect(pages[0]?.[0]).toMatchObject({ cityName: "Москва", region: "Россия", carrierCityCode: moscow });
    expect(pages.flat().find(({ type }) => type === "POSTAMAT")?.cells).toEqual([[38, 21, 61]]);

    const broken = gateway.countryPoints()[Symbol.asyncIterator]();
    await broken.next();
    simulator.setFault("error");
    await expect(broken.next()).rejects.toThrow("500");
    simulator.setFault("ok");
    clock.advance(31_000);
  });

  test("limits of mass come in kilograms and are kept in grams; an unreadable entry is left out", () => {
    const entry = {
      code: "MSK501",
      name: null,
      type: "POSTAMAT",
      weight_max: 15,
      phones: null,
      location: { city_code: 44, longitude: 37.6, latitude: 55.7, address: "ул. Мира, 1" },
    };
    expect(toPoint(entry)).toMatchObject({ id: "MSK501", name: "", phone: "", weightMaxGrams: 15_000 });
    expect(toPoint({ ...entry, location: { ...entry.location, latitude: "55" } })).toBeNull();
    expect(toPoint({ ...entry, type: "PICKUP" })).toBeNull();
  });
});

describe("prices", () => {
  test("farther, heavier, dearer and to the door each cost more", async () => {
    const { gateway } = await carrier();
    const near = await gateway.pointPrice(moscow, parcel);
    expect(near.price).toBe(1_010_00 - 25_00); // 210 + 25 for half a kilogram + 0.75 % of 100 000
    expect((await gateway.pointPrice(288, parcel)).price).toBeGreaterThan(near.price);
    expect((await gateway.pointPrice(moscow, { ...parcel, weightGrams: 5000 })).price).toBeGreaterThan(near.price);
    expect((await gateway.pointPrice(moscow, { ...parcel, declaredValue: kopecks(200_000_00) })).price).toBe(near.price + 750_00);
    expect((await gateway.courierPrice(moscow, parcel)).price).toBe(near.price + 190_00);
    expect(near).toMatchObject({ minDays: 1, maxDays: 3 });
  });

  test("an error inside a 200 is an error", async () => {
    const { gateway } = await carrier();
    await expect(gateway.courierPrice(999_999, parcel)).rejects.toThrow("v2_recipient_location_not_recognized");
  });
});

describe("parcels", () => {
  test("a parcel is accepted first and registered later, with a tracking number", async () => {
    const { gateway, clock } = await carrier();
    const made = await gateway.register(aRequest());
    expect(made).toMatchObject({ state: "accepted", trackingNumber: null });
    expect((await gateway.track(made.carrierId)).state).toBe("accepted");
    clock.advance(3_000);
    expect(await gateway.track(made.carrierId)).toMatchObject({ state: "registered", trackingNumber: expect.stringMatching(/^\d{11}$/) });
  });

  test("coins are insured in full, nothing is collected on delivery, masses are grams", async () => {
    const { gateway, simulator } = await carrier();
    await gateway.register(aRequest());
    expect(simulator.orders()[0]?.content).toMatchObject({
      tariff_code: 136,
      delivery_point: "MSK101",
      packages: [{ weight: 216, items: [{ cost: 90_637, amount: 2, payment: { value: 0 } }] }],
    });
    await gateway.register(aRequest({ number: "1043", to: { pointId: "MSK501", isLocker: true } }));
    await gateway.register(aRequest({ number: "1044", to: { carrierCityCode: kazan, address: "ул. Мира, 1", comment: "" } }));
    expect(simulator.orders().map(({ content }) => content.tariff_code)).toEqual([136, 368, 137]);
  });

  test("the courier gets the comment of the buyer, as much as the carrier takes", async () => {
    const { gateway, simulator } = await carrier();
    const comment = `подъезд 2, ${"звонить ".repeat(40)}`;
    for (const [number, each] of [
      ["1042", ""],
      ["1043", "подъезд 2"],
      ["1044", comment],
    ] as const)
      await gateway.register(aRequest({ number, to: { carrierCityCode: kazan, address: "ул. Мира, 1", comment: each } }));
    expect(simulator.orders().map(({ content }) => content.comment)).toEqual([undefined, "подъезд 2", comment.slice(0, 255)]);
  });

  test("a recipient with a long name and an e-mail in Cyrillic is registered", async () => {
    const { gateway, simulator } = await carrier();
    const recipient = { name: "Константинопольский".repeat(15), phone: "+79161234567", email: "ivan@пример.рф" };
    await gateway.register(aRequest({ recipient }));
    expect(simulator.orders()[0]?.content.recipient).toMatchObject({
      name: recipient.name.slice(0, 255),
      email: "ivan@xn--e1afmkfd.xn--p1ai",
    });
  });

  test("registering again finds the first parcel", async () => {
    const { gateway, simulator } = await carrier();
    const [first, second] = [await gateway.register(aRequest()), await gateway.register(aRequest())];
    expect(second.carrierId).toBe(first.carrierId);
    expect(simulator.orders()).toHaveLength(1);
  });

  test("a parcel to a point that closed meanwhile turns invalid and may be sent again", async () => {
    const { gateway, clock, simulator } = await carrier();
    const made = await gateway.register(aRequest({ to: { pointId: "MSK999", isLocker: false } }));
    clock.advance(3_000);
    expect(await gateway.track(made.carrierId)).toMatchObject({ state: "invalid", reason: "delivery_location_is_not_recognized" });
    expect((await gateway.register(aRequest())).state).toBe("accepted");
    expect(simulator.orders()).toHaveLength(2);
  });

  test("a parcel whose data the carrier refuses at once is refused for good; a number that it knows already is not", async () => {
    const { gateway, simulator } = await carrier();
    simulator.refuseAtOnce(true);
    const refusal = await gateway.register(aRequest({ to: { pointId: "MSK999", isLocker: false } })).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ShipmentRefused);
    expect(refusal).toMatchObject({ message: "delivery_location_is_not_recognized" });
    expect(simulator.orders()).toEqual([]);

    await gateway.register(aRequest());
    simulator.setSearchFault("v2_order_not_found"); // the order is being made: the search does not find it yet
    const again = await gateway.register(aRequest()).catch((error: unknown) => error);
    expect(again).toMatchObject({ message: "cdek: status 400 v2_bad_request" });
    expect(again).not.toBeInstanceOf(ShipmentRefused);
  });

  test("a search that failed does not mean that there is no parcel: nothing is registered after it", async () => {
    const { gateway, simulator } = await carrier();
    expect(await gateway.find("1042")).toBeNull();
    simulator.setSearchFault("v2_internal_error");
    await expect(gateway.find("1042")).rejects.toThrow("v2_internal_error");
    await expect(gateway.register(aRequest())).rejects.toThrow("v2_internal_error");
    expect(simulator.orders()).toEqual([]);
    simulator.setSearchFault("v2_entity_not_found");
    expect(await gateway.find("1042")).toBeNull();
  });

  test("the parcel's way: old and new words of the carrier, unknown ones mean on its way", async () => {
    const { gateway, clock, simulator } = await carrier();
    const { carrierId } = await gateway.register(aRequest());
    const walk: string[] = [];
    for (const code of [
      "RECEIVED_AT_SHIPMENT_WAREHOUSE",
      "TAKEN_BY_TRANSPORTER_FROM_SENDER_CIT",
      "ACCEPTED_AT_PICK_UP_POINT",
      "DELIVERED",
    ]) {
      clock.advance(3_000);
      simulator.setOrderStatus("1042", code);
      const { state, rawCode } = await gateway.track(carrierId);
      walk.push(state);
      expect(rawCode).toBe(code);
    }
    expect(walk).toEqual(["in_transit", "in_transit", "at_point", "delivered"]);
    expect(stateOf("POSTOMAT_POSTED")).toBe("at_point");
    expect(stateOf("NOT_DELIVERED")).toBe("not_delivered");
  });

  test("statuses in disorder: the newest that was not taken back counts", () => {
    const status = (code: string, minute: number, deleted = false) => ({
      code,
      name: "",
      city: "Казань",
      date_time: `2026-11-20T10:${minute}:00+0300`,
      deleted,
    });
    const shipment = toShipment({
      entity: {
        uuid: "u",
        statuses: [status("CREATED", 10), status("DELIVERED", 40, true), status("ACCEPTED_AT_PICK_UP_POINT", 30), status("ACCEPTED", 10)],
      },
      requests: [],
    });
    expect(shipment.state).toBe("at_point");
    expect(shipment.steps.map(({ code, at }) => `${code} ${at.toISOString()}`)).toEqual([
      "ACCEPTED 2026-11-20T07:10:00.000Z",
      "CREATED 2026-11-20T07:10:00.000Z",
      "ACCEPTED_AT_PICK_UP_POINT 2026-11-20T07:30:00.000Z",
    ]);
  });

  describe("a recall", () => {
    const mayTurnBack = true;
    async function registered(number = "1042") {
      const made = await carrier();
      const { carrierId } = await made.gateway.register(aRequest({ number }));
      made.clock.advance(3_000);
      return { ...made, carrierId, request: (how = { mayTurnBack }) => made.gateway.recall(carrierId, how) };
    }

    test("strikes out a parcel that has not moved, once the carrier confirms it; until then it is pending", async () => {
      const { request: input, clock, simulator, carrierId } = await registered();
      expect(await input()).toEqual({ outcome: "pending", reason: null });
      expect(await input()).toEqual({ outcome: "pending", reason: null });
      expect(simulator.orders()).toMatchObject([{ isRemoved: false }]);
      clock.advance(3_000);
      expect(await input()).toMatchObject({ outcome: "struck_out" });
      expect(simulator.orders()).toMatchObject([{ isRemoved: true, isRefused: false }]);
      expect(await input()).toMatchObject({ outcome: "struck_out" }); // may be repeated
      expect(simulator.calls("DELETE", `/orders/${carrierId}`)).toBe(1);
    });

    test("turns back a parcel on its way, or leaves it alone when it may not", async () => {
      const { request: input, clock, simulator, carrierId } = await registered();
      simulator.setOrderStatus("1042", "RECEIVED_AT_SHIPMENT_WAREHOUSE");
      expect(await input({ mayTurnBack: false })).toEqual({ outcome: "refused", reason: "RECEIVED_AT_SHIPMENT_WAREHOUSE" });
      expect(simulator.calls("POST", `/orders/${carrierId}/refusal`)).toBe(0);
      expect(await input()).toEqual({ outcome: "pending", reason: null });
      clock.advance(3_000);
      expect(await input()).toMatchObject({ outcome: "turned_back" });
      expect(simulator.orders()).toMatchObject([{ isRemoved: false, isRefused: true }]);
    });

    test("that comes too late is refused: the deletion was taken and then turned INVALID, or the parcel was delivered", async () => {
      const { request: input, clock, simulator } = await registered();
      expect(await input({ mayTurnBack: false })).toMatchObject({ outcome: "pending" });
      simulator.setOrderStatus("1042", "RECEIVED_AT_SHIPMENT_WAREHOUSE"); // handed over before the deletion was decided
      clock.advance(3_000);
      expect(await input({ mayTurnBack: false })).toEqual({ outcome: "refused", reason: "v2_entity_invalid" });
      expect(simulator.orders()).toMatchObject([{ isRemoved: false }]);
      simulator.setOrderStatus("1042", "DELIVERED");
      expect(await input()).toEqual({ outcome: "refused", reason: "DELIVERED" });
    });

    test("is refused when the carrier takes neither the deletion nor the refusal", async () => {
      const { request: input, clock, simulator } = await registered();
      simulator.setRecall("1042", "refuse");
      expect(await input()).toMatchObject({ outcome: "pending" });
      clock.advance(3_000);
      expect(await input()).toMatchObject({ outcome: "pending" }); // the deletion was INVALID, the refusal is requested
      clock.advance(3_000);
      expect(await input()).toEqual({ outcome: "refused", reason: "v2_entity_invalid" });
    });

    test("stays pending while the carrier does not decide, or has not registered the parcel yet", async () => {
      const { request: input, clock, simulator, gateway } = await registered();
      simulator.setRecall("1042", "never");
      for (let day = 0; day < 3; day += 1) {
        expect(await input()).toMatchObject({ outcome: "pending" });
        clock.advance(86_400_000);
      }
      const young = await gateway.register(aRequest({ number: "1043" }));
      expect(await gateway.recall(young.carrierId, { mayTurnBack })).toMatchObject({ outcome: "pending" });
      expect(simulator.calls("DELETE", `/orders/${young.carrierId}`)).toBe(0);
    });

    test("of a parcel that the carrier never registered, or that is not delivered already, needs no request", async () => {
      const { request: input, simulator, gateway, clock } = await registered();
      simulator.setOrderStatus("1042", "NOT_DELIVERED");
      expect(await input()).toMatchObject({ outcome: "turned_back" });
      expect(await input({ mayTurnBack: false })).toMatchObject({ outcome: "refused" });
      const closed = await gateway.register(aRequest({ number: "1043", to: { pointId: "MSK999", isLocker: false } }));
      clock.advance(3_000);
      expect(await gateway.recall(closed.carrierId, { mayTurnBack })).toMatchObject({ outcome: "struck_out" });
    });
  });

  test("webhooks are registered once, and read only when they are about an order's status", async () => {
    const { gateway, simulator } = await carrier();
    await gateway.subscribe("http://127.0.0.1:1/hook");
    await gateway.subscribe("http://127.0.0.1:1/hook");
    expect(simulator.calls("POST", "/webhooks")).toBe(1);
    const hook = {
      type: "ORDER_STATUS",
      date_time: "2026-11-20T10:00:00+0300",
      uuid: "u",
      attributes: { code: "DELIVERED", status_date_time: "2026-11-20T10:00:00+0300", deleted: true, number: "1" },
    };
    expect(gateway.readNotification(JSON.stringify(hook))).toEqual({
      carrierId: "u",
      code: "DELIVERED",
      statusAt: new Date("2026-11-20T07:00:00Z"),
      isTakenBack: true,
    });
    for (const raw of [
      "",
      "null",
      "{",
      JSON.stringify({ ...hook, type: "PRINT_FORM" }),
      JSON.stringify({ ...hook, attributes: {} }),
      JSON.stringify({ ...hook, attributes: { ...hook.attributes, status_date_time: "soon" } }),
      JSON.stringify({ ...hook, uuid: "u\0" }),
      JSON.stringify({ ...hook, attributes: { ...hook.attributes, code: "DELIVERED\0" } }),
    ]) {
      expect(gateway.readNotification(raw)).toBeNull();
    }
  });

  describe("labels", () => {
    async function registered(...numbers: string[]) {
      const all = await carrier();
      const parcels = await Promise.all(numbers.map((number) => all.gateway.register(aRequest({ number }))));
      all.clock.advance(2_000);
      return { ...all, ids: parcels.map(({ carrierId }) => carrierId) };
    }
    const request = async ({ gateway, ids }: Awaited<ReturnType<typeof registered>>): Promise<string> => {
      const task = await gateway.requestLabels(ids);
      if ("refused" in task) throw new Error(task.refused);
      return task.taskId;
    };

    test("of several parcels come in one PDF, a moment after they were requested", async () => {
      const it = await registered("1042", "1043");
      const task = await request(it);
      expect(await it.gateway.fetchLabels(task)).toEqual({ state: "pending" });
      it.clock.advance(2_000);
      const ready = await it.gateway.fetchLabels(task);
      expect(ready).toMatchObject({ state: "ready" });
      expect(ready.state === "ready" && ready.pdf.subarray(0, 5).toString()).toBe("%PDF-");
      expect(it.simulator.prints()).toEqual([{ format: "A6", numbers: ["1042", "1043"] }]);
    });

    test("are gone after an hour, when the carrier forgot the task, and when the file vanished after it was ready", async () => {
      const it = await registered("1042");
      const task = await request(it);
      it.clock.advance(3_600_000);
      expect(await it.gateway.fetchLabels(task)).toEqual({ state: "gone" });
      expect(await it.gateway.fetchLabels("11111111-1111-4111-8111-111111111111")).toEqual({ state: "gone" });
      it.simulator.setPrint("gone");
      const short = await request(it);
      it.clock.advance(2_002);
      expect(await it.gateway.fetchLabels(short)).toEqual({ state: "gone" });
    });

    test("of a parcel that is not registered or unknown are refused; more than a hundred at once too", async () => {
      const it = await registered("1042");
      const fresh = await it.gateway.register(aRequest({ number: "1043" }));
      const task = await request({ ...it, ids: [fresh.carrierId] });
      it.clock.advance(2_000);
      expect(await it.gateway.fetchLabels(task)).toEqual({ state: "refused", reason: "v2_entity_invalid" });
      expect(await it.gateway.requestLabels(["11111111-1111-4111-8111-111111111111"])).toEqual({ refused: "v2_entity_not_found" });
      expect(await it.gateway.requestLabels(Array.from({ length: 101 }, () => fresh.carrierId))).toEqual({ refused: "v2_bad_request" });
    });

    test("that never become ready stay pending; a file that is no PDF is an error", async () => {
      const it = await registered("1042");
      it.simulator.setPrint("never");
      const never = await request(it);
      it.clock.advance(30 * 60_000);
      expect(await it.gateway.fetchLabels(never)).toEqual({ state: "pending" });
      it.simulator.setPrint("garbage");
      const broken = await request(it);
      it.clock.advance(2_000);
      await expect(it.gateway.fetchLabels(broken)).rejects.toThrow("not a PDF");
    });

    test("need the token for the file too: an expired one is renewed", async () => {
      const it = await registered("1042");
      const task = await request(it);
      it.clock.advance(2_000);
      it.simulator.expireTokens();
      expect(await it.gateway.fetchLabels(task)).toMatchObject({ state: "ready" });
    });

    test.each(["error", "garbage", "html", "empty", "shape", "unauthorized", "too_many", "reset"] as const)(
      "are an error while the carrier answers %s, and never lost by it",
      async (mode) => {
        const it = await registered("1042");
        const task = await request(it);
        it.clock.advance(2_000);
        it.simulator.setFault(mode);
        await expect(it.gateway.requestLabels(it.ids)).rejects.toThrow("cdek");
        await expect(it.gateway.fetchLabels(task)).rejects.toThrow("cdek");
        it.simulator.setFault("ok");
        expect(await it.gateway.fetchLabels(task)).toMatchObject({ state: "ready" });
      },
    );

    test("statuses in disorder: the newest counts", () => {
      const state = (codes: [string, string][]) =>
        printStateOf({ entity: { statuses: codes.map(([code, date_time]) => ({ code, date_time })) } });
      expect(
        state([
          ["READY", "2026-11-22T10:00:02+0000"],
          ["ACCEPTED", "2026-11-22T10:00:00+0000"],
        ]),
      ).toBe("ready");
      expect(
        state([
          ["ACCEPTED", "2026-11-22T10:00:00+0000"],
          ["READY", "2026-11-22T10:00:00+0000"],
        ]),
      ).toBe("ready");
      expect(
        state([
          ["REMOVED", "2026-11-22T11:00:00+0000"],
          ["READY", "2026-11-22T10:00:00+0000"],
        ]),
      ).toBe("gone");
      expect(state([])).toBe("pending");
    });
  });

  test("an unknown parcel is an error", async () => {
    const { gateway } = await carrier();
    await expect(gateway.track("no-such")).rejects.toThrow("v2_entity_not_found");
  });
});

test("the simulated carrier knows its parcels after a restart", async () => {
  const statePath = join(mkdtempSync(join(tmpdir(), "courier-")), "state.json");
  const first = await carrier({ statePath });
  const { carrierId } = await first.gateway.register(aRequest());
  first.clock.advance(3_000);
  first.simulator.setOrderStatus("1042", "DELIVERED");
  const second = await carrier({ statePath });
  second.clock.advance(6_000);
  expect(await second.gateway.track(carrierId)).toMatchObject({ state: "delivered" });
});

describe("a carrier that fails", () => {
  test.each(["error", "garbage", "html", "empty", "shape", "unauthorized", "too_many", "reset", "timeout"] as const)(
    "%s: every call is an error within its 3 s, and works again afterwards",
    async (mode) => {
      const { simulator, gateway, clock } = await carrier();
      await gateway.pointPrice(kazan, parcel); // a token is cached
      simulator.setFault(mode);
      const started = performance.now();
      const outcomes = await Promise.allSettled([
        gateway.findCities("каз"),
        gateway.points(kazan),
        gateway.courierPrice(kazan, parcel),
        gateway.register(aRequest()),
        gateway.track("x"),
        gateway.find("1042"),
        gateway.recall("x", { mayTurnBack: true }),
        gateway.subscribe("http://127.0.0.1:1/"),
        gateway.countryPoints()[Symbol.asyncIterator]().next(),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => "rejected"));
      expect(performance.now() - started).toBeLessThan(4_000);
      simulator.setFault("ok");
      clock.advance(31_000); // the breaker tries again
      expect((await gateway.points(kazan)).length).toBeGreaterThan(10);
      expect((await gateway.register(aRequest())).state).toBe("accepted");
      expect(simulator.orders()).toHaveLength(1);
    },
  );

  test("a late but correct answer is accepted", async () => {
    const { simulator, gateway } = await carrier();
    await gateway.pointPrice(kazan, parcel);
    simulator.setFault("slow");
    expect((await gateway.points(kazan)).length).toBeGreaterThan(10);
  });
});
