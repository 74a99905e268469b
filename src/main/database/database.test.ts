import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createConnection, createServer, Socket, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, inArray, sql } from "drizzle-orm";
import { bigint, boolean, date, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  inPipelinedTransaction,
  inTransaction,
  insertRows,
  namedStatement,
  pipeline,
  pipelineAndCommit,
  pipelineTransaction,
  preparedQuery,
  sqlState,
  withFailure,
  writeStatement,
  type BuiltQuery,
  type Db,
  type Placeholders,
  type Tx,
} from "#kit/db.ts";
import { silentLog } from "#kit/log.ts";
import { marketStatus } from "#shop/rates/tables.ts";
import { startFaultProxy, type FaultProxy } from "#tests/fault-proxy.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { migrationsFolder, type Database } from "./database.ts";
import { openPglite } from "./pglite.ts";
import { openPostgres } from "./postgres.ts";

const connections = 3;
let shop: TestShop;
let line: FaultProxy;
let database: Database;
beforeAll(async () => {
  shop = await testShop();
  const { hostname, port } = new URL(shop.url);
  line = await startFaultProxy({ host: hostname, port: Number(port) });
  const url = new URL(shop.url);
  url.port = String(line.port);
  database = openPostgres(url.href, { log: silentLog, max: connections });
});
afterAll(async () => {
  await database.close();
  await line.close();
  await shop.close();
});
beforeEach(() => line.setFault({ kind: "none" }));

/** A folder with all migrations so far and one more. */
function oneMore(statement: string): string {
  const folder = mkdtempSync(join(tmpdir(), "chekan-migrations-"));
  cpSync(migrationsFolder, folder, { recursive: true });
  const path = join(folder, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(path, "utf8")) as {
    entries: { idx: number; when: number; tag: string; version: string; breakpoints: boolean }[];
  };
  const last = journal.entries.at(-1)!;
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: "9999_one_more" });
  writeFileSync(path, JSON.stringify(journal));
  writeFileSync(join(folder, "9999_one_more.sql"), statement);
  return folder;
}

const transaction = (): Promise<unknown> => database.db.transaction((tx) => tx.execute(sql`select pg_sleep(0.05)`));
/** Restores the connection to the server and waits until the pool has dropped its broken connections. */
async function restoreConnection(): Promise<void> {
  line.setFault({ kind: "none" });
  await new Promise((resolve) => setTimeout(resolve, 50));
}
/** As many transactions at once as the pool has connections: a leaked connection would make this time out. */
const allConnections = (): Promise<unknown> => Promise.all(Array.from({ length: connections }, transaction));

test("connections that break at the beginning of a transaction return to the pool", async () => {
  for (let round = 0; round < 2; round += 1) {
    await allConnections();
    line.setFault({ kind: "cut", afterBytes: 0 });
    expect((await Promise.allSettled(Array.from({ length: connections * 2 }, transaction))).map((each) => each.status)).not.toContain(
      "fulfilled",
    );
    await restoreConnection();
  }
  await allConnections();
});

test("a transaction that breaks in the middle reports the first error and releases its connection", async () => {
  for (let round = 0; round < connections + 1; round += 1) {
    const broken = database.db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      line.setFault({ kind: "reset" });
      throw new Error("the first fault");
    });
    await expect(broken).rejects.toThrow("the first fault");
    await restoreConnection();
  }
  await allConnections();
});

test("a refused transaction leaves no changes and its connection stays usable", async () => {
  const session = async () =>
    ((await database.db.execute(sql`select count(*)::int as n from market_status`)) as unknown as { rows: { n: number }[] }).rows[0]?.n;
  await allConnections();
  const before = line.open();
  const refused = database.db.transaction(async (tx) => {
    await tx.execute(sql`insert into market_status (id, is_open, heard_at) values (1, true, now())`);
    throw new Error("changed my mind");
  });
  await expect(refused).rejects.toThrow("changed my mind");
  expect(await session()).toBe(0);
  expect(line.open()).toBe(before);
});

