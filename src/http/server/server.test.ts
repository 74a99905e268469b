import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addressKey, addressList } from "../request/addresses.ts";
import { isOverloaded } from "../guards/overload.ts";
import { limitConnections } from "../guards/connections.ts";
import { host, openHttpBench, uidCookie, type HttpBench } from "../testing.ts";
import { securityHeaders } from "./headers.ts";
import { serverOptions } from "./server-options.ts";

/** The request of a page. */
type PageRequest = { method: string; url: string; body: string; owner: string | null };
const pages: PageRequest[] = [];

let bench: HttpBench;
let port: number;
beforeAll(async () => {
  bench = await openHttpBench({
    config: { port: 0, webhookSenders: ["185.71.76.0/27"] },
    deps: {
      renderPage: async (request, reply, visitor) => {
        const { owner } = request.method === "POST" ? await visitor() : { owner: null };
        pages.push({ method: request.method, url: request.url, body: Buffer.isBuffer(request.body) ? request.body.toString() : "", owner });
        return reply.type("text/html").send("<p>page</p>");
      },
    },
  });
  await bench.app.listen({ port: 0, host: "127.0.0.1" });
  ({ port } = bench.app.server.address() as AddressInfo);
});
afterAll(() => bench.close());

/** Sends raw bytes and returns everything until the server closes. */
function raw(bytes: string, wait = 2_000, to = port): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(to, "127.0.0.1", () => socket.write(bytes));
    let answer = "";
    const timer = setTimeout(() => socket.destroy(), wait);
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(answer);
    });
    socket.on("error", reject);
  });
}

