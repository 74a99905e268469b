/**
 * Resilience test of `deploy/update`: two processes of a release behind Caddy (deploy/Caddyfile) serve 50 requests and one order a second,
 * with open streams, while a second release is installed over them (its assets have other names). Their database is behind PgBouncer in
 * transaction mode. No request may fail, no order may be lost or doubled, every stream is open again within half a minute. Then a release
 * whose start fails is installed: the update must roll it back, again without a failed request. Without Debian's packages `caddy`
 * and `pgbouncer` a balancer of the drill and no pooler take their places, and the report says so. Needs the tree as it is, committed or
 * not; takes about three minutes. `--short`: 20 requests a second, fewer streams, without the broken release.
 */
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { sql } from "drizzle-orm";
import type { Unit } from "../../deploy/roles.ts";
import { localProcesses } from "../../deploy/processes.ts";
import { currentRelease, update } from "../../deploy/release-change.ts";
import { freePort } from "#tests/postgres.ts";
import { startBalancer } from "./machines/balancer.ts";
import { rowsOf } from "./database/verify-orders.ts";
import { startCaddy } from "./machines/caddy.ts";
import { coinsFor, crowd } from "./visitors/crowd.ts";
import { findProgram } from "./machines/debian.ts";
import { openStreams } from "./visitors/open-streams.ts";
import { findPgbouncer, startPgbouncer } from "./database/pgbouncer.ts";
import { drill, isShort, leaveOut, pause, say } from "./stage/run.ts";
import { packRelease, unpackRelease } from "./machines/releases.ts";
import { renameAssets } from "./machines/second-build.ts";
import { openSurroundings, type Surroundings } from "./stage/stage.ts";
import { aVisitor } from "./visitors/visitor.ts";
import { sha256Of, writeKeys } from "../release/signature.ts";

const perSecond = isShort ? 20 : 50;
const listeners = isShort ? 100 : 1_000;
const backWithinMs = 30_000;
const settledWithinMs = 90_000;
const minOrders = isShort ? 3 : 20;
const pages = ["/", "/catalog", "/products/georgij-pobedonosec-50-rublej-2026-mmd", "/search?q=победоносец", "/quotes-online", "/news"];

/** Unpacked releases, made before the load. */
const folder = mkdtempSync(join(tmpdir(), "chekan-update-"));
const keys = writeKeys(folder);
const privateKey = readFileSync(keys.privatePath, "utf8");
const archives = makeArchives();

async function play(around: Surroundings): Promise<string[]> {
  const home = join(around.folder, "home");
  mkdirSync(join(home, "releases"), { recursive: true });
  const ports = [await freePort(), await freePort()];
  const officePorts = [await freePort(), await freePort()];
  const publicUrl = `http://localhost:${await freePort()}`;
  const processes = localProcesses({
    home,
    env: { ...process.env, ...around.env, DRAIN_SECONDS: "3", PUBLIC_URL: publicUrl, TRUST_PROXY: "127.0.0.1" },
    envOf: (number) => ({ STAFF_PORT: String(officePorts[number - 1]), DATA_DIR: join(home, "data") }),
    portOf: (number) => ports[number - 1] ?? 0,
  });
  const publicKey = readFileSync(keys.publicPath, "utf8");
  const hostOf = (): string => new URL(publicUrl).host;
  const units: Unit[] = [1, 2].map((number) => ({ number, role: "all" }));
  const install = (archive: string) => update({ home, archive, publicKey, units, processes, hostOf, say });
  const runs = (archive: string): boolean => basename(currentRelease(home) ?? "") === basename(archive, ".tar.gz");
  const wrong: string[] = [];
  let isRight = false;
  try {
    await install(archives.first);
    const proxy = await openProxy(publicUrl, ports);
    around.payment.setNotificationUrl(`${publicUrl}/api/payments/yookassa/webhook`);
    const load = await startLoad(publicUrl);
    await pause(isShort ? 5_000 : 20_000);
    await install(archives.second);
    if (!runs(archives.second)) wrong.push("the second release does not run");
    if (archives.broken !== null) {
      const taken = await install(archives.broken).then(
        () => "installed",
        (error: Error) => error.message,
      );
      say(`the broken release: ${taken}`);
      if (taken === "installed" || !runs(archives.second)) wrong.push("the release that does not start was not taken back");
    }
    wrong.push(...(await load.end()), ...(await judgeOrders(around, load.outcomes())));
    await proxy.close();
    isRight = wrong.length === 0;
  } finally {
    await processes.stopAll();
    if (!isRight) console.error(readFileSync(join(home, "shop.log"), "utf8").slice(-4_000));
  }
  return wrong;
}

async function openProxy(url: string, ports: readonly number[]): Promise<{ close(): Promise<void> }> {
  const program = findProgram("caddy");
  if (program !== null) return startCaddy(program, url, ports);
  leaveOut("behind a balancer of the drill: Debian's package caddy is missing");
  return startBalancer(
    ports.map((port) => `http://127.0.0.1:${port}`),
    url,
  );
}

