import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HttpDeps } from "../http.ts";
import { routes } from "../routes.ts";
import { createFastPath } from "../server/fast-path.ts";
import { browser, host, openHttpBench, uidCookie, type Browser, type HttpBench } from "../testing.ts";

let bench: HttpBench;
beforeAll(async () => {
  bench = await openHttpBench({
    limits: {
      requestsPerMinute: 100_000,
      writesPerMinute: 100_000,
      quotesPerMinute: 100_000,
      ordersPerMinute: 100_000,
      searchesPerMinute: 100_000,
    },
  });
});
afterAll(() => bench.close());

/** Every state-changing call, taken from the list of routes, so that a new one is tested automatically. */
const guarded = routes("test").flatMap(({ call }) => [
  ...(call.method === "GET" && !call.changes ? [] : [{ method: call.method, path: call.path }]),
  ...(call.isLegacyGet ? [{ method: "GET" as const, path: call.path }] : []),
]);
const urlOf = (path: string) => path.replace("{id}", path.includes("orders") ? "abcdefghijklmnop" : "1").replace("{slug}", "seyatel");

const foreign: Record<string, Record<string, string>> = {
  "another site": { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" },
  "a subdomain": { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" },
  "another origin": { origin: "https://evil.example" },
  "an origin without a name": { origin: "null" },
  "a foreign referer": { referer: "https://evil.example/" },
  "a form of text": { "content-type": "text/plain" },
  "an encoded form": { "content-type": "application/x-www-form-urlencoded" },
  "a form with files": { "content-type": "multipart/form-data; boundary=b" },
};

/** A customer with data in every place that a forged call could change. */
async function victim(phone: string): Promise<Browser> {
  const who = bench.visitor();
  await who.signIn(bench, phone);
  await who.request("PATCH", "/api/cart/1", { quantity: 2 });
  await who.request("POST", "/api/wishlist/1");
  await who.request("POST", "/api/compare/1");
  return who;
}

async function readEverything(): Promise<string> {
  const tables = ["carts", "cart_lines", "list_entries", "customers", "sessions", "sign_in_codes", "quotes", "orders"];
  return JSON.stringify(
    await Promise.all(tables.map((table) => bench.ctx.db.execute(sql.raw(`select to_jsonb(t) as row from ${table} t order by 1::text`)))),
  );
}

describe("forged requests", () => {
  test("every state-changing call refuses them, and nothing changes", async () => {
    const who = await victim("+79161110000");
    const cookie = [...who.jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const before = await readEverything();
    expect(guarded.length).toBeGreaterThanOrEqual(24);
    for (const { method, path } of guarded) {
      for (const [from, headers] of Object.entries(foreign)) {
        // a GET has no content type
        if ((method === "GET" && from.startsWith("a form")) || (method === "GET" && from.startsWith("an encoded"))) continue;
        const response = await bench.app.inject({
          method,
          url: urlOf(path),
          headers: { host, cookie, ...headers },
          ...(method === "GET" ? {} : { payload: "quantity=0" }),
        });
        expect([method, path, from, [403, 415].includes(response.statusCode), response.headers["set-cookie"]]).toEqual([
          method,
          path,
          from,
          true,
          undefined,
        ]);
      }
    }
    expect(await readEverything()).toBe(before);
  });

  test("calls that only read answer HEAD with the headers of their GET", async () => {
    for (const url of ["/api/cart", "/api/catalog", "/api/courses", "/api/openapi.json", "/api/docs", "/healthz", "/readyz"]) {
      const [head, get] = await Promise.all(
        (["HEAD", "GET"] as const).map((method) => bench.app.inject({ method, url, headers: { host } })),
      );
      expect([url, head?.statusCode, head?.headers["content-type"], head?.body]).toEqual([
        url,
        get?.statusCode,
        get?.headers["content-type"],
        "",
      ]);
    }
    // an event stream without a reader
    expect((await bench.app.inject({ method: "HEAD", url: "/api/courses/stream", headers: { host } })).statusCode).toBe(404);
  });

  test("the four legacy GETs accept our own scripts and plain clients, but not links, images, prefetches or HEAD", async () => {
    const four = guarded.filter(({ method }) => method === "GET").map(({ path }) => path);
    expect(four.toSorted()).toEqual(["/api/auth/logout", "/api/cart/clear", "/api/compare/clear", "/api/wishlist/clear"]);
    for (const url of four) {
      const get = (headers: Record<string, string>, method: "GET" | "HEAD" = "GET") =>
        bench.app.inject({ method, url, headers: { host, ...headers } }).then((response) => response.statusCode);
      expect([
        url,
        await get({ "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" }),
        await get({}),
        await get({ accept: "application/json" }),
      ]).toEqual([url, 200, 200, 200]);
      const own = { "sec-fetch-site": "same-origin" };
      expect(
        await Promise.all([
          get({ ...own, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }),
          get({ accept: "text/html,*/*" }),
          get({ ...own, "sec-fetch-dest": "image" }),
          get({ ...own, "sec-fetch-dest": "empty", "sec-purpose": "prefetch" }),
          get({ "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }),
        ]),
      ).toEqual([403, 403, 403, 403, 403]);
      expect(await get({ ...own, "sec-fetch-dest": "empty" }, "HEAD")).toBe(404);
    }
  });
});

describe("a method that an address does not have", () => {
  const every = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
  const ask = ({ app }: HttpBench, method: (typeof every)[number], url: string, more: Record<string, string> = {}) =>
    app.inject({ method, url, headers: { host, ...more }, ...(more["content-type"] ? { payload: "{" } : {}) });

  test("is answered with 405 and the methods that every call has, whatever the body is", async () => {
    const known = Map.groupBy(routes("test"), ({ call }) => call.path);
    for (const [path, endpoints] of known) {
      const reads = endpoints.filter(({ call }) => call.method === "GET" && !call.changes).map(() => "HEAD");
      const legacy = endpoints.filter(({ call }) => call.isLegacyGet).map(() => "GET");
      const has = new Set<string>([...endpoints.map(({ call }) => call.method), ...reads, ...legacy]);
      for (const method of every.filter((each) => !has.has(each))) {
        const answer = await ask(bench, method, urlOf(path), { "content-type": "text/plain", "sec-fetch-site": "cross-site" });
        expect([method, path, answer.statusCode, answer.headers.allow]).toEqual([method, path, 405, [...has].toSorted().join(", ")]);
        expect(answer.json()).toMatchObject({ code: "request.bad_method", message: "Такой запрос по этому адресу не поддерживается" });
      }
    }
    expect((await ask(bench, "GET", "/api/payments/yookassa/webhook")).headers.allow).toBe("POST");
    expect((await ask(bench, "POST", "/api/courses/stream")).headers.allow).toBe("GET");
  });

  test("of a page is 405, of an unknown call or file 404, of a foreign host 421", async () => {
    const deps: Partial<HttpDeps> = {
      renderPage: async (_, reply) => reply.type("text/html").send("<p>page</p>"),
    };
    const shop = await openHttpBench({ deps });
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
      const page = await ask(shop, method, "/catalog?page=2");
      expect([method, page.statusCode, page.headers.allow]).toEqual([method, 405, "GET, HEAD, POST"]);
      for (const url of ["/api", "/api/nothing", "/_demo/outbox", "/assets/root.js", "/media/1"])
        expect([method, url, (await ask(shop, method, url)).statusCode]).toEqual([method, url, 404]);
      expect((await ask(shop, method, "/api/cart/clear", { host: "evil.example" })).statusCode).toBe(421);
    }
    await shop.close();
  });
});

describe("a body that is not JSON", () => {
  test("never reaches a handler, whatever its content type is", async () => {
    const post = (type: string, payload: string) =>
      bench.app.inject({
        method: "PATCH",
        url: "/api/cart/1",
        headers: { host, origin: "http://localhost:3000", "content-type": type },
        payload,
      });
    for (const type of [
      "text/json",
      "application/json, text/plain",
      "application/json;charset=utf-16",
      "application/x-json",
      " ",
      "multipart/form-data",
      "application/json\t; a=b",
    ]) {
      expect([type, (await post(type, '{"quantity":1}')).statusCode]).toEqual([type, 415]);
    }
    const program = await bench.app.inject({
      method: "PATCH",
      url: "/api/cart/1",
      headers: { host, "content-type": "text/plain" },
      payload: '{"quantity":1}',
    });
    // a program without an origin gets the specific refusal
    expect([program.statusCode, program.json()]).toMatchObject([415, { code: "request.bad_type" }]);
    expect((await post("APPLICATION/JSON; Charset=UTF-8", '{"quantity":1}')).statusCode).toBe(200);
    for (const broken of [
      "",
      "{",
      "undefined",
      '{"quantity":1,}',
      `${"[".repeat(30_000)}${"]".repeat(30_000)}`,
      '{"__proto__":{"quantity":1}}',
      '{"constructor":1}',
    ]) {
      expect([broken.slice(0, 20), (await post("application/json", broken)).statusCode]).toEqual([broken.slice(0, 20), 400]);
    }
    for (const wrong of ["[]", "null", '"quantity"', "5"])
      expect([wrong, (await post("application/json", wrong)).statusCode]).toEqual([wrong, 422]);
  });

  test("a call without a body accepts no body of another type", async () => {
    const post = (headers: Record<string, string>, payload?: string) =>
      bench.app.inject({
        method: "POST",
        url: "/api/wishlist/1",
        headers: { host, origin: "http://localhost:3000", ...headers },
        ...(payload === undefined ? {} : { payload }),
      });
    expect((await post({})).statusCode).toBe(200);
    expect((await post({ "content-type": "application/json" }, "{}")).statusCode).toBe(200);
    expect((await post({ "content-type": "application/json" }, '{"id":2}')).statusCode).toBe(422);
    expect((await post({ "content-type": "application/json" }, "null")).statusCode).toBe(422);
    expect((await post({ "content-type": "text/plain" }, "x")).statusCode).toBe(415);
  });
});

describe("requests that are too large", () => {
  const request = (url: string, headers: Record<string, string> = {}) =>
    bench.app.inject({ method: "GET", url, headers: { host, ...headers } }).then((response) => response.statusCode);

  test("are refused by query, cookies or body before the handler runs", async () => {
    expect(await request(`/api/search?q=${"a".repeat(3000)}`)).toBe(414);
    expect(await request(`/api/catalog?${"a=1&".repeat(60)}`)).toBe(400);
    expect(await request("/api/catalog?metal[a]=gold")).toBe(400);
    expect(await request("/api/search?q=%zz")).toBe(400);
    expect(await request("/api/cart", { cookie: `a=${"b".repeat(5000)}` })).toBe(431);
    expect(await request("/api/cart", { "x-much": "c".repeat(20_000) })).toBe(431);
    const body = await bench.app.inject({
      method: "PATCH",
      url: "/api/cart/1",
      headers: { host, "content-type": "application/json" },
      payload: `{"quantity":1,"x":"${"y".repeat(70_000)}"}`,
    });
    expect([body.statusCode, body.json()]).toMatchObject([413, { code: "request.too_large" }]);
  });

  test("too many requests are answered 429 with the seconds to wait", async () => {
    const small = await openHttpBench({ limits: { quotesPerMinute: 2, requestsPerMinute: 10 } });
    const visitor = small.visitor();
    const quote = () => visitor.request("POST", "/api/checkout/quote", { deliveryId: 35, city: "0000073738", paymentId: 4 });
    expect([(await quote()).statusCode, (await quote()).statusCode, (await quote()).statusCode, (await quote()).statusCode]).toEqual([
      409, 409, 409, 429,
    ]);
    const stranger = browser(small.app);
    let last = await stranger.request("GET", "/api/work");
    for (let i = 0; i < 11; i += 1) last = await stranger.request("GET", "/api/work");
    expect([last.statusCode, last.json(), Number(last.headers["retry-after"])]).toMatchObject([429, { code: "request.too_many" }, 6]);
    small.clock.advance(6_000);
    expect((await stranger.request("GET", "/api/work")).statusCode).toBe(200);
    await small.close();
  });
});

describe("limits", () => {
  const put = (app: HttpBench["app"], more: { uid?: string; remoteAddress?: string } = {}) =>
    app.inject({
      method: "PATCH",
      url: "/api/cart/1",
      headers: { host, "content-type": "application/json", ...(more.uid ? { cookie: `uid=${more.uid}` } : {}) },
      payload: '{"quantity":1}',
      remoteAddress: more.remoteAddress ?? "5.5.5.5",
    });
  const passed = (answers: { statusCode: number }[]) => answers.filter(({ statusCode }) => statusCode === 200).length;
  const inTurn = async <T>(times: number, request: (n: number) => Promise<T>): Promise<T[]> => {
    const answers: T[] = [];
    for (let n = 0; n < times; n += 1) answers.push(await request(n));
    return answers;
  };

  test("an invented browser id has no rate limit of its own", async () => {
    const small = await openHttpBench({ limits: { writesPerMinute: 3 } });
    expect(passed(await inTurn(20, (n) => put(small.app, { uid: `invented-${n}`.padEnd(22, "x") })))).toBe(3);
    expect(passed(await inTurn(5, (n) => put(small.app, { uid: `invented-${n}`.padEnd(22, "x") + "0".repeat(32) })))).toBe(0);
    await small.close();
  });

  test("signed ids share the limit of their address, and one visitor does not use up another's", async () => {
    const small = await openHttpBench({ limits: { writesPerMinute: 2, addressWritesPerMinute: 5 } });
    const named = (n: number, remoteAddress: string) =>
      put(small.app, { uid: uidCookie(small.ctx, `browser-${n}`).slice("uid=".length), remoteAddress });
    expect(passed(await inTurn(4, () => named(1, "6.6.6.6")))).toBe(2);
    expect(passed(await inTurn(1, () => named(2, "6.6.6.6")))).toBe(1);
    expect(passed(await inTurn(20, (n) => named(10 + n, "7.7.7.7")))).toBe(5);
    await small.close();
  });

  test("all addresses of an IPv6 network of one client are one address", async () => {
    const small = await openHttpBench({ limits: { writesPerMinute: 3 } });
    expect(passed(await inTurn(10, (n) => put(small.app, { remoteAddress: `2a02:6b8:1:2::${(n + 1).toString(16)}` })))).toBe(3);
    expect(passed(await inTurn(2, () => put(small.app, { remoteAddress: "2a02:6b8:1:3::1" })))).toBe(2);
    await small.close();
  });

  test("pages count too: a result page as a search, a form as a change, other pages as a request", async () => {
    const small = await openHttpBench({
      limits: { searchesPerMinute: 2, writesPerMinute: 1, quotesPerMinute: 1, ordersPerMinute: 1, requestsPerMinute: 12 },
      deps: { renderPage: async (_, reply) => reply.type("text/html").send("<p>page</p>") },
    });
    const request = (method: "GET" | "POST", url: string) =>
      small.app.inject({
        method,
        url,
        headers: { host, accept: "text/html", origin: "http://localhost:3000", "sec-fetch-site": "same-origin" },
      });
    const statuses = async (times: number, method: "GET" | "POST", url: string) =>
      (await inTurn(times, () => request(method, url))).map(({ statusCode }) => statusCode);
    expect(await statuses(3, "GET", "/search?q=gold")).toEqual([200, 200, 429]);
    expect(await statuses(2, "POST", "/reviews")).toEqual([200, 429]);
    expect(await statuses(2, "POST", "/checkout/steps/payment")).toEqual([200, 429]);
    expect(await statuses(2, "POST", "/checkout/steps/confirm")).toEqual([200, 429]);
    expect(await statuses(4, "GET", "/catalog")).toEqual([200, 200, 200, 429]);
    const refused = await request("GET", "/catalog");
    expect([refused.headers["content-type"], Number(refused.headers["retry-after"])]).toEqual(["text/html; charset=utf-8", 5]);
    await small.close();
  });
});

test("a form and a search count by their page, however its address is written", async () => {
  const small = await openHttpBench({
    limits: { promoCodesPerMinute: 1, ordersPerMinute: 1, quotesPerMinute: 1, searchesPerMinute: 1 },
    deps: { renderPage: async (_, reply) => reply.type("text/html").send("<p>page</p>") },
  });
  const spellings = {
    promo: ["/cart?promo", "/%63art?promo", "/cart/?promo=1", "/cart?a=1&%70romo", "/cart.data?promo", "/cart/_.data?promo"],
    order: ["/checkout/steps/confirm", "/checkout/steps/%63onfirm//", "/checkout/./steps/confirm/_.data"],
    quote: ["/checkout/steps/payment.data", "/checkout/steps/paymen%74"],
    search: ["/search?q=a", "/search.data?q=b", "/search/_.data?q=c"],
  };
  for (const [name, urls] of Object.entries(spellings)) {
    const statuses: number[] = [];
    for (const url of urls) {
      const headers = { host, origin: "http://localhost:3000" };
      statuses.push((await small.app.inject({ method: name === "search" ? "GET" : "POST", url, headers })).statusCode);
    }
    expect([name, statuses]).toEqual([name, urls.map((_, nth) => (nth === 0 ? 200 : 429))]);
  }
  await small.close();
});

test("the guards run in order: host, origin, sizes, session, rate limit, schema, handler", async () => {
  const small = await openHttpBench({ limits: { writesPerMinute: 0 } });
  const url = "/api/cart/1";
  let [at, payload] = [host, '{"quantity":1}'];
  const headers: Record<string, string> = {
    origin: "https://evil.example",
    "content-type": "application/json",
    cookie: `sid=a; sid=b; x=${"y".repeat(5000)}`,
  };
  const status = async (app = small.app) =>
    (await app.inject({ method: "PATCH", url, headers: { ...headers, host: at }, payload })).statusCode;
  [at, payload] = ["evil.example", '{"quantity":-1}'];
  expect(await status()).toBe(421);
  at = host;
  expect(await status()).toBe(403);
  headers.origin = "http://localhost:3000";
  expect(await status()).toBe(431);
  headers.cookie = "sid=a; sid=b";
  expect(await status()).toBe(400);
  headers.cookie = "";
  expect(await status()).toBe(429);
  expect(await status(bench.app)).toBe(422);
  payload = '{"quantity":1}';
  expect(await status(bench.app)).toBe(200);
  await small.close();
});

describe("probes under the address of the process, while PUBLIC_URL names the shop", () => {
  const at = "127.0.0.1:3011";
  const config = { publicUrl: "https://shop.example", metricsToken: "a-long-token" };
  const askIn = ({ app }: HttpBench, url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
    app.inject({ method, url, headers: { host: at, ...headers } }).then(({ statusCode }) => statusCode);

  test("are answered, with the token also figures; every other path is refused", async () => {
    const path = createFastPath();
    const shop = await openHttpBench({
      config: { ...config, trustProxy: ["127.0.0.1"] },
      fastPath: path,
      deps: { fastPath: { path, findPage: () => null }, renderPage: async (_, reply) => reply.send("page") },
    });
    const ask = (url: string, headers?: Record<string, string>, method?: "GET" | "HEAD") => askIn(shop, url, headers, method);
    for (const url of ["/healthz", "/readyz", "/readyz?without=database"])
      expect([url, await ask(url), await ask(url, {}, "HEAD")]).toEqual([url, 200, 200]);
    expect([
      await ask("/metrics"),
      await ask("/metrics", { authorization: "Bearer another" }),
      await ask("/metrics", { authorization: "Bearer a-long-token" }),
    ]).toEqual([404, 404, 200]);
    for (const url of ["/", "/healthz/", "/healthz/x", "/metricsx", "/api/state", "/api/build", "/_demo/outbox"])
      expect([url, await ask(url)]).toEqual([url, 421]);
    await shop.close();
  });

  test("without a proxy figures are for this machine under a name of its own, not for a site whose name leads here", async () => {
    const shop = await openHttpBench({ config });
    expect([await askIn(shop, "/metrics"), await askIn(shop, "/metrics", { host: "evil.example:3011" })]).toEqual([200, 404]);
    await shop.close();
  });
});

describe("cookies", () => {
  test("two cookies of one name are ignored: reads are anonymous, changes are refused", async () => {
    const who = await victim("+79161110001");
    const sid = who.jar.get("sid") ?? "";
    const request = (method: "GET" | "POST", url: string) =>
      bench.app.inject({ method, url, headers: { host, origin: "http://localhost:3000", cookie: `sid=${sid}; sid=planted` } });
    expect((await request("GET", "/api/me")).json()).toEqual({ data: null });
    expect((await request("POST", "/api/cart/clear")).json()).toMatchObject({ statusCode: 400, code: "request.duplicate_cookies" });
  });

  test("a browser id from before signatures keeps its cart, and is signed with the next answer", async () => {
    const old = "UWH8Zi0dpI6tiGl1Ne72Sw";
    const request = (method: "GET" | "PATCH", uid: string, payload?: string) =>
      bench.app.inject({
        method,
        url: method === "GET" ? "/api/cart" : "/api/cart/1",
        headers: { host, cookie: `uid=${uid}`, ...(payload ? { "content-type": "application/json" } : {}) },
        ...(payload ? { payload } : {}),
      });
    const first = await request("PATCH", old, '{"quantity":2}');
    const [line = ""] = [first.headers["set-cookie"] ?? []].flat();
    const signed = /^uid=([^;]+);/.exec(line)?.[1] ?? "";
    expect([signed.slice(0, 22), signed.length]).toEqual([old, 54]);
    const pieces = async (uid: string) => (await request("GET", uid)).json<{ data: { order: { totalCoins: number } } }>();
    expect(await pieces(signed)).toEqual(await pieces(old));
    expect(JSON.stringify(await pieces(signed))).toContain('"count":2');
    expect((await request("GET", signed)).headers["set-cookie"]).toBeUndefined();
    const damaged = await request("GET", `${signed.slice(0, -1)}${signed.endsWith("0") ? "1" : "0"}`);
    expect(damaged.headers["set-cookie"]).toEqual([expect.stringContaining(`uid=${signed};`)]);
  });

  test("a malformed browser id is not adopted", async () => {
    for (const uid of ["", "short", "'; drop table carts; --", "a".repeat(500), "кириллица"]) {
      const response = await bench.app.inject({
        method: "GET",
        url: "/api/cart",
        headers: { host, cookie: `uid=${encodeURIComponent(uid)}` },
      });
      expect(String(response.headers["set-cookie"])).toMatch(/^uid=[A-Za-z0-9_-]{22}[0-9a-f]{32};/);
    }
  });

  test("under HTTPS cookies that give access are prefixed and secure, and HSTS is set", async () => {
    const secure = await openHttpBench({ config: { publicUrl: "https://shop.example" } });
    const response = await secure.app.inject({ method: "GET", url: "/api/cart", headers: { host: "shop.example" } });
    expect(response.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^__Host-uid=[\w-]{54}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
    ]);
    expect(response.headers["strict-transport-security"]).toBe("max-age=63072000; includeSubDomains");
    expect((await secure.app.inject({ method: "GET", url: "/api/cart", headers: { host: "localhost:3000" } })).statusCode).toBe(421);
    await secure.close();
  });
});

test("every answer has the security headers", async () => {
  for (const url of ["/api/courses", "/api/nothing", "/healthz", "/api/docs", "/api/cart"]) {
    const { headers } = await bench.app.inject({ method: "GET", url, headers: { host } });
    expect([url, headers]).toMatchObject([
      url,
      {
        "x-content-type-options": "nosniff",
        "referrer-policy": "strict-origin-when-cross-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      },
    ]);
    expect(headers["x-powered-by"] ?? headers.server).toBeUndefined();
  }
});

test("an unexpected error is 503 in Russian without its cause, and is logged", async () => {
  const broken = await openHttpBench();
  await broken.ctx.db.execute(sql`alter table cart_lines rename to hidden`);
  const response = await broken.visitor().request("PATCH", "/api/cart/1", { quantity: 1 });
  expect([response.statusCode, response.json()]).toEqual([
    503,
    { statusCode: 503, statusMessage: "Service Unavailable", code: "service.unavailable", message: "Сервис временно недоступен" },
  ]);
  expect(response.body).not.toMatch(/cart_lines|select|insert|src\//i);
  expect(broken.faults).toHaveLength(1);
  await broken.close();
});

test("a page with NUL in its address is malformed; parameters of calls are cleaned", async () => {
  const pages: string[] = [];
  const shop = await openHttpBench({
    deps: {
      renderPage: async (request, reply) => {
        pages.push(request.url);
        return reply.type("text/html").send("<p>page</p>");
      },
    },
  });
  const get = async (url: string) => (await shop.app.inject({ method: "GET", url, headers: { host, accept: "text/html" } })).statusCode;
  for (const url of ["/news/%00", "/news/a%00b", "/reviews?coin=%00", "/thanks?order=%00&key=x"])
    expect([url, await get(url)]).toEqual([url, 400]);
  expect(pages).toEqual([]);
  for (const url of ["/search?q=100%2500", "/api/search?q=%00sey", "/api/locations/cities?q=%00"])
    expect([url, await get(url)]).toEqual([url, 200]);
  expect(shop.faults).toEqual([]);
  await shop.close();
});

test("unknown addresses are refused in Russian", async () => {
  for (const [method, url] of [
    ["GET", "/api"],
    ["GET", "/api/unknown"],
    ["POST", "/api/unknown"],
    ["GET", "/_demo/outbox"],
    ["DELETE", "/api/unknown"],
    ["OPTIONS", "/api/unknown"],
  ] as const) {
    const response = await bench.app.inject({
      method,
      url,
      headers: { host, "content-type": "text/plain" },
      ...(method === "POST" ? { payload: "x" } : {}),
    });
    expect([method, url, response.statusCode, response.json()]).toMatchObject([
      method,
      url,
      404,
      { code: "request.not_found", message: "Такой страницы нет" },
    ]);
  }
  expect((await bench.app.inject({ method: "GET", url: "/api/cart/%zz", headers: { host } })).statusCode).toBe(400);
});
