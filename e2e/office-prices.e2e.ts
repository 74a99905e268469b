import type { Page } from "@playwright/test";
import type { RunningShop } from "#tests/running-shop.ts";
import { aCoin, marketStands, open } from "./journey.ts";
import { countClicks, expect, expectAccessible, openOffice, signInAs, staffMember, test } from "./office.ts";

test.use({ database: "pglite" }); // prices of its own: other journeys count on those of the seed

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
  test.setTimeout(120_000);
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
  await form.getByLabel("Номер монеты").fill(String(aCoin.id));
  await form.getByLabel("Скидка").first().fill("0,5");
  await form.getByRole("button", { name: "Сохранить" }).click();
  await expect(owner.page.getByText(/Сохранено\. На сайте/)).toBeVisible();
  await openOffice(owner.page, shop, "/prices/steps");
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