test("a migration that finds a table in use releases its place in the lock queue and tries again", async () => {
  const migrating = openPostgres(shop.url, {
    log: silentLog,
    max: 1,
    migrations: { folder: oneMore("alter table market_status add column remark text;"), lockTimeoutMs: 50 },
  });
  const locked = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const holding = database.db.transaction(async (tx) => {
    await tx.execute(sql`select * from market_status`);
    locked.resolve();
    await letGo.promise;
  });
  await locked.promise;
  let isDone = false;
  const migrated = migrating.migrate().then(() => {
    isDone = true;
  });
  // each would wait two seconds behind a waiting migration
  for (let n = 0; n < 20; n += 1) await database.db.execute(sql`select * from market_status`);
  expect(isDone).toBe(false);
  letGo.resolve();
  await holding;
  await migrated;
  await database.db.execute(sql`select remark from market_status`);
  await migrating.close();
});

test("two hundred callers may wait for a connection; further ones are refused at once, and only those", async () => {
  const rushed = await Promise.allSettled(
    Array.from({ length: connections + 240 }, (_, n) =>
      n % 2 ? database.db.transaction((tx) => tx.execute(sql`select 1`)) : database.db.execute(sql`select 1`),
    ),
  );
  const refused = rushed.filter((each) => each.status === "rejected");
  expect(refused.length).toBeGreaterThanOrEqual(40); // callers that get a connection at once count as waiting for a moment
  expect(refused.length).toBeLessThanOrEqual(40 + connections);
  for (const { reason } of refused)
    expect(`${String(reason)} ${String((reason as Error).cause)}`).toContain("200 callers wait for the database already");
  await allConnections();
});

test("no statement runs when a transaction cannot begin", async () => {
  const write = (isOpen: boolean) => sql`insert into market_status (id, is_open, heard_at) values (1, ${isOpen}, now())`;
  const begunWrong = database.db.transaction((tx) => Promise.all([tx.execute(write(true)), tx.execute(write(false))]), {
    isolationLevel: "no such level" as "serializable",
  });
  await expect(begunWrong).rejects.toMatchObject({ cause: { code: "42601" } });
  await allConnections();
  expect(
    ((await database.db.execute(sql`select count(*)::int as n from market_status`)) as unknown as { rows: { n: number }[] }).rows[0]?.n,
  ).toBe(0);
});

test("either all statements of a pipeline take effect, or none of their transaction", async () => {
  const write = (tx: Db, id: number) => tx.execute(sql`insert into market_status (id, is_open, heard_at) values (${id}, true, now())`);
  const wrong = inTransaction(database.db, async (tx) => {
    await tx.execute(sql`create table of_this_test (id int)`);
    await pipeline([write(tx, 2), tx.execute(sql`select 1`)]); // the table has only one row
  });
  await expect(wrong).rejects.toMatchObject({ cause: { code: "23514" } });
  const left = await database.db.execute(sql`select to_regclass('of_this_test') is null as gone`);
  expect(left as unknown).toMatchObject({ rows: [{ gone: true }] });
});

test("statements of a pipeline run in the order of the list", async () => {
  await database.db.execute(sql`create table steps (n int)`);
  const kinds = await inTransaction(database.db, (tx) => {
    const step = (n: number) => tx.execute(sql`insert into steps values (${n})`);
    const seen = () => tx.select({ n: sql<number>`coalesce(max(n), 0)` }).from(sql`steps`);
    return pipeline([seen(), step(1), seen(), step(2), step(3), seen()]);
  });
  expect([kinds[0], kinds[2], kinds[5]]).toEqual([[{ n: 0 }], [{ n: 1 }], [{ n: 3 }]]);
  await database.db.execute(sql`drop table steps`);
});

