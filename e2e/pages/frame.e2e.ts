import type { Page } from "@playwright/test";
import site from "../../db/seed/data/site.json" with { type: "json" };
import { siteParts } from "../../src/shop/content/site/parts.ts";
import {
  aCoin,
  aPhone,
  expect,
  putInCart,
  reload,
  signInByCall,
  test,
  open,
  openWithoutWaiting,
  goBack,
  untilInteractive,
} from "../journey.ts";

const menu = siteParts.menu.parse(site.find(({ kind }) => kind === "menu"));

const header = (page: Page) => page.getByRole("banner");
const footer = (page: Page) => page.getByRole("contentinfo");
const top = (page: Page) => header(page).evaluate((each) => Math.round(each.getBoundingClientRect().top));
const rates = (page: Page) => page.getByRole("region", { name: "Курсы металлов и доллара" });
/** Types Cyrillic keys, which the driver's keyboard lacks. */
const press = (page: Page, ...keys: string[]) =>
  page.evaluate((all) => {
    for (const key of all) document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  }, keys);
const delivery = "Доставим бесплатно до ближайшего пункта выдачи СДЭК при заказе через сайт";

/** Holds back the scripts of all pages until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise: isAllowed, resolve } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await isAllowed;
    await route.continue().catch(() => {});
  });
  return resolve;
}

test("the wide header has menus, a catalogue by pointer and keys, telephones and badges, and sticks to the top", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, "/");
  await expect(rates(page)).toBeVisible();
  await expect(page.getByText(delivery)).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Главное меню" }).locator("> ul > li")).toHaveText([
    /^Каталог/,
    "Золото",
    "Серебро",
    "Акции",
    "Доставка и оплата",
    "Контакты",
  ]);
  const second = page.getByRole("complementary", { name: "Доставка" }).getByRole("navigation");
  await expect(second.getByRole("link")).toHaveText(menu.secondary.slice(0, -1).map(({ name, short }) => short || name));
  await expect(second.getByRole("link", { name: "Партнёрская программа" })).toHaveCount(0);

  // At the narrowest desktop width both menus fit on one line.
  await page.setViewportSize({ width: 1024, height: 800 });
  for (const { name } of menu.main)
    await expect(page.locator(".main-menu > ul > li").getByText(name, { exact: true }).and(page.locator(":visible"))).toBeInViewport();
  expect(await header(page).evaluate((each) => each.clientHeight)).toBeLessThan(90);
  await page.setViewportSize({ width: 1280, height: 800 });

  // The catalogue's drop-down.
  const catalogue = header(page).locator("summary", { hasText: "Каталог" });
  const panel = header(page).locator(".drop--catalog .drop__panel");
  await catalogue.click();
  await expect(panel.getByRole("link", { name: "Инвестиционные монеты", exact: true })).toBeVisible();
  await expect(panel.getByRole("link", { name: "Памятные монеты", exact: true })).toBeVisible();
  await page.mouse.move(640, 700);
  await expect(panel).toBeHidden();
  await catalogue.focus();
  await page.keyboard.press("ArrowDown");
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  await expect.poll(focused).toBe("Золото");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await expect.poll(focused).toBe("Золото");
  await page.clock.install();
  await press(page, "с", "е");
  await expect.poll(focused).toBe("Сеятель");
  await page.clock.runFor(400); // type-ahead letters are cleared after 350 ms
  await press(page, "п");
  await expect.poll(focused).toBe("Памятные из золота");
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect.poll(focused).toContain("Каталог");

  // Telephones on hover, and by keyboard alone.
  const callus = page.getByRole("group", { name: "Телефоны и мессенджеры" });
  const messengers = callus.getByRole("list", { name: "Мессенджеры" }).getByRole("link");
  await expect(messengers.first()).toBeHidden();
  await callus.hover();
  await expect(messengers).toHaveCount(2);
  await expect(messengers.first()).toBeVisible();
  await expect(callus).toContainText("+7 800 000-00-00");
  await expect(callus).toContainText("добавочный 2");
  await expect(callus).toContainText("Пятница 10–17");
  await page.mouse.move(300, 700);
  await expect(messengers.first()).toBeHidden();
  await callus.getByRole("link", { name: /^Позвонить/ }).focus();
  await expect(messengers.first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(messengers.first()).toBeHidden();

  // Badges are shown only above zero.
  await expect(header(page).locator(".badge")).toHaveCount(0);
  await putInCart(page);
  const heart = page
    .getByRole("main")
    .getByRole("button", { name: /^В избранное: .*Георгий/ })
    .first();
  await heart.click();
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Сравнить: .*Георгий/ })
    .first()
    .click();
  await expect(header(page).locator(".badge")).toHaveText(["1", "1", "1"]);
  await expect(header(page).getByRole("link", { name: "Избранное, 1 монета" })).toBeVisible();
  await heart.click();
  await expect(header(page).getByRole("link", { name: "Избранное", exact: true })).toBeVisible();
  await expect(header(page).locator(".badge")).toHaveCount(2);

  // Sticky: at the top of the window, below the rates on pages where coins are bought.
  await page.mouse.wheel(0, 900);
  await expect.poll(() => top(page)).toBe(0);
  await open(page, "/checkout");
  await page.mouse.wheel(0, 900);
  await expect.poll(() => top(page)).toBe(44);
  await expect(rates(page)).toBeInViewport();
  await open(page, "/cart");
  await page.mouse.wheel(0, 900);
  await expect
    .poll(() =>
      page.evaluate(() => scrollY === 0 || Math.round(document.querySelector("header")?.getBoundingClientRect().top ?? -1) === 44),
    )
    .toBe(true);
  await open(page, "/partners");
  await expect(page.getByText(delivery)).toHaveCount(0);
  await expect(page.getByRole("navigation", { name: "О магазине" })).toBeVisible();
});

test("the footer repeats the menus and links series, certificates, returns, ratings, payment and documents", async ({
  page,
  request,
  shop,
}) => {
  await open(page, "/about");
  for (const { name, href } of [...menu.main, ...menu.secondary])
    await expect(footer(page).locator(`a[href="${href}"]`), name).toHaveText(name);
  for (const name of ["Сертификаты", "Обмен и возврат", "Червонец «Сеятель»"])
    await expect(header(page).getByRole("link", { name, exact: true })).toHaveCount(0);
  await expect(footer(page).locator(".ratings > div")).toHaveText([/Яндекс Карты\s*5,0\s*образец/, /2ГИС\s*4,9\s*образец/]);
  await expect(footer(page).locator('a[href^="tel:"]')).toHaveCount(2);
  await expect(footer(page).locator('a[href^="mailto:"]')).toBeVisible();
  await expect(footer(page).locator("address")).toContainText(/Центральный офис, Москва[\s\S]*добавочный 2[\s\S]*Монетный переулок/);
  await expect(footer(page).getByRole("list", { name: "Способы оплаты" }).getByRole("listitem")).toHaveText([
    "Мир",
    "Visa",
    "Mastercard",
    "СБП",
    "ЮKassa",
  ]);
  const year = await fetch(`${shop.url}/healthz`).then((answer) => new Date(answer.headers.get("date") ?? "").getFullYear());
  await expect(footer(page)).toContainText(`© 2000–${year}`);
  const policy = await request.get(
    (await footer(page)
      .getByRole("link", { name: /Политика конфиденциальности/ })
      .getAttribute("href")) ?? "",
  );
  expect(policy.headers()["content-type"]).toBe("application/pdf");
});

test("on a phone rates are shown only where coins are bought; the left panel closes when the window is widened", async ({ page, shop }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page, "/");
  await expect(rates(page)).toBeHidden();
  await expect(page.getByText("До пункта СДЭК бесплатно при заказе на сайте")).toBeVisible();
  const burger = header(page).getByRole("button", { name: "Открыть меню" });
  const panel = page.getByRole("dialog", { name: "Меню" });
  await burger.click();
  await expect(panel).toBeVisible();
  await expect(panel.getByRole("navigation").locator(".side__main > li > a")).toHaveText(menu.main.map(({ name }) => name));
  await expect(panel.getByRole("link", { name: "Инвестиционные монеты" })).toBeVisible();
  await expect(panel.getByRole("link", { name: "Памятные монеты" })).toBeVisible();
  for (const { name } of menu.secondary) await expect(panel.getByRole("link", { name, exact: true })).toHaveCount(1);
  await expect(panel.getByRole("link", { name: "+7 495 000-00-00" })).toHaveCount(1);
  await expect.poll(() => panel.evaluate((each) => each.getBoundingClientRect().left)).toBeCloseTo(0);

  const field = panel.getByPlaceholder("Поиск", { exact: true });
  await field.fill("сеятель");
  await field.press("Enter");
  await expect(page).toHaveURL(/\/search\?q=/);
  await expect(panel).toBeHidden();
  await burger.click();
  await expect(field).toHaveValue("");
  await panel.getByRole("link", { name: "О магазине" }).click();
  await expect(page).toHaveURL(/\/about$/);
  await expect(panel).toBeHidden();

  await burger.click();
  await page.setViewportSize({ width: 1280, height: 640 });
  await expect(panel).toBeHidden();
  await page.setViewportSize({ width: 320, height: 640 });

  await header(page).getByRole("button", { name: "Войти" }).click();
  await expect(page.getByRole("dialog", { name: "Вход или регистрация" })).toBeVisible();
  await page.keyboard.press("Escape");
  await signInByCall(page, shop, aPhone());
  await open(page, "/cart");
  await expect(rates(page)).toBeVisible();
  await header(page).getByRole("link", { name: "Профиль" }).click();
  await expect(page).toHaveURL(/\/my$/);
  await expect(page.getByRole("heading", { level: 1, name: "Кабинет" })).toBeVisible();
});

test("«Профиль» lists the account; signing out waits for the answer and replaces the page with the home page", async ({ page, shop }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, "/about");
  await signInByCall(page, shop, aPhone());
  await open(page, "/contacts");
  const profile = header(page).locator("summary", { hasText: "Профиль" });
  await profile.click();
  const menu = header(page).locator(".drop--right");
  await expect(menu.getByRole("listitem")).toHaveText(["Личные данные", "Заказы", "Избранное", "Выйти"]);
  for (const [name, href] of [
    ["Личные данные", "/my/profile"],
    ["Заказы", "/my/orders"],
    ["Избранное", "/wishlist"],
  ] as const)
    await expect(menu.getByRole("link", { name })).toHaveAttribute("href", href);

  let answer = () => {};
  const isAllowed = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/auth/logout", async (route) => {
    await isAllowed;
    await route.continue();
  });
  await menu.getByRole("button", { name: "Выйти" }).click();
  await expect(menu.getByRole("button", { name: "Выйти" })).toBeDisabled();
  await expect(page).toHaveURL(/\/contacts$/);
  const before = await page.evaluate(() => history.length);
  answer();
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(header(page).getByRole("button", { name: "Войти" }).first()).toBeVisible();
  expect(await page.evaluate(() => history.length)).toBe(before);
  await goBack(page);
  await expect(page).toHaveURL(/\/about$/); // «Контакты» is not in the history any more
});

test("menus and dialogs open in 300 ms and close in 200, or at once with reduced motion", async ({ browser, shop }) => {
  for (const [reducedMotion, come, go] of [
    ["no-preference", "0.3s", "0.2s"],
    ["reduce", "0s", "0s"],
  ] as const) {
    const context = await browser.newContext({ reducedMotion, viewport: { width: 800, height: 700 } });
    const page = await context.newPage();
    await open(page, `${shop.url}/about`);
    await header(page).getByRole("button", { name: "Войти" }).click();
    const dialog = page.getByRole("dialog");
    const duration = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((each) => getComputedStyle(each).transitionDuration.split(",")[0]);
    await expect(dialog).toBeVisible();
    expect(await duration(".dialog")).toBe(come);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await header(page).getByRole("button", { name: "Открыть меню" }).click();
    expect(await duration(".side")).toBe(come);
    expect(
      await page.locator(".side").evaluate((each) => {
        const closed = document.body.appendChild(each.cloneNode() as HTMLElement);
        closed.removeAttribute("open");
        return getComputedStyle(closed).transitionDuration.split(",")[0];
      }),
    ).toBe(go);
    await context.close();
  }
});

const unscripted = [
  "/",
  "/catalog",
  `/products/${aCoin.slug}`,
  "/search?q=георгий",
  "/cart",
  "/wishlist",
  "/product-comparison",
  "/quotes-online",
  "/coin-buyback",
  "/contacts",
  "/reviews",
  "/my",
  "/cabinet/create",
];

test("without scripts every visible control works: links lead, forms are sent, the rest is hidden", async ({ browser, shop }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await openWithoutWaiting(page, `${shop.url}/products/${aCoin.slug}`, "scripts are off");
  await page.getByRole("main").getByRole("button", { name: "В корзину", exact: true }).first().click();
  for (const path of unscripted) {
    await openWithoutWaiting(page, `${shop.url}${path}`, "scripts are off");
    const pressable = page.locator("button:visible:enabled");
    await expect(pressable.and(page.locator('[type="button"]')), path).toHaveCount(0);
    // A button is in its form, or names that of the page.
    const sending = 'form button, body:has(form#add-to-cart) [form="add-to-cart"]';
    await expect(pressable.and(page.locator(`button:not(${sending})`)), path).toHaveCount(0);
    await expect(page.locator('a[href="#"], a:not([href]), a[href^="javascript"]'), path).toHaveCount(0);
  }
  await openWithoutWaiting(page, `${shop.url}/about`, "scripts are off");
  await header(page).getByRole("button", { name: "Войти" }).click();
  await expect(page).toHaveURL(/\/my$/);
  await expect(page.getByRole("heading", { level: 1, name: "Войдите в кабинет" })).toBeVisible();
  await page.setViewportSize({ width: 360, height: 640 });
  await header(page).getByRole("button", { name: "Открыть меню" }).click();
  await expect(footer(page).getByRole("link", { name: "Золото", exact: true })).toBeInViewport();
  await context.close();
});

/**
 * The most script files with which a first view begins: React with the router, the frame, the page's own, and for all but the home page one
 * that it shares with others.
 */
