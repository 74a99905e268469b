import { afterEach, expect, test } from "vitest";
import { createCdekGateway } from "#integrations/cdek/adapter.ts";
import { type CdekSimulator, startCdekSimulator } from "#integrations/cdek/simulator.ts";
import { hours, minutes } from "#kit/time.ts";
import { type TestShop, testClock, testShop } from "#tests/shop.ts";
import { seedCities } from "../../../db/seed/seed-cities.ts";
import { importPoints, importWhenDue } from "./country.service.ts";
import * as delivery from "./service.ts";
import { pickupPoints, pointReadings } from "./tables.ts";

const kazan = "1000000424";
const coins = { weightGrams: 8 };

let shop: TestShop;
let carrier: CdekSimulator;
const closers: (() => Promise<unknown>)[] = [];
async function open(country: number): Promise<void> {
  const clock = testClock();
  carrier = await startCdekSimulator({ now: clock.now, points: country });
  const gateway = createCdekGateway({ baseUrl: carrier.url, clientId: "shop", clientSecret: "secret", now: clock.now });
  shop = await testShop({ gateways: { delivery: gateway }, clock });
  await seedCities(shop.ctx);
  closers.push(
    () => carrier.close(),
    () => gateway.close(),
    () => shop.close(),
  );
}
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
const known = () => shop.ctx.db.$count(pickupPoints);

test("nine thousand points are imported page by page, quickly and with little memory; their cities can be chosen", async () => {
  const country = 9_000;
  await open(country);
  let most = 0;
  const { delivery: gateway } = shop.ctx.gateways;
  shop.ctx.gateways.delivery = {
    ...gateway,
    async *countryPoints() {
      for await (const page of gateway.countryPoints()) {
        most = Math.max(most, page.length);
        yield page;
      }
    },
  };
  const started = performance.now();
  expect(await importPoints(shop.ctx)).toEqual({ seen: country, removed: 0 });
  expect(performance.now() - started).toBeLessThan(30_000);
  expect(most).toBe(500);
  expect(await known()).toBe(country);
  expect(await delivery.cities(shop.ctx, "дальнее-7")).toMatchObject([
    { name: "Дальнее-7", region: "Сибирский край" },
    ...Array.from({ length: 9 }, () => ({})),
  ]);
  const calls = carrier.calls("GET", "/deliverypoints");
  expect((await delivery.points(shop.ctx, kazan, 76, coins)).length).toBeGreaterThan(5);
  shop.clock.advance(hours(13));
  await delivery.renewMirrors(shop.ctx); // only cities mirrored on request are renewed one by one
  expect(carrier.calls("GET", "/deliverypoints")).toBe(calls);
});

test("the next import removes closed points and no others", async () => {
  await open(1_200);
  await importPoints(shop.ctx);
  const before = await delivery.points(shop.ctx, kazan, 76, coins);
  carrier.closePoint(before[0]?.id ?? "");
  shop.clock.advance(hours(1));
  expect(await importPoints(shop.ctx)).toEqual({ seen: 1_199, removed: 1 });
  expect(await delivery.points(shop.ctx, kazan, 76, coins)).toEqual(before.slice(1));
});

test("an import that fails, or that sees far too few points, removes nothing", async () => {
  await open(2_500);
  await importPoints(shop.ctx);
  carrier.closePoint("KZN101");
  const { delivery: gateway } = shop.ctx.gateways;
  const pages = (stop: "break" | "end") =>
    async function* () {
      let count = 0;
      for await (const page of gateway.countryPoints()) {
        count += 1;
        if (count > 3 && stop === "break") throw new Error("the line broke");
        if (count > 3) return;
        yield page;
      }
    };
  for (const stop of ["break", "end"] as const) {
    shop.clock.advance(hours(1));
    shop.ctx.gateways.delivery = { ...gateway, countryPoints: pages(stop) };
    expect(await importPoints(shop.ctx)).toBeNull();
    expect(await known()).toBe(2_500);
  }
});

test("the first import runs at once, later ones nightly; a failed one is retried after ten minutes", async () => {
  await open(0);
  const runs = async (): Promise<boolean> => {
    const before = await shop.ctx.db.$count(pointReadings);
    await importWhenDue(shop.ctx);
    return (await shop.ctx.db.$count(pointReadings)) > before;
  };
  carrier.setFault("error");
  expect(await runs()).toBe(true);
  carrier.setFault("ok");
  shop.clock.advance(minutes(9));
  expect(await runs()).toBe(false);
  shop.clock.advance(minutes(2));
  expect(await runs()).toBe(true); // noon in Moscow
  expect(await runs()).toBe(false);
  shop.clock.set(new Date("2026-11-20T23:59:00Z")); // a minute before three in the night
  expect(await runs()).toBe(false);
  shop.clock.advance(minutes(2));
  expect(await runs()).toBe(true);
  shop.clock.advance(minutes(30));
  expect(await runs()).toBe(false);
});