test.each(["PostgreSQL", "PGlite"])("on %s every kind of statement keeps its place in a pipeline", async (engine) => {
  const embedded = engine === "PGlite" ? await openPglite("memory://") : null;
  const { db } = embedded ?? database;
  await db.execute(sql`create table places (n int)`);
  const places = pgTable("places", { n: integer() });
  const none = {} as Record<string, never>;
  const count = sql<number>`count(*)::int`;
  const named = namedStatement<Record<string, never>, { n: number }>(
    `named_place_${engine}`,
    () => sql`insert into places values (1) returning n`,
  );
  const namedCount = namedStatement<Record<string, never>, { n: number }>(
    `named_count_${engine}`,
    () => sql`select ${count} as n from places`,
  );
  const written = writeStatement<Record<string, never>>(() => sql`insert into places values (2)`);
  const prepared = preparedQuery(`prepared_count_${engine}`, (on) => on.select({ n: count }).from(places));
  const steps = (tx: Tx) => [
    named(tx, none),
    prepared(tx, none),
    insertRows(tx, places, [{ n: 3 }]),
    namedCount(tx, none),
    written(tx, none),
    tx.select({ n: count }).from(places),
    tx.execute(sql`insert into places values (4)`),
    prepared(tx, none),
    tx.insert(places).values({ n: 5 }),
    namedCount(tx, none),
  ];
  const counted = (answers: readonly unknown[]) => [1, 3, 5, 7, 9].map((index) => (answers[index] as { n: number }[])[0]?.n);
  expect(counted(await inTransaction(db, (tx) => pipeline(steps(tx))))).toEqual([1, 2, 3, 4, 5]);
  expect(counted(await pipelineTransaction(db, steps))).toEqual([6, 7, 8, 9, 10]);
  await db.execute(sql`drop table places`);
  await embedded?.close();
});

test("a statement that is sent after the end of its transaction is refused, not run outside of it", async () => {
  let kept: Db | undefined;
  await inTransaction(database.db, async (tx) => {
    kept = tx;
    await tx.execute(sql`select 1`);
  });
  await expect(Promise.resolve(kept?.execute(sql`select 1`))).rejects.toMatchObject({
    cause: { message: expect.stringContaining("after the end of its transaction") },
  });
});

test("a transaction in one round trip reads what it wrote, and is done as a whole or not at all", async () => {
  await database.db.execute(sql`create table moves (n int primary key)`);
  const step = (tx: Db, n: number) => tx.execute(sql`insert into moves values (${n})`);
  const stored = (db: Db) => db.select({ n: sql<number>`count(*)::int` }).from(sql`moves`);
  const send = (n: number, more: number) =>
    pipelineTransaction(database.db, (tx) => [
      tx.execute(sql`select set_config('lock_timeout', '1000', true)`),
      step(tx, n),
      stored(tx),
      tx.insert(marketStatus).values({ id: 1, isOpen: true, heardAt: new Date() }).onConflictDoNothing(),
      step(tx, more),
      stored(tx),
    ]);
  const [, , one, , , two] = await send(1, 2);
  expect([one, two, await stored(database.db)]).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 2 }]]);
  const before = line.open();
  await expect(send(3, 1)).rejects.toMatchObject({ cause: { code: "23505" } });
  expect([await stored(database.db), line.open()]).toEqual([[{ n: 2 }], before]);
  line.setFault({ kind: "cut", afterBytes: 0 });
  await expect(send(4, 5)).rejects.toThrow();
  await restoreConnection();
  await allConnections();
  await database.db.execute(sql`drop table moves`);
});

