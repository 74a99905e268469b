import type { APIRequestContext, Page } from "@playwright/test";
import { minutes } from "#kit/time.ts";
import type { RunningShop } from "#tests/running-shop.ts";
import {
  aCoin,
  agreeAndOrder,
  aPhone,
  demo,
  expect,
  fillContacts,
  letters,
  marketStands,
  priceIsLocked,
  putInCart,
  simulatedPayments,
  test,
  open,
  openWithoutWaiting,
} from "../journey.ts";

test.afterEach(({ shop }) => demo(shop, "market", { open: true })); // a failed journey leaves no closed market behind

type Card = { price: number };
const priceNow = async (url: string): Promise<number> => {
  const { data } = (await (await fetch(`${url}/api/products?ids=${aCoin.id}`)).json()) as { data: Card[] };
  return data[0]?.price ?? 0;
};
const digits = (text: string | null): number => Number((text ?? "").replaceAll(/\D/g, ""));
const goldIn = async (page: Page): Promise<number> =>
  digits(
    await page
      .getByRole("region", { name: "Курсы металлов и доллара" })
      .getByRole("listitem")
      .filter({ hasText: "Золото" })
      .locator(".digits")
      .first()
      .textContent(),
  );
/** Tabs of this browser that have the stream open, and those that wait for it. */
const tabsAtTheStream = (page: Page): Promise<{ listening: number; waiting: number }> =>
  page.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    const ours = (locks: LockInfo[]): number => locks.filter(({ name }) => name === "chekan.rates").length;
    return { listening: ours(held), waiting: ours(pending) };
  });

test("a price changes on all open tabs at once, over one stream, without layout shift", async ({ context, shop }) => {
  const streams: string[] = [];
  context.on("request", (request) => {
    if (request.url().endsWith("/api/courses/stream")) streams.push(request.url());
  });
  const product = await context.newPage();
  await putInCart(product);
  const [catalog, cart] = [await context.newPage(), await context.newPage()];
  await open(catalog, "/catalog/gold?sort=-price");
  await open(cart, "/cart");
  await expect.poll(() => tabsAtTheStream(product)).toEqual({ listening: 1, waiting: 2 });
  await marketStands(shop, { gold: 11_150 });
  for (const page of [product, catalog, cart]) {
    await page.bringToFront();
    await expect.poll(() => goldIn(page)).toBe(1_115_000);
  }
  await product.bringToFront();
  const before = await priceNow(shop.url);
  await expect.poll(async () => digits(await product.locator(".offer__price").textContent())).toBe(before);

  await product.evaluate(() => {
    Object.assign(window, { shifts: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        Object.assign(window, { shifts: Number(Reflect.get(window, "shifts")) + Number(Reflect.get(entry, "value")) });
    }).observe({ type: "layout-shift" });
  });
  await demo(shop, "rates", { XAU_RUB: 11_190, XAG_RUB: 131.48 });
  await expect.poll(() => goldIn(product)).toBe(1_119_000);
  await expect.poll(() => priceNow(shop.url)).toBeGreaterThan(before);
  const after = await priceNow(shop.url);
  for (const page of [product, catalog, cart]) {
    await page.bringToFront();
    await expect.poll(() => goldIn(page)).toBe(1_119_000);
  }
  await expect.poll(async () => digits(await product.locator(".offer__price").textContent())).toBe(after);
  await expect.poll(async () => digits(await cart.locator(".cart__price b[data-live]").first().textContent())).toBe(after);
  expect(streams).toHaveLength(1);
  expect(await product.evaluate(() => Number(Reflect.get(window, "shifts")))).toBeLessThan(0.01);
});

test("when the tab with the stream is closed, another one opens it", async ({ context, shop }) => {
  const [first, second] = [await context.newPage(), await context.newPage()];
  await marketStands(shop, { gold: 11_150 });
  await open(first, "/");
  await expect.poll(() => tabsAtTheStream(first)).toEqual({ listening: 1, waiting: 0 });
  await open(second, "/catalog");
  await expect.poll(() => tabsAtTheStream(second)).toEqual({ listening: 1, waiting: 1 });
  await first.close();
  await expect.poll(() => tabsAtTheStream(second)).toEqual({ listening: 1, waiting: 0 });
  await demo(shop, "rates", { XAU_RUB: 11_205 });
  await expect.poll(() => goldIn(second)).toBe(1_120_500);
});

