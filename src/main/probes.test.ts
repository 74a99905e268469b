import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { registerHealth } from "#http/server/health.ts";
import { createHttpMetrics } from "#http/server/metrics.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { readConfig } from "./config.ts";
import type { Ctx } from "#shop/context.ts";
import { startProbes } from "./probes.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop();
});
afterAll(() => shop.close());

test("a process that only works answers probes and metrics, and no page or call", async () => {
  const folder = mkdtempSync(join(tmpdir(), "chekan-probes-"));
  // The address of the shop is another one than that of its processes.
  const env = { SHOP_DEMO: "1", DATA_DIR: folder, PORT: "0", HOST: "127.0.0.1", PUBLIC_URL: "https://shop.example" };
  const config = readConfig(env);
  const probes = await startProbes({ ctx: shop.ctx, config, metrics: createHttpMetrics() });
  const statuses = await Promise.all(
    ["/healthz", "/readyz", "/metrics", "/", "/api/cart"].map((path) => fetch(probes.url + path).then(({ status }) => status)),
  );
  expect(statuses).toEqual([200, 200, 200, 404, 404]);
  await probes.stop();
  await expect(fetch(`${probes.url}/healthz`)).rejects.toThrow();
});

test("while the database is away a process is not ready, but a balancer keeps sending to it until it stops", async () => {
  const app = Fastify();
  let isStopping = false;
  const away = { ...shop.ctx, db: { execute: () => Promise.reject(new Error("away")) } as unknown as Ctx["db"] };
  registerHealth(app, away, async () => !isStopping);
  const statusOf = async (url: string) => (await app.inject({ url })).statusCode;
  expect([await statusOf("/healthz"), await statusOf("/readyz"), await statusOf("/readyz?without=database")]).toEqual([200, 503, 200]);
  isStopping = true;
  expect(await statusOf("/readyz?without=database")).toBe(503);
  await app.close();
});