test("a pipelined transaction is sent in two packets, and is done as a whole or not at all", async () => {
  const one = openPostgres(shop.url, { log: silentLog, max: 1 });
  await one.db.execute(sql`create table steps_of_two (n int primary key)`);
  const step = (tx: Db, n: number) => tx.execute(sql`insert into steps_of_two values (${n})`);
  const stored = async () => (await one.db.select({ n: sql<number>`n` }).from(sql`steps_of_two order by n`)).map(({ n }) => n);
  const run = (work: (tx: Tx) => Promise<unknown>, lockMs = 1_000) => inPipelinedTransaction(one.db, work, { lockMs });
  const limits = sql`select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`;

  const writes = [vi.spyOn(Socket.prototype, "_write"), vi.spyOn(Socket.prototype, "_writev" as "_write")];
  const found = await run(async (tx) => {
    const [first] = await pipeline([tx.execute(limits), tx.execute(sql`select 1`)]);
    await pipelineAndCommit(tx, [step(tx, 1), step(tx, 2)]);
    return first;
  });
  expect(writes.reduce((sum, spy) => sum + spy.mock.calls.length, 0)).toBe(2);
  for (const spy of writes) spy.mockRestore();
  expect(found).toMatchObject({ rows: [{ lock: "1s", statement: "1500ms" }] });
  expect(await stored()).toEqual([1, 2]);

  // Where the first statements write, `begin` goes alone; a refused one ends the transaction before anything is written.
  await inPipelinedTransaction(one.db, (tx) => pipelineAndCommit(tx, [step(tx, 10), step(tx, 11)]), { startsWithWrites: true });
  await inPipelinedTransaction(one.db, async (tx) => void (await step(tx, 12)), { startsWithWrites: true });
  const unopened = inPipelinedTransaction(one.db, (tx) => step(tx, 13), { startsWithWrites: true, lockMs: Number.NaN });
  await expect(unopened).rejects.toMatchObject({ code: "22023" });
  expect(await stored()).toEqual([1, 2, 10, 11, 12]);
  await one.db.execute(sql`delete from steps_of_two where n >= 10`);

  // One statement fails, the first, the last, or before the end; the one connection can be used again each time.
  const failing = (order: number[]) =>
    run((tx) =>
      pipelineAndCommit(
        tx,
        order.map((n) => step(tx, n)),
      ),
    );
  await expect(failing([3, 1, 4])).rejects.toMatchObject({ cause: { code: "23505" } });
  await expect(failing([1, 3])).rejects.toMatchObject({ cause: { code: "23505" } });
  await expect(failing([3, 4, 1])).rejects.toMatchObject({ cause: { code: "23505" } });
  const swallowed = run(async (tx) => {
    await step(tx, 3);
    await step(tx, 1).then(null, () => {});
  });
  await expect(swallowed).rejects.toThrow("rolled back");
  await expect(run((tx) => step(tx, 3).then(() => Promise.reject(new Error("of the work"))))).rejects.toThrow("of the work");
  await expect(run((tx) => pipeline([step(tx, 3), step(tx, 4)]), Number.NaN)).rejects.toMatchObject({ cause: { code: "22023" } });
  const renamed = run((tx) => pipelineAndCommit(tx, [step(tx, 3), withFailure(step(tx, 1), "23505", () => new Error("is there"))]));
  await expect(renamed).rejects.toThrow("is there");
  expect(await stored()).toEqual([1, 2]);

  // A statement that is sent after the others of its turn is not left behind by the commit.
  const late = (tx: Tx): BuiltQuery<unknown> => {
    const send = () => Promise.resolve().then(() => step(tx, 6));
    // oxlint-disable-next-line unicorn/no-thenable -- as a query of Drizzle
    return { execute: send, then: (onDone, onFailed) => send().then(onDone, onFailed) };
  };
  await run((tx) => pipelineAndCommit(tx, [step(tx, 5), late(tx)]));
  await expect(run(async (tx) => pipelineAndCommit(tx, [step(tx, 7)]).then(() => step(tx, 8)))).rejects.toMatchObject({
    cause: { message: expect.stringContaining("after the commit") },
  });
  await run(async () => {}); // sends nothing
  expect(await stored()).toEqual([1, 2, 5, 6, 7]);
  await one.db.execute(sql`drop table steps_of_two`);
  await one.close();
});

