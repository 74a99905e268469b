import type { Browser, Page } from "@playwright/test";
import { runShop, type RunningShop } from "#tests/running-shop.ts";
import { aCoin, aPhone, expect, putInCart, readCode, test as base, open, goBack, reload, stopInOrder } from "../journey.ts";
import { ownDatabase } from "../postgres.ts";

const script = "https://metrika.example/tag.js";

/** A shop with an analytics counter. */
const test = base.extend<object, { counted: RunningShop }>({
  counted: [
    async ({}, use) => {
      const shop = await runShop({ ...(await ownDatabase()), METRIKA_COUNTER: "12345", METRIKA_SCRIPT_URL: script });
      await use(shop);
      await stopInOrder(shop);
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

type Layer = { ecommerce: { currencyCode: string; [action: string]: unknown } }[];

/** A page of a new visitor without an answer about cookies, and how often the counter's script was requested. */
async function newVisitor(
  browser: Browser,
  shop: RunningShop,
  options = {},
): Promise<{ page: Page; fetched: () => number; refused: string[] }> {
  const context = await browser.newContext({ baseURL: shop.url, ...options });
  const page = await context.newPage();
  let count = 0;
  const refused: string[] = [];
  await page.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    ),
  );
  page.on("console", (message) => {
    if (message.type() === "error") refused.push(message.text());
  });
  await context.route(script, (route) => {
    count += 1;
    return route.fulfill({
      contentType: "text/javascript",
      body: "window.counterCalls = window.ym.a; window.ym = Object.assign((...call) => window.counterCalls.push(call), { isReal: true });",
    });
  });
  return { page, fetched: () => count, refused };
}

const banner = (page: Page) => page.getByRole("region", { name: "Файлы cookie" });
const counterCalls = (page: Page) =>
  page.evaluate(() => ((window as unknown as { counterCalls?: unknown[][] }).counterCalls ?? []).map((call) => call.slice(1, 3)));
const layer = (page: Page) =>
  page.evaluate(() => ((window as unknown as { dataLayer?: unknown }).dataLayer ?? []) as never) as Promise<Layer>;
const actions = async (page: Page) =>
  (await layer(page)).flatMap(({ ecommerce }) => Object.keys(ecommerce).filter((name) => name !== "currencyCode"));

test("no visitor is counted before consent or after a refusal; the answer is stored and can be changed", async ({ browser, counted }) => {
  const { page, fetched, refused } = await newVisitor(browser, counted);
  await open(page, "/catalog");
  await expect(banner(page)).toBeVisible();
  const [no, yes] = [banner(page).getByRole("button", { name: "Только нужные" }), banner(page).getByRole("button", { name: "Разрешить" })];
  const sizes = await Promise.all([no, yes].map((button) => button.boundingBox()));
  expect([sizes[0]?.width, sizes[0]?.height]).toEqual([sizes[1]?.width, sizes[1]?.height]);
  await no.click();
  await expect(banner(page)).toHaveCount(0);
  await reload(page);
  await page.waitForLoadState("networkidle");
  await expect(banner(page)).toHaveCount(0);
  expect([fetched(), await layer(page), await page.evaluate(() => "ym" in window)]).toEqual([0, [], false]);

  await page.getByRole("contentinfo").getByRole("link", { name: "Настройки cookie" }).click();
  await expect(banner(page)).toBeFocused();
  await yes.click();
  await expect.poll(fetched).toBe(1);
  await expect.poll(() => counterCalls(page)).toContainEqual(["hit", `${counted.url}/catalog`]);
  await expect.poll(() => actions(page)).toContain("impressions");

  await page.evaluate(() => {
    document.cookie = "_ym_uid=1; Path=/";
    localStorage.setItem("_ym_retry", "1");
  });
  await page.getByRole("contentinfo").getByRole("link", { name: "Настройки cookie" }).click();
  await no.click();
  await expect
    .poll(() =>
      page.evaluate(() => [document.cookie.includes("_ym"), localStorage.getItem("_ym_retry"), "ym" in window, "dataLayer" in window]),
    )
    .toEqual([false, null, false, false]);
  await reload(page);
  await page.waitForLoadState("networkidle");
  expect(fetched()).toBe(1);
  expect(refused).toEqual([]);
  await page.context().close();
});

test("after consent the steps from a list to an order are counted, the order once, in roubles", async ({ browser, counted }) => {
  const { page, fetched, refused } = await newVisitor(browser, counted);
  await open(page, "/catalog/gold/monety-georgiy-pobedonosec/50-rub?year=2026&mint=moskovskij-monetnyj-dvor-mmd");
  await banner(page).getByRole("button", { name: "Разрешить" }).click();
  await expect.poll(() => actions(page)).toContain("impressions");
  await page.getByRole("main").locator(`a[href="/products/${aCoin.slug}"]`).first().click();
  await expect.poll(() => actions(page)).toContain("detail");
  await page.getByRole("main").getByRole("button", { name: "В корзину", exact: true }).first().click();
  await expect.poll(() => actions(page)).toContain("add");
  await page
    .getByRole("main")
    .getByRole("link", { name: /^В корзине/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/cart$/);
  await page.getByRole("main").getByRole("button", { name: "Очистить корзину" }).click();
  await expect.poll(() => actions(page)).toContain("remove");
  const events = await layer(page);
  expect(new Set(events.map(({ ecommerce }) => ecommerce.currencyCode))).toEqual(new Set(["RUB"]));
  const ecommerceEvent = (name: string) =>
    events.find(({ ecommerce }) => name in ecommerce)?.ecommerce[name] as { products: { id: string; price: number; quantity: number }[] };
  expect([
    ecommerceEvent("click").products[0]?.id,
    ecommerceEvent("detail").products[0]?.id,
    ecommerceEvent("add").products[0]?.quantity,
  ]).toEqual([String(aCoin.id), String(aCoin.id), 1]);
  expect(ecommerceEvent("add").products[0]?.price).toBeGreaterThan(1_000);

  // Pays at the office: an order without a payment page.
  const headers = { origin: counted.url };
  const send = async (method: "post" | "patch", url: string, data: object, more = {}) =>
    (
      (await (await page.request[method](url, { data, headers: { ...headers, ...more } })).json()) as {
        data: { quoteId: string; id: string; key: string };
      }
    ).data;
  await send("patch", `/api/cart/${aCoin.id}`, { quantity: 2 });
  const { quoteId } = await send("post", "/api/checkout/quote", { deliveryId: 35, city: "0000073738", paymentId: 7 });
  const user = { name: "Анна", lastName: "Белова", email: "anna@example.com", phone: "+79160001122" };
  const order = await send(
    "post",
    "/api/orders",
    { quoteId, user, delivery: { id: 35 }, paymentId: 7, consent: true },
    { "idempotency-key": "counted-1" },
  );
  // The page's address contains the order's key: the counter is not loaded there, and the order is counted on the next page.
  const before = fetched();
  await open(page, `/thanks?order=${order.id}&key=${order.key}`);
  await page.waitForLoadState("networkidle");
  await expect.poll(() => actions(page)).toEqual(["purchase"]);
  const [bought] = await layer(page);
  expect(bought?.ecommerce.purchase).toMatchObject({ actionField: { id: order.id }, products: [{ id: String(aCoin.id), quantity: 2 }] });
  expect([fetched(), await page.evaluate(() => "ym" in window)]).toEqual([before, false]);
  await page.getByRole("contentinfo").getByRole("link", { name: "Документы и согласия" }).click();
  await expect(page).toHaveURL(/\/documents$/);
  await expect.poll(() => counterCalls(page)).toContainEqual(["hit", `${counted.url}/documents`]);
  expect(await actions(page)).toContain("purchase");
  expect(JSON.stringify(await page.evaluate(() => (window as unknown as { counterCalls?: unknown[] }).counterCalls))).not.toContain(
    order.key,
  );
  await goBack(page);
  await expect(page).toHaveURL(/\/thanks/);
  await expect.poll(() => page.evaluate(() => "ym" in window)).toBe(false);
  expect(await actions(page)).toEqual([]);
  await open(page, `/order/${order.id}?key=${order.key}`);
  await page.waitForLoadState("networkidle");
  expect(await page.evaluate(() => "ym" in window)).toBe(false);
  expect(refused).toEqual([]);
  await page.context().close();
});

test("on a phone the cookie banner does not cover the way to buy and can be used by keyboard", async ({ browser, shop }) => {
  const { page } = await newVisitor(browser, shop, { viewport: { width: 360, height: 740 } });
  await open(page, `/products/${aCoin.slug}`);
  await expect(banner(page)).toBeVisible();
  const bar = page.locator(".sticky.is-shown");
  await expect(bar).toBeVisible();
  const [box, bought] = [await banner(page).boundingBox(), await bar.boundingBox()];
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(bought?.y ?? 0);
  await bar.getByRole("button", { name: "В корзину" }).click();
  await expect(bar.getByRole("link", { name: /^В корзине 1/ })).toBeVisible();
  await banner(page).getByRole("button", { name: "Только нужные" }).press("Enter");
  await expect(banner(page)).toHaveCount(0);
  await page.context().close();
});

test("a shop without a counter loads nothing from other sites; one with a counter loads only that", async ({ shop, counted }) => {
  const policy = async ({ url }: RunningShop) => (await fetch(`${url}/`)).headers.get("content-security-policy") ?? "";
  expect(await policy(shop)).not.toMatch(/metrika|yandex/);
  for (const part of ["script-src", "img-src", "connect-src"])
    expect(await policy(counted)).toMatch(new RegExp(`${part} [^;]*https://metrika\\.example`));
  expect(await policy(counted)).not.toContain("default-src 'self' https");
});

test("newsletter consent is never preselected; in the profile it is withdrawn with one click", async ({ page, shop }) => {
  await putInCart(page);
  await open(page, "/checkout");
  const box = page.getByRole("main").getByRole("checkbox", { name: /Получать письма о новых монетах и акциях/ });
  await expect(box).not.toBeChecked();
  await expect(box).not.toHaveAttribute("required");

  const phone = aPhone();
  const headers = { origin: shop.url };
  await page.request.post("/api/auth/get-code", { data: { phone }, headers });
  await page.request.post("/api/auth/check-code", { data: { phone, code: await readCode(shop, phone) }, headers });
  await open(page, "/my/profile");
  await expect(page.getByRole("main").getByText("Не присылаем")).toBeVisible();
  await open(page, "/my/profile/edit");
  await expect(box).not.toBeChecked();
  await page.getByLabel("Имя", { exact: true }).fill("Вера");
  await box.check();
  await page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect(page.getByText("Обязательное поле")).toBeVisible();
  await expect(box).toBeChecked();
  await page.getByLabel("Электронная почта").fill("vera@example.com");
  await page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect(page.getByRole("main").getByText(/Согласие дано \d/)).toBeVisible();
  await open(page, "/checkout");
  await expect(page.getByRole("main").getByRole("checkbox", { name: /Разрешаю обработку/ })).toBeVisible();
  await expect(box).toHaveCount(0);
  await open(page, "/my/profile");
  await page.getByRole("button", { name: "Отозвать согласие на рассылку" }).click();
  await expect(page.getByRole("main").getByText("Не присылаем")).toBeVisible();
  await expect(page.getByText("Новостей больше не пришлём", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});
