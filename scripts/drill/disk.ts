/**
 * Resilience test of a full disk: the database's tables, the data folder and the caches of a shop are on a small disk that fills up under
 * load and is freed again. Pages are served all the time, orders are refused or made, none is half made; the alarm is raised; and the shop
 * continues without a restart when there is room again. `--short`: one filling instead of three. Needs the permission to mount a
 * file system in memory; without it the test is skipped and says so.
 */
import { sql } from "drizzle-orm";
import { request } from "undici";
import { rowsOf, settleAndVerify } from "./database/verify-orders.ts";
import { coinsFor, crowd } from "./visitors/crowd.ts";
import { drill, isShort, pause, say, skip } from "./stage/run.ts";
import { mountSmallDisk } from "./database/small-disk.ts";
import { openStage, type Stage } from "./stage/stage.ts";
import { aVisitor } from "./visitors/visitor.ts";

const rounds = isShort ? 1 : 3;
const fullMs = isShort ? 15_000 : 60_000;
const recoveryMs = 60_000;
/** The watch looks once a minute. */
const alarmMs = 70_000;
const minOrders = isShort ? 5 : 20;
const pages = ["/", "/catalog", "/catalog/gold", "/delivery"];

const disk = mountSmallDisk();
if (disk === null) skip("a file system in memory may not be mounted here");
const smallDisk = disk;

await drill(async () => {
  const stage = await openStage({ processes: 1, disk: smallDisk, env: { DISK_ALARM_PERCENT: "80", DATABASE_DIR: smallDisk.folder } });
  return {
    ...stage,
    async close() {
      await stage.close();
      smallDisk.unmount();
    },
  };
}, play);

async function play(stage: Stage): Promise<string[]> {
  const url = stage.urls[0] ?? "";
  const pid = stage.members[0]?.pid();
  const broken: string[] = [];
  const coins = await coinsFor(url);
  for (const page of pages) await statusOf(url + page);
  let isOver = false;
  let isFull = false;
  const refusals = { full: 0, other: 0 };
  let lastRefusal = 0;
  const shopping = crowd([url], {
    buyers: 12,
    ordersPerSecond: 4,
    isOver: () => isOver,
    coins,
    onAnswer({ status, at }) {
      if (status < 500) return;
      lastRefusal = at;
      if (isFull) refusals.full += 1;
      else refusals.other += 1;
    },
  });
  await pause(8_000);

  for (let round = 0; round < rounds; round += 1) {
    smallDisk.fill();
    isFull = true;
    const fullUntil = performance.now() + fullMs;
    const served = { ok: 0, other: 0 };
    while (performance.now() < fullUntil) {
      for (const page of pages) {
        const status = await statusOf(url + page);
        served[status === 200 ? "ok" : "other"] += 1;
        if (status !== 200) broken.push(`page ${page} with a full disk: ${status}`);
      }
      // Each new visitor needs rows of its own, so that there is never room by chance.
      await aVisitor(url).request("PATCH", `/api/cart/${coins[0]}`, { quantity: 1 });
      await pause(100);
    }
    if (round === 0) broken.push(...(await awaitAlarm(url)));
    smallDisk.free();
    const freedAt = performance.now();
    const again = await orderAgain(url, coins[0] ?? 0, freedAt);
    if (again === null) broken.push("nothing can be put into a cart a minute after the disk was freed");
    else
      say(
        `full for ${(fullMs / 1000).toFixed(0)} s: ${served.ok} pages served, ${refusals.full} calls refused; ` +
          `${Math.round(again)} ms after it was freed a cart is written`,
      );
    await pause(3_000); // calls that were on their way
    isFull = false;
  }
  if (refusals.full === 0) broken.push("no call noticed that the disk was full: the drill proves nothing");
  await pause(6_000);
  isOver = true;
  const outcomes = await shopping;
  if (refusals.other > 0)
    say(`${refusals.other} refusals beside the full disk, the last ${Math.round(performance.now() - lastRefusal)} ms before the end`);
  if (stage.members[0]?.pid() !== pid) broken.push("the shop was restarted");

  // The alarm could not be stored while the disk was full: it is stored as soon as there is room.
  const stored = await rowsOf<{ count: number }>(stage.database, sql`select count from alarms where name = 'disk.filling'`);
  if (stored.length === 0) broken.push("the alarm does not wait in the back office");
  // Buyers who were refused until they gave up have not done what they intended, but their acknowledged orders must exist.
  const gaveUp = outcomes.filter(({ surprises }) => surprises.length > 0);
  const unexpected = gaveUp.flatMap(({ surprises }) => surprises.filter((each) => !each.endsWith(": 503 service.unavailable")));
  broken.push(
    ...unexpected,
    ...(await settleAndVerify(
      stage,
      outcomes.filter(({ surprises }) => surprises.length === 0),
      minOrders,
    )),
  );
  const made = new Set((await rowsOf<{ id: string }>(stage.database, sql`select id from orders`)).map(({ id }) => id));
  for (const { orderIds } of gaveUp)
    for (const id of orderIds) if (!made.has(id)) broken.push(`order ${id} was acknowledged and is not there`);
  broken.push(...(await stage.broken()));
  return broken;
}

async function statusOf(address: string): Promise<number> {
  const { statusCode, body } = await request(address, { headers: { accept: "text/html" } });
  await body.dump();
  return statusCode;
}

async function awaitAlarm(url: string): Promise<string[]> {
  const giveUpAt = performance.now() + alarmMs;
  while (performance.now() < giveUpAt) {
    const { body } = await request(`${url}/metrics`);
    if (/shop_alarms_total\{alarm="disk\.filling"\} [1-9]/.test(await body.text())) {
      say("the alarm disk.filling is raised");
      return [];
    }
    await pause(1_000);
  }
  return ["the alarm disk.filling was not raised within 70 s"];
}

/** Milliseconds until a new visitor's cart is written; null: not within a minute. */
async function orderAgain(url: string, coin: number, freedAt: number): Promise<number | null> {
  while (performance.now() - freedAt < recoveryMs) {
    if ((await aVisitor(url).request("PATCH", `/api/cart/${coin}`, { quantity: 1 })).status === 200) return performance.now() - freedAt;
    await pause(200);
  }
  return null;
}