describe("a request that Node itself cannot read", () => {
  test("is refused in our words: not HTTP, too large headers", async () => {
    expect(await raw("nonsense\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*"code":"request\.malformed"/);
    expect(await raw(`GET /api/work HTTP/1.1\r\nHost: localhost:${port}\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 [^]*"code":"request\.headers_too_large"/,
    );
  });

  test("and one that reaches no route are answered with all security headers, over HTTPS with HSTS", async () => {
    const app = Fastify(serverOptions({ trustProxy: [], publicUrl: "https://shop.example" }));
    await app.listen({ port: 0, host: "127.0.0.1" });
    const { port: to } = app.server.address() as AddressInfo;
    const expected = { ...securityHeaders(true), "content-security-policy": "default-src 'none'; frame-ancestors 'none'" };
    expect(Object.keys(expected)).toContain("strict-transport-security");
    for (const bytes of [
      "nonsense\r\n\r\n",
      `GET / HTTP/1.1\r\nHost: shop.example\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`,
      "GET /%E0%A4%A HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n",
    ]) {
      const [head = ""] = (await raw(bytes, 2_000, to)).split("\r\n\r\n");
      const headers = Object.fromEntries(head.split("\r\n").map((line) => line.split(/: (.*)/s, 2)));
      expect(headers).toMatchObject(expected);
    }
    await app.close();
  });

  test("a chunked body is measured while it is read", async () => {
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    const head =
      `PATCH /api/cart/1 HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json\r\n` +
      "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    expect(await raw(head + chunk.repeat(6) + "0\r\n\r\n")).toMatch(/^HTTP\/1\.1 413 [^]*"code":"request\.too_large"/);
  });

  test("an unknown expectation is passed over", async () => {
    expect(await raw(`GET /api/work HTTP/1.1\r\nHost: localhost:${port}\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 200 [^]*x-content-type-options: nosniff\r\n/,
    );
  });

  test("an absolute address, another host, two hosts and no host are refused", async () => {
    expect(await raw(`GET /api/work HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 421 /);
    expect(await raw("GET /api/work HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 421 /);
    for (const path of ["/api/work", "/", "/healthz"])
      for (const hosts of ["", `Host: localhost:${port}\r\nHOST: evil.example\r\n`, `Host: localhost:${port}\r\n`.repeat(2)])
        expect(await raw(`GET ${path} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)).toMatch(
          /^HTTP\/1\.1 400 [^]*x-content-type-options: nosniff\r\n[^]*"code":"request\.malformed"/,
        );
    expect(
      await raw(`GET /api/work HTTP/1.1\r\nHost: localhost:${port}\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("a target that is not a path", () => {
  const send = (method: string, target: string, body = "") =>
    raw(`${method} ${target} HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
  const targets = [
    "http://evil.example/cart/",
    `http://localhost/api/work`,
    "//evil.example/",
    "/\\evil.example/",
    "*",
    "https://evil.example/api/work",
  ];

  test("is refused for every method before a page, a call or a redirect is made", async () => {
    const before = pages.length;
    for (const method of ["GET", "HEAD", "POST", "OPTIONS", "PATCH"]) {
      for (const target of targets) {
        const answer = await send(method, target);
        expect([method, target, answer.split("\r\n", 1)[0]]).toEqual([method, target, "HTTP/1.1 400 Bad Request"]);
        expect(answer).not.toMatch(/^location:|^cache-control: public/im);
      }
    }
    expect(pages.length).toBe(before);
  });
});

test("a malformed address is a page for a browser and JSON for a program", async () => {
  const request = (url: string, accept: string) => bench.app.inject({ method: "GET", url, headers: { host: `localhost:${port}`, accept } });
  const page = await request("/%E0%A4%A", "text/html,*/*");
  expect([page.statusCode, page.headers["content-type"], page.body]).toEqual([
    400,
    "text/html; charset=utf-8",
    expect.stringContaining("Перейти на главную"),
  ]);
  for (const [url, accept] of [
    ["/%E0%A4%A", "application/json"],
    ["/api/products/%E0%A4%A", "text/html"],
  ] as const) {
    const { statusCode, headers } = await request(url, accept);
    expect([url, statusCode, headers["content-type"]]).toEqual([url, 400, "application/json; charset=utf-8"]);
  }
});

test("metrics need their token when a proxy is trusted, also from this machine", async () => {
  const shop = await openHttpBench({ config: { trustProxy: ["10.0.0.1"], metricsToken: "a-long-token" } });
  for (const method of ["GET", "HEAD"] as const) {
    const request = (headers: Record<string, string>) =>
      shop.app.inject({ method, url: "/metrics", headers: { host, ...headers } }).then((response) => response.statusCode);
    expect([
      await request({}),
      await request({ authorization: "Bearer another" }),
      await request({ authorization: "Bearer a-long-token" }),
    ]).toEqual([404, 404, 200]);
  }
  await shop.close();
});

describe("pages", () => {
  const request = (method: "GET" | "HEAD" | "POST", url: string, headers: Record<string, string> = {}, payload?: string) =>
    bench.app.inject({ method, url, headers: { host: `localhost:${port}`, ...headers }, ...(payload === undefined ? {} : { payload }) });
  const form = { "content-type": "application/x-www-form-urlencoded" };

  test("answer everything else, and set no browser id", async () => {
    const response = await request("GET", "/catalog/gold?page=2");
    expect([response.statusCode, response.headers["set-cookie"], pages.at(-1)?.url]).toEqual([200, undefined, "/catalog/gold?page=2"]);
    const before = pages.length;
    for (const url of ["/api/nothing", "/_demo/nothing", "/media/nothing.webp", "/assets/nothing.js"])
      expect((await request("GET", url)).statusCode).toBe(404);
    expect(pages.length).toBe(before);
  });

  test("receive the whole form of our own page, and set the sender's browser id", async () => {
    const response = await request(
      "POST",
      "/cart",
      { ...form, origin: `http://localhost:${port}`, "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" },
      "coin=1&quantity=2",
    );
    expect([response.statusCode, pages.at(-1)]).toMatchObject([
      200,
      { method: "POST", body: "coin=1&quantity=2", owner: expect.stringMatching(/^visitor:[0-9a-f]{64}$/) },
    ]);
    expect(response.headers["set-cookie"]).toEqual([expect.stringMatching(/^uid=/)]);
  });

  test("refuse forms of other sites", async () => {
    const before = pages.length;
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
      { origin: "null" },
      {},
    ];
    for (const headers of foreign) expect((await request("POST", "/cart", { ...form, ...headers }, "coin=1")).statusCode).toBe(403);
    const refused = await request("POST", "/cart", { ...form, accept: "text/html", origin: "null" }, "coin=1");
    expect([refused.headers["content-type"], refused.body]).toEqual([
      "text/html; charset=utf-8",
      expect.stringContaining("Запрос отклонён"),
    ]);
    expect((await request("POST", "/cart", { ...form, origin: `http://localhost:${port}` }, "x".repeat(70_000))).statusCode).toBe(413);
    expect(pages.length).toBe(before);
  });
});

test("an overloaded shop refuses new visitors for now and serves those in the middle of something", async () => {
  const shop = await openHttpBench({ deps: { load: { isOverloaded: () => true, stop: () => {} } } });
  const known = { cookie: uidCookie(shop.ctx, "known") };
  const request = (url: string, headers: Record<string, string> = {}) =>
    shop.app.inject({ method: "GET", url, headers: { host, ...headers } });
  const shed = await request("/api/courses");
  expect([shed.statusCode, shed.headers["retry-after"], shed.json()]).toMatchObject([503, "2", { code: "service.unavailable" }]);
  expect([
    (await request("/api/courses", known)).statusCode,
    (await request("/healthz")).statusCode,
    (await request("/api/orders/abcdefghijkl")).statusCode,
  ]).toEqual([200, 200, 404]);
  for (const cookie of [
    "uid=UWH8Zi0dpI6tiGl1Ne72Sw",
    `uid=${"x".repeat(54)}`,
    "sid=UWH8Zi0dpI6tiGl1Ne72Sw",
    "__Host-sid=UWH8Zi0dpI6tiGl1Ne72Sw",
  ])
    expect([cookie, (await request("/api/courses", { cookie })).statusCode]).toEqual([cookie, 503]);
  expect((await request("/_demo/outbox")).statusCode).toBe(404); // not found without demo, but never refused
  expect(
    (await shop.app.inject({ method: "POST", url: "/api/payments/yookassa/webhook", headers: { host }, payload: "{}" })).statusCode,
  ).toBe(200);
  expect((await request("/assets/styles-of-a-page-that-was-given-out.css")).statusCode).not.toBe(503);
  await shop.close();
});

test("late and always busy is overload; late because the machine is busy elsewhere is not", () => {
  expect(isOverloaded({ meanDelayMs: 300, utilization: 1, ranShare: 0.9 }, 250)).toBe(true);
  expect(isOverloaded({ meanDelayMs: 300, utilization: 1, ranShare: 0.3 }, 250)).toBe(false);
  expect(isOverloaded({ meanDelayMs: 300, utilization: 0.4, ranShare: 0.4 }, 250)).toBe(false);
  expect(isOverloaded({ meanDelayMs: 40, utilization: 1, ranShare: 0.9 }, 250)).toBe(false);
});

test("webhooks from outside the provider's networks get the same answer and are dropped", async () => {
  const send = (remoteAddress: string) =>
    bench.app.inject({
      method: "POST",
      url: "/api/payments/yookassa/webhook",
      headers: { host: `localhost:${port}`, "content-type": "application/json" },
      payload: "{}",
      remoteAddress,
    });
  expect([(await send("185.71.76.5")).statusCode, (await send("10.0.0.1")).statusCode]).toEqual([200, 200]);
  const { body } = await bench.app.inject({ method: "GET", url: "/metrics", headers: { host: `localhost:${port}` } });
  expect(body).toContain('webhooks_total{provider="yookassa",outcome="foreign"} 1');
  expect(body).toContain('webhooks_total{provider="yookassa",outcome="dropped"} 1');
});

test("a policy violation is logged once a kind, by origin, without the page's address; malformed reports are ignored", async () => {
  const shop = await openHttpBench({ limits: { writesPerMinute: 5 } });
  const warnings: object[] = [];
  shop.ctx.log = { ...shop.ctx.log, warn: (fields: object) => warnings.push(fields) };
  const report = (blockedURL: string) => ({
    type: "csp-violation",
    age: 1,
    url: "http://localhost:3000/order/1?key=secret",
    body: { documentURL: "http://localhost:3000/order/1?key=secret", effectiveDirective: "script-src-elem", blockedURL },
  });
  const send = async (payload: string) =>
    (
      await shop.app.inject({
        method: "POST",
        url: "/api/faults/policy",
        headers: { host, "content-type": "application/reports+json", "sec-fetch-site": "same-origin", "sec-fetch-dest": "report" },
        payload,
      })
    ).statusCode;
  expect(
    await send(
      JSON.stringify([
        report("inline"),
        report("https://evil.example/a.js?key=x"),
        report("https://evil.example/b.js"),
        { type: "deprecation", body: {} },
      ]),
    ),
  ).toBe(204);
  expect(warnings).toEqual([
    { kind: "policy", reason: "script-src-elem", source: "inline" },
    { kind: "policy", reason: "script-src-elem", source: "https://evil.example" },
  ]);
  for (const nonsense of ["", "{}", "[1]", "{bad"]) expect(await send(nonsense)).toBe(204);
  expect(await send("[]")).toBe(429);
  expect(warnings).toHaveLength(2);
  await shop.close();
});

test("slow clients are cut: ten seconds for the headers, fifteen for the whole request", async () => {
  const { server } = bench.app;
  expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]).toEqual([10_000, 15_000, 75_000]);
});

test("forwarded addresses are used from a trusted proxy only", async () => {
  const shop = await openHttpBench({ config: { trustProxy: ["10.0.0.1"] }, limits: { requestsPerMinute: 2 } });
  const request = (remoteAddress: string, forwarded: string) =>
    shop.app
      .inject({ method: "GET", url: "/api/work", headers: { host, "x-forwarded-for": forwarded }, remoteAddress })
      .then((response) => response.statusCode);
  expect([
    await request("10.0.0.1", "1.1.1.1"),
    await request("10.0.0.1", "1.1.1.1"),
    await request("10.0.0.1", "1.1.1.1"),
    await request("10.0.0.1", "2.2.2.2"),
  ]).toEqual([200, 200, 429, 200]);
  expect([await request("10.0.0.9", "3.3.3.1"), await request("10.0.0.9", "3.3.3.2"), await request("10.0.0.9", "3.3.3.3")]).toEqual([
    200, 200, 429,
  ]);
  await shop.close();
});

test("one address has a limit of connections; this machine and proxies have none", () => {
  const server = new EventEmitter() as Server;
  limitConnections(server, 1000, { connectionsPerAddress: 2 }, ["10.0.0.0/8"]);
  const open = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      isDestroyed: false,
      destroy() {
        this.isDestroyed = true;
      },
    });
    server.emit("connection", socket);
    return socket;
  };
  const [first, , third] = [open("5.5.5.5"), open("5.5.5.5"), open("::ffff:5.5.5.5")];
  expect([first.isDestroyed, third.isDestroyed]).toEqual([false, true]);
  first.emit("close");
  expect(open("5.5.5.5").isDestroyed).toBe(false);
  for (const address of ["127.0.0.1", "::1", "10.1.2.3"]) for (let i = 0; i < 5; i += 1) expect(open(address).isDestroyed).toBe(false);
});

test("rate limits count an IPv4 address by itself and all of an IPv6 client's network as one", () => {
  expect(
    ["5.5.5.5", "::ffff:5.5.5.5", "::ffff:505:505", "2a02:6b8:1:2:3:4:5:6", "2a02:6B8:0001:2::9", "2a02:6b8::1%eth0", "::1", ""].map(
      addressKey,
    ),
  ).toEqual(["5.5.5.5", "5.5.5.5", "5.5.5.5", "2a02:6b8:1:2::", "2a02:6b8:1:2::", "2a02:6b8:0:0::", "0:0:0:0::", ""]);
});

test("lists of addresses and networks match their members, and malformed entries match nothing", () => {
  const isListed = addressList(["10.0.0.1", "192.168.0.0/16", "2a02:5180::/32", "loopback"]);
  expect(["10.0.0.1", "192.168.7.7", "2a02:5180::1"].map(isListed)).toEqual([true, true, true]);
  expect(["10.0.0.2", "192.169.0.1", "2a03::1", "127.0.0.1", "nonsense", ""].map(isListed)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});
