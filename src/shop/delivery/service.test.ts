import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCdekGateway } from "#integrations/cdek/adapter.ts";
import { type CdekSimulator, startCdekSimulator } from "#integrations/cdek/simulator.ts";
import { kopecks } from "#kit/money.ts";
import { hours, minutes } from "#kit/time.ts";
import type { Limits } from "#shop/settings.ts";
import { type TestShop, testClock, testShop } from "#tests/shop.ts";
import { seedCities } from "../../../db/seed/seed-cities.ts";
import { moscowCode, petersburgCode, type ParcelContents } from "./delivery.ts";
import * as delivery from "./service.ts";

const kazan = "1000000424";
const coins = { total: kopecks(100_000_00), weightGrams: 8 };

let shop: TestShop;
let carrier: CdekSimulator;
const closers: (() => Promise<unknown>)[] = [];
async function open(limits: Partial<Limits> = {}) {
  const clock = testClock();
  const simulator = await startCdekSimulator({ now: clock.now });
  const gateway = createCdekGateway({ baseUrl: simulator.url, clientId: "shop", clientSecret: "secret", now: clock.now });
  const opened = await testShop({ gateways: { delivery: gateway }, clock, limits });
  await seedCities(opened.ctx);
  closers.push(
    () => simulator.close(),
    () => gateway.close(),
    () => opened.close(),
  );
  [shop, carrier] = [opened, simulator];
}
beforeEach(() => open());
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
/** Waits until the circuit breaker lets calls to the carrier through again. */
const recover = (): void => {
  carrier.setFault("ok");
  shop.clock.advance(31_000);
};
const idsOf = async (city: string, contents: ParcelContents = coins) =>
  (await delivery.options(shop.ctx, city, contents)).map(({ type, items }) => [type, ...items.map(({ id }) => id)]);

describe("cities", () => {
  test("are found by the beginning of any word, ё or е, bigger ones first", async () => {
    expect((await delivery.cities(shop.ctx, "моск")).map(({ name }) => name)).toEqual(["Москва"]);
    expect((await delivery.cities(shop.ctx, "новгород")).map(({ name }) => name)).toEqual(["Нижний Новгород"]);
    expect((await delivery.cities(shop.ctx, "дону")).map(({ name }) => name)).toEqual(["Ростов-на-Дону"]);
    expect((await delivery.cities(shop.ctx, "")).slice(0, 2).map(({ code }) => code)).toEqual([moscowCode, petersburgCode]);
    expect(await delivery.cities(shop.ctx, "%")).toEqual([]);
  });

  test("an unknown city is looked up at the carrier once", async () => {
    expect(await delivery.cities(shop.ctx, "Калуга")).toEqual([
      { code: "1000000142", carrierCode: 142, name: "Калуга", region: "Калужская область", lat: 54.513845, lon: 36.261215 },
    ]);
    await delivery.cities(shop.ctx, "калуг");
    expect(carrier.calls("GET", "/location/suggest/cities")).toBe(1);
    expect(await delivery.city(shop.ctx, "1000000142")).toMatchObject({ name: "Калуга" });
  });

  test("stored cities are found while the carrier is unavailable", async () => {
    carrier.setFault("error");
    expect(await delivery.cities(shop.ctx, "казань")).toHaveLength(1);
    expect(await delivery.cities(shop.ctx, "калуга")).toEqual([]);
  });
});

describe("points", () => {
  test("points for 76 and 79, lockers for 77 and 80, the office for 35, none for couriers", async () => {
    const [points, lockers] = [
      await delivery.points(shop.ctx, moscowCode, 76, coins),
      await delivery.points(shop.ctx, moscowCode, 80, coins),
    ];
    expect(points.length + lockers.length).toBeGreaterThanOrEqual(60);
    expect(new Set(points.map(({ type }) => type))).toEqual(new Set(["PVZ"]));
    expect(new Set(lockers.map(({ type }) => type))).toEqual(new Set(["POSTAMAT"]));
    expect(await delivery.points(shop.ctx, moscowCode, 79, coins)).toEqual(points);
    expect(await delivery.points(shop.ctx, moscowCode, 35, coins)).toMatchObject([
      { id: "office", type: "OFFICE", address: "Москва, ул. Монетная, 1" },
    ]);
    for (const id of [45, 75, 43, 99]) expect(await delivery.points(shop.ctx, moscowCode, id, coins)).toEqual([]);
  });

  test("a point belongs to its city and type", async () => {
    const [point] = await delivery.points(shop.ctx, kazan, 76, coins);
    expect(await delivery.point(shop.ctx, kazan, 79, point?.id ?? "", coins)).toEqual(point);
    expect(await delivery.point(shop.ctx, kazan, 77, point?.id ?? "", coins)).toBeNull();
    expect(await delivery.point(shop.ctx, moscowCode, 76, point?.id ?? "", coins)).toBeNull();
  });

  test("a city's points are fetched once for concurrent requests, and not again for twelve hours", async () => {
    await Promise.all(Array.from({ length: 8 }, () => delivery.points(shop.ctx, kazan, 76, coins)));
    shop.clock.advance(hours(11));
    await delivery.renewMirrors(shop.ctx);
    await delivery.points(shop.ctx, kazan, 77, coins);
    expect(carrier.calls("GET", "/deliverypoints")).toBe(1);
    shop.clock.advance(hours(2));
    await delivery.renewMirrors(shop.ctx);
    expect(carrier.calls("GET", "/deliverypoints")).toBe(2);
  });

  test("mirrored points are used for one day without the carrier, not longer", async () => {
    const before = await delivery.points(shop.ctx, kazan, 76, coins);
    carrier.setFault("error");
    shop.clock.advance(hours(24) - 1000);
    await delivery.renewMirrors(shop.ctx);
    expect(await delivery.points(shop.ctx, kazan, 76, coins)).toEqual(before);
    shop.clock.advance(2000);
    expect(await delivery.points(shop.ctx, kazan, 76, coins)).toEqual([]);
    recover();
    expect(await delivery.points(shop.ctx, kazan, 76, coins)).toEqual(before);
  });

  test("an empty list does not delete the points of a city", async () => {
    const before = await delivery.points(shop.ctx, kazan, 76, coins);
    shop.ctx.gateways.delivery = { ...shop.ctx.gateways.delivery, points: async () => [] };
    shop.clock.advance(hours(13));
    await delivery.renewMirrors(shop.ctx);
    expect(await delivery.points(shop.ctx, kazan, 76, coins)).toEqual(before);
  });
});