const firstViews = [
  { path: "/", maxScripts: 3 },
  { path: "/catalog", maxScripts: 4 },
  { path: `/products/${aCoin.slug}`, maxScripts: 4 },
  { path: "/search?q=георгий", maxScripts: 4 },
  { path: "/checkout", maxScripts: 4 },
];
/** All requests of a first view before `load`, with the document. */
const maxRequests = 5;
/** Icons refer to drawings in the document, so that none is loaded. */
const missingIcons = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("use")]
      .map((use) => use.getAttribute("href") ?? "")
      .filter((href) => !href.startsWith("#") || document.querySelector(`symbol${href}`) === null),
  );

test("a first view on a phone is painted and loaded before its scripts, other fonts and pictures further down are requested", async ({
  browser,
  shop,
}) => {
  for (const { path, maxScripts } of firstViews) {
    const context = await browser.newContext({ viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true });
    const page = await context.newPage();
    // Without the latest start of the scripts, which a busy machine may reach before a page has loaded.
    await page.addInitScript(() => {
      const plain = window.setTimeout;
      window.setTimeout = ((work: () => void, delay?: number) => plain(work, (delay ?? 0) >= 1_500 ? 600_000 : delay)) as typeof plain;
    });
    if (path === "/checkout")
      await context.request.patch(`${shop.url}/api/cart/${aCoin.id}`, { data: { quantity: 1 }, headers: { origin: shop.url } });
    // In the order of the requests: entries of the browser's timing that started in the same tenth of a millisecond are in any order.
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await open(page, shop.url + path);
    const { loadedAt, paintedAt, files } = await page.evaluate(() => {
      const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      return {
        loadedAt: visit?.loadEventStart ?? 0,
        paintedAt: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity,
        files: performance.getEntriesByType("resource").map(({ name, startTime }) => ({ name, startTime })),
      };
    });
    const scripts = files.filter(({ name }) => name.endsWith(".js"));
    const scriptUrls = requested.filter((url) => url.endsWith(".js"));
    expect(scriptUrls[0], `the largest file of ${path} is requested first`).toMatch(/\/vendor-[^/]+\.js$/);
    // They are requested together; those that the browser requests when it is idle come later.
    const first = await page.evaluate(() => {
      const start = [...document.scripts].find(({ text }) => text.includes("modulepreload"));
      return JSON.parse(/\}\)\((\[[^\]]+\])/.exec(start?.text ?? "")?.[1] ?? "[]") as string[];
    });
    expect(
      scriptUrls
        .slice(0, first.length)
        .map((url) => new URL(url).pathname)
        .toSorted(),
      path,
    ).toEqual(first.toSorted());
    expect(first.length, `scripts of ${path}: ${first.join(", ")}`).toBeLessThanOrEqual(maxScripts);
    expect(
      scripts.filter(({ startTime }) => startTime < Math.max(loadedAt, paintedAt)),
      `scripts that ${path} requests before it is painted and loaded`,
    ).toEqual([]);
    const early = files.filter(({ startTime }) => startTime < loadedAt).map(({ name }) => name);
    expect(early.filter((name) => name.endsWith(".woff2")).length, `${path}: ${early.join(", ")}`).toBeLessThanOrEqual(2);
    expect(1 + early.length, `${path}: ${early.join(", ")}`).toBeLessThanOrEqual(maxRequests);
    expect(await missingIcons(page), path).toEqual([]);
    // Nothing is delayed any longer: pictures further down and fonts of a few characters come now.
    await expect(page.locator("html"), path).not.toHaveAttribute("data-loading");
    // The rest of the page is laid out when the browser is idle, and stays so.
    await expect(page.locator("html"), path).not.toHaveAttribute("data-first-view");
    await context.close();
  }
});

