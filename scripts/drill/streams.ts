/**
 * Resilience test of streams: twenty thousand clients connect and disconnect in waves of five hundred, and the shop
 * frees all of them; then five hundred clients that never read are connected beside fifty that do, for ten minutes of rates: memory does
 * not grow, and each reader gets a rate within a second of the others. `--short`: a tenth of it.
 */
import { connect, type Socket } from "node:net";
import { runShop, withoutRateLimits, type RunningShop } from "#tests/running-shop.ts";
import { residentMb } from "../bench/load/load.ts";
import { drill, isShort, pause, say } from "./stage/run.ts";

const visitorCount = isShort ? 2_000 : 20_000;
const wave = 500;
const silentClients = isShort ? 100 : 500;
const readers = 50;
const ticks = isShort ? 20 : 600;
const maxSilentClientsMb = 50;
const withinMs = 1_000;

async function play({ shop }: Stage): Promise<string[]> {
  return [...(await connectInWaves(shop)), ...(await readBesideSilentClients(shop))];
}

/** Clients that come and go in waves. */
async function connectInWaves(shop: RunningShop): Promise<string[]> {
  const wrong: string[] = [];
  let warmMb = 0;
  for (let come = 0; come < visitorCount; come += wave) {
    const sockets = await Promise.all(Array.from({ length: wave }, (_, n) => listen(shop, `wave${come + n}`)));
    const open = await openStreams(shop);
    if (open !== wave) wrong.push(`${open} streams are open, ${wave} came`);
    for (const socket of sockets) socket.destroy();
    for (let tries = 0; tries < 100 && (await openStreams(shop)) > 0; tries += 1) await pause(50);
    if ((await openStreams(shop)) > 0) wrong.push("streams stay open whose listeners have gone");
    if (come + wave >= visitorCount / 5 && warmMb === 0) warmMb = residentMb(shop.pid);
  }
  await pause(2_000);
  const endMb = residentMb(shop.pid);
  say(`${visitorCount} listeners came and went; memory ${warmMb.toFixed(0)} MB after a fifth of them, ${endMb.toFixed(0)} MB in the end`);
  if (endMb > warmMb * 1.1) wrong.push(`memory grew from ${warmMb.toFixed(0)} to ${endMb.toFixed(0)} MB`);
  return wrong;
}

/** Clients that read beside clients that never do. */
async function readBesideSilentClients(shop: RunningShop): Promise<string[]> {
  const wrong: string[] = [];
  let awaited = "";
  const heardAt = new Map<number, number>();
  const hearing = await Promise.all(
    Array.from({ length: readers }, async (_, n) => {
      const socket = await listen(shop, `reader${n}`);
      socket.on("data", (bytes: Buffer) => {
        if (awaited !== "" && !heardAt.has(n) && bytes.includes(awaited)) heardAt.set(n, performance.now());
      });
      return socket;
    }),
  );
  const before = residentMb(shop.pid);
  const silent = await Promise.all(
    Array.from({ length: silentClients }, async (_, n) => {
      const socket = await listen(shop, `deaf${n}`);
      socket.pause();
      return socket;
    }),
  );
  let slowest = 0;
  for (let tick = 0; tick < ticks; tick += 1) {
    heardAt.clear();
    const gold = 11_000 + (tick % 50);
    awaited = `"course":${gold},`;
    await fetch(`${shop.url}/_demo/rates`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ XAU_RUB: gold }),
    });
    for (let tries = 0; tries < 100 && heardAt.size < readers; tries += 1) await pause(50);
    if (heardAt.size < readers) wrong.push(`tick ${tick}: ${heardAt.size} of ${readers} heard it`);
    slowest = Math.max(slowest, Math.max(...heardAt.values()) - Math.min(...heardAt.values()));
  }
  const grown = residentMb(shop.pid) - before;
  say(
    `${ticks} ticks beside ${silentClients} who never read: the last reader heard a tick ${Math.round(slowest)} ms after the ` +
      `first at worst; memory ${grown < 0 ? "" : "+"}${grown.toFixed(0)} MB`,
  );
  if (slowest > withinMs) wrong.push(`a tick took ${Math.round(slowest)} ms from the first reader to the last`);
  if (grown > maxSilentClientsMb) wrong.push(`memory grew by ${grown.toFixed(0)} MB`);
  for (const socket of [...hearing, ...silent]) socket.destroy();
  return wrong;
}

/** A bare stream client, after its first bytes have arrived. */
function listen(shop: RunningShop, name: string): Promise<Socket> {
  const { port } = new URL(shop.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () =>
      socket.write(`GET /api/courses/stream HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: uid=${name.padEnd(32, "x")}\r\n\r\n`),
    );
    socket.once("data", () => resolve(socket)).on("error", reject);
  });
}

async function openStreams(shop: RunningShop): Promise<number> {
  const figures = await (await fetch(`${shop.url}/metrics`)).text();
  return Number(/^streams_open (\d+)/m.exec(figures)?.[1] ?? NaN);
}

type Stage = { shop: RunningShop; close(): Promise<void> };
async function openShop(): Promise<Stage> {
  const shop = await runShop({ ...withoutRateLimits, RATES_POLL_SECONDS: "0.5" });
  return { shop, close: () => shop.stop() };
}

await drill(openShop, play);
