import { request, type IncomingHttpHeaders } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as rates from "#shop/rates/service.ts";
import * as search from "#shop/search/service.ts";
import { openHttpBench, uidCookie, type HttpBench } from "../testing.ts";
import { createFastPath } from "./fast-path.ts";
import type { CachedAnswer } from "./answer-cache.ts";

const html = "<p>Монета</p>".repeat(200);
const cached: CachedAnswer = {
  etag: 'W/"one"',
  headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": "default-src 'self'" },
  body: null,
  br: brotliCompressSync(html),
};

let bench: HttpBench;
let port: number;
let isOverloaded = false;
/** Addresses that were answered before the router. */
const answered: string[] = [];
/** Addresses of pages that the router answered. */
let routed: string[] = [];
const logged: { fields: Record<string, unknown> }[] = [];

beforeAll(async () => {
  const path = createFastPath();
  const fastPath: typeof path = {
    ...path,
    answer(sent, response) {
      const isAnswered = path.answer(sent, response);
      if (isAnswered) answered.push(sent.url ?? "");
      return isAnswered;
    },
  };
  bench = await openHttpBench({
    config: { port: 0 },
    limits: { requestsPerMinute: 1_000, addressRequestsPerMinute: 1_000, searchesPerMinute: 10, addressSearchesPerMinute: 1_000 },
    fastPath,
    deps: {
      load: { isOverloaded: () => isOverloaded, stop: () => {} },
      fastPath: { path, findPage: (url) => (/^\/(cached|search)\b/.test(url) ? cached : null) },
      renderPage: async (sent, reply) => {
        routed.push(sent.url);
        return reply.type("text/html; charset=utf-8").send(html);
      },
    },
  });
  bench.ctx.log.info = (fields) => logged.push({ fields: fields as Record<string, unknown> });
  await bench.app.listen({ port: 0, host: "127.0.0.1" });
  ({ port } = bench.app.server.address() as AddressInfo);
});
afterAll(() => bench.close());

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer; isRouted: boolean };

/** As browsers do, unless `headers` say otherwise. `body` is unpacked. */
function send(path: string, { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {}): Promise<Answer> {
  routed = [];
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, host: "127.0.0.1", path, method, headers: { host: `localhost:${port}`, "accept-encoding": "br", ...headers } },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () => {
          const { statusCode: status = 0, headers } = answer;
          const sent = Buffer.concat(parts);
          const body = headers["content-encoding"] === "br" && sent.length > 0 ? brotliDecompressSync(sent) : sent;
          resolve({ status, headers, body, isRouted: routed.length > 0 });
        });
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}

/** Sends exactly this text; resolves with all that comes until the server closes. */
async function sendText(sent: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(sent);
  return text(socket);
}

describe("a cached page", () => {
  test("is answered without the router, with the headers that the router's answers have", async () => {
    const [fast, slow] = [await send("/cached"), await send("/other")];
    expect([fast.status, fast.isRouted, fast.body.toString()]).toEqual([200, false, html]);
    expect([slow.status, slow.isRouted]).toEqual([200, true]);
    for (const name of Object.keys(slow.headers)) expect([name, fast.headers[name] !== undefined]).toEqual([name, true]);
    for (const name of ["x-content-type-options", "referrer-policy", "permissions-policy", "cross-origin-opener-policy", "content-type"])
      expect([name, fast.headers[name]]).toEqual([name, slow.headers[name]]);
    expect(fast.headers).toMatchObject({
      "cache-control": "public, max-age=0, must-revalidate",
      etag: cached.etag,
      vary: "Accept-Encoding",
    });
    expect(fast.headers["set-cookie"]).toBeUndefined();
  });

  test("is sent as it is stored, compressed, and not again when the browser has it", async () => {
    const packed = await send("/cached", { headers: { "accept-encoding": "gzip, deflate, br" } });
    expect([packed.headers["content-encoding"], packed.headers["content-length"], packed.body.toString(), packed.isRouted]).toEqual([
      "br",
      String(cached.br?.length),
      html,
      false,
    ]);
    const again = await send("/cached", { headers: { "if-none-match": '"one"' } });
    expect([again.status, again.body.length, again.isRouted]).toEqual([304, 0, false]);
  });

  test("is left alone by a method that it does not have", async () => {
    const refused = await send("/cached", { method: "PUT" });
    expect([refused.status, refused.headers.allow, refused.isRouted]).toEqual([405, "GET, HEAD, POST", false]);
    expect((await send("/cached")).status).toBe(200);
  });

  test("appears in the log and in the metrics as a page of the router does", async () => {
    logged.length = 0;
    await send("/cached?secret=1");
    await send("/other?secret=1");
    const [fast, slow] = logged.map(({ fields }) => fields);
    expect(Object.keys(fast ?? {})).toEqual(Object.keys(slow ?? {}));
    expect([fast?.["method"], fast?.["route"], fast?.["status"]]).toEqual([slow?.["method"], slow?.["route"], slow?.["status"]]);
    expect(JSON.stringify(logged)).not.toContain("secret");
    const metrics = (await bench.app.inject({ url: "/metrics", headers: { host: `localhost:${port}` }, remoteAddress: "127.0.0.1" })).body;
    expect(metrics).toMatch(/http_request_duration_seconds_count\{surface="shop",method="GET",route="\/\*",status="304"\} 1/);
  });
});