test("a phone gets its main picture inside the document, and a sharp one when the page is interactive", async ({ browser, shop }) => {
  for (const path of ["/", `/products/${aCoin.slug}`, "/catalog"]) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true });
    const page = await context.newPage();
    // A page is rendered without a picture that was not encoded yet, and again after some seconds.
    await expect
      .poll(async () => (await (await context.request.get(shop.url + path)).text()).includes("data:image/avif"), { timeout: 30_000 })
      .toBe(true);
    const arrive = await holdScripts(page);
    await openWithoutWaiting(page, shop.url + path, "scripts are held back");
    const main = page.getByRole("main").locator("picture img").first();
    const shown = () => main.evaluate((image: HTMLImageElement) => [image.currentSrc.slice(0, 15), image.naturalWidth > 0]);
    await expect.poll(shown, path).toEqual(["data:image/avif", true]);
    arrive();
    await expect.poll(() => main.evaluate((image: HTMLImageElement) => image.currentSrc), path).toMatch(/-(480|640)\.webp$/);
    await context.close();
  }
});

test("nothing moves on a first view while its page becomes interactive", async ({ page }) => {
  await page.setViewportSize({ width: 412, height: 823 });
  await putInCart(page);
  await page.addInitScript(() => {
    Object.assign(window, { shifts: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        Object.assign(window, { shifts: Number(Reflect.get(window, "shifts")) + Number(Reflect.get(entry, "value")) });
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const path of ["/", "/catalog", `/products/${aCoin.slug}`, "/search?q=георгий", "/cart", "/checkout"]) {
    await open(page, path);
    // The visitor's state has arrived: the cart in the header has its coin.
    await expect(header(page).getByRole("link", { name: /^Корзина, 1 / })).toBeVisible();
    if (path === "/checkout") await expect(page.getByText("Уже покупали у нас?")).toBeVisible();
    const shifts = await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(Reflect.get(window, "shifts"))))),
    );
    expect(shifts, path).toBeLessThan(0.005);
  }
});

