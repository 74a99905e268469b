import type { Page } from "@playwright/test";
import sharp from "sharp";
import { axeFaults } from "../axe.ts";
import { aCoin, expect, test, open, openWithoutWaiting, goBack } from "../journey.ts";

const cards = (page: Page) => page.getByRole("main").locator(".card");
const found = async (page: Page): Promise<number> =>
  Number((await page.locator(".list-bar__count b").textContent())?.replaceAll(/\D/g, ""));
const isClean = async (page: Page): Promise<void> => expect(await axeFaults(page)).toEqual([]);

test.use({ contextOptions: { reducedMotion: "reduce" } });

test("a buyer combines filters: the counts are right, and Back restores the list", async ({ page }) => {
  await open(page, "/catalog");
  const all = await found(page);
  const silver = page.getByRole("checkbox", { name: /^Серебро/ });
  const promised = Number(
    (await page.locator("label.option", { hasText: "Серебро" }).locator("small").textContent())?.replaceAll(/\D/g, ""),
  );
  await silver.check();
  await expect(page).toHaveURL(/metal=silver/);
  await expect.poll(() => found(page)).toBe(promised);
  // The same facet still offers its other value: both together give all coins.
  await page.getByRole("checkbox", { name: /^Золото/ }).check();
  await expect.poll(() => found(page)).toBe(all);
  await page.getByRole("checkbox", { name: /^Золото/ }).uncheck();
  await page.getByLabel("Год от").fill("2023");
  await page.getByLabel("Год до").fill("2024");
  await page.getByLabel("Год до").press("Enter");
  await expect(page).toHaveURL(/metal=silver&yearFrom=2023&yearTo=2024$/);
  // the address changes before its list arrives
  await expect(page.getByRole("link", { name: "Убрать фильтр: Год, с 2023 по 2024 год" })).toBeVisible();
  expect(await found(page)).toBeLessThan(promised);
  const narrowed = await found(page);

  await cards(page).nth(5).getByRole("link").first().click();
  await expect(page).toHaveURL(/\/products\//);
  await goBack(page);
  await expect(page).toHaveURL(/metal=silver&yearFrom=2023&yearTo=2024$/);
  await expect.poll(() => found(page)).toBe(narrowed);
  await expect(page.getByRole("checkbox", { name: /^Серебро/ })).toBeChecked();
  await page.getByRole("link", { name: /^Убрать фильтр: Год/ }).click();
  await expect.poll(() => found(page)).toBe(promised);
  await isClean(page);
});

test("filters ticked and typed before an earlier answer arrives are kept", async ({ page }) => {
  await open(page, "/catalog?metal=silver");
  await expect(page.getByRole("checkbox", { name: /^Серебро/ })).toBeChecked();
  // The first year is completed when the answer to «Золото» has arrived but is not rendered, the second one after that.
  const second = page.waitForRequest(/yearTo=2024/);
  await page.route(/yearFrom=2023(&_routes|$)/, async (route) => {
    await second;
    await route.continue().catch(() => {}); // the router may have aborted it
  });
  await page.evaluate(() => {
    const type = (name: string, year: string): void => {
      document.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus();
      document.execCommand("insertText", false, year);
    };
    const isDrawn = (): boolean => document.querySelector<HTMLInputElement>('input[value="gold"]')?.defaultChecked === true;
    const push = history.pushState.bind(history);
    history.pushState = (...args) => {
      push(...args);
      history.pushState = push;
      queueMicrotask(() => {
        type("yearFrom", "2023");
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        let frames = 0;
        const goOn = (): void => {
          if (isDrawn()) frames += 1; // React's effects run a frame after rendering
          if (frames < 5) return void requestAnimationFrame(goOn);
          type("yearTo", "2024");
          document.querySelector<HTMLFormElement>("#filters")?.requestSubmit();
        };
        goOn();
      });
    };
  });
  await page.getByRole("checkbox", { name: /^Золото/ }).check();
  await expect(page).toHaveURL(/metal=gold,silver&yearFrom=2023&yearTo=2024$/);
  await page.getByLabel("Год до").fill("");
  await page.getByLabel("Год до").press("Enter");
  await expect(page).toHaveURL(/metal=gold,silver&yearFrom=2023$/);
  await page.unrouteAll();
  // Two clicks faster than any answer: the last one counts.
  await page.getByRole("checkbox", { name: /^Золото/ }).uncheck({ noWaitAfter: true });
  await page.getByRole("checkbox", { name: /^Золото/ }).check({ noWaitAfter: true });
  await expect(page.locator(".catalog__list")).toHaveAttribute("aria-busy", "false");
  await expect(page.getByRole("checkbox", { name: /^Золото/ })).toBeChecked();
  await expect(page).toHaveURL(/metal=gold,silver&yearFrom=2023$/);
  // Invalid entries are removed when the list has arrived.
  await page.getByLabel("Год до").fill("вчера");
  await page.getByRole("checkbox", { name: /^Золото/ }).uncheck();
  await expect(page).toHaveURL(/metal=silver&yearFrom=2023$/);
  await expect(page.getByLabel("Год до")).toHaveValue("");
});

test("«Показать ещё» appends a page, and Back from a coin finds the same place", async ({ page }) => {
  await open(page, "/catalog/gold");
  const first = await cards(page).first().getByRole("heading").textContent();
  await page.getByRole("link", { name: /^Показать ещё/ }).click();
  await expect(cards(page)).toHaveCount(48);
  await expect(page).toHaveURL(/\/catalog\/gold\/page\/2\?from=1$/);
  await page.getByRole("link", { name: /^Показать ещё/ }).click();
  await expect(cards(page)).toHaveCount(72);
  await expect(cards(page).first().getByRole("heading")).toHaveText(first ?? "");
  const slugs = await cards(page)
    .locator(".card__link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(new Set(slugs).size).toBe(72);

  const chosen = cards(page).nth(60).locator(".card__link");
  await chosen.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  await chosen.click();
  await expect(page).toHaveURL(/\/products\//);
  await goBack(page);
  await expect(cards(page)).toHaveCount(72);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(place - 800);
  await expect(chosen).toBeInViewport();
  // The numbered pages are linked, each with one address.
  await page.getByRole("navigation", { name: "Страницы" }).getByRole("link", { name: "Страница 1", exact: true }).click();
  await expect(page).toHaveURL(/\/catalog\/gold$/);
  expect((await page.request.get("/catalog/gold/page/999")).status()).toBe(404);
  expect((await page.request.get("/catalog/gold/page/1", { maxRedirects: 0 })).headers().location).toBe("/catalog/gold");
});

test("without scripts «Показать ещё» opens the longer list at its first new coin", async ({ browser, shop }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await openWithoutWaiting(page, `${shop.url}/catalog/gold`, "scripts are off");
  await page.getByRole("link", { name: /^Показать ещё/ }).click();
  await expect(cards(page)).toHaveCount(48);
  await expect(cards(page).nth(24)).toBeInViewport();
  await expect(page.getByRole("heading", { level: 1 })).not.toBeInViewport();
  await context.close();
});

for (const width of [360, 1440]) {
  test(`Back from a coin restores every list at the same scroll position, at ${width} pixels`, async ({ page, shop }) => {
    await page.setViewportSize({ width, height: 800 });
    const leaveAndComeBack = async (nth: number, count: number) => {
      await expect(cards(page)).toHaveCount(count);
      // Heights above are estimates until the rest of a first view is laid out, so the number of the place would change.
      await expect(page.locator("html")).not.toHaveAttribute("data-first-view");
      const coin = cards(page).nth(nth).locator(".card__link");
      await coin.scrollIntoViewIfNeeded();
      const place = await page.evaluate(() => scrollY);
      expect(place).toBeGreaterThan(0);
      await coin.evaluate((link: HTMLElement) => link.click()); // a click may scroll first
      await expect(page).toHaveURL(/\/products\//);
      await expect(page.locator(".card__link").nth(nth)).toHaveCount(0); // the coin's page is rendered
      await goBack(page);
      await expect(cards(page)).toHaveCount(count);
      await expect.poll(() => page.evaluate(() => scrollY).then((now) => Math.abs(now - place))).toBeLessThanOrEqual(2);
    };

    await open(page, "/catalog/gold");
    // The link far below moves until then.
    await expect(page.locator("html")).not.toHaveAttribute("data-first-view");
    await page.getByRole("link", { name: /^Показать ещё/ }).click();
    await expect(cards(page)).toHaveCount(48);
    await page.getByRole("link", { name: /^Показать ещё/ }).click();
    await leaveAndComeBack(66, 72);

    await open(page, "/search?q=золото");
    await leaveAndComeBack(22, 24);

    const { data } = (await (await fetch(`${shop.url}/api/catalog?category=gold`)).json()) as { data: { items: { id: number }[] } };
    for (const { id } of data.items.slice(0, 12)) {
      await page.request.post(`/api/wishlist/${id}`, { headers: { origin: shop.url } });
    }
    await open(page, "/wishlist");
    await leaveAndComeBack(11, 12);
  });
}

test("each filter is one step of Back, also when the list of the filter before has not arrived, and Forward restores it", async ({
  page,
}) => {
  await open(page, "/catalog");
  const silver = page.getByRole("checkbox", { name: /^Серебро/ });
  const inStock = page.getByRole("checkbox", { name: "Есть сейчас" });
  const from = page.getByRole("textbox", { name: "Цена от, рублей" });
  const chips = page.getByRole("link", { name: /^Убрать фильтр/ });
  const steps = () => page.evaluate(() => history.length);
  const counts = [await found(page)];
  const start = await steps();
  const applied = async (isSilver: boolean, price: string, isInStock: boolean) => {
    await expect(chips).toHaveCount([isSilver, price !== "", isInStock].filter(Boolean).length);
    await expect(silver).toBeChecked({ checked: isSilver });
    await expect(from).toHaveValue(price);
    await expect(inStock).toBeChecked({ checked: isInStock });
  };

  await silver.check();
  await applied(true, "", false);
  counts.push(await found(page));
  await from.pressSequentially("5000");
  expect(await steps()).toBe(start + 1); // typing is not a step
  await from.press("Enter");
  await applied(true, "5\u00a0000", false);
  counts.push(await found(page));
  await inStock.check();
  await applied(true, "5\u00a0000", true);
  counts.push(await found(page));
  expect(await steps()).toBe(start + 3);

  await from.fill("77"); // typed, not applied
  await goBack(page);
  await applied(true, "5\u00a0000", false);
  expect(await found(page)).toBe(counts[2]);
  await goBack(page);
  await applied(true, "", false);
  await expect(page.getByRole("slider", { name: "Цена от" })).toHaveValue("0");
  expect(await found(page)).toBe(counts[1]);
  await goBack(page);
  await applied(false, "", false);
  expect(await found(page)).toBe(counts[0]);
  for (const [isSilver, price, isInStock] of [
    [true, "", false],
    [true, "5\u00a0000", false],
    [true, "5\u00a0000", true],
  ] as const) {
    await page.goForward();
    await applied(isSilver, price, isInStock);
  }

  // Two ticks while the first list is still loading.
  await open(page, "/catalog/silver");
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/catalog\/silver\.data/, async (route) => {
    await isReleased;
    await route.continue().catch(() => {}); // the page may have aborted it
  });
  await page.getByRole("checkbox", { name: /^Памятные/ }).check({ noWaitAfter: true });
  await inStock.check({ noWaitAfter: true });
  release();
  await expect(chips).toHaveCount(2);
  await expect(page).toHaveURL(/silver\?kind=memorable&inStock=1$/);
  await goBack(page);
  await expect(page).toHaveURL(/silver\?kind=memorable$/);
  await expect(chips).toHaveCount(1);
  await expect(inStock).not.toBeChecked();
  await goBack(page);
  await expect(page).toHaveURL(/silver$/);
  await expect(chips).toHaveCount(0);
});

test("on a phone Back first closes the filter sheet and then removes the filters one by one", async ({ browser, shop }) => {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await open(page, `${shop.url}/catalog`);
  const sheet = page.locator("#filters");
  const opener = page.getByRole("button", { name: /^Фильтры/ });
  const gold = sheet.locator('input[name="metal"][value="gold"]'); // loaded behind the closed sheet as well
  const show = sheet.getByRole("button", { name: /^Показать \d/ });
  const back = () => page.evaluate(() => history.back());

  await opener.click();
  await expect(sheet).toHaveClass(/is-open/);
  await gold.check();
  await expect(page).toHaveURL(/catalog\?metal=gold$/);
  await expect(opener).toHaveAccessibleName("Фильтры 1");
  await sheet.getByRole("checkbox", { name: /^Памятные/ }).check();
  await expect(page).toHaveURL(/metal=gold&kind=memorable$/);
  await page.waitForFunction(() => history.state?.sheet === true); // the sheet's history entry is on top again
  await back();
  await expect(sheet).not.toHaveClass(/is-open/);
  await expect(page).toHaveURL(/metal=gold&kind=memorable$/);
  await expect(opener).toBeFocused();
  await back();
  await expect(page).toHaveURL(/catalog\?metal=gold$/);
  await expect(opener).toHaveAccessibleName("Фильтры 1");
  await back();
  await expect(page).toHaveURL(/catalog$/);
  await expect(gold).not.toBeChecked();
  await page.evaluate(() => history.forward());
  await expect(page).toHaveURL(/catalog\?metal=gold$/);
  await expect(gold).toBeChecked();

  // A sheet that is opened and closed is not a step; filters applied by its button are one.
  await opener.click();
  await sheet.getByRole("button", { name: "Закрыть фильтры" }).click();
  await expect(sheet).not.toHaveClass(/is-open/);
  await opener.click();
  await sheet.getByRole("textbox", { name: "Цена до, рублей" }).fill("90000");
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\.data\?.*priceTo=90000/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await show.click();
  await expect(sheet).not.toHaveClass(/is-open/); // at once; the list arrives later
  release();
  await expect(page).toHaveURL(/metal=gold&priceTo=90000$/);
  await expect(opener).toHaveAccessibleName("Фильтры 2");
  await back();
  await expect(page).toHaveURL(/catalog\?metal=gold$/);
  await expect(sheet).not.toHaveClass(/is-open/);
  await expect(opener).toHaveAccessibleName("Фильтры 1");
  await context.close();
});

test("on a phone the filter sheet shows how many coins match", async ({ browser, shop }) => {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await open(page, `${shop.url}/catalog`);
  await page.getByRole("button", { name: /Фильтры/ }).click();
  const sheet = page.locator("#filters");
  await expect(sheet.getByRole("button", { name: "Закрыть фильтры" })).toBeFocused();
  const show = sheet.getByRole("button", { name: /^Показать \d/ });
  const before = await show.textContent();
  await sheet.getByRole("checkbox", { name: /^Памятные/ }).check();
  await expect(show).not.toHaveText(before ?? "");
  await isClean(page);
  const promised = (await show.textContent())?.replaceAll(/\D/g, "");
  await show.click();
  await expect(sheet).not.toHaveClass(/is-open/);
  await expect.poll(async () => String(await found(page))).toBe(promised);
  await page.getByRole("button", { name: /Фильтры 1/ }).click();
  await expect(sheet.getByRole("button", { name: "Закрыть фильтры" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /Фильтры 1/ })).toBeFocused();
  await context.close();
});

test("a buyer walks through suggestions by arrow keys; earlier searches are suggested again", async ({ page }) => {
  await open(page, "/");
  await page.getByRole("banner").getByRole("link", { name: "Поиск" }).click();
  const dialog = page.getByRole("dialog", { name: "Поиск" });
  const field = dialog.getByRole("combobox");
  await expect(field).toBeFocused();
  await field.pressSequentially("сеяте");
  const options = dialog.getByRole("option");
  await expect(options.first()).toContainText("Сеятель");
  await expect(options.first()).toContainText("₽");
  await field.press("ArrowDown");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await isClean(page);
  await field.press("ArrowUp"); // back in the field
  await field.press("Escape"); // closes the suggestions, not the dialog
  await expect(options).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await field.press("Enter");
  await expect(page).toHaveURL(/\/search\?q=/);
  await expect(page.getByRole("status").filter({ hasText: "по запросу" })).toContainText("сеяте");

  await open(page, "/catalog");
  await page.getByRole("banner").getByRole("link", { name: "Поиск" }).click();
  await expect(dialog.getByRole("group", { name: "Вы искали" }).getByRole("option", { name: "сеяте" })).toBeVisible();
  await field.pressSequentially("георгий");
  await expect(options.first()).toContainText("Георгий");
  await field.press("ArrowDown");
  await field.press("Enter");
  await expect(page).toHaveURL(/\/products\/georgij/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Георгий Победоносец");
  await goBack(page); // one step back, past the dialog
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Каталог монет");
  await expect(page).toHaveURL(/\/catalog$/);
});

test("a query in the wrong keyboard layout is corrected with a note and a link to what was typed", async ({ page }) => {
  await open(page, "/search");
  await page.getByRole("combobox").fill("gj,tljyjctw");
  await page.getByRole("button", { name: "Найти" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Исправили на «победоносец»" })).toBeVisible();
  await expect(cards(page).first()).toContainText("Георгий Победоносец");
  await page.getByRole("link", { name: "Искать «gj,tljyjctw» буквально" }).click();
  await expect(page).toHaveURL(/exact=1/);
  await expect(page.getByRole("heading", { name: /ничего не нашлось/ })).toBeVisible();
  await isClean(page);
  await open(page, "/search?q=%25");
  await expect(page.getByRole("heading", { name: /ничего не нашлось/ })).toBeVisible();
});

test("a coin's page shows similar coins, the delivery time to a city, and coins viewed before", async ({ page }) => {
  await open(page, "/products/belka-obyknovennaya-50-rublej-2023");
  await expect(page.getByRole("heading", { name: /^Серия «/ })).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("recent-coins"))).not.toBeNull(); // the page is interactive
  await open(page, `/products/${aCoin.slug}`);
  await expect(page.getByRole("heading", { name: "Той же массы: 1/4 унции золота" })).toBeVisible();
  const seen = page.getByRole("heading", { name: "Вы смотрели" }).locator("xpath=ancestor::section");
  await expect(seen.getByRole("link")).toHaveCount(1);
  await expect(seen.getByRole("link")).toContainText("Белка");
  await page.getByRole("button", { name: "Когда привезут в мой город?" }).click();
  await expect(page.getByRole("combobox", { name: "Город" })).toBeFocused();
  await page.getByRole("combobox", { name: "Город" }).selectOption({ label: "Казань" });
  await expect(page.getByRole("status").filter({ hasText: "Курьер" })).toContainText(/\d/);
  await isClean(page);
});

test("a buyer turns a coin by arrow keys, tap and drag, without animation with reduced motion, and zooms in", async ({ page }) => {
  await open(page, `/products/${aCoin.slug}`);
  const side = (name: string) => page.getByRole("radio", { name, exact: true });
  await side("Реверс").focus();
  await page.keyboard.press("ArrowRight");
  await expect(side("Аверс")).toBeChecked();
  const stage = page.getByRole("group", { name: /^Сторона монеты/ });
  await page.evaluate(() => document.fonts.ready); // the stage moves when a heading above it gets its font
  await page.evaluate(() => scrollTo(0, 0)); // focusing may have scrolled it below the header
  const { x, y, width, height } = (await stage.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const [middle, centre] = [x + width / 2, y + height / 3];
  await page.mouse.click(middle, centre);
  await expect(side("Реверс")).toBeChecked();
  await page.mouse.move(middle, centre);
  await page.mouse.down();
  await page.mouse.move(middle + 120, centre, { steps: 4 });
  await page.mouse.move(middle + 220, centre, { steps: 4 });
  await page.mouse.up();
  await expect(side("Аверс")).toBeChecked();
  const turning = await page
    .locator(".coin-model__body")
    .evaluate((body) => Math.max(...getComputedStyle(body).transitionDuration.split(",").map(Number.parseFloat)));
  expect(turning).toBeLessThan(0.01);

  await page.getByRole("button", { name: "Увеличить" }).click();
  const loupe = page.getByRole("dialog", { name: /^Георгий Победоносец/ });
  await expect(loupe.getByRole("img")).toHaveCount(2);
  await isClean(page);
  await page.keyboard.press("Escape");
  await expect(loupe).toBeHidden();
});

test("a sold-out coin offers an alert and similar coins in stock; quality marks are explained", async ({ page, shop }) => {
  let slug: string | undefined;
  for (let n = 1; slug === undefined; n += 1) {
    const { data } = (await (await fetch(`${shop.url}/api/catalog?page=${n}`)).json()) as {
      data: { items: { slug: string; inStock: boolean }[]; pages: number };
    };
    expect(n).toBeLessThanOrEqual(data.pages);
    slug = data.items.find(({ inStock }) => !inStock)?.slug;
  }
  await open(page, `/products/${slug}`);
  await expect(page.getByRole("main").getByRole("button", { name: "Нет в наличии" }).first()).toBeDisabled();
  await page.getByText("Напишите мне, когда появится").click();
  await page.getByRole("button", { name: "Следить" }).click();
  await expect(page.getByLabel("Электронная почта")).toBeFocused();
  await expect(page.getByLabel("Электронная почта")).toHaveAccessibleDescription("Обязательное поле");
  await page.getByLabel("Электронная почта").fill("zhdu-monetu@example.com");
  await page.getByRole("button", { name: "Следить" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Проверьте почту" })).toBeVisible();
  await open(page, `/products/${aCoin.slug}`);
  await expect(page.getByRole("main").getByText(/^Обычная чеканка/)).toBeVisible();
});

test("one card represents all issues of a product; its page links each issue and the cheapest in stock", async ({ page, shop }) => {
  await open(page, "/catalog/gold/monety-georgiy-pobedonosec/50-rub");
  const quarter = cards(page).filter({ hasText: "25 выпусков" });
  await expect(quarter).toHaveCount(1);
  await expect(quarter).toContainText(/50\sрублей.*2006–2026/);
  await expect(quarter).toContainText(/от\s\d/);
  await quarter.locator(".card__link").click();
  const choice = page.locator("#issues");
  await choice.locator("summary").click();
  const issues = page.getByRole("list", { name: "Год и монетный двор" }).getByRole("link");
  await expect(issues).toHaveCount(26);
  await expect(issues.first()).toContainText("Любой год");
  const { data } = (await (
    await fetch(`${shop.url}/api/catalog?category=gold/monety-georgiy-pobedonosec/50-rub&quality=ac&inStock=1&sort=price`)
  ).json()) as { data: { items: { slug: string }[] } };
  expect(data.items.map(({ slug }) => `/products/${slug}`)).toContain(await issues.first().getAttribute("href"));
  await issues.filter({ hasText: "2015" }).first().click();
  await expect(page).toHaveURL(/\/products\/georgij-pobedonosec-50-rublej-2015/);
  await expect(page.getByText(/Год и двор: 2015/)).toBeVisible();
  await isClean(page);
});

test("price and mass shortcuts above the list filter with one click; one-ounce coins are sorted by premium", async ({ page }) => {
  await open(page, "/catalog/bullion-coins");
  const presets = page.getByRole("list", { name: "Цена и масса" });
  await presets.getByRole("link", { name: /^1 унция/ }).click();
  await expect(page).toHaveURL(/weight=31\.1$/);
  await page.getByLabel("Порядок").selectOption({ label: "Меньше премия" });
  await expect(page).toHaveURL(/weight=31\.1&sort=premium$/);
  await expect(page.locator(".catalog__list")).toHaveAttribute("aria-busy", "false");
  for (const mass of await page.locator(".card .card__mass").allTextContents()) expect(mass).toContain("31,1");
  const cheap = presets.getByRole("link", { name: /^до 20 тыс/ });
  const promised = Number((await cheap.locator(".digits").textContent())?.replaceAll(/\D/g, ""));
  await cheap.click();
  await expect.poll(() => found(page)).toBe(promised);
  await cheap.click(); // a second click removes it
  await expect(page).toHaveURL(/weight=31\.1&sort=premium$/);
  await expect(page.locator(".catalog__list")).toHaveAttribute("aria-busy", "false"); // until then the cards are pale
  await isClean(page);
});

test("cards show the spread; a buyer filters and sorts by it", async ({ page }) => {
  await open(page, "/catalog");
  await page.getByRole("checkbox", { name: /^до 10 %/ }).check();
  await expect(page).toHaveURL(/spreadTo=10$/);
  await expect(page.getByRole("link", { name: /^Убрать фильтр: Спред/ })).toBeVisible();
  await page.getByLabel("Порядок").selectOption({ label: "Меньше спред" });
  await expect(page).toHaveURL(/spreadTo=10&sort=spread$/);
  await expect(page.locator(".catalog__list")).toHaveAttribute("aria-busy", "false");
  const read = async () => (await page.locator(".card__spread .digits").allTextContents()).map((text) => Number(text.replace(",", ".")));
  // The address changes before the list does.
  await expect.poll(async () => (await read()).every((spread, index, all) => index === 0 || (all[index - 1] ?? 0) <= spread)).toBe(true);
  const spreads = await read();
  expect(spreads.length).toBe(await cards(page).count());
  expect(Math.max(...spreads)).toBeLessThanOrEqual(10);
});

test("without scripts a buyer filters, sorts and shows the list as rows by links and a form", async ({ browser, shop }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await openWithoutWaiting(page, `${shop.url}/catalog/gold`, "scripts are off");
  await page.getByRole("link", { name: "Строки" }).click();
  await expect(page).toHaveURL(/view=rows$/);
  await expect(page.locator(".grid--rows .card")).toHaveCount(24);
  await page
    .getByRole("list", { name: "Цена и масса" })
    .getByRole("link", { name: /^1\/4 унции/ })
    .click();
  await expect(page).toHaveURL(/weight=7\.78&view=rows$/);
  await page.getByLabel("Порядок").selectOption("spread");
  await page.getByRole("button", { name: "Упорядочить" }).click();
  await expect(page).toHaveURL(/weight=7\.78.*view=rows.*sort=spread/);
  await openWithoutWaiting(page, `${shop.url}/products/${aCoin.slug}`, "scripts are off");
  await page.locator("#issues summary").click();
  await expect(page.getByRole("list", { name: "Год и монетный двор" }).getByRole("link").first()).toBeVisible();
  await context.close();
});

test("at 360 pixels the first screen of the catalogue shows prices, and as rows several of them", async ({ browser, shop }) => {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const pricesInView = () =>
    page
      .locator(".card__price")
      .evaluateAll((prices) => prices.filter((each) => each.getBoundingClientRect().bottom <= innerHeight).length);
  await open(page, `${shop.url}/catalog`);
  expect(await pricesInView()).toBeGreaterThanOrEqual(2);
  await open(page, `${shop.url}/catalog?view=rows`);
  expect(await pricesInView()).toBeGreaterThanOrEqual(4);
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await context.close();
});

test("searches for a gift, a birth or a sum to invest show prepared lists with the reason, filters and sorting", async ({ page }) => {
  await open(page, "/search?q=подарок маме");
  await expect(page.getByRole("heading", { name: "Монеты в подарок" })).toBeVisible();
  expect(await found(page)).toBeGreaterThan(20);
  await expect(page.getByText("Исправили на")).toHaveCount(0);
  await isClean(page);
  await open(page, "/search?q=монета на рождение ребёнка");
  await expect(page.getByRole("heading", { name: "Монеты к рождению ребёнка" })).toBeVisible();

  await open(page, "/search?q=вложить 500 тысяч");
  const heading = page.getByRole("heading", { name: /^Инвестиционные монеты на 500.000.руб/ });
  await expect(heading).toBeVisible();
  const spreads = (await page.locator(".card__spread .digits").allTextContents()).map((text) => Number(text.replace(",", ".")));
  expect(spreads).toEqual(spreads.toSorted((a, b) => a - b));
  const promised = Number(
    (await page.locator("label.option", { hasText: "Серебро" }).locator("small").textContent())?.replaceAll(/\D/g, ""),
  );
  await page.getByRole("checkbox", { name: /^Серебро/ }).check();
  await expect(page).toHaveURL(/\/search\?q=.+&metal=silver$/);
  await expect.poll(() => found(page)).toBe(promised);
  await page.getByLabel("Порядок").selectOption({ label: "Сначала дешевле" });
  await expect(page).toHaveURL(/&metal=silver&sort=price$/);
  await expect(heading).toBeVisible();
});

test("the rates page shows the spread of every denomination and links to the list by spread", async ({ page }) => {
  await open(page, "/quotes-online");
  const table = page.getByRole("table", { name: /спред инвестиционных монет из золота/ });
  const masses = (await table.getByRole("rowheader").getByRole("link").allTextContents()).map((text) => text.replaceAll("\u00a0", " "));
  expect(masses).toEqual(expect.arrayContaining(["3,11 г", "7,78 г", "31,1 г"]));
  await expect(table.getByRole("row").nth(1)).toContainText(/\d,\d\s%/);
  await page.getByRole("link", { name: /от меньшего спреда/ }).click();
  await expect(page).toHaveURL(/\/catalog\/gold\/bullion-coins\?inStock=1&sort=spread$/);
});

test("with forced colours the handles of the price slider hide the line behind them and have a dot", async ({ browser, shop }) => {
  const context = await browser.newContext({ forcedColors: "active", colorScheme: "dark", viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await open(page, `${shop.url}/catalog/gold`);
  const bar = page.locator(".price-bar").filter({ visible: true });
  await bar.scrollIntoViewIfNeeded();
  const box = await bar.boundingBox();
  if (!box) throw new Error("the slider is not drawn");
  // The handle of the lower bound has its middle at the left end of the line.
  const clip = { x: Math.round(box.x) - 12, y: Math.round(box.y + box.height) - 13, width: 24, height: 24 };
  const { data } = await sharp(await page.screenshot({ clip }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const colourAt = (x: number, y: number): string => data.subarray((y * clip.width + x) * 3, (y * clip.width + x) * 3 + 3).join();
  const ground = colourAt(1, clip.height - 2);
  expect(colourAt(12, 12), "the dot").not.toBe(ground);
  expect(colourAt(18, 12), "beside the dot, on the line").toBe(ground);
  await context.close();
});

test("with forced colours only the chosen side of a coin has a line below it, and the picture of the edge is drawn", async ({
  browser,
  shop,
}) => {
  const context = await browser.newContext({ forcedColors: "active", viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await open(page, `${shop.url}/products/${aCoin.slug}`);
  const sides = page.locator(".stage__sides label");
  const lines = () => sides.evaluateAll((labels) => labels.map((label) => getComputedStyle(label).borderBottomColor));
  const [chosen, ...others] = await lines();
  expect(new Set(others).size).toBe(1);
  expect(others).not.toContain(chosen);
  await page.getByRole("radio", { name: "Гурт" }).check();
  expect((await lines()).indexOf(chosen ?? "")).toBe(2);
  await expect(sides.nth(2).locator("i")).toHaveCSS("background-image", /gradient/);
  await context.close();
});
