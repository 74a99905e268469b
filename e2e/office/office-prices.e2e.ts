import type { Page } from "@playwright/test";
import type { RunningShop } from "#tests/running-shop.ts";
import { aCoin, marketStands, open } from "../journey.ts";
import { countClicks, expect, expectAccessible, openOffice, signInAs, staffMember, test } from "./office.ts";

test.use({ shopOf: "prices" }); // other journeys count on the prices of the seed

type Card = { id: number; price: number; premium: { bp: number } | null };
async function cardOf(shop: RunningShop, id: number): Promise<Card> {
  const { data } = (await (await fetch(`${shop.url}/api/products?ids=${id}`)).json()) as { data: [Card] };
  return data[0];
}
const value = (page: Page) => page.getByLabel("Величина");
const table = (page: Page) => page.getByRole("region", { name: "Цены до и после" });

const digits = (text: string): string => text.replaceAll(/[\s\u00A0]/g, "");
/** Waits until the open page of the coin shows this price. */
const expectPrice = (page: Page, price: number): Promise<void> =>
  expect.poll(async () => digits(await page.getByRole("main").innerText())).toContain(`${price}₽`);

test("fifty premiums are changed in five clicks, the shop's open page follows without a reload, and one click gives them back", async ({
  browser,
  page,
  shop,
}) => {
  await marketStands(shop);
  const before = await cardOf(shop, aCoin.id);
  await open(page, `/products/${aCoin.slug}`);
  await expectPrice(page, before.price);

  const owner = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await signInAs(owner, shop, "owner", "/orders");
  const clicks = await countClicks(owner);
  const began = Date.now();
  await owner.getByRole("navigation", { name: "Разделы" }).getByRole("link", { name: "Цены" }).click();
  await owner.getByRole("checkbox", { name: /^Золото/ }).click();
  await owner.getByLabel("Страна").selectOption(encodeURIComponent("Россия")); // the fifth press, which makes no click event
  await owner.getByLabel("Год, от").click();
  await owner.keyboard.type("2010");
  await value(owner).click();
  await owner.keyboard.type("-0,5");
  await expect(owner.getByRole("button", { name: /^Изменить, 50/ })).toBeEnabled();
  await expect(table(owner).getByRole("row", { name: /Георгий Победоносец, 50 рублей 2026 \(ММД\)/ })).toContainText("5,5 5");
  await owner.keyboard.press("Control+Enter");
  await expect(owner.getByText(/Цены изменены: 50/)).toBeVisible();
  expect(await clicks()).toBeLessThanOrEqual(4);
  expect(Date.now() - began).toBeLessThan(60_000);

  await expect.poll(async () => (await cardOf(shop, aCoin.id)).price).toBeLessThan(before.price);
  const after = await cardOf(shop, aCoin.id);
  await page.bringToFront();
  await expectPrice(page, after.price);

  await owner.bringToFront();
  await owner.getByRole("button", { name: "Отменить", exact: true }).click();
  await expect(owner.getByText(/Прежние цены вернулись/)).toBeVisible();
  await expect.poll(async () => (await cardOf(shop, aCoin.id)).price).toBe(before.price);
});

test("two filters that are ticked before the table shows the first are both applied", async ({ page, shop }) => {
  await signInAs(page, shop, "owner", "/prices");
  const metal = page.getByRole("checkbox", { name: /^Золото/ });
  await expect(table(page).getByRole("row").nth(10)).toBeAttached();
  await metal.evaluate((tick: HTMLInputElement) => {
    const [gold, , bullion] = tick.form?.querySelectorAll<HTMLInputElement>("input[type=checkbox]") ?? [];
    gold?.click();
    // In a task of its own, as a person does; the table of all coins is rendered for longer.
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => bullion?.click());
    port1.start();
    port2.postMessage(null);
  });
  await expect(page).toHaveURL(/metals=gold.*kinds=bullion/);
  await expect(page.getByText(/Под отбор подошло 107/)).toBeVisible();
});