test("a click before the scripts have loaded is handled when they have", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const arrive = await holdScripts(page);
  await openWithoutWaiting(page, `/products/${aCoin.slug}`, "scripts are held back");
  const skipped = () =>
    page
      .locator("main .section, main .card:nth-child(n + 7)")
      .evaluateAll((all) => all.filter((each) => getComputedStyle(each).contentVisibility === "auto").length);
  expect(await skipped()).toBeGreaterThan(0);
  const heart = page
    .getByRole("main")
    .getByRole("button", { name: /^В избранное: .*Георгий/ })
    .first();
  await heart.click();
  await heart.click(); // a quick click
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  // A card, which React hydrates after the rest of the page.
  const card = page
    .locator(".card")
    .first()
    .getByRole("button", { name: /^В избранное: / });
  await card.click();
  arrive();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await expect(card).toHaveAttribute("aria-pressed", "true");
  await expect(header(page).getByRole("link", { name: "Избранное, 2 монеты" })).toBeVisible();
  await expect.poll(skipped, "parts that are laid out only near the window").toBe(0);
  await reload(page);
  expect(await skipped()).toBe(0);
});

test("entries and clicks before the scripts have loaded are kept and handled", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  let arrive = () => {};
  await page.route("**/assets/*.js", async (route) => {
    await isAllowed;
    await route.continue().catch(() => {});
  });
  let isAllowed = Promise.resolve();
  const openUnscripted = async (path: string) => {
    isAllowed = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await openWithoutWaiting(page, path, "scripts are held back");
  };
  await openUnscripted("/catalog/gold");
  const inStock = page.getByRole("checkbox", { name: "Есть сейчас" });
  await inStock.check();
  await page.getByRole("textbox", { name: "Цена от, рублей" }).fill("50000");
  arrive();
  await expect(page).toHaveURL(/inStock=1/);
  await expect(inStock).toBeChecked();
  await expect(page.getByRole("textbox", { name: "Цена от, рублей" })).toHaveValue(/^50.?000$/);

  // On a phone the filter button is a link then; the sheet it opened closes as usual.
  await page.setViewportSize({ width: 360, height: 740 });
  await openUnscripted("/catalog/gold");
  await page.getByRole("button", { name: /^Фильтры/ }).click();
  await expect(page).toHaveURL(/#filters$/);
  arrive();
  await expect(page.getByRole("button", { name: "Закрыть фильтры" })).toBeFocused();
  await page.getByRole("button", { name: "Закрыть фильтры" }).click();
  await expect(inStock).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 800 });

  await openUnscripted("/coin-buyback");
  const form = page.getByRole("region", { name: "Оценить монеты" });
  await form.getByLabel("Телефон").fill("8 916 123 45 67");
  await form.getByLabel("Состояние").selectOption("fair");
  await form.getByRole("button", { name: "Добавить монету" }).click();
  arrive();
  await expect(form.getByRole("combobox", { name: /^Монета/ })).toHaveCount(3);
  await expect(form.getByLabel("Телефон")).toHaveValue("+7 (916) 123-45-67");
  await expect(form.getByLabel("Состояние")).toHaveValue("fair");
});

