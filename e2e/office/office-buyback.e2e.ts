import type { Page } from "@playwright/test";
import type { RunningShop } from "#tests/running-shop.ts";
import { aCoin, aPhone, marketStands, postForm } from "../journey.ts";
import { button, expect, expectAccessible, openOffice, roleButtons, staffMember, test } from "./office.ts";

test.use({ shopOf: "buyback" }); // counts of deals, and coins that enter the stock

async function titleOf(shop: RunningShop, id: number): Promise<string> {
  const { data } = (await (await fetch(`${shop.url}/api/products?ids=${id}`)).json()) as { data: { title: string }[] };
  return data[0]?.title ?? "";
}

const panelOf = (page: Page, name: string) => page.getByRole("complementary", { name });
const idOf = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1) ?? "";

/** Fills in what the identity panel of the open deal requires. */
async function fillIdentity(page: Page, number: string): Promise<void> {
  const panel = panelOf(page, "Документ продавца");
  for (const [label, value] of [
    ["Фамилия", "Захаров"],
    ["Имя", "Пётр"],
    ["Дата рождения", "1980-05-17"],
    ["Серия", "4510"],
    ["Номер", number],
    ["Кем выдан", "ОВД Тверского района Москвы"],
    ["Когда выдан", "2005-06-01"],
    ["Адрес регистрации", "Москва, Тверская улица, 1"],
  ] as const)
    await panel.getByLabel(label, { exact: true }).fill(value);
}

async function fillPayout(page: Page, number: string): Promise<void> {
  const panel = panelOf(page, "Выплатить");
  await panel.getByLabel("Счёт продавца").fill("40817810300999100043");
  await panel.getByLabel("БИК банка").fill("044525225");
  await panel.getByLabel("Номер платёжного поручения").fill(number);
}

/** A new offer made by the desk from nothing, on its card, not locked. */
async function anOffer(page: Page, shop: RunningShop): Promise<string> {
  await openOffice(page, shop, "/buyback/new");
  await page.getByLabel("Добавить монету").fill(`${aCoin.id}`);
  await page.getByLabel("Добавить монету").press("Enter");
  await page.getByLabel("Имя").fill("Мария Орлова");
  await page.getByLabel("Телефон").fill(aPhone());
  await button(page, "Сохранить предложение").click();
  await expect(page.getByRole("heading", { level: 1, name: /^Выкуп № \d+/ })).toBeVisible();
  return idOf(page);
}

