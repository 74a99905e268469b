import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { silentLog } from "#kit/log.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { migrationsFolder } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { runMigrations, type Execute } from "./run-migrations.ts";

let shop: TestShop;
const open: pg.Client[] = [];
beforeAll(async () => {
  shop = await testShop();
});
afterAll(async () => {
  await Promise.all(open.map((each) => each.end()));
  await shop.close();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: shop.url });
  await client.connect();
  open.push(client);
  return client;
}

let [buyer, watcher]: pg.Client[] = [];
beforeEach(async () => {
  buyer ??= await connect();
  watcher ??= await connect();
  await watcher.query("drop table if exists parcels; create table parcels (code text); insert into parcels values ('a'), ('b')");
  await watcher.query("delete from drizzle.__drizzle_migrations where created_at > $1", [lastWhen]);
});

type Journal = { entries: { idx: number; when: number; tag: string; version: string; breakpoints: boolean }[] };
const journalOf = (folder: string): Journal => JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8")) as Journal;
const lastWhen = journalOf(migrationsFolder).entries.at(-1)?.when ?? 0;

/** A folder with all migrations so far and these. */
function withMore(...more: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "chekan-migrations-"));
  cpSync(migrationsFolder, folder, { recursive: true });
  const journal = journalOf(folder);
  const last = journal.entries.at(-1)!;
  for (const [n, sql] of more.entries()) {
    const tag = `999${n}_more`;
    journal.entries.push({ ...last, idx: last.idx + n + 1, when: last.when + n + 1, tag });
    writeFileSync(join(folder, `${tag}.sql`), sql);
  }
  writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify(journal));
  return folder;
}

const byCode = `-- concurrent\nCREATE UNIQUE INDEX CONCURRENTLY "parcels_by_code" ON "parcels" USING btree ("code");`;

/** The migrations as a starting process runs them. */
async function start(folder: string): Promise<void> {
  const starting = openPostgres(shop.url, { log: silentLog, max: 1, migrations: { folder, lockTimeoutMs: 2_000 } });
  await starting.migrate().finally(() => starting.close());
}

/** Oid and validity of an index; null when there is none. */
async function indexOf(name: string): Promise<{ oid: string; isValid: boolean } | null> {
  const { rows } = await watcher!.query<{ oid: string; isValid: boolean }>(
    `select indexrelid::text as oid, indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)`,
    [name],
  );
  return rows[0] ?? null;
}

const recorded = async (): Promise<number> =>
  (await watcher!.query("select 1 from drizzle.__drizzle_migrations where created_at > $1", [lastWhen])).rowCount ?? 0;

test("an index is built beside the shop: while it waits for an open transaction, rows are written", async () => {
  await buyer!.query("begin");
  await buyer!.query("insert into parcels values ('open')");
  const started = start(withMore(byCode));
  const isWaiting = async (): Promise<boolean> =>
    ((
      await watcher!.query(
        "select 1 from pg_stat_activity " +
          "where datname = current_database() and application_name = 'chekan-migrate' and wait_event_type = 'Lock'",
      )
    ).rowCount ?? 0) > 0;
  while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 20));
  await watcher!.query("set lock_timeout = 1000");
  await watcher!.query("insert into parcels values ('meanwhile')");
  await buyer!.query("commit");
  await started;
  expect([await indexOf("parcels_by_code"), await recorded()]).toEqual([{ oid: expect.any(String), isValid: true }, 1]);
});

test("after a crash a part of an index is built again, and a whole one stays", async () => {
  await watcher!.query("create index concurrently parcels_whole on parcels (code)");
  const whole = await indexOf("parcels_whole");
  await watcher!.query("insert into parcels values ('a')");
  await expect(watcher!.query("create unique index concurrently parcels_by_code on parcels (code)")).rejects.toThrow("unique");
  const part = await indexOf("parcels_by_code");
  expect(part?.isValid).toBe(false);
  await watcher!.query("delete from parcels where code = 'a'");
  const wholeAgain = `CREATE INDEX CONCURRENTLY "parcels_whole" ON "parcels" USING btree ("code");`;
  await start(withMore(byCode.replace("\n", `\n${wholeAgain}--> statement-breakpoint\n`)));
  expect(await indexOf("parcels_whole")).toEqual(whole);
  expect(await indexOf("parcels_by_code")).toEqual({ oid: expect.not.stringMatching(`^${part?.oid}$`), isValid: true });
  expect(await recorded()).toBe(1);
});

test("a unique index that the rows do not permit leaves no part that would refuse further rows", async () => {
  await watcher!.query("insert into parcels values ('a')");
  await expect(start(withMore(byCode))).rejects.toThrow("could not create unique index");
  expect([await indexOf("parcels_by_code"), await recorded()]).toEqual([null, 0]);
});

test("a migration that fails leaves nothing of itself, and those before it stay", async () => {
  const broken = `ALTER TABLE "parcels" ADD COLUMN "place" text;--> statement-breakpoint\nALTER TABLE "nowhere" ADD COLUMN "n" int;`;
  await expect(start(withMore(`ALTER TABLE "parcels" ADD COLUMN "weight" int;`, broken))).rejects.toThrow("nowhere");
  const { fields } = await watcher!.query("select * from parcels");
  expect([fields.map(({ name }) => name), await recorded()]).toEqual([["code", "weight"], 1]);
});

test("two processes that start at once build an index once and do not wait for each other", async () => {
  const folder = withMore(byCode);
  await Promise.all([start(folder), start(folder), start(folder)]);
  expect([(await indexOf("parcels_by_code"))?.isValid, await recorded()]).toEqual([true, 1]);
});

test("in an empty database everything is one transaction", async () => {
  const ran: string[] = [];
  const execute = async <Row>(sql: string): Promise<Row[]> => {
    ran.push(sql);
    return [];
  };
  await runMigrations(execute satisfies Execute, { folder: withMore(byCode), lockTimeoutMs: 2_000, isAlone: false });
  expect(ran.filter((each) => /^(begin|commit)$/.test(each))).toEqual(["begin", "commit"]);
  expect(ran.join("\n")).not.toContain("CONCURRENTLY");
});