test("entries and clicks before the scripts have loaded are kept when a browser extension has changed the page", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const arrive = await holdScripts(page);
  await openWithoutWaiting(page, "/catalog/gold", "scripts are held back");
  const heart = page
    .getByRole("main")
    .getByRole("button", { name: /^В избранное: / })
    .nth(4);
  const before = await heart.elementHandle();
  const name = (await heart.getAttribute("aria-label")) ?? "";
  await page
    .locator(".card")
    .nth(2)
    .evaluate((card) => card.prepend(document.createElement("span")));
  await heart.click();
  const inStock = page.getByRole("checkbox", { name: "Есть сейчас" });
  await inStock.check();
  await page.getByRole("textbox", { name: "Год от" }).fill("2020");
  arrive();
  await expect(page).toHaveURL(/inStock=1/);
  await expect(page).toHaveURL(/yearFrom=2020/);
  await expect(inStock).toBeChecked();
  await expect(header(page).getByRole("link", { name: "Избранное, 1 монета" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("button", { name, exact: true, pressed: true })).toHaveCount(1);
  expect(await before?.evaluate((button) => button.isConnected), "React has built the document again").toBe(false);
});

test("pages are prefetched when a link is hovered, at most four at once, and never personal ones", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await open(page, "/about");
  const begun: string[] = [];
  page.on("request", (request) => {
    if (/\.data/.test(request.url())) begun.push(new URL(request.url()).pathname);
  });
  // Prefetches bypass `page.route`: a slow connection delays them.
  const line = await page.context().newCDPSession(page);
  const slow = (latency: number) =>
    line.send("Network.emulateNetworkConditions", { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 });
  await line.send("Network.enable");
  await slow(8_000);
  const point = (name: string) => footer(page).getByRole("link", { name, exact: true }).dispatchEvent("pointerover");
  await expect(async () => {
    await point("Золото"); // the prefetch code is loaded when the page is idle
    expect(begun).toHaveLength(1);
  }).toPass();
  await page.clock.install();
  const rest = () => page.clock.runFor(150); // the hover delay is over
  for (const name of ["Серебро", "Отзывы", "Контакты", "Блог", "Кейсы"]) {
    await point(name);
    await rest();
  }
  await expect.poll(() => begun.length).toBeGreaterThanOrEqual(4);
  expect(begun).toEqual(["/catalog/gold.data", "/catalog/silver.data", "/reviews.data", "/contacts.data"]);
  await slow(0);
  await header(page).getByRole("link", { name: "Корзина", exact: true }).dispatchEvent("pointerover");
  await expect(async () => {
    await point("Блог");
    await rest();
    expect(begun.slice(4)).toEqual(["/news.data"]); // when a slot is free again
  }).toPass();
});

