import type { Page } from "@playwright/test";
import {
  agreeAndOrder,
  aCoin,
  aPhone,
  expect,
  fillContacts,
  pressesAnswered,
  untilInteractive,
  priceIsLocked,
  putInCart,
  test,
  orderButton,
  open,
  openWithoutWaiting,
  reload,
} from "./journey.ts";

const header = (page: Page) => page.getByRole("banner");
const footer = (page: Page) => page.getByRole("contentinfo");
const h1 = (page: Page) => page.getByRole("heading", { level: 1 });

/** Counts loads of the document and collects the page's fault reports. */
async function watch(page: Page): Promise<{ loads: string[]; reports: string[] }> {
  const seen = { loads: [] as string[], reports: [] as string[] };
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) seen.loads.push(new URL(request.url()).pathname);
    if (request.url().endsWith("/api/faults")) seen.reports.push(request.postData() ?? "");
  });
  return seen;
}

test("an error page shows a coin with the code, its title and text, and a link home", async ({ page }) => {
  const response = await open(page, "/products/net-takoj-monety");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("img", { name: "404" })).toHaveText("44");
  await expect(page.getByRole("img", { name: "404" }).locator("img")).toBeVisible();
  await expect(h1(page)).toHaveText("Страница не найдена");
  await expect(page).toHaveTitle(/Страница не найдена/);
  await expect(page.getByRole("main")).toContainText("Такой страницы нет");
  await page.getByRole("main").getByRole("link", { name: "Перейти на главную" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);

  let answer = { status: 500, body: "" };
  await page.route("**/about.data*", (route) => route.fulfill({ ...answer, contentType: "text/plain" }));
  for (const [given, digits, title] of [
    [{ status: 500, body: "" }, "503", "Сервис временно недоступен"],
    [{ status: 429, body: "Слишком много запросов" }, "429", "Слишком много запросов"],
    [{ status: 418, body: "I am a teapot" }, "418", "Что-то пошло не так"],
    [{ status: 400, body: "Page not found" }, "400", "Страница не найдена"],
  ] as const) {
    answer = given;
    await footer(page).getByRole("link", { name: "О магазине" }).click();
    await expect(page.getByRole("img", { name: digits })).toBeVisible();
    await expect(h1(page)).toHaveText(title);
    await expect(page.getByRole("main")).toContainText("Мы уже разбираемся, что случилось. Попробуйте зайти позже.");
    await page.getByRole("link", { name: "Перейти на главную" }).click();
    await expect(page).toHaveURL(/:\d+\/$/);
  }
  // The page is loaded again as a document, which is answered.
  await footer(page).getByRole("link", { name: "О магазине" }).click();
  await page.getByRole("link", { name: "Попробовать ещё раз" }).click();
  await expect(h1(page)).toHaveText("О магазине");
});

test("a script missing after a release reloads the page once, never twice within ten seconds, and the page stays readable", async ({
  page,
}) => {
  const seen = await watch(page);
  await open(page, "/delivery");
  await page.route(/\/assets\/(reviews|contacts)-page-[^/]*\.js/, (route) => route.abort());
  await footer(page).getByRole("link", { name: "Отзывы" }).click();
  await expect(page).toHaveURL(/\/reviews$/);
  await expect.poll(() => seen.reports.length).toBe(1);
  expect(seen.loads).toEqual(["/delivery", "/reviews"]);
  expect(seen.reports[0]).toContain("mount: ");
  await expect(h1(page)).toContainText("Отзывы");
  await expect(page).toHaveTitle(/Отзывы/);

  // On a running page, within the ten seconds: the page stays, shows a message, and links work.
  await footer(page).getByRole("link", { name: "О магазине" }).click(); // a plain link: the page before had no scripts
  await expect(page).toHaveURL(/\/about$/);
  await untilInteractive(page);
  await page.evaluate(() => sessionStorage.setItem("chunk-reloaded-at", String(Date.now())));
  await footer(page).getByRole("link", { name: "Контакты" }).click();
  await expect(page.locator(".toast")).toContainText("Страница не загрузилась");
  await expect(page).toHaveURL(/\/about$/);
  await footer(page).getByRole("link", { name: "Доставка и оплата" }).click();
  await expect(page).toHaveURL(/\/delivery$/);
  expect(seen.loads).toEqual(["/delivery", "/reviews", "/about"]);
});

