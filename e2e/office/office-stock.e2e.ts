import type { Page } from "@playwright/test";
import { demo, marketStands } from "../journey.ts";
import { aPaidOrder, button, expect, expectAccessible, openOffice, staffMember, test } from "./office.ts";

test.use({ shopOf: "stock" }); // the numbers of the stock are its own

/** The first gold coin that is sold out, by its row in the list. */
async function aSoldOutCoin(page: Page): Promise<{ id: string; title: string }> {
  const link = page.getByRole("row").nth(1).getByRole("link");
  await expect(link).toBeVisible();
  return { id: (await link.getAttribute("href"))?.split("/").at(-1) ?? "", title: (await link.textContent()) ?? "" };
}

test("goods come with their cost and are in the shop at once; a count with a difference is corrected by two people", async ({
  page,
  browser,
  shop,
}) => {
  await marketStands(shop);
  const owner = await staffMember(browser, shop, "owner", "/stock?part=out&metal=gold");
  const coin = await aSoldOutCoin(owner.page);

  // Packing receives three pieces.
  const packing = await staffMember(browser, shop, "packing", "/stock/documents/new?kind=receipt");
  const desk = packing.page;
  await desk.getByLabel("Добавить монету").fill(coin.id);
  await desk.getByLabel("Добавить монету").press("Enter");
  await expect(desk.getByLabel(`${coin.title}, штук`)).toBeVisible();
  // Nothing was typed into the document, but a coin would be lost.
  await desk.getByRole("navigation", { name: "Разделы" }).getByRole("link", { name: /Склад/ }).click();
  await desk.getByRole("alertdialog", { name: "Уйти без сохранения?" }).getByRole("button", { name: "Остаться" }).click();
  await desk.getByLabel("Поставщик").fill("Гознак");
  await desk.getByLabel(`${coin.title}, штук`).fill("0");
  await desk.getByLabel(`${coin.title}, стоила одна`).fill("81 500,50");
  await button(desk, "Провести").click();
  await expect(desk.getByText("Хотя бы одна монета")).toBeVisible();
  await desk.getByLabel(`${coin.title}, штук`).fill("3");
  await button(desk, "Провести").click();
  await expect(desk.getByText(/^проведён/)).toBeVisible();
  await expect(desk.getByRole("row", { name: new RegExp(coin.title) })).toContainText("244 501,50");
  await expectAccessible(desk, "a document");

  // The shop sells it within seconds.
  await openOffice(owner.page, shop, `/stock/coins/${coin.id}`);
  await expect(owner.page.getByText("81 500,50 ₽")).toBeVisible();
  await expect(owner.page.getByRole("row", { name: /приход, документ/ })).toContainText("+3");
  await expectAccessible(owner.page, "a coin in the stock");
  await expect
    .poll(
      async () =>
        ((await (await page.request.get(`${shop.url}/api/products?ids=${coin.id}`)).text()).match(/"inStock":(true|false)/) ?? [])[1],
    )
    .toBe("true");

  // A count of all gold finds one piece less; the screen does not show the expected number.
  await openOffice(desk, shop, "/stock/documents?view=stocktakes");
  await button(desk, "Новая инвентаризация").click();
  await desk.getByLabel("Название").fill("Сейф, золото");
  await desk.getByLabel("Что считаем").selectOption("gold");
  await button(desk, /^Начать/).click();
  await expect(desk.getByRole("heading", { level: 1, name: "Сейф, золото" })).toBeVisible();
  await expect(desk.getByText("По учёту")).toHaveCount(0);
  for (const _ of [1, 2]) {
    await desk.keyboard.type(coin.id);
    await desk.keyboard.press("Enter");
  }
  await expect(desk.getByText(`${coin.title}: посчитано 2`)).toBeVisible();
  await expectAccessible(desk, "a count");
  await button(desk, "Закончить счёт").click();
  await desk.getByRole("alertdialog").getByRole("button", { name: "Закончить" }).click();
  await expect(desk.getByRole("heading", { level: 1, name: /Исправление остатка/ })).toBeVisible();
  await expect(desk.getByLabel(`${coin.title}, штук`)).toHaveValue("-1");
  await button(desk, "Провести").click();
  await expect(desk.getByText(/Ждёт второго человека/)).toBeVisible();
  await expect(desk.getByText(/^На согласовании: Исправление остатка\. .*Просили вы/)).toBeVisible();

  // A second person agrees.
  await openOffice(owner.page, shop, "/approvals");
  await button(owner.page, "Исправление остатка").first().click();
  await button(owner.page, /^Согласовать/).click();
  await expect(owner.page.getByText("Сделано: Исправление остатка")).toBeVisible();
  await openOffice(owner.page, shop, `/stock/coins/${coin.id}`);
  await expect(owner.page.getByRole("row", { name: /исправление, документ/ })).toContainText("−1");

  // The receipt cannot be taken back any more: a piece is gone.
  await owner.page.getByRole("link", { name: /приход, документ/ }).click();
  await expect(owner.page.getByText(/^проведён/)).toBeVisible();
  await expectAccessible(owner.page, "a posted document");
});

