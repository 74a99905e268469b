import type { Page, Route } from "@playwright/test";
import { expect, pressesAnswered, test, open } from "../journey.ts";

const main = (page: Page) => page.getByRole("main");
const badge = (page: Page, name: string) => page.getByRole("banner").getByRole("link", { name: new RegExp(`^${name}, `) });

test("a buyer fills wishlist and comparison from cards; badges count them, and a removed coin disappears at once", async ({ page }) => {
  await open(page, "/wishlist");
  await expect(main(page).getByRole("heading", { name: "Пока пусто" })).toBeVisible();
  await open(page, "/product-comparison");
  await expect(main(page).getByRole("heading", { name: "Сравнивать пока нечего" })).toBeVisible();
  await expect(badge(page, "Избранное")).toHaveCount(0);

  const otherTab = await page.context().newPage();
  await open(otherTab, "/about");
  await open(page, "/catalog/gold/bullion-coins");
  for (const nth of [0, 1, 2])
    await main(page)
      .getByRole("button", { name: /^В избранное/ })
      .nth(nth)
      .click();
  for (const nth of [0, 1])
    await main(page)
      .getByRole("button", { name: /^Сравнить/ })
      .nth(nth)
      .click();
  await expect(badge(page, "Избранное")).toHaveAccessibleName("Избранное, 3 монеты");
  await expect(badge(page, "Сравнение")).toHaveAccessibleName("Сравнение, 2 монеты");
  await pressesAnswered(page);
  await otherTab.bringToFront();
  await otherTab.evaluate(() => document.dispatchEvent(new Event("visibilitychange"))); // a headless browser does not report it
  await expect(badge(otherTab, "Избранное")).toHaveAccessibleName("Избранное, 3 монеты");
  await otherTab.close();

  // Pressed before the page has heard what the lists contain: the page itself knows it.
  const state = Promise.withResolvers<void>();
  const late = async (route: Route) => {
    await state.promise;
    await route.continue();
  };
  await page.route("**/api/state", late);
  await open(page, "/product-comparison");
  const columns = main(page)
    .getByRole("columnheader")
    .filter({ has: page.getByRole("link") });
  await expect(columns).toHaveCount(2);
  await main(page)
    .getByRole("button", { name: /^Убрать из сравнения/ })
    .first()
    .click();
  await expect(columns).toHaveCount(1);
  await pressesAnswered(page);
  await open(page, "/wishlist");
  await expect(main(page).getByRole("status")).toHaveText("3 монеты");
  const hearts = main(page).getByRole("button", { name: /^В избранное/ });
  await expect(hearts.first()).toHaveAttribute("aria-pressed", "true");
  await hearts.first().click();
  await expect(main(page).getByRole("status")).toHaveText("2 монеты");
  state.resolve();
  await expect(badge(page, "Сравнение")).toHaveAccessibleName("Сравнение, 1 монета");
  await expect(badge(page, "Избранное")).toHaveAccessibleName("Избранное, 2 монеты");
  await main(page).getByRole("button", { name: "Очистить список" }).click();
  await expect(main(page).getByRole("heading", { name: "Пока пусто" })).toBeVisible();
  await expect(badge(page, "Избранное")).toHaveCount(0);
});

test("the comparison can show only differences, and a link shares it with another visitor, who may save it", async ({
  page,
  browser,
  shop,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: shop.url });
  await open(page, "/catalog/gold/bullion-coins");
  for (const nth of [0, 1])
    await main(page)
      .getByRole("button", { name: /^Сравнить/ })
      .nth(nth)
      .click();
  await expect(badge(page, "Сравнение")).toHaveAccessibleName("Сравнение, 2 монеты");
  await pressesAnswered(page);
  await open(page, "/product-comparison");
  const rows = main(page).getByRole("row");
  const all = await rows.filter({ visible: true }).count();
  await expect(rows.filter({ hasText: "Инвестиционная", visible: true })).toHaveCount(1);
  await main(page).getByRole("checkbox", { name: "Только различия" }).check();
  await expect(rows.filter({ hasText: "Инвестиционная", visible: true })).toHaveCount(0);
  await expect.poll(() => rows.filter({ visible: true }).count()).toBeLessThan(all);

  await main(page).getByRole("button", { name: "Поделиться" }).click();
  await expect(page.getByText("Ссылка на список скопирована")).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/product-comparison\?coins=\d+,\d+$/);

  const other = await browser.newPage({ baseURL: shop.url });
  await open(other, link);
  await expect(main(other).getByRole("heading", { level: 1 })).toHaveText("Сравнение по ссылке");
  await expect(main(other).getByRole("columnheader")).toHaveCount(3);
  await expect(main(other).getByRole("button", { name: /^Убрать из сравнения/ })).toHaveCount(0);
  await expect(badge(other, "Сравнение")).toHaveCount(0); // viewing changes nothing
  await main(other).getByRole("button", { name: "Добавить к себе" }).click();
  await expect(other).toHaveURL(/\/product-comparison$/);
  await expect(badge(other, "Сравнение")).toHaveAccessibleName("Сравнение, 2 монеты");
  await open(other, "/wishlist?coins=1,abc,-3,99999999999");
  await expect(main(other).getByRole("heading", { name: "По этой ссылке монет нет" })).toBeVisible();
  await other.close();
});
