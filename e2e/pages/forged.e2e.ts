import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { APIRequestContext, Page } from "@playwright/test";
import { aCoin, aPhone, expect, putInCart, readCode, signInByCall, test, open, openWithoutWaiting } from "../journey.ts";
import { rounds } from "#tests/rounds.ts";

const oldGets = ["/api/cart/clear", "/api/wishlist/clear", "/api/compare/clear", "/api/auth/logout"];

/** What a foreign page can do without a click of its visitor: pictures, frames, prefetches, forms and scripts. */
const traps = (shop: string): string =>
  oldGets
    .map(
      (path, n) => `
  <img src="${shop}${path}"><iframe src="${shop}${path}"></iframe><link rel="prefetch" href="${shop}${path}">
  <iframe name="into${n}"></iframe><form id="form${n}" action="${shop}${path}" target="into${n}"></form>
  <a id="link${n}" href="${shop}${path}">a prize</a>`,
    )
    .join("") +
  `<script>
  for (const form of document.forms) form.submit();
  const request = (method, path) => fetch("${shop}" + path, { method, mode: "no-cors", credentials: "include" });
  Promise.allSettled(${JSON.stringify(oldGets)}.flatMap((path) => ["GET", "POST", "HEAD"].map((method) => request(method, path))))
    .then(() => { document.title = "all tried"; });
</script>`;

/** Another site on this machine. */
async function anotherSite(html: string): Promise<{ url: string; close(): void }> {
  const server = createServer(
    (_, response) => void response.setHeader("content-type", "text/html").end(`<!doctype html><title>trap</title>${html}`),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => void server.close() };
}

const stateOf = async (request: APIRequestContext): Promise<unknown> =>
  ((await (await request.get("/api/state")).json()) as { data: unknown }).data;

test("foreign pictures, links, frames, prefetches, forms and scripts cannot empty a cart or sign a buyer out", async ({ page, shop }) => {
  await open(page, "/about");
  await signInByCall(page, shop, aPhone(), { name: "Осторожный Олег", email: "oleg@example.com" });
  const own = (path: string, method: string, body?: object) =>
    page.evaluate(
      async ([address, how, content]) => {
        const answer = await fetch(address, {
          method: how,
          ...(content ? { headers: { "content-type": "application/json" }, body: content } : {}),
        });
        return answer.status;
      },
      [path, method, body ? JSON.stringify(body) : ""] as const,
    );
  await own(`/api/cart/${aCoin.id}`, "PATCH", { quantity: 1 });
  await own(`/api/wishlist/${aCoin.id}`, "POST");
  await own(`/api/compare/${aCoin.id}`, "POST");
  const before = await stateOf(page.request);
  expect(before).toMatchObject({ me: { name: "Олег" }, totalCoins: 1, wishlist: [aCoin.id], compare: [aCoin.id] });

  const site = await anotherSite(traps(shop.url));
  await openWithoutWaiting(page, site.url, "not a page of the shop");
  await expect(page).toHaveTitle("all tried");
  await page.waitForLoadState("networkidle");
  expect(await stateOf(page.request)).toEqual(before);
  for (const [n, path] of oldGets.entries()) {
    await openWithoutWaiting(page, site.url, "not a page of the shop");
    await page.locator(`#link${n}`).click(); // a link sends the buyer's cookies
    await expect(page).toHaveURL(shop.url + path);
    expect((await openWithoutWaiting(page, path, "not a page of the shop"))?.status()).toBe(403); // typed in the address bar
  }
  site.close();
  expect(await stateOf(page.request)).toEqual(before);

  await open(page, "/about"); // and what may be injected into our own page
  await page.evaluate(async (paths) => {
    await Promise.all(
      paths.flatMap((path) => [
        new Promise((resolve) => {
          const picture = new Image();
          for (const end of ["load", "error"]) picture.addEventListener(end, resolve);
          picture.src = path;
        }),
        fetch(path, { method: "HEAD" }),
      ]),
    );
  }, oldGets);
  expect(await stateOf(page.request)).toEqual(before);
  for (const path of oldGets) expect([path, await own(path, "GET")]).toEqual([path, 200]);
  expect(await stateOf(page.request)).toMatchObject({ me: null, totalCoins: 0, wishlist: [], compare: [] });
});