test("a coin is found and chosen by keyboard alone, and the field is ready for the next one", async ({ browser, shop }) => {
  const { page } = await staffMember(browser, shop, "packing", "/stock/documents/new?kind=receipt");
  const field = page.getByRole("combobox", { name: "Добавить монету" });
  const list = page.getByRole("listbox", { name: "Нашлись" });
  const options = list.getByRole("option");
  await field.fill("георгий победоносец");
  await field.press("Enter");
  await expect(options.nth(1)).toBeVisible();
  await expect(field).toHaveAttribute("aria-expanded", "true");
  await expectAccessible(page, "coins that were found");
  // Escape closes the list and leaves the text; an arrow searches again.
  await field.press("Escape");
  await expect(list).toHaveCount(0);
  await expect(field).toHaveValue("георгий победоносец");
  await field.press("ArrowDown");
  await expect(options.nth(1)).toBeVisible();
  const second = (await options.nth(1).locator("span").first().textContent()) ?? "";
  for (const index of [0, 1]) {
    await field.press("ArrowDown");
    await expect(options.nth(index)).toHaveAttribute("data-highlighted", "");
    await expect(options.nth(index)).not.toHaveCSS("box-shadow", "none");
  }
  await expect(field).toHaveAttribute("aria-activedescendant", (await options.nth(1).getAttribute("id")) ?? "");
  await field.press("Enter");
  await expect(page.getByLabel(`${second}, штук`)).toHaveValue("1");
  await expect(list).toHaveCount(0);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("");
  // What was typed for another search closes the list of the last one, and the scanner's Enter adds a piece.
  await field.fill("1001");
  await field.press("Enter");
  await expect(page.getByLabel(/, штук$/)).toHaveCount(2);
});

test("roles that only read the stock, and the desk that may not correct it, are offered nothing that would be refused", async ({
  browser,
  shop,
}) => {
  const packing = await staffMember(browser, shop, "packing", "/stock/documents/new?kind=write_off");
  const coin = packing.page.getByLabel("Добавить монету");
  await packing.page.getByLabel("Причина").fill("Царапина");
  await coin.fill("1001");
  await coin.press("Enter");
  await expect(packing.page.getByLabel(/, штук$/)).toBeVisible();
  await button(packing.page, "Сохранить черновик").click();
  await expect(packing.page.getByRole("heading", { level: 1, name: /^Списание \d+$/ })).toBeVisible();
  const draft = new URL(packing.page.url()).pathname;

  for (const role of ["sales", "accountant"] as const) {
    const { page } = await staffMember(browser, shop, role, draft);
    await expect(page.getByRole("heading", { level: 1, name: /^Списание \d+$/ })).toBeVisible();
    await expect(page.getByText("черновик")).toBeVisible();
    await expect(page.getByRole("row", { name: /1001|\d/ }).first()).toBeVisible();
    await expect(button(page, /Провести|Сохранить|Не нужен/)).toHaveCount(0);
    await openOffice(page, shop, "/stock/documents/new?kind=receipt");
    await expect(page.getByRole("heading", { level: 1, name: "Недоступно вашей роли" })).toBeVisible();
  }

  const { page } = await staffMember(browser, shop, "buyback", "/stock/documents");
  await expect(page.getByRole("link", { name: "Приход", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: /^(Исправление|Списание)$/ })).toHaveCount(0);
  await openOffice(page, shop, draft);
  await expect(page.getByText("Проводят роли: упаковка, владелец")).toBeVisible();
  await expect(button(page, "Провести")).toHaveCount(0);
  await expectAccessible(page, "a draft that another role posts");

  // A coin that is in an order names the order without a link to what the desk may not open.
  const order = await aPaidOrder(packing.page, shop);
  await openOffice(page, shop, "/stock/coins/1001");
  await expect(page.getByRole("row", { name: new RegExp(`${order.number}`) })).toBeVisible();
  await expect(page.locator('main a[href^="/orders"]')).toHaveCount(0);
});