describe("a parcel that is too heavy or too large for a point", () => {
  test("is neither offered nor accepted there: a locker holds fifteen kilograms", async () => {
    const light = { ...coins, weightGrams: 14_800 };
    const heavy = { ...coins, weightGrams: 14_801 };
    expect((await delivery.points(shop.ctx, kazan, 77, light)).length).toBeGreaterThan(0);
    expect(await delivery.points(shop.ctx, kazan, 77, heavy)).toEqual([]);
    expect((await delivery.points(shop.ctx, kazan, 76, heavy)).length).toBeGreaterThan(0);
    expect((await idsOf(kazan, light))[0]).toEqual(["carrier", 76, 77, 45]);
    expect((await idsOf(kazan, heavy))[0]).toEqual(["carrier", 76, 45]);
    const [locker] = await delivery.points(shop.ctx, kazan, 77, light);
    expect(await delivery.point(shop.ctx, kazan, 77, locker?.id ?? "", light)).toEqual(locker);
    expect(await delivery.point(shop.ctx, kazan, 77, locker?.id ?? "", heavy)).toBeNull();
    expect(await delivery.optionPrice(shop.ctx, kazan, 77, heavy)).toBeNull();
  });
});

describe("the buyer's city by location", () => {
  test("is the nearest stored city, found without any provider", async () => {
    const near = async (lat: number, lon: number) => (await delivery.citiesNear(shop.ctx, { lat, lon }))[0]?.name;
    expect(await near(55.75, 37.6)).toBe("Москва");
    expect(await near(55.82, 49.2)).toBe("Казань");
    expect(await near(54.7, 20.6)).toBe("Калининград");
    expect(carrier.calls("GET", "/location/cities")).toBe(0);
  });
});

