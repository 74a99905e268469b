import {
  aCoin,
  aPhone,
  expect,
  goBack,
  open,
  openWithoutWaiting,
  pressesAnswered,
  priceIsLocked,
  putInCart,
  signInByCall,
  test,
} from "../journey.ts";

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 780 } });

  test("a card shows the mass of its metal", async ({ page }) => {
    await open(page, "/catalog/gold");
    await expect(
      page
        .getByRole("main")
        .getByRole("listitem")
        .filter({ has: page.getByRole("heading", { name: "Георгий Победоносец" }) })
        .first()
        .getByText(/^\d[\d,]*\sг$/),
    ).toBeVisible();
  });

  test("a buyer chooses a quantity before adding the coin to the cart", async ({ page }) => {
    await open(page, `/products/${aCoin.slug}`);
    const main = page.getByRole("main");
    await main.getByRole("group", { name: "Количество" }).getByRole("button", { name: "Больше" }).click();
    await main.locator(".order").getByRole("button", { name: "В корзину" }).click();
    await expect(page.getByRole("banner").getByRole("link", { name: "Корзина, 2 монеты" })).toBeVisible();
  });

  test("the time left is shown beside the quote, not a time of day", async ({ page }) => {
    await putInCart(page);
    await open(page, "/checkout");
    await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
    await priceIsLocked(page);
    await expect(page.getByText(/^цены те же ещё \d:\d\d$/)).toBeVisible();
  });

  test("what the keyboard reaches on a coin's page is not below the bar with the price", async ({ page }) => {
    await open(page, `/products/${aCoin.slug}`);
    const question = page.getByRole("main").locator("summary").last();
    await question.focus();
    const bar = page.locator(".sticky.is-shown");
    await expect(bar).toBeVisible();
    const bottom = await question.evaluate((element) => element.getBoundingClientRect().bottom);
    expect(bottom).toBeLessThanOrEqual(await bar.evaluate((element) => element.getBoundingClientRect().top));
  });

  test("a name of a hundred letters does not widen the checkout, which repeats it above the button", async ({ page, shop }) => {
    await putInCart(page);
    await signInByCall(page, shop, aPhone(), { name: `${"А".repeat(100)} Анна`, email: "long@example.ru" });
    await open(page, "/checkout");
    await expect(page.getByText(/^Получит: А+ Анна/)).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });

  test("Back closes the menu, a link in it closes it at once, and Back from the next page skips it", async ({ page }) => {
    await open(page, "/about");
    await open(page, "/delivery");
    const burger = page.getByRole("banner").getByRole("button", { name: "Открыть меню" });
    const menu = page.getByRole("dialog", { name: "Меню" });
    await burger.click();
    await expect(menu).toBeVisible();
    await goBack(page);
    await expect(menu).toHaveCount(0);
    await expect(page).toHaveURL(/\/delivery$/);
    await expect(burger).toBeFocused();
    await burger.click();
    await menu.getByRole("button", { name: "Закрыть меню" }).click();
    await expect(menu).toHaveCount(0);

    let release = () => {};
    await page.route("**/contacts.data*", async (route) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      await route.continue();
    });
    await burger.click();
    await menu.getByRole("link", { name: "Контакты" }).click();
    await expect(menu).toHaveCount(0); // the page itself is still loading
    await expect(page).toHaveURL(/\/delivery$/);
    release();
    await expect(page).toHaveURL(/\/contacts$/);
    await goBack(page);
    await expect(page).toHaveURL(/\/delivery$/);
    await expect(menu).toHaveCount(0);
    await goBack(page);
    await expect(page).toHaveURL(/\/about$/);
  });

  test("wishlist and comparison are counted in the header, and each telephone is on its own line in the menu", async ({ page }) => {
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 });
      await open(page, `/products/${aCoin.slug}`);
      const header = page.getByRole("banner");
      if (width === 390) {
        await expect(header.getByRole("link", { name: "Сравнение" })).toBeHidden();
        await page
          .getByRole("main")
          .getByRole("button", { name: /^В избранное/ })
          .first()
          .click();
        await page
          .getByRole("main")
          .getByRole("button", { name: /^Сравнить/ })
          .first()
          .click();
        await pressesAnswered(page);
      }
      await expect(header.getByRole("link", { name: "Избранное, 1 монета" })).toBeInViewport({ ratio: 1 });
      await expect(header.getByRole("link", { name: "Сравнение, 1 монета" })).toBeInViewport({ ratio: 1 });
      await expect(header.getByRole("link", { name: /^Корзина/ })).toBeInViewport({ ratio: 1 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      await header.getByRole("button", { name: "Открыть меню" }).click();
      const phones = page.getByRole("dialog", { name: "Меню" }).getByRole("link", { name: /^\+7/ });
      const tops = await phones.evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
      expect(new Set(tops).size).toBe(tops.length);
      expect(tops.length).toBeGreaterThan(1);
    }
  });

  test("a long name and e-mail wrap instead of widening the account; «Выйти» stays visible", async ({ page, shop }) => {
    await open(page, "/about");
    await signInByCall(page, shop, aPhone(), {
      name: "Константин-Александр".repeat(3),
      email: `${"konstantinopolsky.".repeat(3)}a@example-of-a-very-long-domain.example.com`,
    });
    for (const path of ["/my", "/my/profile", "/my/profile/edit"]) {
      await open(page, path);
      for (const width of [320, 360, 390, 430, 768, 1024]) {
        await page.setViewportSize({ width, height: 600 });
        expect([path, width, await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)]).toEqual([path, width, 0]);
        await expect(page.getByRole("navigation", { name: "Кабинет" }).getByRole("button", { name: "Выйти" })).toBeInViewport({ ratio: 1 });
      }
    }
    // Without alerts there is no list of them, of which only its line would be drawn, through the sentence.
    await open(page, "/my/alerts");
    await expect(page.getByRole("main").getByText(/^Оповещений нет/)).toBeVisible();
    await expect(page.locator("ul.alerts")).toHaveCount(0);
    await page.setViewportSize({ width: 1280, height: 380 });
    await page.getByRole("banner").getByText("Профиль", { exact: true }).click();
    const out = page.getByRole("banner").getByRole("button", { name: "Выйти" });
    await out.scrollIntoViewIfNeeded();
    await expect(out).toBeInViewport({ ratio: 0.9 });
  });

  test("the documentation of the contract fits a phone, also with its schemas open", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openWithoutWaiting(page, "/api/docs", "not a page of the shop");
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow()).toBe(0);
    await page.getByText("Тело запроса").first().click();
    await page.getByText("Ответ 200").first().click();
    expect(await overflow()).toBe(0);
  });
});