test("a count of chosen coins has these coins on its sheet only", async ({ browser, shop }) => {
  const { page: desk } = await staffMember(browser, shop, "packing", "/stock/documents?view=stocktakes");
  await button(desk, "Новая инвентаризация").click();
  await desk.getByLabel("Название").fill("Витрина");
  await desk.getByLabel("Что считаем").selectOption("chosen");
  await button(desk, /^Начать/).click();
  await expect(desk.getByText("Выберите хотя бы одну монету")).toBeVisible();
  const chosen = desk.getByRole("list", { name: "Выбранные монеты" }).getByRole("listitem");
  for (const [index, id] of ["1001", "1002", "1003"].entries()) {
    await desk.getByLabel("Добавить монету").fill(id);
    await desk.getByLabel("Добавить монету").press("Enter");
    await expect(chosen).toHaveCount(index + 1);
  }
  await chosen
    .last()
    .getByRole("button", { name: /^Убрать/ })
    .click();
  await expect(chosen).toHaveCount(2);
  await expect(desk.getByText("Выберите хотя бы одну монету")).toHaveCount(0);
  await expectAccessible(desk, "a count of chosen coins");
  await button(desk, /^Начать/).click();
  await expect(desk.getByRole("heading", { level: 1, name: "Витрина" })).toBeVisible();
  await expect(desk.getByText(/^посчитано 0 из 2/)).toBeVisible();
});

test("a threshold that a colleague changed meanwhile shows both numbers before one of them is saved", async ({ browser, shop }) => {
  const [one, two] = [
    await staffMember(browser, shop, "packing", "/stock/coins/1001"),
    await staffMember(browser, shop, "packing", "/stock/coins/1001"),
  ];
  const field = (page: Page) => page.getByLabel("Мало, когда свободно столько или меньше");
  await expect(field(two.page)).toHaveValue("");
  await field(one.page).fill("5");
  await button(one.page, "Сохранить порог").click();
  await expect(one.page.getByText("Порог сохранён")).toBeVisible();
  await field(two.page).fill("9");
  await button(two.page, "Сохранить порог").click();
  const dialog = two.page.getByRole("dialog", { name: "Запись тем временем изменили" });
  await expect(dialog.getByRole("row", { name: /Порог остатка/ })).toContainText(/5.*9/);
  await expectAccessible(two.page, "two versions of a threshold");
  await button(two.page, "Взять с сервера").click();
  await expect(field(two.page)).toHaveValue("5");
});

test("a draft with too large a number says so beside its line; one that a colleague changed shows which line differs", async ({
  browser,
  shop,
}) => {
  const one = await staffMember(browser, shop, "packing", "/stock/documents/new?kind=receipt");
  const { page } = one;
  await expect(page.getByRole("heading", { level: 1, name: "Приход, новый документ" })).toBeVisible();
  await page.getByLabel("Добавить монету").fill("1001");
  await page.getByLabel("Добавить монету").press("Enter");
  const pieces = (of: Page) => of.getByLabel(/, штук$/);
  await expect(pieces(page)).toBeVisible();
  await expect(page.getByText("Всего: впишите, сколько стоила каждая монета")).toBeVisible();
  await page.getByLabel("Поставщик").fill("Гознак");
  await pieces(page).fill("200000");
  await page.getByLabel(/, стоила одна$/).fill("2 000 000 000");
  await button(page, "Сохранить черновик").click();
  await expect(page.getByText("Слишком много")).toBeVisible();
  await expect(page.getByText("Слишком большая сумма")).toBeVisible();
  await pieces(page).fill("5");
  await page.getByLabel(/, стоила одна$/).fill("100");
  await button(page, "Сохранить черновик").click();
  await expect(page.getByRole("heading", { level: 1, name: /^Приход \d+$/ })).toBeVisible();

  const two = await staffMember(browser, shop, "packing", new URL(page.url()).pathname);
  await expect(pieces(two.page)).toHaveValue("5");
  await pieces(page).fill("6");
  // What is typed stays although the saved draft cannot be read again.
  const reading = "**/api/staff/stock/documents/*";
  await page.route(reading, (route) => (route.request().method() === "GET" ? route.abort() : route.fallback()));
  await button(page, "Сохранить черновик").click();
  await expect(page.getByText("Черновик сохранён").last()).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: "Нет связи" })).toBeVisible();
  await expect(pieces(page)).toHaveValue("6");
  await page.unroute(reading);
  await pieces(two.page).fill("7");
  await button(two.page, "Сохранить черновик").click();
  const dialog = two.page.getByRole("dialog", { name: "Запись тем временем изменили" });
  await expect(dialog.getByRole("row")).toHaveCount(2);
  await expect(dialog.getByRole("row").last()).toContainText(/6 шт\..*7 шт\./);
});