describe("delivery options", () => {
  test("Moscow has the office too; every city has special contact last", async () => {
    expect(await idsOf(moscowCode)).toEqual([
      ["carrier", 76, 77, 45],
      ["office", 35],
      ["special", 43],
    ]);
    expect(await idsOf(kazan)).toEqual([
      ["carrier", 76, 77, 45],
      ["special", 43],
    ]);
    expect((await delivery.options(shop.ctx, kazan, coins))[0]).toMatchObject({
      name: "free_carrier",
      items: [
        { hasPoint: true, price: 0, minDays: expect.any(Number), note: "" },
        { hasPoint: true, price: 0 },
        { hasPoint: false, price: expect.any(Number) },
      ],
    });
  });

  test("from 150 000 ₽ the courier is free", async () => {
    const under = { ...coins, total: kopecks(149_999_00) };
    const from = { ...coins, total: kopecks(150_000_00) };
    expect((await idsOf(kazan, under))[0]).toEqual(["carrier", 76, 77, 45]);
    expect((await idsOf(kazan, from))[0]).toEqual(["carrier", 76, 77, 75]);
    expect(await delivery.optionPrice(shop.ctx, kazan, 75, from)).toMatchObject({ price: 0 });
    expect(await delivery.optionPrice(shop.ctx, kazan, 45, from)).toMatchObject({ price: 0 });
    expect(await delivery.optionPrice(shop.ctx, kazan, 75, under)).toBeNull();
    expect((await delivery.optionPrice(shop.ctx, kazan, 45, under))?.price).toBeGreaterThan(0);
  });

  test("below the limit of the setting, points cost money and have the ids of the paid methods", async () => {
    await open({ freePickupFromRoubles: 50_000 });
    const under = { total: kopecks(49_999_00), weightGrams: 8 };
    expect((await idsOf(kazan, under))[0]).toEqual(["carrier", 79, 80, 45]);
    expect((await delivery.options(shop.ctx, kazan, under))[0]?.name).toBe("carrier");
    expect((await delivery.optionPrice(shop.ctx, kazan, 79, under))?.price).toBeGreaterThan(0);
    expect(await delivery.optionPrice(shop.ctx, kazan, 76, under)).toBeNull();
    expect((await idsOf(kazan, { ...under, total: kopecks(50_000_00) }))[0]).toEqual(["carrier", 76, 77, 45]);
  });

  test("above the insurance limit only special contact is offered", async () => {
    const above = { ...coins, total: kopecks(3_000_000_01) };
    expect(await idsOf(moscowCode, above)).toEqual([["special", 43]]);
    expect(await delivery.optionPrice(shop.ctx, moscowCode, 35, above)).toBeNull();
    expect(await delivery.optionPrice(shop.ctx, moscowCode, 43, above)).toMatchObject({ price: 0, note: "price_by_manager" });
    expect((await idsOf(moscowCode, { ...coins, total: kopecks(3_000_000_00) })).length).toBe(3);
  });

  test("gold above the carrier's limit goes by special contact only, silver goes by the carrier", async () => {
    await open({ carrierGoldLimitRoubles: 50_000 });
    expect(await idsOf(moscowCode, { ...coins, gold: kopecks(50_000_01) })).toEqual([["special", 43]]);
    expect((await idsOf(moscowCode, { ...coins, gold: kopecks(50_000_00) })).length).toBe(3);
    expect(await delivery.optionPrice(shop.ctx, kazan, 76, { ...coins, gold: kopecks(50_000_01) })).toBeNull();
    expect(await delivery.optionPrice(shop.ctx, kazan, 76, coins)).not.toBeNull();
  });

  test("a parcel above the value limit of lockers is offered staffed points only", async () => {
    await open({ lockerLimitRoubles: 99_999 });
    expect((await idsOf(kazan))[0]).toEqual(["carrier", 76, 45]);
    expect(await delivery.optionPrice(shop.ctx, kazan, 77, coins)).toBeNull();
  });

  test("the office is for Moscow only; an unknown city or delivery id has no price", async () => {
    expect(await delivery.optionPrice(shop.ctx, moscowCode, 35, coins)).toMatchObject({ price: 0 });
    expect(await delivery.optionPrice(shop.ctx, kazan, 35, coins)).toBeNull();
    expect(await delivery.optionPrice(shop.ctx, "1000099999", 76, coins)).toBeNull();
    expect(await delivery.optionPrice(shop.ctx, kazan, 1, coins)).toBeNull();
  });

  test("a price is whole roubles, the same a minute later, and fetched once an hour", async () => {
    const first = await delivery.optionPrice(shop.ctx, kazan, 45, coins);
    expect((first?.price ?? 1) % 100).toBe(0);
    shop.clock.advance(minutes(50));
    expect(await delivery.optionPrice(shop.ctx, kazan, 45, { ...coins, total: kopecks(99_500_00) })).toEqual(first);
    expect(carrier.calls("POST", "/calculator/tariff")).toBe(2);
  });
});

describe("while the carrier is unavailable", () => {
  test("points and prices of the last day are used", async () => {
    const before = await delivery.options(shop.ctx, kazan, coins);
    carrier.setFault("error");
    shop.clock.advance(hours(23));
    expect(await delivery.options(shop.ctx, kazan, coins)).toEqual(before);
  });

  test("a city that was never mirrored: the office comes first, and a manager sets the courier's price", async () => {
    carrier.setFault("garbage");
    const groups = await delivery.options(shop.ctx, kazan, coins);
    expect(groups.map(({ type }) => type)).toEqual(["office", "carrier", "special"]);
    expect(groups[1]?.items).toEqual([
      { id: 45, name: "courier", hasPoint: false, price: null, minDays: null, maxDays: null, note: "price_by_manager" },
    ]);
    expect(await delivery.optionPrice(shop.ctx, kazan, 35, coins)).toMatchObject({ price: 0 });
    expect(await delivery.optionPrice(shop.ctx, kazan, 45, coins)).toEqual({
      price: 0,
      minDays: null,
      maxDays: null,
      note: "price_by_manager",
    });
    recover();
    expect(await idsOf(kazan)).toEqual([
      ["carrier", 76, 77, 45],
      ["special", 43],
    ]);
  });

  test("free points stay free when only the price of a new parcel cannot be fetched", async () => {
    await delivery.points(shop.ctx, kazan, 76, coins);
    carrier.setFault("error");
    const [byCarrier] = await delivery.options(shop.ctx, kazan, { total: kopecks(77_000_00), weightGrams: 31 });
    expect(byCarrier?.items).toMatchObject([
      { id: 76, price: 0, minDays: null, note: "" },
      { id: 77, price: 0 },
      { id: 45, price: null, note: "price_by_manager" },
    ]);
  });

  test("a carrier that does not answer delays a buyer by at most three seconds", async () => {
    carrier.setFault("timeout");
    const started = performance.now();
    expect((await delivery.options(shop.ctx, kazan, coins))[0]?.type).toBe("office");
    expect(performance.now() - started).toBeLessThan(4_500);
  });
});