test("a page that cannot reload its data when prices change stays as it is, and updates when it can", async ({ page, shop }) => {
  await marketStands(shop, { gold: 11_150 });
  await open(page, `/products/${aCoin.slug}`);
  await expect.poll(() => goldIn(page)).toBe(1_115_000);
  const shown = page.locator(".offer__price");
  const before = await priceNow(shop.url);
  await expect.poll(async () => digits(await shown.textContent())).toBe(before);
  const refused: string[] = [];
  await page.route(/\.data(\?|$)/, (route) => {
    refused.push(route.request().url());
    return refused.length === 1 ? route.abort() : route.fulfill({ status: 503, contentType: "application/json", body: "{}" });
  });
  await demo(shop, "rates", { XAU_RUB: 11_170 });
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(3); // the third is requested after two failures
  expect(digits(await shown.textContent())).toBe(before);
  await page.unroute(/\.data(\?|$)/);
  await demo(shop, "rates", { XAU_RUB: 11_190 });
  await expect.poll(() => goldIn(page)).toBe(1_119_000);
  const now = await priceNow(shop.url);
  expect(now).toBeGreaterThan(before);
  await expect.poll(async () => digits(await shown.textContent())).toBe(now);
});

test("a quote keeps its price when the market moves; when the market closes, the page says what still works", async ({ page, shop }) => {
  await marketStands(shop, { gold: 11_150 });
  await putInCart(page);
  await open(page, "/checkout");
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await priceIsLocked(page);
  const total = page.getByRole("main").locator(".total [data-live]").first();
  const locked = await total.textContent();
  const readAgain = page.waitForResponse((answer) => answer.url().includes("/checkout.data"));
  await demo(shop, "rates", { XAU_RUB: 11_100 });
  await expect.poll(() => goldIn(page)).toBe(1_110_000);
  await readAgain;
  await expect.poll(() => priceNow(shop.url)).not.toBe(digits(locked));
  expect(await total.textContent()).toBe(locked);

  await demo(shop, "market", { open: false });
  await expect(page.getByRole("region", { name: "Курсы металлов и доллара" })).toContainText("Торги закрыты");
  // the page has reloaded its data and keeps the quote
  await expect(page.getByRole("main").getByRole("status").filter({ hasText: "Биржа закрыта" })).toBeVisible();
  expect(await total.textContent()).toBe(locked);
  await open(page, `/products/${aCoin.slug}`);
  await expect(page.getByRole("main")).toContainText("цену зафиксируем, когда торги откроются");
  await open(page, "/cart");
  await expect(page.getByRole("main")).toContainText("Биржа закрыта");
  await expect(page.getByRole("main")).toContainText("Сейчас можно заказать памятные монеты");
  await demo(shop, "market", { open: true });
  await expect(page.getByRole("main")).not.toContainText("Биржа закрыта");
});

test("while quotes are late, cart and checkout call their prices the last ones, not live", async ({ page, shop }) => {
  await marketStands(shop);
  await putInCart(page);
  await demo(shop, "faults", { provider: "rates", mode: "error" });
  try {
    await shop.advance(minutes(4));
    await open(page, "/cart");
    const main = page.getByRole("main");
    await expect(main.getByText("Котировки задерживаются.")).toBeVisible();
    await expect(main.getByText(/^Последние цены, на/)).toBeVisible();
    await open(page, "/checkout");
    await expect(main.getByText("Последние цены", { exact: true })).toBeVisible();
  } finally {
    await demo(shop, "faults", { provider: "rates", mode: "ok" });
  }
});