test("the desk buys coins of a request in twelve presses: locked offer, check, payout by two people, shelf, receipt", async ({
  browser,
  shop,
}) => {
  await marketStands(shop);
  const title = await titleOf(shop, aCoin.id);
  const phone = aPhone();
  const coins = [{ title, count: 3 }];
  await postForm(shop, "buyback", { name: "Пётр Захаров", phone, coins, condition: "good", consent: true });
  const desk = await staffMember(browser, shop, "buyback");
  const { page } = desk;

  // A locked offer from the request: at most four presses.
  await desk.press(page.getByRole("navigation", { name: "Разделы" }).getByRole("link", { name: /Обращения/ }));
  await desk.press(button(page, "Пётр Захаров"));
  await desk.press(page.getByRole("link", { name: "Сделка" }));
  await expect(page.getByLabel(`${title}, штук`)).toHaveValue("3");
  await expect(page.getByLabel(`${title}, состояние`)).toHaveValue("good");
  await expectAccessible(page, "a new deal");
  await desk.press(button(page, /^Зафиксировать на/));
  await expect(page.getByText("Цены зафиксированы", { exact: true }).first()).toBeVisible();
  expect(desk.presses()).toBeLessThanOrEqual(4);
  await expect(page.getByRole("heading", { level: 1, name: /^Выкуп №/ })).toBeVisible();
  const id = idOf(page);
  await expectAccessible(page, "a locked deal");

  // Check and re-price: two pieces came, in another condition; the new sum is shown before it is confirmed.
  const locked = desk.presses();
  await desk.press(button(page, "Монеты пришли"));
  const check = panelOf(page, "Проверить и переоценить");
  await check.getByLabel(`${title}, пришло штук`).fill("2");
  await check.getByLabel(`${title}, состояние`).selectOption("fair");
  const price = Number((await check.getByLabel(`${title}, цена одной`).inputValue()).replaceAll(/\D/g, ""));
  expect(price).toBeGreaterThan(0);
  await check.getByLabel("Почему не так, как предлагали").fill("Одну монету продавец оставил себе, на двух следы");
  await expectAccessible(page, "the check of a deal");
  await desk.press(check.getByRole("button", { name: /^Подтвердить/ }));
  await expect(page.getByText(/^Проверено: /)).toBeVisible();
  expect(desk.presses() - locked).toBeLessThanOrEqual(3);

  // Payout: the identity document comes first, then the transfer; the desk needs a second person.
  const checked = desk.presses();
  await desk.press(button(page, "Выплатить"));
  await fillIdentity(page, "765432");
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page, "the identity document in the dark");
  await desk.press(button(page, /^Записать документ/));
  await expect(panelOf(page, "Выплатить")).toBeVisible();
  await fillPayout(page, "712");
  await expectAccessible(page, "the payout in the dark");
  await page.emulateMedia({ colorScheme: "light" });
  await desk.press(button(page, /^Выплачено/));
  await expect(page.getByText(/Ждёт второго человека/)).toBeVisible();
  await expect(page.getByText(/^На согласовании: Выплата за выкуп/)).toBeVisible();
  expect(desk.presses() - checked).toBeLessThanOrEqual(3);

  // The document opens by a press that the audit records, and the contract is a file.
  await button(page, "Показать документ").click();
  await expect(page.getByText("4510 765432")).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "Захаров Пётр" }), "the keyboard goes on from it").toBeFocused();
  const download = page.waitForEvent("download");
  await button(page, "Договор и акт").click();
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/);

  const owner = await staffMember(browser, shop, "owner", "/approvals");
  await button(owner.page, "Выплата за выкуп").first().click();
  await expectAccessible(owner.page, "the approval of a payout");
  await button(owner.page, /^Согласовать/).click();
  await expect(owner.page.getByText("Сделано: Выплата за выкуп")).toBeVisible();
  await expect(owner.page.getByText("765432")).toHaveCount(0);

  // The shelf: one press, and the coins are in the stock with what they cost.
  await openOffice(page, shop, `/buyback/${id}`);
  const paid = desk.presses();
  await desk.press(button(page, "На склад"));
  await expect(page.getByText(/^Монеты на складе: приход \d+$/)).toBeVisible();
  expect(desk.presses() - paid).toBeLessThanOrEqual(1);
  expect(desk.presses()).toBeLessThanOrEqual(12);
  await page.getByRole("link", { name: /^приход \d+/ }).click();
  await expect(page.getByText(/^проведён/)).toBeVisible();
  await openOffice(owner.page, shop, `/stock/coins/${aCoin.id}`);
  await expect(owner.page.getByRole("row", { name: /приход, документ/ })).toContainText("+2");

  // The office's register prints the receipt of expense, and its numbers are recorded.
  const accountant = await staffMember(browser, shop, "accountant", "/buyback?view=receipt");
  await accountant.page.getByRole("link", { name: `Выкуп № ${id}` }).click();
  await button(accountant.page, "Чек расхода").click();
  await accountant.page.getByLabel("ФН").fill("9999078900004312");
  await accountant.page.getByLabel("ФД", { exact: true }).fill("0");
  await accountant.page.getByLabel("ФПД").fill("3522207165");
  await button(accountant.page, /^Чек пробит/).click();
  await expect(accountant.page.getByText("ФД: до 10 цифр, не с нуля")).toBeVisible();
  await accountant.page.getByLabel("ФД", { exact: true }).fill("125");
  await button(accountant.page, /^Чек пробит/).click();
  await expect(accountant.page.getByText("Чек расхода записан", { exact: true }).first()).toBeVisible();
  await expectAccessible(accountant.page, "a finished deal");

  // The list and the palette find it.
  await openOffice(page, shop, "/buyback?view=finished");
  await expect(page.getByRole("row", { name: new RegExp(`Выкуп № ${id}`) })).toContainText("на складе");
  await expectAccessible(page, "the list of deals");
  await page.keyboard.press("Control+KeyK");
  await page.getByRole("combobox", { name: "Искать" }).fill("Захаров");
  await expect(page.getByRole("option", { name: new RegExp(`Выкуп № ${id}`) })).toBeVisible();
});