test("after «В корзину» the focus is on the link to the cart that takes the button's place", async ({ page }) => {
  await open(page, `/products/${aCoin.slug}`);
  await page.getByRole("main").getByRole("button", { name: "В корзину", exact: true }).first().press("Enter");
  await expect(page.getByRole("main").locator(".order").getByRole("link", { name: "В корзине 1" })).toBeFocused();
});

test("a double click on «В корзину» adds one piece and stays on the page of the coin", async ({ page }) => {
  await open(page, `/products/${aCoin.slug}`);
  const order = page.getByRole("main").locator(".order");
  const button = order.getByRole("button", { name: "В корзину", exact: true });
  await button.scrollIntoViewIfNeeded();
  const place = await button.boundingBox();
  const [x, y] = [(place?.x ?? 0) + 20, (place?.y ?? 0) + (place?.height ?? 0) / 2];
  await page.mouse.click(x, y);
  const link = order.getByRole("link", { name: "В корзине 1" });
  await expect(link).toBeVisible();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await untilInteractive(page);
  await expect(page).toHaveURL(/\/products\//);
  await link.click();
  await expect(page).toHaveURL(/\/cart$/);
});

test("a navigation without a page load is announced by its title, and a pressed link that is gone leaves the focus in the page", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await open(page, "/catalog/gold");
  const spoken = page.getByRole("status").filter({ has: page.locator("p.visually-hidden") });
  await expect(spoken.locator("p.visually-hidden").first()).toBeAttached(); // its code is loaded when the page is idle
  await page.locator(".card").first().getByRole("link").first().press("Enter");
  await expect(page).toHaveURL(/\/products\//);
  await expect(spoken.filter({ hasText: /Георгий Победоносец.* — Чекан/ })).toHaveCount(1);
  await expect(page.getByRole("main")).toBeFocused();
  await footer(page).getByRole("link", { name: "Контакты", exact: true }).press("Enter");
  await expect(spoken.filter({ hasText: /^Контакты.* — Чекан/ })).toHaveCount(1);
  await expect(footer(page).getByRole("link", { name: "Контакты", exact: true })).toBeFocused();
});
