/**
 * Resilience test of the database's machine: buyers order and pay while the primary is killed with `kill -9`. Its synchronous standby is
 * promoted and the read-write address leads to it. No acknowledged order may be lost, orders are accepted again within half a minute, pages
 * are served all the time, and the shop is not restarted. Uses Debian's PostgreSQL, which it installs where it may; otherwise it is
 * skipped. `--short`: eight orders a second for half a minute instead of twenty for two minutes.
 */
import { inTransaction, type Tx } from "#kit/db.ts";
import * as stock from "#shop/stock/service.ts";
import { isAlive } from "#tests/postgres.ts";
import { settleAndVerify } from "./database/verify-orders.ts";
import { coinsFor, crowd } from "./visitors/crowd.ts";
import { needDebianPostgres } from "./database/debian-postgres.ts";
import { cachedPages, readPage, readPagesUntil } from "./visitors/page-reader.ts";
import { drill, isShort, pause, say } from "./stage/run.ts";
import { openStage, type Stage } from "./stage/stage.ts";
import { startCluster, type Cluster } from "./database/standby.ts";

const ordersPerSecond = isShort ? 8 : 20;
const beforeMs = isShort ? 8_000 : 30_000;
const afterMs = isShort ? 12_000 : 60_000;
const backWithinMs = 30_000;
/** Acknowledged before the kill: a third of what is due by then, because a busy machine is slower. */
const minOrders = Math.round((ordersPerSecond * beforeMs) / 1_000 / 3);

const bin = needDebianPostgres();
const cluster = await startCluster(bin);
say(`a primary and its synchronous standby stand (${bin})`);
await drill(
  () => openStage({ server: cluster.server }),
  (stage) => play(stage, cluster),
);

/** More orders are made than the demo has pieces of these coins. */
async function deliver(tx: Tx, coins: readonly number[]): Promise<void> {
  const ctx = { now: () => new Date(), actor: { kind: "job" as const, name: "drill" } };
  for (const coin of coins.toSorted((a, b) => a - b)) await stock.receive(tx, ctx, coin, 100);
}

async function play(stage: Stage, { losePrimary }: Cluster): Promise<string[]> {
  const { urls, members } = stage;
  const pids = members.map((each) => each.pid());
  const coins = await coinsFor(urls[0] ?? "");
  await inTransaction(stage.database.db, (tx) => deliver(tx, coins));
  for (const url of urls) for (const page of cachedPages) await readPage(url, page); // a page that was never read cannot be kept
  let isOver = false;
  const answers: { isOrder: boolean; status: number; at: number }[] = [];
  const onAnswer = ({ method, path, status, at }: { method: string; path: string; status: number; at: number }) =>
    void answers.push({ isOrder: method === "POST" && path === "/api/orders", status, at });
  const shopping = crowd(urls, { buyers: ordersPerSecond * 2, ordersPerSecond, isOver: () => isOver, coins, onAnswer });
  const reading = Promise.all(urls.map((url) => readPagesUntil(url, () => isOver)));

  await pause(beforeMs);
  // Every buyer sends the order a second time, which is answered with 200.
  const before = answers.filter(({ isOrder, status }) => isOrder && status === 201).length;
  const killedAt = performance.now();
  await losePrimary();
  const switchedAt = performance.now();
  say(`the address leads to the new primary after ${((switchedAt - killedAt) / 1000).toFixed(1)} s`);
  await pause(afterMs);
  isOver = true;
  const [outcomes, pagesRead] = await Promise.all([shopping, reading]);

  const refused = answers.filter(({ status, at }) => status === 503 && at > killedAt);
  // Sessions of a killed server may still end what they are doing, for a moment.
  const back = answers.find(({ isOrder, status, at }) => isOrder && (status === 200 || status === 201) && at > switchedAt);
  const seen = pagesRead.flat();
  const wrong = seen.filter(({ status }) => status !== 200);
  say(
    `${before} orders acknowledged before the kill, ${refused.length} calls answered with 503 after it, orders again after ` +
      `${back ? ((back.at - killedAt) / 1000).toFixed(1) : "…"} s; ${seen.length} pages read, ${wrong.length} of them not served`,
  );
  const broken = wrong.map(({ page, status }) => `page ${page}: ${status}`);
  if (before < minOrders) broken.push(`only ${before} orders before the kill, at least ${minOrders} are needed to prove anything`);
  if (refused.length === 0) broken.push("no call noticed that the primary was lost: the drill proves nothing");
  if (!back || back.at - killedAt > backWithinMs) broken.push(`no order was accepted within ${backWithinMs / 1000} s`);
  const late = answers.filter(({ status, at }) => status >= 500 && at > killedAt + backWithinMs);
  broken.push(...(late.length > 0 ? [`${late.length} calls answered with 5xx later than ${backWithinMs / 1000} s`] : []));
  if (members.some((each, n) => each.pid() !== pids[n] || !isAlive(each.pid()))) broken.push("a process of the shop has ended");
  return [...broken, ...(await settleAndVerify(stage, outcomes, minOrders))];
}