test("a deal that a colleague locked meanwhile shows both versions, and a doubled press moves it once", async ({ browser, shop }) => {
  await marketStands(shop);
  const one = await staffMember(browser, shop, "buyback");
  const id = await anOffer(one.page, shop);
  const two = await staffMember(browser, shop, "buyback", `/buyback/${id}`);
  await expect(button(two.page, "Зафиксировать цены")).toBeVisible();
  await button(one.page, "Зафиксировать цены").dblclick();
  await expect(one.page.getByText(/^Цены держим до/)).toBeVisible();
  await expect(one.page.getByRole("listitem").filter({ hasText: /Цены зафиксированы/ })).toHaveCount(1);
  await button(two.page, "Зафиксировать цены").click();
  const dialog = two.page.getByRole("dialog", { name: "Запись тем временем изменили" });
  await expect(dialog.getByRole("row", { name: /Состояние/ })).toContainText(/цены зафиксированы.*предложение/);
  await expectAccessible(two.page, "two versions of a deal");
  await button(two.page, "Взять с сервера").click();
  await expect(button(two.page, "Монеты пришли")).toBeVisible();

  await button(two.page, "Отменить").click();
  await button(two.page, "Отменить сделку").click();
  await expect(two.page.getByText("Заполните это поле")).toBeVisible();
  await two.page.getByLabel("Причина").fill("Продавец передумал");
  await button(two.page, "Отменить сделку").click();
  await expect(two.page.getByText("Сделка отменена")).toBeVisible();
  await expect(two.page.getByText(/Продавец передумал/)).toBeVisible();
});

test("a check with a wrong price says so beside it, and a session that ended asks to sign in and goes on", async ({ browser, shop }) => {
  await marketStands(shop);
  const title = await titleOf(shop, aCoin.id);
  const { page } = await staffMember(browser, shop, "buyback");
  await anOffer(page, shop);
  await button(page, "Зафиксировать цены").click();
  await button(page, "Монеты пришли").click();
  const check = panelOf(page, "Проверить и переоценить");
  await check.getByLabel(`${title}, цена одной`).fill("75 000,50");
  await check.getByRole("button", { name: /^Подтвердить/ }).click();
  await expect(check.getByText("Целые рубли")).toBeVisible();
  await expect(check.getByText("Почему не так, как предлагали").last()).toBeVisible();
  await check.getByLabel(`${title}, цена одной`).fill("75 000");
  await check.getByLabel("Почему не так, как предлагали").fill("Гурт с забоинами");
  await page.context().clearCookies();
  await check.getByRole("button", { name: /^Подтвердить/ }).click();
  await page.getByRole("dialog", { name: "Войдите ещё раз" }).getByRole("button", { name: roleButtons.buyback }).click();
  await expect(page.getByText(/^Проверено: 75/)).toBeVisible();
  await expect(page.getByText("Гурт с забоинами").first()).toBeVisible();
});

test("the desk is offered the contacts of free buyback requests only; of others it reads who opens them", async ({ browser, shop }) => {
  await postForm(shop, "callback", { name: "Мария Звонкова", phone: aPhone(), convenientTime: "", consent: true });
  const title = await titleOf(shop, aCoin.id);
  await postForm(shop, "buyback", {
    name: "Олег Монетов",
    phone: aPhone(),
    coins: [{ title, count: 1 }],
    condition: "good",
    consent: true,
  });
  const [{ page: first }, { page: second }] = [
    await staffMember(browser, shop, "buyback", "/requests"),
    await staffMember(browser, shop, "owner", "/requests"),
  ];
  const refused: string[] = [];
  first.on("response", (answer) => {
    if (answer.status() === 403) refused.push(answer.url());
  });
  await button(first, "Мария Звонкова").click();
  const panel = first.getByRole("complementary");
  await expect(panel.getByText("Контакты открывают роли: продажи, владелец.")).toBeVisible();
  await expect(button(panel, "Показать")).toHaveCount(0);
  await expectAccessible(first, "a request whose contacts another role opens");

  // A colleague takes the request of the other kind.
  await second
    .getByRole("row", { name: /Олег Монетов/ })
    .getByRole("button", { name: "Ответить" })
    .click();
  await expect(second.getByRole("complementary").getByRole("link", { name: /^\+7 9/ })).toBeVisible();
  await openOffice(first, shop, "/requests");
  await button(first, "Олег Монетов").click();
  await expect(panel.getByText("Контакты откроет тот, кто отвечает на обращение.")).toBeVisible();
  await expect(button(panel, "Показать")).toHaveCount(0);
  // A deal would open them too, so it is offered to who answers the request only.
  await expect(panel.getByRole("link", { name: "Сделка" })).toHaveCount(0);
  await expect(second.getByRole("complementary").getByRole("link", { name: "Сделка" })).toBeVisible();
  await expect(first.getByRole("banner").getByText("Золото"), "who buys coins reads the rates").toBeVisible();
  // The key of the row does nothing either.
  await openOffice(first, shop, "/requests?kind=callback");
  await expect(first.getByRole("row", { name: /Мария Звонкова/ })).toBeVisible();
  await first.keyboard.press("j");
  await first.keyboard.press("m");
  expect(refused).toEqual([]);
});

