import type { Page, Route } from "@playwright/test";
import {
  aCoin,
  demo,
  expect,
  untilInteractive,
  marketStands,
  priceIsLocked,
  putInCart,
  queueIsEmpty,
  test,
  open,
  goBack,
  reload,
} from "../journey.ts";

/** A buyer who acts before the last answer has arrived loses nothing. */
test.use({ contextOptions: { reducedMotion: "reduce" } });

const main = (page: Page) => page.getByRole("main");
const cards = (page: Page) => main(page).locator(".card");

/**
 * Holds requests to these addresses: `requested` waits until there are so many, `release` lets them and all later ones continue. The server
 * has answered by then. The route stays: the page requests more as soon as it has an answer, and a request that meets a route just being
 * removed may never be answered.
 */
async function hold(page: Page, address: RegExp, method = "GET") {
  let count = 0;
  let isHolding = true;
  const released = Promise.withResolvers<void>();
  const answered: Promise<void>[] = [];
  const answer = async (route: Route): Promise<void> => {
    const response = await route.fetch();
    count += 1;
    await released.promise;
    await route.fulfill({ response }).catch(() => {}); // the page may have aborted it
  };
  await page.route(address, async (route) => {
    if (!isHolding || route.request().method() !== method) return route.fallback();
    const work = answer(route);
    answered.push(work);
    await work;
  });
  return {
    requested: (least: number) => expect.poll(() => count).toBeGreaterThanOrEqual(least),
    count: () => count,
    async release() {
      isHolding = false;
      released.resolve();
      await Promise.allSettled(answered);
    },
  };
}

test("a buyer adds a coin and opens the cart at once: the coin is there, and all clicks and entries are counted", async ({
  page,
  shop,
}) => {
  await marketStands(shop);
  await open(page, `/products/${aCoin.slug}`);
  const adding = await hold(page, /\/api\/cart\/\d+$/, "PATCH");
  const server = Promise.withResolvers<void>();
  const slow = async (route: Route) => {
    await server.promise;
    await route.fallback();
  };
  await page.route(/\/api\/cart\/\d+$/, slow, { times: 1 });
  await main(page).getByRole("button", { name: "В корзину", exact: true }).first().click();
  await main(page)
    .getByRole("link", { name: /^В корзине 1/ })
    .first()
    .click();
  server.resolve(); // the cart is requested before it contains the coin
  await adding.requested(1);
  await adding.release();
  // rendered, not only in the address bar: the coin's page has such buttons too
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Корзина1");
  const quantity = main(page).getByRole("textbox", { name: "Количество" });
  await expect(quantity).toHaveValue("1");

  await main(page)
    .getByRole("button", { name: "Больше" })
    .evaluate((button: HTMLButtonElement) => {
      button.click();
      button.click();
    }); // twice before anything is rendered
  await expect(quantity).toHaveValue("3");
  await untilInteractive(page);

  // Typed text stays when another tab has taken coins out meanwhile, and the button waits for it.
  await quantity.focus();
  await page.keyboard.type("5");
  await page.request.patch(`/api/cart/${aCoin.id}`, { data: { quantity: 2 }, headers: { origin: shop.url } });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Корзина2");
  await expect(quantity).toHaveValue("5");
  const last = await hold(page, /\/cart\.data(\?|$)/, "POST");
  await main(page).getByRole("link", { name: "Оформить" }).first().click();
  await last.requested(1);
  await expect(page).toHaveURL(/\/cart$/);
  await last.release();
  await expect(page).toHaveURL(/\/checkout$/);
  await expect(main(page).getByRole("complementary", { name: "Ваш заказ" })).toContainText("5 монет");

  // The page was read before the coin was in the cart; it learns of it before it redirects to the empty cart.
  await page.request.post("/api/cart/clear", { headers: { origin: shop.url } });
  const state = Promise.withResolvers<void>();
  const late = async (route: Route) => {
    await state.promise;
    await route.continue();
  };
  await page.route("**/api/state", late); // each of them: one of the page before may be among them
  await reload(page);
  await expect(main(page).getByRole("heading", { name: "Здесь пока пусто" })).toBeVisible();
  await page.request.patch(`/api/cart/${aCoin.id}`, { data: { quantity: 1 }, headers: { origin: shop.url } });
  state.resolve();
  await expect(main(page).getByRole("complementary", { name: "Ваш заказ" })).toContainText("1 монета");
});