test("a pipelined transaction that breaks releases its connection", async () => {
  const send = () =>
    inPipelinedTransaction(database.db, async (tx) => {
      await pipeline([tx.execute(sql`select pg_sleep(0.05)`)]);
      await pipelineAndCommit(tx, [tx.execute(sql`select 2`)]);
    });
  for (const afterBytes of [0, 200, 400]) {
    await Promise.all(Array.from({ length: connections }, send));
    line.setFault({ kind: "cut", afterBytes });
    await Promise.allSettled(Array.from({ length: connections * 2 }, send));
    await restoreConnection();
  }
  await allConnections();
});

/** A pooler in transaction mode as far as it matters at the start of a connection: it refuses settings of a session, as PgBouncer does. */
async function startPooler(server: URL): Promise<{ url: string; close(): void }> {
  const known = ["user", "database", "client_encoding", "application_name"];
  const pooler = createServer((client) => {
    client.on("error", () => client.destroy());
    client.once("data", (first: Buffer) => {
      const names = first
        .subarray(8)
        .toString()
        .split("\0")
        .filter((_, n) => n % 2 === 0);
      const foreign = names.find((name) => name !== "" && !known.includes(name));
      if (foreign !== undefined) {
        const text = `SFATAL\0C08P01\0Munsupported startup parameter: ${foreign}\0\0`;
        const head = Buffer.from("E0000");
        head.writeInt32BE(text.length + 4, 1);
        return void client.end(Buffer.concat([head, Buffer.from(text)]));
      }
      const peer = createConnection(Number(server.port), server.hostname);
      peer.on("error", () => client.destroy());
      client.on("close", () => peer.destroy());
      peer.write(first);
      client.pipe(peer).pipe(client);
    });
  });
  await new Promise<void>((resolve) => pooler.listen(0, "127.0.0.1", resolve));
  const url = new URL(server);
  url.port = String((pooler.address() as AddressInfo).port);
  return { url: url.href, close: () => pooler.close() };
}

test("behind a pooler no setting travels with a connection, and migrations store the limits at the role", async () => {
  const pooler = await startPooler(new URL(shop.url));
  const withoutDirect = openPostgres(pooler.url, { log: silentLog, max: 1 });
  await expect(withoutDirect.db.execute(sql`select 1`)).rejects.toMatchObject({
    cause: { message: expect.stringContaining("unsupported startup parameter: statement_timeout") },
  });
  await withoutDirect.close();

  const open = () => openPostgres(pooler.url, { log: silentLog, max: 1, directUrl: shop.url });
  const early = open();
  expect(await early.missingLimits()).toEqual([
    "statement_timeout is 0 instead of 5000 ms",
    "lock_timeout is 0 instead of 2000 ms",
    "idle_in_transaction_session_timeout is 0 instead of 10000 ms",
  ]);
  await early.migrate();
  await early.close();
  const late = open();
  expect(await late.missingLimits()).toEqual([]);
  const jit = (await late.db.execute(sql`show jit`)) as unknown as { rows: { jit: string }[] };
  expect(jit.rows).toEqual([{ jit: "off" }]);
  await late.close();
  pooler.close();
});

test("a connection that leads to a standby is dropped after its first refused write", async () => {
  const standby = openPostgres(shop.url, { log: silentLog, max: 1 });
  const pid = async () =>
    ((await standby.db.execute(sql`select pg_backend_pid() as pid`)) as unknown as { rows: { pid: number }[] }).rows[0]?.pid;
  const before = await pid();
  await standby.db.execute(sql`set default_transaction_read_only = on`);
  const write = inTransaction(standby.db, (tx) => tx.execute(sql`create table on_a_standby (n int)`));
  await expect(write).rejects.toMatchObject({ cause: { code: "25006" } });
  expect(await pid()).not.toBe(before);
  await inTransaction(standby.db, (tx) => tx.execute(sql`create table on_a_standby (n int)`));
  await standby.close();
});