test("on a slow phone a lost script of the next page loads that page, not the current one again", async ({ page }) => {
  const seen = await watch(page);
  await open(page, "/delivery");
  await page.route(/\/assets\/reviews-page-[^/]*\.js/, (route) => route.abort());
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 20 }); // React shows the navigation long after the script was lost
  await footer(page).getByRole("link", { name: "Отзывы" }).click();
  await expect.poll(() => seen.loads.length).toBe(2);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await expect(h1(page)).toContainText("Отзывы");
  expect(seen.loads).toEqual(["/delivery", "/reviews"]);
});

test("a page that cannot start is reloaded once, then reported to the server; its links and forms work", async ({ page }) => {
  const seen = await watch(page);
  await page.route(/\/assets\/shell-[^/]*\.js/, (route) => route.abort());
  await openWithoutWaiting(page, `/products/${aCoin.slug}`, "scripts fail");
  await expect.poll(() => seen.reports.length).toBe(1);
  expect(seen.loads).toHaveLength(2);
  await page.getByRole("main").getByRole("button", { name: "В корзину", exact: true }).first().click();
  await openWithoutWaiting(page, "/cart", "scripts fail");
  await expect(page.getByRole("main")).toContainText("Георгий Победоносец");
  // The second click happens while the first is being sent.
  const more = page.getByRole("main").getByRole("button", { name: "Больше" });
  await more.evaluate((button: HTMLButtonElement) => {
    button.click();
    // oxlint-disable-next-line no-restricted-globals -- an order, not a wait: after the timer by which the page counts the first press
    setTimeout(() => button.click());
  });
  const quantity = page.getByRole("main").getByRole("textbox", { name: "Количество" });
  await expect(quantity).toHaveValue("3");
  await quantity.fill("2");
  await quantity.press("Enter");
  await expect(page.getByRole("main")).toContainText(/2\s×/);
});

test("a newer build is offered each hour, and never at checkout", async ({ page }) => {
  let version = "one";
  await page.route("**/api/build", (route) => route.fulfill({ json: { data: { version } } }));
  await putInCart(page);
  const offer = page.getByText("Сайт обновился.");
  let requested = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/build")) requested += 1;
  });
  page.on("framenavigated", () => {
    requested = 0; // requests of the page before do not count
  });
  const hour = async () => {
    await page.clock.install();
    version = "one";
    await reload(page);
    await expect(header(page).getByRole("link", { name: /^Корзина, / })).toBeVisible();
    await page.clock.runFor(11_000);
    await expect.poll(() => requested).toBe(1);
    version = "two";
    await page.clock.fastForward(3_600_000);
    await expect.poll(() => requested).toBe(2);
  };
  await hour();
  await expect(offer).toBeVisible();
  await page.getByRole("button", { name: "Не сейчас" }).click();
  await expect(offer).toHaveCount(0);
  await page.evaluate(() => {
    Object.assign(window, { isOldPage: true });
  });
  await footer(page).getByRole("link", { name: "О магазине" }).click(); // the next page is from the new build
  await expect(page).toHaveURL(/\/about$/);
  await page.waitForFunction(() => !("isOldPage" in window));
  await open(page, "/checkout");
  await hour();
  await page.clock.runFor(1_000);
  await expect(offer).toHaveCount(0);
});

