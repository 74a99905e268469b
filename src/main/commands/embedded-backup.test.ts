import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "#kit/log.ts";
import type { EmbeddedDatabase } from "../database/database.ts";
import { openPglite } from "../database/pglite.ts";
import { pgliteFolder } from "../database/configured-database.ts";
import { backUp, BackupError, restoreBackup } from "./embedded-backup.ts";
import { serveBackups } from "../process/backup-socket.ts";
import { lockFolder } from "../process/folder-lock.ts";

const root = mkdtempSync(join(tmpdir(), "chekan-embedded-"));
const dataDir = join(root, "data");
const settings = join(root, "shop.json");
const now = new Date("2026-11-22T18:00:00Z");

let database: EmbeddedDatabase;
let stopShop: () => Promise<void>;
/** What a running shop does: lock, database, copies for commands. */
async function startShop(): Promise<void> {
  const folder = pgliteFolder(dataDir);
  const lock = await lockFolder(folder);
  if (!lock) throw new Error("the folder is in use");
  database = await openPglite(folder);
  const backups = await serveBackups(folder, { dump: database.dump, log: silentLog });
  stopShop = async () => {
    await backups.stop();
    await database.close();
    await lock.release();
  };
}
beforeAll(async () => {
  writeFileSync(settings, "{}");
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "session-secret"), "secret of the links");
  await startShop();
  await database.migrate();
  await database.db.execute(sql`create table pairs (n int, half int)`);
});
afterAll(async () => {
  await stopShop();
  rmSync(root, { recursive: true, force: true });
});

const count = async (): Promise<{ rows: number; last: number; halves: number }> => {
  const result: unknown = await database.db.execute(
    sql`select count(*)::int as rows, coalesce(max(n), 0)::int as last,
      (select count(*)::int from (select n from pairs group by n having count(*) <> 2) as alone) as halves from pairs`,
  );
  return (result as { rows: { rows: number; last: number; halves: number }[] }).rows[0] ?? { rows: 0, last: 0, halves: 0 };
};
/** A change of two statements. */
const addPair = (n: number): Promise<void> =>
  database.db.transaction(async (tx) => {
    await tx.execute(sql`insert into pairs values (${n}, 1)`);
    await tx.execute(sql`insert into pairs values (${n}, 2)`);
  });

test("a shop that is being written to is copied in order, and the copy is restored with everything acknowledged before", async () => {
  for (let n = 1; n <= 50; n += 1) await addPair(n);
  const load = { isOver: false };
  const writing = (async () => {
    for (let n = 51; !load.isOver; n += 1) {
      await addPair(n);
      await new Promise((resolve) => setImmediate(resolve)); // PGlite answers without giving others a turn
    }
  })();
  const into = join(root, "copy");
  expect(await backUp({ dataDir, settings, into })).toBeGreaterThan(1_000_000);
  load.isOver = true;
  await writing;
  expect(readdirSync(into).toSorted()).toEqual(["database.tar.gz", "session-secret", "settings.json"]);
  expect(statSync(join(into, "database.tar.gz")).mode & 0o077).toBe(0);
  await expect(restoreBackup({ dataDir, from: into, now })).rejects.toThrow(new BackupError(`a shop uses ${dataDir}: stop it first`));

  const before = await count();
  await stopShop();
  writeFileSync(join(dataDir, "session-secret"), "another");
  expect(await restoreBackup({ dataDir, from: into, now })).toEqual({
    kept: join(dataDir, "pglite.before-2026-11-22T18-00-00-000Z"),
    broken: [],
  });
  expect(readFileSync(join(dataDir, "session-secret"), "utf8")).toBe("secret of the links");
  await startShop();
  const after = await count();
  expect(after.halves).toBe(0);
  expect(after.last).toBeGreaterThanOrEqual(50);
  expect(after.last).toBeLessThanOrEqual(before.last);
  await addPair(10_000);
  expect((await count()).rows).toBe(after.rows + 2);
});

test("a stopped shop is copied too, and a copy that is damaged or absent replaces nothing", async () => {
  await stopShop();
  const into = join(root, "stopped");
  await backUp({ dataDir, settings, into });
  truncateSync(join(into, "database.tar.gz"), 100_000);
  await expect(restoreBackup({ dataDir, from: into, now })).rejects.toThrow("is damaged");
  await expect(restoreBackup({ dataDir, from: join(root, "nowhere"), now })).rejects.toThrow("is missing: name the folder");
  await expect(backUp({ dataDir: root, settings, into })).rejects.toThrow("there is no embedded database");
  await startShop();
  expect((await count()).last).toBe(10_000);
});
