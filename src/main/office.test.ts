import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHttpBench, type HttpBench } from "#http/testing.ts";
import { staffRoutes } from "#http/staff/routes.ts";
import { registerStaffHttp } from "#http/staff/staff-http.ts";
import { officeApp } from "./pages/office-app.ts";

let shop: HttpBench;
const office = Fastify();
const config = { port: 3001, publicUrl: undefined, trustProxy: [], isDemo: true, metricsToken: undefined, version: "test" };
beforeAll(async () => {
  shop = await openHttpBench({ deps: { renderPage: async (_, reply) => reply.code(404).send("no page") } });
  const folder = mkdtempSync(join(tmpdir(), "chekan-office-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>Служебная часть</title>");
  writeFileSync(join(folder, "assets/app-abc.js"), "let raw");
  writeFileSync(join(folder, "assets/app-abc.js.br"), "let compressed");
  registerStaffHttp(office, { ctx: shop.ctx, config, plugins: [officeApp(folder, mkdtempSync(join(tmpdir(), "chekan-shared-")))] });
  await office.ready();
});
afterAll(async () => {
  await office.close();
  await shop.close();
});

const open = (url: string, headers: Record<string, string> = {}) => office.inject({ url, headers: { host: "localhost:3001", ...headers } });

test("every address of a screen answers the app, fetched each time, with a policy that allows its own origin only", async () => {
  for (const url of ["/", "/orders", "/orders/Zx3?tab=money"]) {
    const page = await open(url);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("Служебная часть");
    expect(page.headers["cache-control"]).toBe("no-cache");
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(page.headers["x-robots-tag"]).toBe("noindex");
  }
});

test("files with a hash in their name are cached for a year and sent compressed", async () => {
  const file = await open("/assets/app-abc.js", { "accept-encoding": "br" });
  expect(file.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(file.headers["content-encoding"]).toBe("br");
  expect((await open("/assets/none.js")).statusCode).toBe(404);
});

test("the public listener has nothing of the back office", async () => {
  const visitor = shop.visitor();
  for (const { call } of staffRoutes) {
    const path = call.path.replaceAll(/\{\w+\}/g, "1");
    const answer = await visitor.request(call.method, path, call.method === "GET" ? undefined : {});
    expect({ path, status: answer.statusCode }).toEqual({ path, status: 404 });
  }
  expect((await visitor.request("GET", "/assets/app-abc.js")).statusCode).toBe(404);
});

test("the back office has nothing of the storefront's calls", async () => {
  for (const url of ["/api/state", "/api/cart", "/_demo/outbox", "/metrics"]) {
    const answer = await open(url);
    expect({ url, isCall: answer.statusCode === 200 && /json/.test(String(answer.headers["content-type"])) }).toEqual({
      url,
      isCall: false,
    });
  }
});