test("a lost connection while buying: the page stays, shows a message, and the same click works once it is back", async ({
  page,
  context,
}) => {
  await putInCart(page);
  await open(page, "/cart");
  const signIn = header(page).getByRole("button", { name: "Войти" }).first();
  await expect(signIn).toBeVisible(); // the page is interactive and has loaded its visitor's state
  const main = page.getByRole("main");
  const quantity = main.getByRole("textbox", { name: "Количество" });
  await context.setOffline(true);
  await main.getByRole("button", { name: "Больше" }).click();
  await expect(page.locator(".toast")).toContainText("Нет связи с магазином");
  await expect(quantity).toHaveValue("1");
  await signIn.click(); // a dialog whose code was not loaded yet
  await expect(page.locator(".toast").filter({ hasText: "Окно не открылось" })).toBeVisible();
  await expect(h1(page)).toContainText("Корзина");
  await context.setOffline(false);
  await main.getByRole("button", { name: "Больше" }).click();
  await expect(quantity).toHaveValue("2");
  await pressesAnswered(page); // a checkout of the cart before it asks about the other quantity

  await open(page, "/checkout");
  await fillContacts(page, { lastName: "Связнов", name: "Илья", phone: aPhone(), email: "ilya@example.com" });
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await priceIsLocked(page);
  // reports without a connection are sent with the page
  await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => name.includes("order-error-dialog")));
  await context.setOffline(true);
  await agreeAndOrder(page);
  const dialog = page.getByRole("dialog", { name: "Магазин пока не ответил" });
  await expect(dialog).toContainText("второго заказа не будет");
  await context.setOffline(false);
  await page.keyboard.press("Escape");
  await orderButton(page).click();
  await expect(page.locator('button[value="pay"]')).toBeVisible();
});

test("a cleared cart that cannot be restored while the connection is lost is offered again", async ({ page, context }) => {
  const main = page.getByRole("main");
  await putInCart(page);
  await open(page, "/cart");
  await main.getByRole("button", { name: "Очистить корзину" }).click();
  const restore = main.getByRole("button", { name: "Вернуть, что было" });
  await expect(restore).toBeVisible();
  await context.setOffline(true);
  await restore.click();
  await expect(page.getByText("Нет связи с магазином. Проверьте интернет и повторите").first()).toBeVisible();
  await expect(restore).toBeEnabled();
  await context.setOffline(false);
  await restore.click();
  await expect(main.getByRole("textbox", { name: "Количество" })).toHaveValue("1");

  // What was taken out one by one afterwards is not offered.
  await main.getByRole("button", { name: /^Убрать: / }).click();
  await expect(main.getByRole("heading", { name: "Здесь пока пусто" })).toBeVisible();
  await expect(restore).toHaveCount(0);
});

test("if the visitor's state, cart and lists cannot be loaded, the page works and only the log has the fault", async ({ page }) => {
  const faults: string[] = [];
  const warnings: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "warning") warnings.push(message.text());
  });
  await open(page, "/about");
  await page.setViewportSize({ width: 1280, height: 800 });
  let isOut = true;
  for (const path of ["**/api/state", "**/api/cart"]) await page.route(path, (route) => (isOut ? route.abort() : route.continue()));
  await open(page, `/products/${aCoin.slug}`);
  await expect.poll(() => warnings.join()).toContain("shop state was not refreshed");
  await expect(h1(page)).toContainText("Георгий Победоносец");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator(".toast")).toHaveCount(0);

  // A change that does not reach the server is undone with a message; while it is being sent the icon shows it.
  const refusal = Promise.withResolvers<void>();
  await page.route("**/api/wishlist/*", async (route) => {
    await refusal.promise;
    await route.abort();
  });
  const heart = page
    .getByRole("main")
    .getByRole("button", { name: /^В избранное: .*Георгий/ })
    .first();
  await heart.click();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  const wishlist = header(page).getByRole("link", { name: /^Избранное/ });
  await expect(wishlist).toHaveAttribute("aria-busy", "true");
  refusal.resolve();
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  await expect(wishlist).not.toHaveAttribute("aria-busy", /./);
  await expect(page.locator(".toast")).toContainText("Нет связи с магазином");

  isOut = false;
  const answer = Promise.withResolvers<void>();
  await page.route("**/api/cart/*", async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.getByRole("main").getByRole("button", { name: "В корзину", exact: true }).first().click();
  await expect(header(page).getByRole("link", { name: /^Корзина/ })).toHaveAttribute("aria-busy", "true");
  answer.resolve();
  await expect(header(page).getByRole("link", { name: "Корзина, 1 монета" })).not.toHaveAttribute("aria-busy", /./);
  expect(faults).toEqual([]);
});
