import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "#kit/log.ts";
import { hours, minutes } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { disksToWatch, watchDisks } from "./disk-watch.ts";

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

/** The folder of the database among the disks, and what was logged about it. */
async function watchedDatabase(config: { DATABASE_URL?: string; DATABASE_DIR?: string }, db: Ctx["db"] = shop.ctx.db) {
  const logged: string[] = [];
  const log = {
    ...silentLog,
    info: (_: object, message?: string) => logged.push(`info: ${message}`),
    warn: (_: object, message?: string) => logged.push(`warn: ${message}`),
  };
  const disks = await disksToWatch({ db, log }, { ...config, dataDir: "/data" });
  expect(disks["data"]).toBe("/data");
  return { folder: disks["database"] ?? null, logged };
}

test("the folder of a PostgreSQL on this machine is found; one elsewhere is watched only where its folder is named", async () => {
  const found = await watchedDatabase({ DATABASE_URL: shop.url });
  expect([found.folder !== null && existsSync(found.folder), found.logged]).toEqual([true, []]);
  expect(await watchedDatabase({ DATABASE_URL: "postgres://db.example/shop" })).toEqual({
    folder: null,
    logged: ["info: the disk of PostgreSQL is on another machine and is not watched from here"],
  });
  const named = { DATABASE_URL: "postgres://db.example/shop", DATABASE_DIR: "/srv/pg" };
  expect(await watchedDatabase(named)).toEqual({ folder: "/srv/pg", logged: [] });
  expect(await watchedDatabase({})).toEqual({ folder: null, logged: [] }); // embedded, in the data folder
});

test("a database role that may not read the folder of its server: the log names DATABASE_DIR once", async () => {
  const tried = shop.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`create role without_rights`);
    await tx.execute(sql`set local role without_rights`);
    const watched = await watchedDatabase({ DATABASE_URL: shop.url }, tx as Ctx["db"]);
    expect(watched).toEqual({
      folder: null,
      logged: ["warn: the disk of PostgreSQL is not watched: name its data folder in DATABASE_DIR"],
    });
    throw new Error("the role is taken back");
  });
  await expect(tried).rejects.toThrow("the role is taken back");
});

test("`deploy/install` names the folder of a database on this machine, once, so that its disk is watched from the start", () => {
  const install = readFileSync(new URL("../../../deploy/install", import.meta.url), "utf8");
  const [step = ""] = /^# The alarm of a full disk[^]*?^fi$/m.exec(install) ?? [];
  // After the database and chekan.env were made.
  expect(install.indexOf(step)).toBeGreaterThan(Math.max(install.indexOf("create database"), install.lastIndexOf("\tmv ")));
  const folder = mkdtempSync(join(tmpdir(), "chekan-installed-"));
  const file = join(folder, "chekan.env");
  /** The settings after the step. `answers`: what the account of PostgreSQL, the only one that may read the folder's name, does. */
  const after = (settings: string, answers = "echo /var/lib/postgresql/17/main", root = ""): string => {
    writeFileSync(file, settings);
    const runuser = `runuser() { [ "$*" = "-u postgres -- psql -XAtc show data_directory" ] && ${answers}; }`;
    const { status } = spawnSync("sh", ["-euc", `${runuser}\nroot=$2\nsettings=$1\n${step}`, "sh", folder, root]);
    expect(status).toBe(0);
    return readFileSync(file, "utf8");
  };
  const local = "DATABASE_URL=postgres://chekan:secret@127.0.0.1:5432/chekan\nMETRICS_TOKEN=a";
  const named = after(local);
  expect(named.split("\n")).toEqual([...local.split("\n"), expect.stringMatching(/^# /), "DATABASE_DIR=/var/lib/postgresql/17/main", ""]);
  expect(after(named)).toBe(named);
  const elsewhere = "DATABASE_URL=postgres://chekan:secret@db.example:5432/chekan\n";
  expect([after(elsewhere), after(local, "false"), after(local, "true"), after(local, undefined, "/other")]).toEqual([
    elsewhere,
    local,
    local,
    local,
  ]);
});