describe("a cached read of the API", () => {
  let readers = 0;
  beforeEach(() => void (readers += 1));
  const known = () => ({ cookie: uidCookie(bench.ctx, `reader${readers}`) });
  /** The answer, and whether it was given before the router. */
  async function read(path: string, headers: Record<string, string> = known()): Promise<Answer & { isFast: boolean }> {
    answered.length = 0;
    const answer = await send(path, { headers });
    return { ...answer, isFast: answered.length > 0 };
  }

  test.each(["/api/courses", "/api/catalog?metal=gold", "/api/products/seyatel", "/api/search?q=sey", "/api/work"])(
    "%s is the same as from the router, in bytes and headers",
    async (path) => {
      bench.clock.advance(1_000); // what was cached is outdated; the sources are read before the first request
      await Promise.all([rates.shown(bench.ctx), search.list(bench.ctx, {})]);
      const [slow, fast] = [await read(path), await read(path)];
      expect([slow.status, slow.isFast, fast.isFast]).toEqual([200, false, true]);
      expect(fast.body.toString()).toBe(slow.body.toString());
      expect({ ...fast.headers, date: "" }).toEqual({ ...slow.headers, date: "" });
      const again = await read(path, { ...known(), "if-none-match": fast.headers.etag ?? "" });
      expect([again.status, again.isFast, again.body.length]).toEqual([304, true, 0]);
    },
  );

  test("is computed again when prices or stock change", async () => {
    const price = (answer: Answer) => JSON.parse(answer.body.toString()).data.price as number;
    const path = "/api/products/georgij-pobedonosec";
    await read(path);
    const before = await read(path);
    expect(before.isFast).toBe(true);
    await bench.ctx.db.execute(sql`update stock_items set on_hand = on_hand - 1 where coin_id = 1`);
    bench.clock.advance(1_000);
    const after = await read(path);
    expect([after.isFast, price(after), JSON.parse(after.body.toString()).data.available]).toEqual([false, price(before), 9]);
  });

  test("is left to the router for a browser without an id, which gets one", async () => {
    await read("/api/courses");
    const first = await read("/api/courses", {});
    expect([first.isFast, first.headers["cache-control"], first.headers["set-cookie"]?.[0]]).toEqual([
      false,
      "private, no-store",
      expect.stringMatching(/^uid=/),
    ]);
    expect((await read("/api/courses", { cookie: "uid=invented-invented-invented" })).isFast).toBe(false);
  });

  test("an invalid or unknown address is never cached", async () => {
    for (const [path, status] of [
      ["/api/catalog?metal=lead", 422],
      ["/api/products/unknown", 404],
    ] as const) {
      const answers = [await read(path), await read(path)];
      expect(answers.map((each) => [each.status, each.isFast])).toEqual([
        [status, false],
        [status, false],
      ]);
    }
  });
});