test("the market closes during checkout: an order with a quote is placed at its price, the next one waits, fixed prices do not", async ({
  page,
  shop,
}) => {
  await marketStands(shop);
  await putInCart(page);
  await open(page, "/checkout");
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await fillContacts(page, { lastName: "Полуночная", name: "Анна", phone: aPhone(), email: "polnoch@example.com" });
  await priceIsLocked(page);
  const locked = digits(await page.getByRole("main").locator(".total [data-live]").first().textContent());
  await demo(shop, "market", { open: false });
  await expect(page.getByRole("region", { name: "Курсы металлов и доллара" })).toContainText("Торги закрыты");
  await agreeAndOrder(page);
  await page.locator('button[value="pay"]').click();
  await expect(page.getByRole("heading", { name: "Спасибо, заказ оплачен" })).toBeVisible();
  const mine = (await simulatedPayments(shop)).find((each) => page.url().includes(each.orderId));
  expect(Math.round(mine?.amount ?? 0)).toBe(locked);

  // No quote for bullion now: the page says so before the click, and the button gives the reason after it.
  await putInCart(page);
  await open(page, "/checkout");
  await expect(page.getByRole("main").getByRole("status").filter({ hasText: "Биржа закрыта" })).toContainText(
    "зафиксируем, когда откроются торги",
  );
  await expect(page.getByRole("main").getByRole("link", { name: "памятные монеты" })).toHaveAttribute("href", "/catalog/memorable-coins");
  await page.getByText("Написать, когда торги откроются").click();
  const opening = page.getByRole("group").filter({ has: page.getByRole("button", { name: "Написать мне" }) });
  await opening.getByLabel("Электронная почта").fill("polnoch");
  await opening.getByRole("button", { name: "Написать мне" }).click();
  await expect(opening).toContainText("Email указан неверно");
  await opening.getByLabel("Электронная почта").fill("otkrytie@example.com");
  await opening.getByRole("button", { name: "Написать мне" }).click();
  await expect(page.getByRole("main")).toContainText("Проверьте почту otkrytie@example.com");
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await fillContacts(page, { lastName: "Полуночная", name: "Анна", phone: aPhone(), email: "polnoch@example.com" });
  await agreeAndOrder(page);
  await expect(page.getByRole("dialog").filter({ hasText: "Биржа закрыта" })).toBeVisible();
  await page.keyboard.press("Escape");

  // A coin with a fixed price does not wait for the exchange.
  await open(page, "/cart");
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Убрать: Георгий/ })
    .click();
  await expect(page.getByRole("heading", { name: "Здесь пока пусто" })).toBeVisible();
  await putInCart(page, "spartak-1-rubl-2024");
  await open(page, "/checkout");
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await priceIsLocked(page);
});

/** An alert of another visitor, confirmed from its letter. */
async function createConfirmedAlert(shop: RunningShop, request: APIRequestContext, email: string, condition: object): Promise<void> {
  expect((await request.post("/api/alerts", { data: { course: "XAU_RUB", email, ...condition } })).status()).toBe(201);
  await expect.poll(async () => (await letters(shop, email)).length).toBe(1);
  const link = /https?:\S+\/alerts\/\S+/.exec((await letters(shop, email))[0] ?? "")?.[0] ?? "";
  expect((await request.post(link, { form: { do: "confirm" }, headers: { origin: shop.url } })).ok()).toBe(true);
}