test("the owner sees open grams shrink with a sale and with a hedge, and saves a report", async ({ page, browser, shop }) => {
  await marketStands(shop);
  const owner = await staffMember(browser, shop, "owner", "/metal");
  const gold = owner.page.getByRole("table", { name: /^Золото/ });
  const open = () =>
    gold
      .getByRole("row", { name: /^Открыто/ })
      .getByRole("cell")
      .first()
      .textContent();
  await expect(gold).toBeVisible();
  const before = await open();
  const order = await aPaidOrder(page, shop, { quantity: 2 });
  // Money and metal at a glance: on the first screen, without a press.
  await openOffice(owner.page, shop);
  await expect(owner.page.getByText("Продано сегодня")).toBeVisible();
  // Other journeys of this worker may have sold something, too.
  await expect(owner.page.getByRole("definition").getByText(/^[1-9]\d*\sзаказ(а|ов)?$/)).toBeVisible();
  await expect(owner.page.getByRole("img", { name: /^Открыто .* г/ })).toHaveCount(2);
  expect(owner.presses()).toBe(0);
  await expectAccessible(owner.page, "the owner's first screen");
  await openOffice(owner.page, shop, "/metal");
  await expect(gold.getByRole("row", { name: /Продано, держим цену/ })).toContainText(/заказов:\s[1-9]/);
  const sold = await open();
  expect(sold).not.toBe(before);
  await button(owner.page, "Записать хедж").click();
  await owner.page.getByLabel("Граммы чистого металла").fill("100");
  await owner.page.getByLabel("Цена грамма").fill("11 050");
  await button(owner.page, /^Записать Ctrl/).click();
  await expect(owner.page.getByText("Обязательное поле")).toBeVisible();
  await owner.page.getByLabel("С кем").fill("Банк, фьючерс декабрь");
  await button(owner.page, /^Записать Ctrl/).click();
  await expect(gold.getByRole("row", { name: /Закрыто хеджами/ })).toContainText("−100");
  expect(await open()).not.toBe(sold);
  await expectAccessible(owner.page, "the metal");

  await demo(shop, `orders/${order.id}`, { event: "assemble" });
  await openOffice(owner.page, shop, "/reports");
  await expect(owner.page.getByRole("img", { name: /Продажи по дням/ })).toBeVisible();
  const download = owner.page.waitForEvent("download");
  await button(owner.page, "CSV").click();
  expect((await download).suggestedFilename()).toMatch(/^Продажи по дням .*\.csv$/);
  await expectAccessible(owner.page, "a report");
  const table = owner.page.getByRole("region", { name: "Продажи по дням" });
  await owner.page.setViewportSize({ width: 768, height: 1024 });
  await openOffice(owner.page, shop, "/reports");
  await expect(table.getByRole("columnheader", { name: "Монет", exact: true })).toBeVisible();
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), "its columns fit a tablet").toBe(0);
  await owner.page.setViewportSize({ width: 1280, height: 900 });
  await button(owner.page, "Склад").click();
  await expect(owner.page.getByRole("columnheader", { name: "Стоит металл, ₽" })).toBeVisible();
  await openOffice(owner.page, shop, "/stock");
  await expectAccessible(owner.page, "the stock");
});