test("statements that are sent often are prepared on their connection, and never with a pooler that forbids it", async () => {
  const preparedBy = async (preparesStatements: boolean): Promise<string[]> => {
    const one = openPostgres(shop.url, { log: silentLog, max: 1, preparesStatements });
    for (let n = 0; n < 101; n += 1) await one.db.select().from(marketStatus).where(eq(marketStatus.id, n));
    await one.db.sendNamed?.({ name: "given", text: "select $1::int", values: [1] });
    const { rows } = (await one.db.execute(sql`select name from pg_prepared_statements order by name`)) as unknown as {
      rows: { name: string }[];
    };
    await one.close();
    return rows.map(({ name }) => name);
  };
  expect([await preparedBy(true), await preparedBy(false)]).toEqual([["given", "often_1"], []]);
});

test("insertRows stores what Drizzle's insert stores, in the transaction of its caller", async () => {
  const { db } = database;
  const samples = pgTable("insert_rows_samples", {
    id: bigint({ mode: "number" }).primaryKey().generatedByDefaultAsIdentity(),
    madeAt: timestamp({ withTimezone: true }),
    day: date(),
    sum: bigint({ mode: "number" }).notNull().default(7),
    details: jsonb(),
    tags: text().array(),
    isSeen: boolean().notNull().default(false),
    note: text(),
  });
  await db.execute(sql`create table insert_rows_samples (
    id bigint generated by default as identity primary key, made_at timestamptz, day date, sum bigint not null default 7, details jsonb,
    tags text[], is_seen boolean not null default false, note text)`);
  const rows = [
    { id: 1, madeAt: new Date(1_700_000_000_123), day: "2026-11-24", sum: 2 ** 50, details: { a: [1, "д"] }, tags: ["а,", '"'], note: "—" },
    { id: 2, madeAt: null, details: null, tags: null, isSeen: true, note: null, day: undefined },
    { id: 3, details: "text", tags: [], note: "0 id" },
    { id: 4, details: [] },
  ];
  const stored = async (insert: (tx: Db) => PromiseLike<unknown>) => {
    await db.delete(samples);
    await inTransaction(db, async (tx) => void (await insert(tx)));
    return db.select().from(samples).orderBy(samples.id);
  };
  const expected = await stored((tx) => tx.insert(samples).values(rows));
  expect(expected).toHaveLength(4);
  // each row alone and all together, the second time with the texts of the first
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await stored((tx) => pipeline(rows.map((row) => insertRows(tx, samples, [row]))))).toEqual(expected);
    expect(await stored((tx) => insertRows(tx, samples, rows))).toEqual(expected);
  }
  const many = Array.from({ length: 20 }, (_, n) => ({ id: 100 + n }));
  expect(await stored((tx) => insertRows(tx, samples, many))).toHaveLength(20);

  await insertRows(db, samples, [{ id: 100, note: "new" }, { id: 200 }], { skipExisting: true });
  expect(
    await db
      .select({ note: samples.note })
      .from(samples)
      .where(inArray(samples.id, [100, 200])),
  ).toEqual([{ note: null }, { note: null }]);
  await expect(
    inTransaction(db, async (tx) => {
      await insertRows(tx, samples, [{ id: 300 }]);
      await insertRows(tx, samples, [{ id: 100 }]);
    }),
  ).rejects.toMatchObject({ code: "23505" });
  expect(await db.$count(samples)).toBe(21);
  insertRows(db, samples, [{ id: 400 }]); // is sent when it is awaited
  expect(await db.$count(samples)).toBe(21);
  await db.execute(sql`drop table insert_rows_samples`);
});

