import type { Browser, Page } from "@playwright/test";
import { axeFaults } from "../axe.ts";
import { aCoin, aPhone, expect, putInCart, readCode, test, open, openWithoutWaiting } from "../journey.ts";

/** One address of each kind of page. */
const pages = [
  "/catalog",
  "/catalog/gold/bullion-coins",
  "/catalog/page/2",
  "/catalog?metal=silver&priceTo=1",
  `/products/${aCoin.slug}`,
  "/search?q=георгий победоносец серебро",
  "/search?q=ъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъъ",
  "/wishlist",
  "/wishlist?coins=1001,1050",
  "/product-comparison",
  "/product-comparison?coins=1001,1050,1100",
  "/cart",
  "/checkout",
  "/thanks",
  "/payment-error",
  "/my",
  "/cabinet/create",
  "/alerts",
  "/alerts/none",
  "/delivery",
  "/how-to-buy",
  "/return",
  "/about",
  "/contacts",
  "/certificates",
  "/coin-buyback",
  "/partners",
  "/reviews",
  "/quotes-online",
  "/news",
  "/news/page/2",
  "/news/konec-goda-sroki-dostavki-2026",
  "/training",
  "/training/18",
  "/cases",
  "/cases/nakopit-na-obuchenie",
  "/promo",
  "/promo/1",
  "/documents",
  "/consent/order",
  "/privacy-policy",
  "/no-such-page",
  "/a/b/c/d/e",
];
const ownPages = ["/my", "/my/orders", "/my/alerts", "/my/profile", "/my/profile/edit"];

/** Viewport widths; the layout changes without loading the page again. */
const widths = [1280, 768, 320];

/** A browser that collects all errors of its pages. */
async function openWatched(browser: Browser, url: string): Promise<{ page: Page; faults: string[] }> {
  // no animation is running when a page is checked
  const context = await browser.newContext({ baseURL: url, viewport: { width: widths[0]!, height: 800 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    const isExpected = /status of (401|404)/.test(message.text()); // the document itself
    if (message.type() === "error" && !isExpected) faults.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  return { page, faults };
}

/** Checks the present page at every width for horizontal scroll, names wider than their box, and accessibility violations. */
async function look(page: Page, faults: string[], path: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(page).toHaveTitle(/\S/);
  await expect(page.locator("#main"), "«К содержанию» moves the focus").toHaveAttribute("tabindex", "-1");
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (overflow > 0) faults.push(`${path}: scrolls sideways by ${overflow} px at ${width}`);
    const wide = page.locator(".card__name, .point b");
    for (const name of await wide.evaluateAll((all) =>
      all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent),
    ))
      faults.push(`${path}: ${name} overruns its box at ${width}`);
    for (const fault of await axeFaults(page)) faults.push(`${path} at ${width}: ${fault}`);
  }
  await page.setViewportSize({ width: widths[0]!, height: 800 });
}

test("every kind of page at every width has no console error, policy violation, horizontal scroll or axe violation", async ({
  browser,
  shop,
}) => {
  test.setTimeout(300_000);
  const { page, faults } = await openWatched(browser, shop.url);
  await open(page, "/");
  await expect(page.getByRole("region", { name: "Файлы cookie" })).toBeVisible();
  await look(page, faults, "/ with the notice about cookies");
  await page.getByRole("button", { name: "Только нужные" }).click();
  await putInCart(page); // cart and checkout with a coin
  for (const path of pages) {
    await open(page, path);
    await page.waitForLoadState("load");
    await look(page, faults, path);
  }
  await page.context().close();
  expect(faults).toEqual([]);
});

test("every page of an account, and every order page of a customer and a guest, has none of these faults either", async ({
  browser,
  shop,
}) => {
  const { page, faults } = await openWatched(browser, shop.url);
  const { request } = page.context();
  const phone = aPhone();
  const send = async (method: "post" | "patch", url: string, data: object, headers = {}) => {
    const answer = await request[method](url, { data, headers: { origin: shop.url, ...headers } });
    expect([url, answer.ok()]).toEqual([url, true]);
    return ((await answer.json()) as { data: { quoteId: string; id: string; key: string } }).data;
  };
  await send("post", "/api/auth/get-code", { phone });
  await send("post", "/api/auth/check-code", { phone, code: await readCode(shop, phone) });
  await send("patch", `/api/cart/${aCoin.id}`, { quantity: 1 });
  const { quoteId } = await send("post", "/api/checkout/quote", { deliveryId: 35, city: "0000073738", paymentId: 4 });
  const user = { name: "Анна", lastName: "Белова", email: "anna@example.com", phone };
  const order = await send(
    "post",
    "/api/orders",
    { quoteId, user, delivery: { id: 35 }, paymentId: 4, consent: true },
    { "idempotency-key": phone },
  );
  for (const path of [
    ...ownPages,
    `/my/orders/${order.id}`,
    `/order/${order.id}?key=${order.key}`,
    `/thanks?order=${order.id}&key=${order.key}`,
  ]) {
    await open(page, path);
    await page.waitForLoadState("load");
    await look(page, faults, path.replace(order.key, "…"));
  }
  await page.context().close();
  expect(faults).toEqual([]);
});

test("the catalogue and a coin are readable without scripts, and the coin can be added to the cart", async ({ browser, shop }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await openWithoutWaiting(page, `${shop.url}/catalog/gold/bullion-coins`, "scripts are off");
  await expect(page.getByRole("main").locator('a[href^="/products/"]').first()).toBeVisible();
  await expect(page.getByRole("main")).toContainText("₽");
  await openWithoutWaiting(page, `${shop.url}/products/${aCoin.slug}`, "scripts are off");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Георгий Победоносец");
  await expect(page.getByRole("main")).toContainText("Чистого металла");
  await page.getByRole("main").getByRole("button", { name: "В корзину", exact: true }).first().click();
  await expect(page).toHaveURL(new RegExp(aCoin.slug));
  await openWithoutWaiting(page, `${shop.url}/cart`, "scripts are off");
  await expect(page.getByRole("main")).toContainText("Георгий Победоносец");
  await context.close();
});
