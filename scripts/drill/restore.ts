/**
 * Resilience test of the backup: buyers order and pay while `deploy/backup/base` and `deploy/backup/wal` copy the database; then its disk
 * is lost. The copy is restored up to a moment and up to its end, and the shop goes on with it. At most a minute of orders may be lost, and
 * the ledger holds; each of the two restores takes at most fifteen minutes. There are 100,000 invented orders before (`--orders`: as many
 * as that). `--short`: none, and forty seconds of orders. Needs Debian's PostgreSQL; without it the test is skipped and says so.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import { silentLog } from "#kit/log.ts";
import { openPostgres } from "#main/database/postgres.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { freePort } from "#tests/postgres.ts";
import { rowsOf } from "./database/verify-orders.ts";
import { coinsFor, crowd } from "./visitors/crowd.ts";
import { needDebianPostgres, startDebianPostgres } from "./database/debian-postgres.ts";
import { drill, isShort, pause, say } from "./stage/run.ts";
import { openStage, type Stage } from "./stage/stage.ts";

const scripts = join(import.meta.dirname, "../../deploy/backup");
const loadMs = isShort ? 40_000 : 300_000;
const ordersPerSecond = 5;
/** As the example of the settings has it. */
const shipSeconds = isShort ? 10 : 20;
const maxLostMs = 60_000;
const maxRestoreMs = 15 * 60_000;
const minOrders = isShort ? 8 : 100;
const { values: options } = parseArgs({
  options: { short: { type: "boolean" }, orders: { type: "string", default: isShort ? "0" : "100000" } },
});
const inventedOrders = Number(options.orders);

const bin = needDebianPostgres();

type Backup = { run(script: string, ...args: string[]): Promise<string>; wal: ChildProcess; folder: string };
const folder = mkdtempSync(join(tmpdir(), "chekan-backup-"));
chmodSync(folder, 0o755); // the restored server runs as another user
let backup: Backup | null = null;
const restored: string[] = [];

await drill(async () => {
  const stage = await openStage({ processes: 1, server: await startDebianPostgres(bin) });
  return {
    ...stage,
    async close() {
      backup?.wal.kill("SIGKILL");
      await stage.close();
      for (const each of restored) stopServer(each);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}, play);

function stopServer(data: string): void {
  const pidFile = join(data, "postmaster.pid");
  if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, "utf8").split("\n", 1)[0]), "SIGQUIT");
}

function openBackup(databaseUrl: string): Backup {
  const settings = join(folder, "backup.env");
  writeFileSync(join(folder, "key"), randomBytes(40).toString("base64"), { mode: 0o600 });
  mkdirSync(join(folder, "shop-data"));
  writeFileSync(join(folder, "shop-data", "session-secret"), "kept");
  const shop = new URL(databaseUrl);
  writeFileSync(
    settings,
    [
      `BACKUP_TO=${join(folder, "to")}`,
      `BACKUP_DATABASE=${databaseUrl}`,
      `DATABASE_URL=${shop.href}`,
      `BACKUP_FILES="${join(folder, "shop-data")}"`,
      `BACKUP_KEY_FILE=${join(folder, "key")}`,
      `BACKUP_SPOOL=${join(folder, "spool")}`,
      `BACKUP_SHIP_SECONDS=${shipSeconds}`,
      `PG_BIN=${bin}`,
      "",
    ].join("\n"),
  );
  const env = { ...process.env, BACKUP_ENV: settings };
  const wal = spawn(join(scripts, "wal"), [], { env, stdio: "ignore", detached: true });
  return {
    folder,
    wal,
    // Beside the load, whose buyers and providers are in this process.
    run: (script, ...args) =>
      new Promise((resolve, reject) => {
        execFile(join(scripts, script), args, { env, maxBuffer: 64 * 1024 ** 2 }, (error, stdout, stderr) =>
          error ? reject(new Error(`${script}: ${stderr || stdout || error.message}`)) : resolve(stdout),
        );
      }),
  };
}