test("an injected script does not run, and the policy violation is reported", async ({ page }) => {
  await open(page, "/about");
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.isTaken = true";
    const trap = document.createElement("div");
    trap.innerHTML = '<img src="/none.webp" onerror="window.isTaken = true"><a href="javascript:window.isTaken=true" id="trap">here</a>';
    document.body.append(script, trap);
  });
  await page.locator("#trap").click();
  expect(await page.evaluate(() => "isTaken" in window)).toBe(false);
  const headers = (await page.request.get("/about")).headers();
  expect([headers["content-security-policy"], headers["reporting-endpoints"]]).toEqual([
    expect.stringContaining("report-to policy"),
    'policy="/api/faults/policy"',
  ]);
});

test("the policy approves all inline scripts and styles of the page, and the served page contains no nonce", async ({ request }) => {
  const hashesOf = (texts: Iterable<string>) =>
    new Set([...texts].map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`));
  for (const path of ["/", "/catalog/gold", "/cart", "/cart?from=elsewhere", "/no-such-page"]) {
    await request.get(path); // the second answer to a public page is the kept one, given before the router
    const answer = await request.get(path);
    const html = await answer.text();
    const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)(?![^>]*application\/ld)[^>]*>([\s\S]*?)<\/script>/g)];
    const scripts = hashesOf(inline.map(([, text = ""]) => text));
    const styles = hashesOf([...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, text = ""]) => text));
    const policy = answer.headers()["content-security-policy"] ?? "";
    const approved = (directive: string) => new Set(new RegExp(`${directive} [^;]*`).exec(policy)?.[0].match(/'sha256-[^']+'/g) ?? []);
    expect([
      path,
      scripts.size > 2,
      approved("script-src"),
      approved("style-src"),
      html.includes("nonce="),
      policy.includes("unsafe"),
    ]).toEqual([path, true, scripts, styles, false, false]);
    // A personal page with a query is not compressed, because a foreign page may have chosen the query; so it links its styles.
    const isPlain = path.includes("?");
    expect([path, styles.size > 0, /<link rel="stylesheet"/.test(html)]).toEqual([path, !isPlain, isPlain]);
    expect([path, answer.headers()["content-encoding"]]).toEqual([path, isPlain ? undefined : "br"]);
  }
});

test("other spellings of an address redirect once to the canonical one", async ({ request, shop }) => {
  for (const [from, to] of [
    ["/%63atalog", "/catalog"],
    ["/%63atalog/?metal=%67old", "/catalog?metal=%67old"],
    ["/c%61rt", "/cart"],
  ] as const) {
    const answer = await request.get(shop.url + from, { maxRedirects: 0 });
    expect([from, answer.status(), answer.headers().location]).toEqual([from, 301, to]);
  }
});

/** The hosts that a page requests during `look`. */
async function hostsAsked(page: Page, look: () => Promise<unknown>): Promise<Set<string>> {
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  await look();
  return hosts;
}

test("the link of a guest's order leaks nothing: no referrer, no index, no foreign host; another key opens nothing", async ({
  page,
  request,
  shop,
}) => {
  await putInCart(page);
  const call = async <T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T> =>
    ((await (await page.request.post(path, { data: body, headers: { origin: shop.url, ...headers } })).json()) as { data: T }).data;
  const { quoteId } = await call<{ quoteId: string }>("/api/checkout/quote", { deliveryId: 35, city: "0000073738", paymentId: 7 });
  const form = {
    quoteId,
    user: { name: "Анна", lastName: "Тайная", email: "taynaya@example.com", phone: "+79161234567" },
    delivery: { id: 35 },
    paymentId: 7,
    consent: true,
  };
  const { id, key } = await call<{ id: string; key: string }>("/api/orders", form, { "idempotency-key": "guest-link" });
  await page.context().clearCookies();
  for (const path of [`/order/${id}?key=${key}`, `/thanks?order=${id}&key=${key}`]) {
    const hosts = await hostsAsked(page, async () => {
      const answer = await open(page, path);
      await page.waitForLoadState("networkidle");
      expect([path, answer?.status(), answer?.headers()["referrer-policy"], answer?.headers()["cache-control"]]).toEqual([
        path,
        200,
        "no-referrer",
        "private, no-store",
      ]);
    });
    expect([path, [...hosts]]).toEqual([path, [new URL(shop.url).host]]);
    await expect(page.locator('meta[name="robots"]').first()).toHaveAttribute("content", /noindex/);
    expect(await page.content()).not.toMatch(/taynaya@example|9161234567/);
  }
  const anotherKey = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  for (const wrong of [`/order/${id}`, `/order/${id}?key=${anotherKey}`, `/order/${id}?key=`])
    expect([wrong, (await request.get(wrong)).status()]).toEqual([wrong, 404]);
});

test("with many customers at once each page shows only its own customer's name", async ({ shop }) => {
  const people = rounds({ test: 15, gate: 15, long: 200 });
  const json = { "content-type": "application/json" };
  const signedIn = async (n: number) => {
    const jar = new Map<string, string>();
    const post = async (path: string, body: object): Promise<void> => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      const answer = await fetch(shop.url + path, { method: "POST", headers: { ...json, cookie }, body: JSON.stringify(body) });
      for (const line of answer.headers.getSetCookie())
        jar.set(line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1, line.indexOf(";")));
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    };
    const phone = aPhone();
    await post("/api/auth/get-code", { phone });
    await post("/api/auth/check-code", { phone, code: await readCode(shop, phone) });
    const name = `Примета${n}я`;
    await post("/api/me", { name, email: `primeta${n}ya@example.com` });
    return { name, cookie: [...jar].map(([key, value]) => `${key}=${value}`).join("; ") };
  };
  const customers: Awaited<ReturnType<typeof signedIn>>[] = [];
  // the gateway accepts a few at a time
  for (let n = 0; n < people; n += 5) customers.push(...(await Promise.all([0, 1, 2, 3, 4].map((more) => signedIn(n + more)))));
  const looks = customers.flatMap((who) => ["/my/profile", "/", "/my/profile"].map((path) => ({ ...who, path })));
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let look = looks.pop(); look; look = looks.pop()) {
        const html = await (await fetch(shop.url + look.path, { headers: { cookie: look.cookie } })).text();
        const seen = new Set(html.match(/Примета\d+я/g) ?? []);
        expect([look.path, [...seen]]).toEqual([look.path, look.path === "/my/profile" ? [look.name] : []]);
      }
    }),
  );
});

test("data of one visitor's request appears on no other visitor's page", async ({ shop }) => {
  const leak = "leaked-by-a-header";
  const names = [
    "user-agent",
    "accept-language",
    "accept-charset",
    "referer",
    "origin",
    "authorization",
    "cookie",
    "if-none-match",
    "if-match",
    "range",
    "from",
    "via",
    "forwarded",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-forwarded-port",
    "x-forwarded-prefix",
    "x-forwarded-server",
    "x-real-ip",
    "x-host",
    "x-original-url",
    "x-rewrite-url",
    "x-original-host",
    "x-http-method-override",
    "x-wap-profile",
    "cf-connecting-ip",
    "true-client-ip",
    "x-request-id",
    "x-any",
  ];
  const paths = ["/", "/catalog/gold", `/about?utm_source=${leak}`, "/api/courses"];
  await Promise.all(
    paths.flatMap((path) =>
      names.map((name) =>
        fetch(shop.url + path, { headers: { [name]: name === "cookie" ? `uid=${leak}; city=${leak}; sid=${leak}` : leak } }).then(
          (answer) => answer.text(),
        ),
      ),
    ),
  );
  for (const path of paths) {
    const later = await fetch(shop.url + path.replace(leak, "other"));
    expect([path, later.status, JSON.stringify([...later.headers]) + (await later.text())]).toEqual([
      path,
      200,
      expect.not.stringContaining(leak),
    ]);
  }
});
