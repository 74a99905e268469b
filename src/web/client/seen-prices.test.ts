import { afterEach, expect, test, vi } from "vitest";

type Sent = { url: string; version: string | null; cache: RequestCache | undefined };

/** A page whose server answers with these versions of the price list in turn; null: without one. */
async function aPage(versions: (number | null)[]) {
  const sent: Sent[] = [];
  const fetch = async (target: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = target instanceof Request ? target.url : String(target);
    sent.push({ url, version: new Headers(init?.headers).get("x-price-list"), cache: init?.cache });
    const version = versions.shift() ?? null;
    return new Response(String(version), { headers: version === null ? {} : { "x-price-list": String(version) } });
  };
  const window: { fetch: typeof globalThis.fetch } = { fetch };
  vi.stubGlobal("window", window);
  vi.stubGlobal("location", { href: "https://shop.example/catalog", origin: "https://shop.example" });
  vi.resetModules();
  const { noteSeenPrices, sendSeenPrices } = await import("./seen-prices.ts");
  sendSeenPrices();
  return { sent, noteSeenPrices, fetch: (url: string, init?: RequestInit) => window.fetch(url, init) };
}
afterEach(() => vi.unstubAllGlobals());

test("a page names the newest prices that it has seen, in every request to the shop and in none to others", async () => {
  const page = await aPage([null, 11, null, null]);
  await page.fetch("/api/state");
  page.noteSeenPrices(10);
  page.noteSeenPrices(9);
  await page.fetch("/catalog.data");
  await page.fetch("/api/cart");
  await page.fetch("https://mc.example/counter");
  expect(page.sent.map(({ version }) => version)).toEqual([null, "10", "11", null]);
});

test("an older page that the browser fetched ahead is fetched again, once; what was sent is not sent twice", async () => {
  const page = await aPage([9, 10, 9, 9]);
  page.noteSeenPrices(10);
  expect(await (await page.fetch("/catalog.data")).text()).toBe("10");
  expect(page.sent.map(({ cache }) => cache)).toEqual([undefined, "no-cache"]);
  await page.fetch("/cart.data", { method: "POST" });
  expect(page.sent.length).toBe(3);
});