/** Requests and one order a second, and streams, until `end`, which returns what failed. */
async function startLoad(url: string) {
  const wrong: string[] = [];
  const coins = await coinsFor(url);
  const streams = openStreams(url, listeners);
  const waiting = new Set<Promise<void>>();
  const day = { isOver: false };
  let requests = 0;
  async function one(n: number): Promise<void> {
    const visitor = aVisitor(url);
    const { status, text } = await visitor.page(pages[n % pages.length] ?? "/");
    if (status !== 200) wrong.push(`${pages[n % pages.length]}: ${status} ${text.slice(0, 100)}`);
    const assets = text.match(/\/assets\/[\w.-]+\.(?:js|css)/g) ?? [];
    const asset = assets[n % Math.max(1, assets.length)];
    if (!asset) return;
    const answer = await visitor.page(asset);
    if (answer.status !== 200) wrong.push(`${asset}: ${answer.status}`);
  }
  const ticking = (async () => {
    for (const from = performance.now(); !day.isOver;) {
      for (const due = ((performance.now() - from) / 1000) * (perSecond / 2); requests < due; requests += 1) {
        const call = one(requests); // a page and one of its assets
        waiting.add(call);
        void call.finally(() => waiting.delete(call));
      }
      await pause(10);
    }
  })();
  const onAnswer = ({ method, path, status }: { method: string; path: string; status: number }): void => {
    if (status >= 500) wrong.push(`${method} ${path.replace(/[?].*/, "")}: ${status}`);
  };
  const buying = crowd([url], { buyers: 4, ordersPerSecond: 1, isOver: () => day.isOver, coins, onAnswer });
  let outcomes: Awaited<typeof buying> = [];
  return {
    outcomes: () => outcomes,
    async end(): Promise<string[]> {
      const from = performance.now();
      while (streams.open() < listeners && performance.now() - from < backWithinMs) await pause(100);
      wrong.push(...streams.faults(backWithinMs));
      const gap = (streams.longestGapMs() / 1000).toFixed(1);
      day.isOver = true;
      await ticking;
      await Promise.all(waiting);
      outcomes = await buying;
      streams.close();
      const repeats = outcomes.reduce((sum, each) => sum + each.repeats, 0);
      if (repeats > 0) wrong.push(`${repeats} calls of buyers were cut or refused for a moment`);
      say(
        `${requests * 2} requests, ${outcomes.length} buyers, ${wrong.length} failures; ` +
          `${streams.breaks()} streams were broken, for at most ${gap} s`,
      );
      return wrong;
    },
  };
}

/** Every acknowledged order is there once, and the ledger check passes once late notifications are repeated. */
async function judgeOrders(around: Surroundings, outcomes: Awaited<ReturnType<typeof crowd>>): Promise<string[]> {
  const wrong = outcomes.flatMap((each) => each.surprises);
  const rows = await rowsOf<{ id: string; key: string }>(
    around.database,
    sql`select o.id, k.key from orders o join idempotency_keys k on k.order_id = o.id`,
  );
  const byKey = new Map(rows.map(({ key, id }) => [key, id]));
  const acknowledged = outcomes.filter((each) => each.orderIds.size > 0);
  for (const { key, orderIds } of acknowledged)
    if (orderIds.size !== 1 || !orderIds.has(byKey.get(key) ?? "")) wrong.push(`the order of key ${key} is lost or doubled`);
  if (new Set(rows.map(({ id }) => id)).size !== rows.length) wrong.push("an order has two keys");
  if (acknowledged.length < minOrders) wrong.push(`only ${acknowledged.length} orders were made: too few to prove anything`);
  let broken = await around.broken();
  for (const from = performance.now(); broken.length > 0 && performance.now() - from < settledWithinMs;) {
    await pause(2_000);
    broken = await around.broken();
  }
  say(`${rows.length} orders, ${broken.length} broken invariants`);
  return [...wrong, ...broken];
}

/** The release of this tree, the same with other names of assets, and one that ends at its start. */
function makeArchives(): { first: string; second: string; broken: string | null } {
  const original = unpackRelease(folder);
  const name = basename(original);
  return {
    first: packRelease(original, privateKey),
    second: changed(original, `${name}-second`, (at) => {
      renameAssets(join(at, "build"));
      const stamp = readFileSync(join(at, "build/stamp"), "utf8");
      writeFileSync(join(at, "build/stamp"), `${stamp.slice(1)}${stamp[0]}`);
    }),
    broken: isShort
      ? null
      : changed(original, `${name}-broken`, (at) => writeFileSync(join(at, "build/app/start.js"), "process.exit(1);\n")),
  };
}

function changed(original: string, name: string, change: (folder: string) => void): string {
  const at = join(folder, name);
  cpSync(original, at, { recursive: true });
  change(at);
  const manifest = JSON.parse(readFileSync(join(at, "release.json"), "utf8")) as {
    name: string;
    build: string;
    files: Record<string, string>;
  };
  manifest.name = name;
  manifest.build = readFileSync(join(at, "build/stamp"), "utf8").slice(0, 12);
  manifest.files = Object.fromEntries(
    globSync("**/*", { cwd: at, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "release.json")
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(at.length + 1), sha256Of(readFileSync(file))]),
  );
  writeFileSync(join(at, "release.json"), JSON.stringify(manifest));
  return packRelease(at, privateKey);
}

say("releases made");
const pgbouncer = findPgbouncer();
if (pgbouncer === null) leaveOut("without PgBouncer: Debian's package pgbouncer is missing");
else say(`through PgBouncer ${pgbouncer}`);
await drill(async () => {
  const around = await openSurroundings({
    isDirect: true,
    env: { OVERLOAD_DELAY_MS: "10000", REQUEST_DEADLINE_MS: "12000" }, // a busy machine is not a failure
    ...(pgbouncer === null ? {} : { pooler: (database) => startPgbouncer(database, 20) }),
  });
  const close = async () => {
    await around.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...around, close };
}, play);
