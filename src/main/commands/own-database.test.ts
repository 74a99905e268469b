import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, inject, test } from "vitest";
import { rowsOf } from "#kit/db.ts";
import { silentLog } from "#kit/log.ts";
import { readConfig } from "#main/config.ts";
import { openPostgres } from "#main/database/postgres.ts";
import { createDatabase } from "#tests/postgres.ts";
import { NoShopError, onOwnDatabase, type WaitControls } from "./own-database.ts";

const actor = { kind: "staff" as const, name: "ivanova" };
const tables = sql`select count(*)::int as n from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`;

/** Counts the tables that a command finds. `whilePaused` is called with the number of each pause; the clock moves with the pauses only. */
async function countTables(DATABASE_URL: string, whilePaused: (pause: number) => Promise<void> = async () => {}) {
  const config = readConfig({ SHOP_DEMO: "1", DATA_DIR: mkdtempSync(join(tmpdir(), "chekan-own-database-")), DATABASE_URL });
  const said: string[] = [];
  let [at, pauses] = [0, 0];
  const time: WaitControls = {
    now: () => at,
    async pause(milliseconds) {
      at += milliseconds;
      await whilePaused((pauses += 1));
    },
    say: (line) => said.push(line),
  };
  const outcome = await onOwnDatabase(config, actor, async ({ db }) => (await rowsOf<{ n: number }>(db, tables))[0]?.n ?? 0, time).catch(
    (error: unknown) => error,
  );
  return { outcome, waitedMs: at, said };
}

test("a command that comes before the tables of the first start waits for them", async () => {
  const url = await createDatabase(inject("postgresUrl"));
  const start = async (pause: number): Promise<void> => {
    if (pause !== 3) return;
    const starting = openPostgres(url, { log: silentLog, max: 1 });
    await starting.migrate();
    await starting.close();
  };
  const { outcome, waitedMs, said } = await countTables(url, start);
  expect(outcome).toMatchObject({ value: expect.any(Number) });
  expect((outcome as { value: number }).value).toBeGreaterThan(50);
  expect([waitedMs, said]).toEqual([3_000, [expect.stringContaining("waiting")]]);
  expect(await countTables(url)).toMatchObject({ outcome: { value: expect.any(Number) }, waitedMs: 0, said: [] });
});

test("a command says in one line that no shop has come within a minute, and leaves the database as it was", async () => {
  const url = await createDatabase(inject("postgresUrl"));
  const { outcome, waitedMs } = await countTables(url);
  expect(outcome).toBeInstanceOf(NoShopError);
  expect((outcome as NoShopError).message).toMatch(/^there is no shop in this database yet: .*journalctl -u chekan@1\)$/);
  expect(waitedMs).toBe(60_000);
  const database = openPostgres(url, { log: silentLog, max: 1 });
  expect(await rowsOf(database.db, tables)).toEqual([{ n: 0 }]);
  await database.close();
});

test("the tables of an embedded database, which no other process can make, are not waited for", async () => {
  const { outcome, waitedMs, said } = await countTables("");
  expect([outcome, waitedMs, said]).toEqual([expect.any(NoShopError), 0, []]);
});
