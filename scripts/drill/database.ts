/**
 * Resilience test of the database: buyers order and pay and a visitor reads pages while PostgreSQL is stopped, in order (`fast`) and by a
 * crash (`immediate`), and started again. No acknowledged write may be lost, no call may fail later than ten seconds after the database is
 * back, the shop is not restarted, and pages are served all the time. `--short`: one stop of each kind, for the gate; without it five.
 */
import { request } from "undici";
import { settleAndVerify } from "./database/verify-orders.ts";
import { coinsFor, crowd } from "./visitors/crowd.ts";
import { cachedPages, readPage, readPagesUntil } from "./visitors/page-reader.ts";
import { drill, isShort, pause, say } from "./stage/run.ts";
import { openStage, type Stage } from "./stage/stage.ts";
import { isAlive } from "#tests/postgres.ts";

const rounds = isShort ? 1 : 5;
/** How long the database is down, and how long the load continues afterwards. */
const awayMs = isShort ? 1_000 : 4_000;
const afterMs = isShort ? 3_500 : 14_000;
/** The longest permitted time from a restart of the database until calls succeed again: buyers wait that long. */
const recoveryMs = 10_000;
const minOrders = 20;

await drill(() => openStage({ processes: isShort ? 1 : 2, durable: true }), play);

type Failure = { what: string; at: number };

async function play(stage: Stage): Promise<string[]> {
  const { urls, server, members } = stage;
  const pids = members.map((each) => each.pid());
  const coins = await coinsFor(urls[0] ?? "");
  const failures: Failure[] = [];
  let isOver = false;
  const record = ({ method, path, status, at }: { method: string; path: string; status: number; at: number }) => {
    if (status >= 500) failures.push({ what: `${method} ${path.replace(/[?].*/, "")}: ${status}`, at });
  };

  for (const url of urls) for (const page of cachedPages) await readPage(url, page); // a line that was never read cannot be checked
  const reading = Promise.all(urls.map((url) => readPagesUntil(url, () => isOver)));
  const counting = changeCartRepeatedly(urls[0] ?? "", coins[0] ?? 0, () => isOver, failures);
  const shopping = crowd(urls, { buyers: 20, ordersPerSecond: 10, isOver: () => isOver, coins, onAnswer: record });
  await pause(2_000);

  const ups: number[] = [];
  const downs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const mode of ["fast", "immediate"] as const) {
      downs.push(performance.now());
      await server.halt(mode);
      await pause(awayMs);
      await server.resume();
      const up = performance.now();
      ups.push(up);
      await pause(afterMs);
      const last = failures.filter((each) => each.at > up).at(-1);
      say(
        `${mode}: away ${Math.round(up - (downs.at(-1) ?? up))} ms, ` +
          `the last refused call ${last ? Math.round(last.at - up) : 0} ms after it was back`,
      );
    }
  }
  isOver = true;
  const [refused, pagesRead, count] = await Promise.all([shopping, reading, counting]);
  const seen = pagesRead.flat();
  say(
    `${refused.length} buyers, ${failures.length} calls answered with 5xx, ${seen.length} pages read, ` +
      `${count.writes} changes of a cart acknowledged`,
  );

  const broken: string[] = [];
  const late = failures.filter(({ at }) => !downs.some((down, n) => at >= down && at <= (ups[n] ?? 0) + recoveryMs));
  broken.push(...late.map((each) => `${each.what} outside of the ten seconds after a restart`));
  if (failures.length === 0) broken.push("no call noticed that the database was away: the drill proves nothing");
  const lost = seen.filter((each) => each.status !== 200);
  broken.push(...lost.map((each) => `page ${each.page}: ${each.status}`));
  broken.push(...count.broken);
  if (members.some((each, n) => each.pid() !== pids[n] || !isAlive(each.pid()))) broken.push("a process of the shop has ended");
  return [...broken, ...(await settleAndVerify(stage, refused, minOrders))];
}

/** A visitor changes one cart line repeatedly: the line must have the last acknowledged quantity, or one that was tried after it. */
async function changeCartRepeatedly(
  url: string,
  coin: number,
  isOver: () => boolean,
  failures: Failure[],
): Promise<{ writes: number; broken: string[] }> {
  const broken: string[] = [];
  let cookie = "";
  /** The permitted quantities: the last acknowledged one, or any that was tried after it without an answer. */
  let possible = new Set<number>([0]);
  let writes = 0;
  const call = async (method: "GET" | "PATCH", path: string, body?: object): Promise<{ status: number; body: string } | null> => {
    try {
      const answer = await request(url + path, {
        method,
        headers: { cookie, ...(body ? { "content-type": "application/json" } : {}) },
        body: body ? JSON.stringify(body) : null,
      });
      const [set] = [answer.headers["set-cookie"] ?? []].flat();
      if (set && answer.statusCode === 200) cookie = set.split(";", 1)[0] ?? "";
      const text = await answer.body.text();
      if (answer.statusCode >= 500) {
        failures.push({ what: `${method} ${path}: ${answer.statusCode}`, at: performance.now() });
        if (!/[а-яё]/i.test(text)) broken.push(`${method} ${path}: a refusal without Russian words: ${text.slice(0, 100)}`);
      }
      return { status: answer.statusCode, body: text };
    } catch (error) {
      broken.push(`${method} ${path}: ${(error as Error).message}`); // the shop itself must always answer
      return null;
    }
  };
  for (let n = 0; !isOver(); n += 1) {
    const quantity = (n % 4) + 1;
    possible.add(quantity);
    const put = await call("PATCH", `/api/cart/${coin}`, { quantity });
    if (put?.status === 200) {
      possible = new Set([quantity]);
      writes += 1;
    }
    const found = await call("GET", "/api/cart");
    if (found?.status === 200) {
      const stands = (JSON.parse(found.body) as { data: { order: { coins: { count: number }[] } } }).data.order.coins[0]?.count ?? 0;
      if (!possible.has(stands)) broken.push(`the cart says ${stands}, it may say ${[...possible].join(" or ")}`);
      possible = new Set([stands]);
    }
    await pause(50);
  }
  return { writes, broken };
}