/** As `npm run seed` does it. */
function inventOrders(serverUrl: string): void {
  const url = new URL(serverUrl);
  url.pathname = `/drill_${process.pid}`;
  const from = performance.now();
  execFileSync(
    process.execPath,
    [join(import.meta.dirname, "../../db/seed/many.ts"), "--orders", String(inventedOrders), "--into-a-real-shop"],
    {
      env: { ...process.env, DATABASE_URL: url.href, SHOP_DEMO: "1", DATA_DIR: join(folder, "seed") },
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  say(`${inventedOrders} invented orders in ${((performance.now() - from) / 1000).toFixed(0)} s`);
}

/** Creation times of all orders by id. */
async function ordersIn(database: Stage["database"]): Promise<Map<string, number>> {
  const made = sql`select id, extract(epoch from created_at)::float8 * 1000 as at from orders`;
  return new Map((await rowsOf<{ id: string; at: number }>(database, made)).map(({ id, at }) => [id, at]));
}

async function play(stage: Stage): Promise<string[]> {
  const { urls, server } = stage;
  const broken: string[] = [];
  if (inventedOrders > 0) inventOrders(server.url);
  backup = openBackup(server.url);
  const coins = await coinsFor(urls[0] ?? "");
  let endAt = Infinity; // a large database is copied for longer than the load lasts
  const shopping = crowd(urls, { buyers: 15, ordersPerSecond, isOver: () => performance.now() > endAt, coins });
  await pause(3_000);
  const from = performance.now();
  await backup.run("base");
  say(`base backup under load: ${((performance.now() - from) / 1000).toFixed(1)} s`);
  endAt = performance.now() + loadMs;

  await pause(Math.max(5_000, (endAt - performance.now()) / 2));
  const moment = new Date();
  let seen = new Map<string, number>();
  while (performance.now() < endAt) {
    seen = await ordersIn(stage.database);
    await pause(500);
  }

  // The disk is lost at the worst time: under load, with what was received and not yet sent.
  const lostAt = Date.now();
  process.kill(-(backup.wal.pid ?? 0), "SIGKILL");
  await server.halt("immediate");
  rmSync(server.dataFolder, { recursive: true });
  rmSync(join(folder, "spool"), { recursive: true });
  say(`the disk is lost with ${seen.size} orders on it`);
  const made = seen.size - inventedOrders;
  if (made < minOrders) broken.push(`only ${made} orders were made: too few to prove anything`);

  broken.push(...(await restoreTo(backup, stage, moment, seen)));

  const data = join(folder, "restored");
  const { port } = new URL(server.url);
  const took = await restore(backup, "--into", data, "--port", port, "--files-into", join(folder, "files"));
  const found = await ordersIn(stage.database);
  const lost = [...seen].filter(([id]) => !found.has(id));
  const lostMs = Math.max(0, ...lost.map(([, at]) => lostAt - at));
  say(
    `restored in ${(took / 1000).toFixed(1)} s: ${found.size} orders, ${lost.length} lost, ` +
      `the oldest of them ${(lostMs / 1000).toFixed(1)} s before the loss`,
  );
  if (lostMs > maxLostMs) broken.push(`an order of ${Math.round(lostMs / 1000)} s before the loss is not in the copy`);
  broken.push(...tooLong("the restore", took));
  broken.push(...(await checkLedger(stage.database.db)).map((each) => `restored: ${each}`));
  if (!existsSync(join(folder, "files", folder, "shop-data", "session-secret"))) broken.push("the data folder is not in the copy");

  // The shop was not restarted: it reconnects to the database.
  await shopping;
  const goOnUntil = performance.now() + 8_000;
  const after = await crowd(urls, { buyers: 5, ordersPerSecond: 2, isOver: () => performance.now() > goOnUntil, coins });
  const placed = after.filter(({ orderIds }) => orderIds.size > 0).length;
  say(`${placed} of ${after.length} buyers ordered after the restore`);
  if (placed === 0) broken.push("nothing can be bought after the restore");
  broken.push(...(await checkLedger(stage.database.db)).map((each) => `afterwards: ${each}`));
  return broken;
}

/** Restores into the folder after `--into`, whose server is stopped at the end of the test. Returns how long it took. */
async function restore({ run }: Backup, ...args: ["--into", string, ...string[]]): Promise<number> {
  const from = performance.now();
  restored.push(args[1]);
  process.stdout.write(await run("restore", ...args));
  return performance.now() - from;
}

function tooLong(what: string, took: number): string[] {
  return took > maxRestoreMs ? [`${what} took ${Math.round(took / 60_000)} minutes, at most ${maxRestoreMs / 60_000} are permitted`] : [];
}

/** A copy as it was at `moment`, in a folder of its own: what came later is absent, all from before is there. */
async function restoreTo(from: Backup, stage: Stage, moment: Date, seen: ReadonlyMap<string, number>): Promise<string[]> {
  const data = join(folder, "to-moment");
  const port = await freePort();
  const took = await restore(from, "--into", data, "--port", String(port), "--to-time", moment.toISOString());
  const broken = tooLong("the restore to a moment", took);
  const url = new URL(stage.server.url);
  url.port = String(port);
  url.pathname = `/drill_${process.pid}`;
  const copy = openPostgres(url.href, { log: silentLog, max: 2 });
  const found = await ordersIn(copy);
  broken.push(...(await checkLedger(copy.db)).map((each) => `at the moment: ${each}`));
  await copy.close();
  execFileSync("sh", ["-c", `kill -QUIT "$(head -1 '${join(data, "postmaster.pid")}')"`]);
  // Orders in the second around the moment may be on either side.
  const at = moment.getTime();
  const missing = [...seen].filter(([id, made]) => made < at - 1_000 && !found.has(id));
  const early = [...found].filter(([, made]) => made > at + 1_000);
  say(
    `restored to ${moment.toISOString()} in ${(took / 1000).toFixed(1)} s: ${found.size} orders; ` +
      `${missing.length} missing, ${early.length} of a later time`,
  );
  if (missing.length > 0) broken.push(`${missing.length} orders from before the moment are not in the copy`);
  if (early.length > 0) broken.push(`${early.length} orders in the copy are from after the moment`);
  return broken;
}