test("writes that follow each other in a pipeline are one statement, in any order of tables that refer to each other", async () => {
  const { db } = database;
  const [parents, children] = [
    pgTable("insert_rows_parents", { id: integer().primaryKey(), note: text() }),
    pgTable("insert_rows_children", { id: integer().primaryKey(), parentId: integer(), note: text() }),
  ];
  await db.execute(sql`create table insert_rows_parents (id integer primary key, note text)`);
  await db.execute(
    sql`create table insert_rows_children (id integer primary key, parent_id integer references insert_rows_parents, note text)`,
  );
  /** How many statements have written these rows of a transaction. */
  const statementsOf = async (ids: readonly number[]) => {
    const written = sql`select count(distinct cmin::text)::int as n from insert_rows_children where ${inArray(children.id, [...ids])}`;
    return ((await db.execute(written)) as unknown as { rows: { n: number }[] }).rows[0]?.n;
  };
  const rename = (tx: Db) => tx.update(parents).set({ note: "renamed" }).where(eq(parents.id, 1));
  await inTransaction(db, async (tx) => {
    await pipeline([
      insertRows(tx, children, [{ id: 1, parentId: 1, note: "a" }]),
      insertRows(tx, parents, [{ id: 1, note: "b" }]),
      insertRows(tx, children, [
        { id: 2, parentId: 1 },
        { id: 3, note: "c" },
      ]),
      rename(tx),
      insertRows(tx, children, [{ id: 4, parentId: 1 }]),
    ]);
  });
  expect([await statementsOf([1, 2, 3]), await statementsOf([1, 2, 3, 4])]).toEqual([1, 2]);
  expect(await db.select().from(children).orderBy(children.id)).toEqual([
    { id: 1, parentId: 1, note: "a" },
    { id: 2, parentId: 1, note: null },
    { id: 3, parentId: null, note: "c" },
    { id: 4, parentId: 1, note: null },
  ]);
  expect(await db.select().from(parents)).toEqual([{ id: 1, note: "renamed" }]);
  await expect(
    inTransaction(db, (tx) => pipeline([insertRows(tx, parents, [{ id: 2 }]), insertRows(tx, children, [{ id: 5, parentId: 9 }])])),
  ).rejects.toMatchObject({ code: "23503" });
  expect(await db.$count(parents)).toBe(1);

  // So are writes by hand, also with another order and number of values, alone, and outside of a pipeline.
  const note = writeStatement<{ id: number; note: string }>(
    (value) =>
      sql`update insert_rows_children set note = ${value("note")} where id = ${value("id")} and note is distinct from ${value("note")}`,
  );
  const remove = writeStatement<{ id: number }>((value) => sql`delete from insert_rows_parents where id = ${value("id")}::int`);
  for (const [id, text] of [
    [10, "one"],
    [20, "two"],
  ] as const) {
    const insertion = (tx: Db) => insertRows(tx, children, [{ id, note: "new" }]);
    await inTransaction(db, (tx) => pipeline([insertRows(tx, parents, [{ id }]), note(tx, { id: 3, note: text }), insertion(tx)]));
    await inTransaction(db, (tx) =>
      pipeline([note(tx, { id: 4, note: text }), insertRows(tx, children, [{ id: id + 1 }]), remove(tx, { id })]),
    );
    expect([await statementsOf([3, id]), await statementsOf([4, id + 1])]).toEqual([1, 1]);
    expect(
      await db
        .select({ note: children.note })
        .from(children)
        .where(inArray(children.id, [3, 4])),
    ).toEqual([{ note: text }, { note: text }]);
    expect(await db.$count(parents)).toBe(1);
  }
  await note(db, { id: 3, note: "alone" });
  note(db, { id: 4, note: "never" }); // is sent when it is awaited
  const notes = await db
    .select({ note: children.note })
    .from(children)
    .where(inArray(children.id, [3, 4]))
    .orderBy(children.id);
  expect(notes).toEqual([{ note: "alone" }, { note: "two" }]);
  await db.execute(sql`drop table insert_rows_children, insert_rows_parents`);
});

