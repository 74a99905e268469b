/**
 * Resilience test of deployments: two processes behind a balancer are restarted in turn, each time with another build
 * whose assets have other names, while 50 requests a second arrive, buyers order and pay, and streams are open. No request may fail,
 * including those for assets of the other process's build; no cart or order may be lost or doubled; every stream must be open again within
 * half a minute, but not all at once. `--short`: two restarts, for the gate; without it twenty.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { buildIfNeeded } from "#main/build.ts";
import { buildFolder } from "#main/pages/build-folder.ts";
import { coinsFor } from "./visitors/crowd.ts";
import { startBalancer } from "./machines/balancer.ts";
import { settleAndVerify } from "./database/verify-orders.ts";
import { buy, type BuyerOutcome } from "./visitors/buyer.ts";
import { drill, isShort, pause, say } from "./stage/run.ts";
import { makeSecondBuild } from "./machines/second-build.ts";
import { openStreams } from "./visitors/open-streams.ts";
import { openStage, type Stage } from "./stage/stage.ts";
import { aVisitor, type Visitor } from "./visitors/visitor.ts";

const restarts = isShort ? 2 : 20;
const perSecond = 50;
const listeners = isShort ? 200 : 5_000;
const backWithinMs = 30_000;
const maxConnectsPerSecond = 1_000;
const people = 25;
/** Concurrent buyers, each with one order after another, and the least number of orders. */
const payers = 2;
const minOrders = isShort ? 4 : 40;
const pages = ["/", "/catalog", "/products/georgij-pobedonosec-50-rublej-2026-mmd", "/search?q=победоносец", "/quotes-online", "/news"];

type Buyer = { visitor: Visitor; coin: number; count: number; isBusy: boolean };

async function play(stage: Stage): Promise<string[]> {
  const balancer = await startBalancer(stage.urls);
  const coins = await coinsFor(stage.urls[0] ?? "");
  const wrong: string[] = [];
  let requests = 0;
  const day = { isOver: false };
  const waiting = new Set<Promise<void>>();
  const times: number[] = [];
  const assetsSeen = new Set<string>();
  const outcomes: BuyerOutcome[] = [];

  const buyers: Buyer[] = Array.from({ length: people }, (_, n) => ({
    visitor: aVisitor(balancer.url),
    coin: coins[n % coins.length] ?? 0,
    count: 0,
    isBusy: false,
  }));
  const one = async (n: number): Promise<void> => {
    const buyer = buyers[n % people];
    if (n % 3 !== 0 || !buyer || buyer.isBusy) {
      const visitor = aVisitor(balancer.url);
      const page = await visitor.page(pages[n % pages.length] ?? "/");
      note(page);
      const assets = [...new Set(page.text.match(/\/assets\/[\w.-]+\.(?:js|css)/g))];
      const asset = assets[n % Math.max(1, assets.length)];
      if (asset) {
        assetsSeen.add(asset);
        note(await visitor.page(asset));
      }
      return;
    }
    buyer.isBusy = true; // one tab each: concurrent changes of one line may end either way
    const wanted = (buyer.count % 3) + 1;
    const put = await buyer.visitor.request("PATCH", `/api/cart/${buyer.coin}`, { quantity: wanted });
    if (put.status === 200) buyer.count = wanted;
    buyer.isBusy = false;
    note(put);
  };
  const note = ({ method, path, status, text, milliseconds }: Awaited<ReturnType<Visitor["request"]>>): void => {
    times.push(milliseconds);
    if (status !== 200) wrong.push(`${method} ${path}: ${status} ${text.slice(0, 100)}`);
  };
  const ticking = (async () => {
    for (const from = performance.now(); !day.isOver;) {
      for (const due = Math.floor(((performance.now() - from) / 1000) * perSecond); requests < due; requests += 1) {
        const call = one(requests);
        waiting.add(call);
        void call.finally(() => waiting.delete(call));
      }
      await pause(10);
    }
  })();
  const record = ({ method, path, status }: { method: string; path: string; status: number }): void => {
    if (status >= 500) wrong.push(`${method} ${path.replace(/[?].*/, "")}: ${status}`);
  };
  const paying = Promise.all(
    Array.from({ length: payers }, async (_, n) => {
      for (let turn = n; !day.isOver; turn += payers)
        outcomes.push(
          await buy({ urls: [balancer.url], onAnswer: record }, { coinId: coins[(people + turn) % coins.length] ?? 0, intention: "pay" }),
        );
    }),
  );
  const streams = openStreams(balancer.url, listeners);
  await pause(2_000);

  for (let n = 0; n < restarts; n += 1) {
    const isSecond = Math.floor(n / 2) % 2 === 0; // both change to the other build, then both back
    await stage.members[n % 2]?.restart(isSecond ? second.folder : buildFolder);
    for (let tries = 0; tries < 600 && balancer.ready() < stage.urls.length; tries += 1) await pause(100);
    await pause(500); // it receives its share of requests
  }
  const lastRestartAt = performance.now();
  while (streams.open() < listeners && performance.now() - lastRestartAt < backWithinMs) await pause(100);
  wrong.push(...streams.faults(backWithinMs));
  const gap = (streams.longestGapMs() / 1000).toFixed(1);
  day.isOver = true;
  await ticking;
  await paying;
  await Promise.all(waiting);
  if (streams.maxConnectsPerSecond() > maxConnectsPerSecond)
    wrong.push(`${streams.maxConnectsPerSecond()} streams came back within one second`);

  for (const { visitor, coin, count } of buyers) {
    const cart = (await visitor.request("GET", "/api/cart")).data as { order: { coins: { id: number; count: number }[] } } | null;
    const found = cart?.order.coins.find(({ id }) => id === coin)?.count ?? 0;
    if (found !== count) wrong.push(`a cart says ${found}, ${count} was acknowledged`);
  }
  times.sort((a, b) => a - b);
  say(
    `${restarts} restarts, ${requests} requests, ${wrong.length} failed, ` +
      `p99 ${Math.round(times[Math.floor(times.length * 0.99)] ?? 0)} ms; ${listeners} streams, ` +
      `${streams.breaks()} broken, for at most ${gap} s, ` +
      `at most ${streams.maxConnectsPerSecond()} connects a second`,
  );
  streams.close();
  const repeats = outcomes.reduce((sum, each) => sum + each.repeats, 0);
  if (repeats > 0) wrong.push(`${repeats} calls of buyers were cut or refused for a moment`);
  const built = [buildFolder, second.folder].map((folder) => readdirSync(join(folder, "client/assets")));
  const seenOf = built.map((names) => names.filter((name) => assetsSeen.has(`/assets/${name}`)).length);
  if (seenOf.some((count) => count === 0)) wrong.push(`assets of one build alone were requested: ${seenOf.join(" and ")}`);
  say(`${outcomes.length} buyers, ${seenOf.join(" and ")} assets of the two builds`);
  const judged = await settleAndVerify(stage, outcomes, minOrders);
  await balancer.close();
  return [...wrong, ...judged];
}

await buildIfNeeded(); // the second build is a copy of it
const second = makeSecondBuild();
await drill(async () => {
  const stage = await openStage({ env: { DRAIN_SECONDS: "3" } });
  return { ...stage, close: () => stage.close().then(second.remove) };
}, play);