describe("a connection whose headers change", () => {
  /** Requests of one connection, one after the other; the last closes it. */
  const sendAll = async (...each: Record<string, string>[]): Promise<string[]> => {
    const texts = each.map((headers, at) => {
      const all = { host: `localhost:${port}`, ...headers, ...(at === each.length - 1 ? { connection: "close" } : {}) };
      return ["GET /search?q=one HTTP/1.1", ...Object.entries(all).map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");
    });
    return (await sendText(texts.join(""))).split(/(?=HTTP\/1\.1 )/);
  };

  test("counts each request for the visitor of its own cookie", async () => {
    const [first, second] = ["first", "second"].map((name) => ({ cookie: uidCookie(bench.ctx, `shared-${name}`) }));
    const used = await sendAll(...Array.from({ length: 11 }, () => first ?? {}));
    expect([used.length, used.at(-1)?.slice(0, 12)]).toEqual([11, "HTTP/1.1 429"]);
    const mixed = await sendAll(first ?? {}, second ?? {}, first ?? {}, second ?? {});
    expect(mixed.map((each) => each.slice(9, 12))).toEqual(["429", "200", "429", "200"]);
  });

  test("gets the coding that each request accepts, and the refusal of a foreign or second host", async () => {
    const cookie = uidCookie(bench.ctx, "coded");
    const [packed, plain, foreign, second, again] = await sendAll(
      { cookie, "accept-encoding": "br" },
      { cookie, "accept-encoding": "identity" },
      { cookie, "accept-encoding": "br", host: "evil.example" },
      { cookie, "accept-encoding": "br", Host: "evil.example" },
      { cookie, "accept-encoding": "br" },
    );
    expect([packed, again].map((each) => /\r\ncontent-encoding: br\r\n/.test(each ?? ""))).toEqual([true, true]);
    expect(plain).not.toMatch(/\r\ncontent-encoding: br\r\n/);
    expect(plain).toContain("<p>");
    expect(foreign).toMatch(/^HTTP\/1\.1 421 /);
    expect(second).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe("what is not plain is left to the router, which refuses it as ever", () => {
  const cases: Record<string, [options: { method?: string; headers?: Record<string, string> }, status: number]> = {
    "a foreign host": [{ headers: { host: "evil.example" } }, 421],
    "no host that can be read": [{ headers: { host: "a b" } }, 421],
    "headers beyond the limit": [{ headers: { cookie: "x".repeat(5_000) } }, 431],
    "a HEAD": [{ method: "HEAD" }, 200],
    "a POST of another site": [{ method: "POST", headers: { "sec-fetch-site": "cross-site", "content-length": "0" } }, 403],
    "a body": [{ headers: { "content-length": "0" } }, 200],
    "a client that only reads gzip": [{ headers: { "accept-encoding": "gzip" } }, 200],
    "a client that refuses Brotli": [{ headers: { "accept-encoding": "br;q=0" } }, 200],
    "a client that names no coding": [{ headers: { "accept-encoding": "" } }, 200],
  };
  test.each(Object.entries(cases))("%s", async (_, [options, status]) => {
    const [fast, slow] = [await send("/cached", options), await send("/other", options)];
    expect([fast.status, fast.isRouted]).toEqual([status, status === 200]);
    expect([slow.status, slow.body.toString()]).toEqual([fast.status, fast.body.toString()]);
  });

  test("a request under load, unless the browser is known", async () => {
    isOverloaded = true;
    const [unknown, known] = [await send("/cached"), await send("/cached", { headers: { cookie: uidCookie(bench.ctx, "known") } })];
    isOverloaded = false;
    expect([unknown.status, known.status]).toEqual([503, 200]);
  });

  test("a visitor beyond its limit, alone", async () => {
    const headers = { cookie: uidCookie(bench.ctx, "eager") };
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await send(`/search?q=${n}`, { headers })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    expect((await send("/search?q=99", { headers: { cookie: uidCookie(bench.ctx, "another") } })).status).toBe(200);
  });

  test("a POST with the type of a body and without one, which programs send and browsers do not", async () => {
    const own = `localhost:${port}`;
    const head = ["POST /cached HTTP/1.1", `host: ${own}`, `origin: http://${own}`, "content-type: text/plain", "connection: close"].join(
      "\r\n",
    );
    const [none, empty] = [await sendText(`${head}\r\n\r\n`), await sendText(`${head}\r\ncontent-length: 0\r\n\r\n`)];
    expect([none.startsWith("HTTP/1.1 200 "), none.endsWith(html)]).toEqual([true, true]);
    expect(none.replace(/date: .*/i, "")).toBe(empty.replace(/date: .*/i, ""));
  });

  test("everything after the path was closed", async () => {
    const closed = createFastPath();
    expect(closed.answer({ method: "GET", url: "/cached", headers: {}, rawHeaders: [] } as never, {} as never)).toBe(false);
  });
});
