import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { days, hours, minutes } from "#kit/time.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import * as backups from "./service.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop({ isDemo: false });
});
afterAll(() => shop.close());

const raised = () => shop.alarms.splice(0).map(({ name, fields }) => [name, fields?.["provedAt"]]);
const watched = async (ctx = shop.ctx) => {
  await backups.watch(ctx);
  return raised();
};
/** The statement of the script that proves the backup, with its variables filled in. */
const insert =
  /insert into backup_proofs .*;/.exec(readFileSync(new URL("../../../deploy/backup/prove", import.meta.url), "utf8"))?.[0] ?? "";
const prove = () =>
  shop.ctx.db.execute(
    sql.raw(
      insert
        .replace("now()", `'${shop.clock.now().toISOString()}'`)
        .replace(":'reached'", `'${shop.clock.now().toISOString()}'`)
        .replace(":took", "95"),
    ),
  );

test("a backup that was never proven, or not for 26 hours, raises an alarm until the script records a proof", async () => {
  expect(await watched()).toEqual([["backup.unproven", ""]]);
  await prove();
  const provedAt = shop.clock.now().toISOString();
  shop.clock.advance(hours(26));
  expect(await watched()).toEqual([]);
  shop.clock.advance(minutes(1));
  expect(await watched()).toEqual([["backup.unproven", provedAt]]);
  await prove();
  expect(await watched()).toEqual([]);
});

test("the term is a setting, 0 turns the alarm off, and a demo has no backup", async () => {
  shop.clock.advance(hours(3));
  shop.ctx.settings.limits.backupProofHours = 2;
  expect(await watched()).toHaveLength(1);
  expect(await watched({ ...shop.ctx, isDemo: true })).toEqual([]);
  shop.ctx.settings.limits.backupProofHours = 0;
  expect(await watched()).toEqual([]);
});

test("old proofs are deleted, the last year's stay", async () => {
  shop.clock.advance(days(399));
  await prove();
  const count = async () => ((await shop.ctx.db.execute(sql`select 1 from backup_proofs`)) as unknown as { rows: unknown[] }).rows.length;
  const before = await count();
  shop.clock.advance(days(2));
  await backups.watch(shop.ctx);
  expect(before).toBe(3);
  expect(await count()).toBe(1);
});