test("filters, sorting and chips clicked before any list arrives are all kept, as are an open dialog and the scroll position", async ({
  page,
  shop,
}) => {
  await marketStands(shop);
  await page.addInitScript(() => {
    Math.random = () => 0;
  }); // pages reload their data when prices change
  await open(page, "/catalog?kind=bullion&inStock=1");
  const lists = await hold(page, /\/catalog\.data/);
  await page.getByRole("checkbox", { name: /^Золото/ }).check();
  await lists.requested(1);
  await page.getByRole("combobox", { name: "Порядок" }).selectOption("price");
  await lists.requested(2);
  await page.getByRole("link", { name: /^Убрать фильтр: Наличие/ }).click();
  await lists.requested(3);
  await page.getByLabel("Год от").fill("1900"); // the form still shows what the chip removed
  await page.getByLabel("Год от").press("Enter");
  await lists.requested(4);
  await page.getByRole("banner").getByRole("link", { name: "Поиск" }).click();
  const field = page.getByRole("dialog", { name: "Поиск" }).getByRole("combobox");
  await field.fill("сея");
  await lists.release();
  await expect(page).toHaveURL(/\/catalog\?metal=gold&kind=bullion&yearFrom=1900&sort=price$/);
  await untilInteractive(page);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("сея");
  await page.getByRole("dialog", { name: "Поиск" }).getByRole("button", { name: "Закрыть" }).click();
  await expect(field).toBeHidden();
  await expect(page.getByRole("checkbox", { name: "Есть сейчас" })).not.toBeChecked();

  await page.getByRole("link", { name: /^Показать ещё/ }).scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  const more = await hold(page, /\/page\/2\.data/);
  await page.getByRole("link", { name: /^Показать ещё/ }).click();
  await more.requested(1);
  await demo(shop, "rates", { XAU_RUB: 11_150 });
  await expect(page.getByRole("region", { name: "Курсы металлов и доллара" })).toContainText("11 150,00");
  await queueIsEmpty(page);
  expect(more.count()).toBe(1);
  await more.release();
  await expect(cards(page)).toHaveCount(48);
  await untilInteractive(page);
  expect(await page.evaluate(() => scrollY)).toBeGreaterThanOrEqual(place - 100);
});

test("words, coins and cities entered while answers are pending are kept; only one quote is requested at a time", async ({ page }) => {
  await open(page, "/search?q=соболь");
  const answers = await hold(page, /\/search\.data/);
  const field = main(page).getByRole("combobox", { name: "Что найти" });
  await field.fill("сеятель");
  await field.press("Enter");
  await answers.requested(1);
  await field.pressSequentially(" 1976");
  await answers.release();
  await expect(page.getByRole("status").filter({ hasText: "по запросу" })).toContainText("сеятель");
  await untilInteractive(page);
  await expect(field).toHaveValue("сеятель 1976");
  await expect(field).toBeFocused();
  await goBack(page);
  await expect(page).toHaveURL(/q=%D1%81%D0%BE%D0%B1%D0%BE%D0%BB%D1%8C$/);

  await open(page, "/quotes-online");
  const coin = page.getByRole("combobox", { name: "Монета" });
  await coin.focus();
  await page.keyboard.press("ArrowDown");
  await expect(page).toHaveURL(/coin=/);
  await untilInteractive(page);
  await expect(coin).toBeFocused();

  await putInCart(page);
  await open(page, "/checkout");
  const city = page.getByRole("combobox", { name: "Город" });
  await city.fill("Самар");
  await expect(page.getByRole("option", { name: /Самара/ })).toBeVisible();
  await city.fill("Тул");
  await city.press("Enter");
  await expect(city).toHaveValue("Тула");

  // The shop keeps the last quote: the one for the newest choice is requested after the previous answer.
  const locks = await hold(page, /\/api\/checkout\/quote$/, "POST");
  await page.getByRole("radio", { name: /^Курьер СДЭК/ }).check();
  await locks.requested(1);
  await page.clock.install();
  await page.getByRole("radio", { name: /^СБП/ }).check();
  await page.clock.runFor(400); // longer than the delay before a quote is requested
  await queueIsEmpty(page);
  expect(locks.count()).toBe(1);
  await locks.release();
  await priceIsLocked(page);
});
