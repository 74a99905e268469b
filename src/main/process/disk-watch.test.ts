import { existsSync } from "node:fs";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hours, minutes } from "#kit/time.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { databaseFolder, watchDisks } from "./disk-watch.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop();
});
afterAll(() => shop.close());

/** A disk of 1,000 blocks, 50 of which are reserved for root. */
function aDisk() {
  const disk = { used: 0 };
  const measure = () =>
    Promise.resolve({ bsize: 1024 ** 2, blocks: 1_000, bfree: 1_000 - disk.used, bavail: Math.max(0, 950 - disk.used) });
  return { disk, measure };
}
const raised = () => shop.alarms.splice(0).map(({ name, fields }) => [name, fields?.["disk"], fields?.["usedPercent"]]);

test("a disk that is used to 80 % raises an alarm, once in six hours, and at once when it fills up again after it was freed", async () => {
  const { disk, measure } = aDisk();
  const registry = new Registry();
  const watch = watchDisks(shop.ctx, { disks: { data: "/data" }, registry, measure });
  disk.used = 750;
  await watch.check();
  expect(raised()).toEqual([]);
  disk.used = 760; // of the 950 that the shop can use
  await watch.check();
  shop.clock.advance(minutes(1));
  await watch.check();
  expect(raised()).toEqual([["disk.filling", "data", 80]]);
  expect(await registry.metrics()).toContain(`shop_disk_free_bytes{disk="data"} ${190 * 1024 ** 2}`);
  shop.clock.advance(hours(6));
  await watch.check();
  expect(raised()).toEqual([["disk.filling", "data", 80]]);
  disk.used = 100;
  await watch.check();
  disk.used = 980;
  await watch.check();
  expect(raised()).toEqual([["disk.filling", "data", 100]]);
  watch.stop();
});

test("the share is a setting that is taken over at once; 0 turns the alarm off, not the figures", async () => {
  const { disk, measure } = aDisk();
  const settings = structuredClone(shop.ctx.settings);
  const registry = new Registry();
  const watch = watchDisks({ ...shop.ctx, settings }, { disks: { data: "/data" }, registry, measure });
  disk.used = 500;
  settings.limits.diskAlarmPercent = 50;
  await watch.check();
  expect(raised()).toEqual([["disk.filling", "data", 52]]);
  settings.limits.diskAlarmPercent = 0;
  disk.used = 950;
  await watch.check();
  expect(raised()).toEqual([]);
  expect(await registry.metrics()).toContain('shop_disk_free_bytes{disk="data"} 0');
  watch.stop();
});

test("a disk that cannot be measured does not keep the others from being measured", async () => {
  const registry = new Registry();
  const watch = watchDisks(shop.ctx, { disks: { data: "/there/is/no/such/folder", database: "/" }, registry });
  await watch.check();
  const metrics = await registry.metrics();
  expect(metrics).toMatch(/shop_disk_size_bytes\{disk="database"\} [1-9]/);
  expect(metrics).not.toContain('disk="data"');
  watch.stop();
});

test("the folder of a PostgreSQL on this machine is found; one elsewhere is watched only where its folder is named", async () => {
  const found = await databaseFolder(shop.ctx.db, { DATABASE_URL: shop.url });
  expect(found !== null && existsSync(found)).toBe(true);
  expect(await databaseFolder(shop.ctx.db, { DATABASE_URL: "postgres://db.example/shop" })).toBeNull();
  expect(await databaseFolder(shop.ctx.db, { DATABASE_URL: "postgres://db.example/shop", DATABASE_DIR: "/srv/pg" })).toBe("/srv/pg");
  expect(await databaseFolder(shop.ctx.db, {})).toBeNull();
});