test("a visitor confirms an alert by letter, is notified once, and ends it by the letter's link", async ({ page, request, shop }) => {
  const email = "zhdu@example.com";
  await marketStands(shop, { gold: 11_100 });
  // the other alert's letter shows that all alerts were evaluated at that price
  await createConfirmedAlert(shop, request, "sosed@example.com", { below: 11_068 });
  await open(page, "/quotes-online");
  await page.getByText("Напишите мне, когда цена изменится").click();
  await page.getByLabel(/^Цена, /).fill("11 080");
  await page.getByLabel("Электронная почта").fill(email);
  await page.getByRole("button", { name: "Следить" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Проверьте почту" })).toBeFocused();

  await expect.poll(async () => (await letters(shop, email)).length).toBe(1);
  const link = /https?:\S+\/alerts\/\S+/.exec((await letters(shop, email))[0] ?? "")?.[0] ?? "";
  await open(page, link);
  await page.getByRole("button", { name: "Подтвердить" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Оповещение включено: напишем, когда золото станет не дороже" })).toBeFocused();

  const isTold = (who: string) => expect.poll(async () => (await letters(shop, who)).length).toBe(2);
  await demo(shop, "rates", { XAU_RUB: 11_070 });
  await isTold(email);
  expect((await letters(shop, email))[0]).toContain("Вы просили написать, когда станет не дороже");
  await demo(shop, "rates", { XAU_RUB: 11_066 });
  await isTold("sosed@example.com");

  await open(page, link);
  await page.getByRole("button", { name: "Больше не писать" }).click();
  await expect(page.getByRole("status").filter({ hasText: "больше не напишем" })).toBeFocused();
  expect(await letters(shop, email)).toHaveLength(2);
});

test("the chart is read by arrow keys, and without scripts the page is a table", async ({ browser, shop }) => {
  await marketStands(shop);
  const context = await browser.newContext({ baseURL: shop.url });
  const page = await context.newPage();
  await open(page, "/quotes-online?range=1y");
  const slider = page.getByRole("slider", { name: /значения по порядку/ });
  await slider.focus();
  const last = await slider.getAttribute("aria-valuetext");
  await page.keyboard.press("ArrowLeft");
  await expect(slider).not.toHaveAttribute("aria-valuetext", last ?? "");
  await expect(slider).toHaveAttribute("aria-valuetext", /открытие .+ закрытие .+ ₽/);
  await page.getByText("График таблицей").click();
  await expect
    .poll(() => page.getByRole("table", { name: "Золото, ₽ за грамм", exact: true }).getByRole("row").count())
    .toBeGreaterThan(200);

  // A coin that is not on sale: its metal value, our buyback price, and the price of as much metal in our coins.
  await page.getByText("Монеты нет в списке: по массе и пробе").click();
  await page.getByLabel("Масса, г").fill("8,6");
  await expect(page.locator(".calculator__custom .spread dd")).toHaveCount(3);
  const [metal = 0, buyback = 0, price = 0] = (await page.locator(".calculator__custom .spread dd").allTextContents()).map(digits);
  expect([0 < buyback, buyback < metal, metal < price]).toEqual([true, true, true]);
  expect(Math.abs(metal / ((8.6 * 0.9 * (await goldIn(page))) / 100) - 1)).toBeLessThan(0.005);
  await context.close();

  const plain = await browser.newContext({ baseURL: shop.url, javaScriptEnabled: false });
  const bare = await plain.newPage();
  await openWithoutWaiting(bare, "/quotes-online", "scripts are off");
  await expect(bare.getByRole("table", { name: /по дням/ }).getByRole("row")).toHaveCount(21);
  await expect(bare.getByRole("img", { name: /^Золото, ₽ за грамм, месяц/ })).toBeVisible();
  await bare.getByRole("link", { name: "Серебро", exact: true }).and(bare.locator(".pick a")).click();
  await expect(bare.getByRole("heading", { level: 1 })).toHaveText("Цена серебра");
  const file = await plain.request.get("/quotes-online/table.csv?code=XAG_RUB");
  expect(file.headers()["content-type"]).toContain("text/csv");
  expect((await file.text()).split("\r\n").length).toBeGreaterThan(1_250);
  await plain.close();
});

test("a seller's estimate adds up while coins are entered, follows the market, and is stored and mailed with the request", async ({
  page,
  shop,
}) => {
  const email = "prodavec@example.com";
  await marketStands(shop, { gold: 11_100 });
  await open(page, `/products/${aCoin.slug}`);
  await expect.poll(() => goldIn(page)).toBe(1_110_000);
  await page.getByRole("link", { name: "Продать нам такую монету" }).click();
  const form = page.getByRole("region", { name: "Оценить монеты" });
  const sum = form.getByRole("status").filter({ hasText: "Предварительная оценка" });
  const top = async (): Promise<number> => digits(await sum.locator(".buyback-estimate__sum [data-live]").textContent());
  await form.getByLabel("Состояние").selectOption({ label: "Идеальное: в капсуле, без следов" });
  const listed = async (): Promise<number> =>
    digits(
      await page
        .getByRole("region", { name: "Цены выкупа сегодня" })
        .getByRole("row", { name: /^Георгий Победоносец, 50 рублей 2026 \(ММД\)/ })
        .locator("[data-live]")
        .textContent(),
    );
  const one = await listed();
  await expect.poll(top).toBe(one); // coins in perfect condition at the price of the list
  await form.getByRole("textbox", { name: /^Штук/ }).first().fill("3");
  await expect.poll(top).toBe(one * 3);
  await form
    .getByRole("combobox", { name: /^Монета/ })
    .nth(1)
    .fill("Старая медаль");
  await expect(sum).toContainText("назовём отдельно");
  await form
    .getByRole("combobox", { name: /^Монета/ })
    .nth(1)
    .fill("");

  // The list and the sum change with the rate while the form is being filled in; a field's error message stays.
  await form.getByRole("button", { name: "Отправить на оценку" }).click();
  await expect(form.getByRole("alert")).toBeVisible();
  await demo(shop, "rates", { XAU_RUB: 11_250 });
  await expect.poll(listed).toBeGreaterThan(one);
  await expect(form.getByRole("alert")).toBeVisible();
  await expect(form.getByRole("combobox", { name: /^Монета/ }).first()).toHaveValue(/^Георгий Победоносец, 50 рублей/);
  await expect.poll(async () => (await top()) === (await listed()) * 3).toBe(true);
  const promised = await top();

  await form.getByLabel("Как к вам обращаться").fill("Пётр");
  await form.getByLabel("Телефон").fill("9161112233");
  await form.getByLabel("Электронная почта, если удобно").fill(email);
  await form.getByRole("checkbox").check();
  await form.getByRole("button", { name: "Отправить на оценку" }).click();
  const thanks = page.getByRole("region", { name: "Заявка на оценку получена" });
  await expect(thanks).toContainText("Предварительно");
  expect(digits(/Предварительно ([^₽]*)₽/.exec((await thanks.textContent()) ?? "")?.[1] ?? "")).toBe(promised);
  await demo(shop, "rates", { XAU_RUB: 11_200 });
  await expect.poll(listed).toBeLessThan(promised / 3); // the page has reloaded its data, and the thanks stay
  await expect(thanks).toContainText("Предварительно");
  await expect.poll(async () => digits(/заявки: ([^₽]*)₽/.exec((await letters(shop, email))[0] ?? "")?.[1] ?? "")).toBe(promised);
});

test("without scripts the price list is a table, and the server computes the estimate", async ({ browser, shop }) => {
  await marketStands(shop);
  const context = await browser.newContext({ baseURL: shop.url, javaScriptEnabled: false });
  const page = await context.newPage();
  const form = page.getByRole("region", { name: "Оценить монеты" });
  await expect(async () => {
    // the cached page may be of the previous list
    await openWithoutWaiting(page, "/coin-buyback", "scripts are off");
    const row = page.getByRole("table", { name: "Золотые инвестиционные", exact: true }).getByRole("row").nth(1);
    const each = digits(await row.getByRole("cell").last().textContent());
    await form
      .getByRole("combobox", { name: /^Монета/ })
      .first()
      .fill((await row.getByRole("rowheader").textContent()) ?? "");
    await form.getByRole("textbox", { name: /^Штук/ }).first().fill("2");
    await form.getByLabel("Состояние").selectOption({ label: "Идеальное: в капсуле, без следов" });
    await form.getByRole("button", { name: "Посчитать" }).click();
    const sum = form.getByRole("status").filter({ hasText: "Предварительная оценка" });
    await expect(sum).toContainText("2 ×");
    expect(digits(await sum.locator(".buyback-estimate__sum b").textContent())).toBe(each * 2);
  }).toPass();
  await expect(form.getByRole("textbox", { name: /^Штук/ }).first()).toHaveValue("2");
  await context.close();
});