test("prices are changed only as they are shown: not while another value is counted, and not without a connection", async ({
  page,
  shop,
}) => {
  await signInAs(page, shop, "owner", `/prices?ids=${aCoin.id}`);
  const confirm = page.getByRole("button", { name: /^Изменить, 1/ });
  await value(page).fill("-0,1");
  await expect(confirm).toBeEnabled();

  const counted = Promise.withResolvers<void>();
  const changes: string[] = [];
  await page.route(/\/price-changes$/, async (route) => {
    if (route.request().method() === "POST") changes.push(route.request().postData() ?? "");
    await route.continue();
  });
  await page.route(/\/prices\/preview/, async (route) => {
    await counted.promise;
    await route.continue();
  });
  // Before the pause after the last key, and while the preview is on its way.
  await value(page).fill("-1");
  await expect(confirm).toBeDisabled();
  await page.keyboard.press("Control+Enter");
  counted.resolve();
  await expect(confirm).toBeEnabled();

  await page.context().setOffline(true);
  await value(page).fill("-1,5");
  await expect(page.getByText(/Нет связи/)).toBeVisible();
  await expect(confirm).toBeDisabled();
  await page.keyboard.press("Control+Enter");
  await page.context().setOffline(false);
  expect(changes).toEqual([]);
});