test.describe("on a low screen, as a desktop at 400 % is", () => {
  test.use({ viewport: { width: 320, height: 256 } });

  test("header and rates scroll away, and all rows of the comparison can be read", async ({ page }) => {
    await putInCart(page);
    await open(page, "/checkout");
    await page.getByRole("checkbox", { name: /Принимаю условия продажи/ }).focus();
    await expect(page.getByRole("banner")).not.toBeInViewport();
    await expect(page.getByRole("region", { name: "Курсы металлов и доллара" })).not.toBeInViewport();
    await open(page, "/product-comparison?coins=1001,1002");
    // the row is wider than the screen, its name is not
    const last = page.getByRole("main").getByRole("rowheader").last();
    await last.scrollIntoViewIfNeeded();
    await expect(last).toBeInViewport({ ratio: 0.9 });
    const isOnTop = await last.evaluate((name) => {
      const { left, top } = name.getBoundingClientRect();
      return name.contains(document.elementFromPoint(left + 10, top + 10));
    });
    expect(isOnTop).toBe(true);
  });
});

test("text of twice the usual size widens no page from 640 px on, and hides the skip link until it is focused", async ({ page }) => {
  await putInCart(page);
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.enable");
  await browser.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
  for (const width of [640, 768, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of ["/", "/catalog", `/products/${aCoin.slug}`, "/cart", "/checkout", "/quotes-online"]) {
      await open(page, path);
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), "the browser's text size").toBe("32px");
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${path} at ${width} px`).toBe(0);
    }
  }
  const skip = page.getByRole("link", { name: "К содержанию" });
  await expect(skip).not.toBeInViewport();
  await skip.focus();
  await expect(skip).toBeInViewport({ ratio: 1 });
});