test("a coin that is found late leaves what is typed in another field alone, and the field of coins ready for the next", async ({
  browser,
  shop,
}) => {
  await marketStands(shop);
  const { page } = await staffMember(browser, shop, "buyback", "/buyback/new");
  const coins = page.getByLabel("Добавить монету");
  const found = Promise.withResolvers<void>();
  await page.route(
    "**/api/staff/buyback/coins?*",
    async (route) => {
      await found.promise;
      await route.continue();
    },
    { times: 1 },
  );
  await coins.fill(`${aCoin.id}`);
  await coins.press("Enter");
  await page.getByLabel("Имя").click();
  await page.keyboard.type("Мария");
  found.resolve();
  await expect(page.getByText(/^Предлагаем /)).toBeVisible();
  await page.keyboard.type(" Орлова");
  await expect(page.getByLabel("Имя")).toHaveValue("Мария Орлова");
  await coins.fill(`${aCoin.id}`);
  await coins.press("Enter");
  await expect(coins).toHaveValue("");
  await expect(coins).toBeFocused();
});

test("prices that change while an offer is entered are shown before it is stored; a price typed by hand stays", async ({
  browser,
  shop,
}) => {
  await marketStands(shop);
  const title = await titleOf(shop, aCoin.id);
  const { page } = await staffMember(browser, shop, "buyback", "/buyback/new");
  await page.getByLabel("Добавить монету").fill(`${aCoin.id}`);
  await page.getByLabel("Добавить монету").press("Enter");
  const price = page.getByLabel(`${title}, цена одной`);
  const before = await price.inputValue();
  await page.getByLabel("Имя").fill("Мария Орлова");
  await page.getByLabel("Телефон").fill(aPhone());
  await marketStands(shop, { gold: 11_500 });
  await button(page, /^Зафиксировать на/).click();
  await expect(page.getByText(/^Цены тем временем изменились/)).toBeVisible();
  await expect(price).not.toHaveValue(before);
  await expect(page.getByLabel("Имя")).toHaveValue("Мария Орлова");
  const today = await price.inputValue();
  await button(page, "Сохранить предложение").click();
  await expect(page.getByRole("heading", { level: 1, name: /^Выкуп № \d+/ })).toBeVisible();
  await button(page, "Изменить").click();
  await expect(price).toHaveValue(today);
  await price.fill("75 000");
  await marketStands(shop);
  await button(page, "Сохранить и зафиксировать").click();
  await expect(button(page, "Монеты пришли")).toBeVisible();
  await expect(page.getByRole("row", { name: new RegExp(title.slice(0, 10)) })).toContainText(/75\s000/u);
});