test("a pipeline fails with the error of its first statement that failed, not with the refusals of those behind it", async () => {
  const { db } = database;
  const afterFault = namedStatement<{ n: number }, { n: number }>("after_fault", (value) => sql`select ${value("n")}::int as n`);
  const failing = inTransaction(db, (tx) => pipeline([tx.execute(sql`select 1 / 0`), afterFault(tx, { n: 1 }), afterFault(tx, { n: 2 })]));
  const error: unknown = await failing.catch((reason: unknown) => reason);
  expect(sqlState(error)).toBe("22012"); // division by zero, not 25P02
});

test("a prepared query runs on the connection of its caller, in its transaction", async () => {
  const { db } = database;
  const notes = pgTable("prepared_notes", { id: integer().primaryKey(), madeAt: timestamp({ withTimezone: true }), note: text() });
  await db.execute(sql`create table prepared_notes (id integer primary key, made_at timestamptz, note text)`);
  const insertNote = preparedQuery("insert_note", (to, value: Placeholders<{ id: number; madeAt: Date; note: string }>) =>
    to.insert(notes).values({ id: value.id, madeAt: value.madeAt, note: value.note }),
  );
  const findNote = preparedQuery("find_note", (from, value: Placeholders<{ id: number }>) =>
    from.select().from(notes).where(eq(notes.id, value.id)),
  );
  const madeAt = new Date(1_700_000_000_123);
  const writeAndRead = (id: number, end: () => void) =>
    inTransaction(db, async (tx) => {
      const [, found, elsewhere] = await Promise.all([
        insertNote(tx, { id, madeAt, note: "да" }),
        findNote(tx, { id }),
        findNote(db, { id }),
      ]);
      end();
      return { found, elsewhere };
    });
  const fail = () => {
    throw new Error("rolled back");
  };
  await expect(writeAndRead(1, fail)).rejects.toThrow("rolled back");
  expect(await findNote(db, { id: 1 })).toEqual([]);
  // Several connections at once, each with a transaction of its own.
  const done = await Promise.all([1, 2].map((id) => writeAndRead(id, () => {})));
  expect(done).toEqual([1, 2].map((id) => ({ found: [{ id, madeAt, note: "да" }], elsewhere: [] })));
  expect(await findNote(db, { id: 2 })).toHaveLength(1);
  expect(await pipelineTransaction(db, (tx) => [insertNote(tx, { id: 3, madeAt, note: "" }), findNote(tx, { id: 3 })])).toHaveLength(2);
  insertNote(db, { id: 4, madeAt, note: "" }); // is sent when it is awaited
  expect(await findNote(db, { id: 4 })).toEqual([]);

  const spread = preparedQuery("spread_note", (to, value: Placeholders<{ id: number }>) => to.insert(notes).values({ ...value }));
  await expect(Promise.resolve(spread(db, { id: 5 }))).rejects.toThrow("one by one");
  await db.execute(sql`drop table prepared_notes`);
});

test("the statements of one round trip are written to the connection at once", async () => {
  const one = openPostgres(shop.url, { log: silentLog, max: 1 });
  const statusOf = (tx: Db, id: number) => tx.select().from(marketStatus).where(eq(marketStatus.id, id));
  await statusOf(one.db, 1); // opens the connection
  const writes = [vi.spyOn(Socket.prototype, "_write"), vi.spyOn(Socket.prototype, "_writev" as "_write")];
  await inTransaction(one.db, (tx) => pipeline([statusOf(tx, 1), statusOf(tx, 2), statusOf(tx, 3), statusOf(tx, 4)]));
  expect(writes.reduce((sum, spy) => sum + spy.mock.calls.length, 0)).toBe(3); // begin, four statements, commit
  for (const spy of writes) spy.mockRestore();
  await one.close();
});
