import { spawnSync } from "node:child_process";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#kit/db.ts";
import { testShop, type TestShop } from "./shop.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop();
});
afterAll(() => shop.close());

test("a job enqueued in a transaction that rolls back never runs", async () => {
  const handed: unknown[] = [];
  const handlers = {
    "test.job": async (_: unknown, payload: Record<string, unknown>) => {
      handed.push(payload);
    },
  };
  await inTransaction(shop.ctx.db, (tx) => shop.ctx.enqueue(tx, "test.job", { kept: true }));
  await inTransaction(shop.ctx.db, async (tx) => {
    await shop.ctx.enqueue(tx, "test.job", { kept: false });
    throw new Error("changed my mind");
  }).catch(() => {});
  await shop.drain(handlers);
  expect(handed).toEqual([{ kept: true }]);
});

test("every test shop has the schema and its own database", async () => {
  const other = await testShop();
  await shop.ctx.db.execute(sql`insert into market_status (id, is_open, heard_at) values (1, true, now())`);
  const { rows } = (await other.ctx.db.execute(sql`select count(*)::int as n from market_status`)) as unknown as { rows: { n: number }[] };
  expect(rows[0]?.n).toBe(0);
  await other.close();
});

test("a test run ends with its own exit code, also after an embedded PostgreSQL server ran in it", () => {
  for (const [end, code] of [
    ["process.exitCode = 3", 3],
    ["process.exit(3)", 3],
    ["process.exit(0)", 0],
  ] as const) {
    const script = `const { loadEmbeddedPostgres } = await import("./tests/postgres.ts"); await loadEmbeddedPostgres(); ${end};`;
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect([end, status, stderr]).toEqual([end, code, ""]);
  }
});