test("the accountant pays the desk's deal, and one under mandatory control waits for a second person", async ({ browser, shop }) => {
  await marketStands(shop);
  const title = await titleOf(shop, aCoin.id);
  const { page } = await staffMember(browser, shop, "buyback");
  const id = await anOffer(page, shop);
  await button(page, "Изменить").click();
  await page.getByLabel(`${title}, штук`).fill("13");
  await button(page, "Сохранить и зафиксировать").click();
  await expect(page.getByRole("row", { name: new RegExp(title.slice(0, 10)) })).toContainText(/13\s×/u);
  await button(page, "Документ продавца").click();
  await fillIdentity(page, "111222");
  await button(page, /^Записать документ/).click();
  await expect(page.getByText(/^записан/)).toBeVisible();
  await button(page, "Монеты пришли").click();
  await panelOf(page, "Проверить и переоценить")
    .getByRole("button", { name: /^Подтвердить/ })
    .click();
  await expect(page.getByText(/^Проверено: /)).toBeVisible();
  await expect(page.getByText(/^обязательный контроль, от /)).toBeVisible();

  const accountant = await staffMember(browser, shop, "accountant", `/buyback/${id}`);
  await expect(button(accountant.page, "Проверить и переоценить")).toHaveCount(0);
  await expect(button(accountant.page, "Показать документ")).toHaveCount(0);
  await button(accountant.page, "Выплатить").click();
  await expect(panelOf(accountant.page, "Выплатить").getByText(/обязательный контроль по 115-ФЗ/)).toBeVisible();
  await button(accountant.page, /^Выплачено/).click();
  await expect(accountant.page.getByText("Номер платёжного поручения, например 125")).toBeVisible();
  await fillPayout(accountant.page, "713");
  await expectAccessible(accountant.page, "a payout under mandatory control");
  await button(accountant.page, /^Выплачено/).click();
  await expect(accountant.page.getByText(/Ждёт второго человека/)).toBeVisible();
  await expect(accountant.page.getByText(/^На согласовании: Выплата за выкуп/)).toBeVisible();

  // A usual deal is paid by the accountant alone.
  const usual = await anOffer(page, shop);
  await button(page, "Зафиксировать цены").click();
  await button(page, "Монеты пришли").click();
  const check = panelOf(page, "Проверить и переоценить");
  await check.getByLabel(`${title}, состояние`).selectOption("damaged");
  await check.getByLabel(`${title}, цена одной`).fill("70 000");
  await check.getByLabel("Почему не так, как предлагали").fill("Царапина через поле");
  await check.getByRole("button", { name: /^Подтвердить/ }).click();
  await expect(page.getByText(/^Проверено: /)).toBeVisible();
  await openOffice(accountant.page, shop, `/buyback/${usual}`);
  await expect(accountant.page.getByText("документ продавца вносит стол выкупа")).toBeVisible();
  await button(page, "Документ продавца").click();
  await fillIdentity(page, "333444");
  await button(page, /^Записать документ/).click();
  await expect(page.getByText(/^записан/)).toBeVisible();
  await openOffice(accountant.page, shop, `/buyback/${usual}`);
  await button(accountant.page, "Выплатить").click();
  await fillPayout(accountant.page, "713");
  await button(accountant.page, /^Выплачено/).click();
  await expect(accountant.page.getByText(/поручение № 713 от /)).toBeVisible();

  // Damaged coins are not put on the shelf by one press: the storefront would sell them as usual ones.
  await openOffice(page, shop, `/buyback/${usual}`);
  await button(page, "На склад").click();
  const question = page.getByRole("alertdialog", { name: "Поставить на склад монеты с повреждениями?" });
  await expect(question).toContainText(`${title} × 1`);
  await expectAccessible(page, "the question about damaged coins");
  await question.getByRole("button", { name: "Поставить на склад" }).click();
  await expect(page.getByText(/^Монеты на складе: приход \d+$/)).toBeVisible();
});

test("a free deal is taken with its contacts; an offer that ran out is renewed, and the coins go back", async ({ browser, shop }) => {
  await marketStands(shop);
  const desk = await staffMember(browser, shop, "buyback");
  const id = await anOffer(desk.page, shop);
  await button(desk.page, "Зафиксировать цены").click();
  await expect(desk.page.getByText(/^Цены держим до/)).toBeVisible();
  const own = await desk.page.getByLabel("Ведёт").inputValue();
  await desk.page.getByLabel("Ведёт").selectOption({ label: "никто" });
  await button(desk.page, "Взять и показать контакты").click();
  await expect(desk.page.getByRole("link", { name: /^\+7/ })).toBeVisible();
  await expect(desk.page.getByLabel("Ведёт")).toHaveValue(own);

  await shop.advance(25 * 3_600_000);
  await marketStands(shop, { gold: 11_500 });
  const { page } = await staffMember(browser, shop, "buyback", `/buyback/${id}`);
  await expect(page.getByText(/^Срок цен вышел/)).toBeVisible();
  await expect(button(page, "Монеты пришли")).toHaveCount(0);
  await button(page, "Продлить по ценам дня").click();
  await expect(page.getByText(/^Было .*, по ценам дня /)).toBeVisible();
  await expectAccessible(page, "the question before a renewal");
  await button(page, "Зафиксировать").click();
  await expect(page.getByText(/^Цены держим до/)).toBeVisible();
  await button(page, "Монеты пришли").click();
  await expect(panelOf(page, "Проверить и переоценить")).toBeVisible();
  await button(page, "Вернуть монеты").click();
  await button(page, "Монеты отданы").click();
  await expect(page.getByText("Заполните это поле")).toBeVisible();
  await page.getByLabel("Причина").fill("Не сошлись в цене");
  await button(page, "Монеты отданы").click();
  await expect(page.getByText("Монеты отданы продавцу").first()).toBeVisible();
  await expect(page.getByText(/Не сошлись в цене/)).toBeVisible();
});