test("a change is scheduled, seen among those that wait, and cancelled", async ({ page, shop }) => {
  await marketStands(shop);
  await signInAs(page, shop, "owner", `/prices?ids=${aCoin.id}`);
  await value(page).fill("0,5");
  await page.getByText("В 18:00").click();
  await page.getByRole("button", { name: /^Запланировать, 1/ }).click();
  await expect(page.getByText(/Цены изменятся .* в 18:00/)).toBeVisible();
  await page.getByRole("link", { name: "Изменения", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Ждут своего времени" })).toBeVisible();
  await page.getByRole("button", { name: "Отменить", exact: true }).first().click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Отменить изменение" }).click();
  await expect(page.getByRole("heading", { name: "Ждут своего времени" })).toBeHidden();
  await openOffice(page, shop, "/prices/changes"); // without the messages of before
  await expectAccessible(page, "the list of price changes");
});

test("a price below the metal is marked and waits for a second person", async ({ browser, shop }) => {
  await marketStands(shop);
  const before = await cardOf(shop, aCoin.id);
  const owner = await staffMember(browser, shop, "owner", `/prices?ids=${aCoin.id}`);
  await owner.page.getByText("До, %").click();
  await value(owner.page).fill("−1");
  await expect(owner.page.getByText(/ниже металла, больше всего на/)).toBeVisible();
  await expectAccessible(owner.page, "prices before and after");
  await owner.page.getByRole("button", { name: /^На согласование/ }).click();
  await expect(owner.page.getByText(/Ждёт второго человека/).first()).toBeVisible();
  expect((await cardOf(shop, aCoin.id)).price).toBe(before.price);

  await openOffice(owner.page, shop, "/approvals");
  await expect(owner.page.getByText(/ниже металла/).first()).toBeVisible();
});

test("a coin gets lower prices for more pieces: its page lists them and the cart charges them", async ({ browser, page, shop }) => {
  await marketStands(shop);
  const owner = await staffMember(browser, shop, "owner", "/prices/steps");
  const form = owner.page.getByRole("form", { name: "Ступени: новая монета" });
  const choice = form.getByLabel("Монета", { exact: true });
  await form.getByRole("button", { name: "Сохранить" }).click();
  await expect(form.getByText("Выберите монету")).toBeVisible();
  await choice.fill(String(aCoin.id));
  await choice.press("Enter");
  await expect(form.getByText("Выберите монету")).toBeHidden();
  await form.getByLabel("Скидка").first().fill("0,5");
  await form.getByRole("button", { name: "Сохранить" }).click();
  await expect(owner.page.getByText(/Сохранено\. На сайте/)).toBeVisible();
  await openOffice(owner.page, shop, "/prices/steps");
  await owner.page.getByText("Прежние ступени: 1").click();
  await expect(owner.page.getByRole("button", { name: "Вернуть: как у металла" })).toBeVisible();
  await expectAccessible(owner.page, "prices by quantity");

  const { price } = await cardOf(shop, aCoin.id);
  await open(page, `/products/${aCoin.slug}`);
  const steps = page.getByRole("table", { name: "Цена за монету по количеству" });
  const lower = Number(digits(await steps.getByRole("row", { name: /от 5/ }).getByRole("cell").innerText()).replaceAll(/\D/g, ""));
  expect(lower).toBeLessThan(price);

  await page.request.patch(`${shop.url}/api/cart/${aCoin.id}`, { headers: { origin: shop.url }, data: { quantity: 4 } });
  await open(page, "/cart");
  await expect(page.getByText(/ещё 1 шт\. — по/)).toBeVisible();
  await expectPrice(page, price * 4);
  await page.getByRole("button", { name: "Больше" }).first().click();
  await expectPrice(page, lower * 5);
});

test("a promo shows its former price only once the coin was sold for a month, and a promo code lowers what is ordered", async ({
  browser,
  page,
  shop,
}) => {
  await marketStands(shop);
  const { price } = await cardOf(shop, aCoin.id);
  const inForty = (): string => new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 16);
  const makePromo = async (): Promise<Page> => {
    const { page: owner } = await staffMember(browser, shop, "owner", `/prices?ids=${aCoin.id}`);
    await value(owner).fill("−1");
    await owner.getByText("Акция…").click();
    await owner.getByLabel("Название для своих").fill("Неделя золота");
    await owner.getByLabel("До, московское").fill(inForty());
    await owner.getByRole("button", { name: /^Сделать акцией, 1/ }).click();
    await expect(owner.getByText(/Акция началась/)).toBeVisible();
    await expect.poll(async () => (await cardOf(shop, aCoin.id)).price).toBeLessThan(price);
    return owner;
  };
  const first = await makePromo();
  await open(page, `/products/${aCoin.slug}`);
  await expect(page.getByText(/акция до/)).toBeVisible();
  await expect(page.getByRole("main").locator("s")).toHaveCount(0);
  await openOffice(first, shop, "/prices/promos");
  await expectAccessible(first, "the list of promos");
  await first.getByRole("link", { name: "Неделя золота" }).click();
  await first.getByRole("button", { name: "Закончить" }).click();
  await first.getByRole("alertdialog").getByRole("button", { name: "Закончить" }).click();
  await expect.poll(async () => (await cardOf(shop, aCoin.id)).price).toBe(price);

  await shop.advance(31 * 86_400_000);
  await marketStands(shop);
  const owner = await makePromo();
  await open(page, `/products/${aCoin.slug}`);
  expect(digits(await page.getByRole("main").locator("s").first().innerText())).toContain(String(price));

  await openOffice(owner, shop, "/prices/codes/new");
  await expectAccessible(owner, "a new promo code");
  await owner.getByLabel("Промокод", { exact: true }).fill("весна 26");
  await owner.getByLabel("Сколько").fill("500");
  await owner.getByRole("checkbox", { name: "Действует и на монеты по акции" }).check();
  await owner.getByRole("button", { name: "Создать промокод" }).click();
  await expect(owner.getByRole("heading", { name: "Промокод ВЕСНА26" })).toBeVisible();

  await page.request.patch(`${shop.url}/api/cart/${aCoin.id}`, { headers: { origin: shop.url }, data: { quantity: 1 } });
  await open(page, "/cart");
  await page.getByText("Ввести промокод").click();
  await page.getByLabel("Промокод").fill("осень");
  await page.getByRole("button", { name: "Применить" }).click();
  await expect(page.getByText("Такого промокода нет. Проверьте, как он написан")).toBeVisible();
  await expect(page.getByLabel("Промокод")).toHaveValue("осень");
  await page.getByLabel("Промокод").fill("Весна26");
  await page.getByRole("button", { name: "Применить" }).click();
  await expect(page.getByText("Промокод ВЕСНА26 применён.")).toBeVisible();
  const lower = (await cardOf(shop, aCoin.id)).price - 500;
  await expectPrice(page, lower);
  const call = async <T>(path: string, data: object, headers = {}): Promise<T> =>
    ((await (await page.request.post(`${shop.url}${path}`, { headers: { origin: shop.url, ...headers }, data })).json()) as { data: T })
      .data;
  const quote = await call<{ quoteId: string; total: number }>("/api/checkout/quote", { deliveryId: 35, city: "0000073738", paymentId: 6 });
  const user = { name: "Анна", lastName: "Воронцова", email: "promo@example.com", phone: "+79160001122" };
  const order = await call<{ number: number; total: number }>(
    "/api/orders",
    { quoteId: quote.quoteId, user, delivery: { id: 35 }, paymentId: 6, consent: true },
    { "idempotency-key": "promo-journey" },
  );
  expect([quote.total, order.total]).toEqual([lower, lower]);
  await openOffice(owner, shop, "/prices/codes");
  await owner.getByRole("link", { name: "ВЕСНА26" }).click();
  await expect(owner.getByRole("link", { name: String(order.number) })).toBeVisible();
  await expectAccessible(owner, "a promo code with its orders");
});
