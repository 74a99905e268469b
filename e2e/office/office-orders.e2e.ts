import type { Page } from "@playwright/test";
import { demo } from "../journey.ts";
import {
  aPaidOrder,
  aPaidOrderTo,
  atPaidOrder,
  button,
  expect,
  expectAccessible,
  openOffice,
  roleButtons,
  staffMember,
  test,
} from "./office.ts";

test("sales finds an order by its number and by the buyer's phone with Ctrl K in five seconds", async ({ page, browser, shop }) => {
  const order = await aPaidOrder(page, shop);
  const sales = await staffMember(browser, shop, "sales");
  for (const text of [`${order.number}`, order.phone.slice(-7)]) {
    const began = Date.now();
    await sales.page.keyboard.press("Control+k");
    await sales.page.getByRole("combobox", { name: "Искать" }).fill(text);
    await expect(sales.page.getByRole("option", { name: new RegExp(`${order.number}`) })).toBeVisible();
    await sales.page.keyboard.press("Enter");
    await expect(sales.page.getByRole("heading", { level: 1, name: new RegExp(`${order.number}`) })).toBeVisible();
    expect(Date.now() - began).toBeLessThan(5_000);
    await openOffice(sales.page, shop, "/orders");
    await expect(sales.page.getByRole("link", { name: `${order.number}` })).toBeVisible();
  }
  expect(sales.presses()).toBe(0);
});

test("Ctrl K finds an order's act and a screen in either keyboard layout, and keys act on the card and on picked orders", async ({
  page,
  browser,
  shop,
}) => {
  const order = await aPaidOrder(page, shop);
  const { page: screen } = await staffMember(browser, shop, "owner");
  const field = screen.getByRole("combobox", { name: "Искать" });
  await screen.keyboard.press("Control+KeyK");
  await field.fill(`${order.number}`);
  await expect(screen.getByRole("group", { name: `Что сделать с заказом ${order.number}` })).toBeVisible();
  await field.press("ArrowDown");
  await field.press("Enter");
  const panel = screen.getByRole("complementary", { name: "Вернуть деньги" });
  await expect(panel).toBeVisible();
  await expect(screen).toHaveURL(new RegExp(`/orders/${order.id}$`));
  await screen.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  const paper = screen.waitForEvent("popup");
  await screen.keyboard.press("KeyP");
  await (await paper).close();

  await screen.keyboard.press("Control+KeyK");
  await field.fill("pfrfps"); // «заказы»
  await expect(screen.getByRole("option", { name: "Заказы" })).toBeVisible();
  await field.press("Enter");
  await expect(screen.getByRole("heading", { level: 1, name: "Заказы" })).toBeVisible();
  await screen.getByRole("checkbox", { name: `Выбрать ${order.number}` }).check();
  await screen.keyboard.press("KeyM");
  await expect(screen.getByText("Взято: 1 из 1")).toBeVisible();
  await screen.getByRole("checkbox", { name: `Выбрать ${order.number}` }).check();
  await screen.keyboard.press("KeyA");
  await expect(screen.getByText("Собрано: 1 из 1")).toBeVisible();
});

test("Enter that is faster than the search opens what was typed; a lost connection is reported and is not «nothing found»", async ({
  page,
  browser,
  shop,
}) => {
  const order = await aPaidOrder(page, shop);
  const { page: screen } = await staffMember(browser, shop, "sales");
  const arrived = Promise.withResolvers<void>();
  await screen.route(/\/api\/staff\/search\?/, async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await screen.keyboard.press("Control+KeyK");
  const field = screen.getByRole("combobox", { name: "Искать" });
  await field.fill(`${order.number}`);
  await field.press("Enter");
  await expect(screen.getByRole("status").filter({ hasText: "Ищем…" })).toBeVisible();
  await expect(screen.getByText("Ничего не нашлось")).toHaveCount(0);
  arrived.resolve();
  await expect(screen.getByRole("heading", { level: 1, name: new RegExp(`${order.number}`) })).toBeVisible();

  await screen.keyboard.press("Control+KeyK");
  await screen.context().setOffline(true);
  await field.fill("нет такого слова");
  await expect(screen.getByRole("alert").filter({ hasText: "Нет связи" })).toBeVisible();
  await expect(screen.getByText("Ничего не нашлось")).toHaveCount(0);
  await screen.context().setOffline(false);
  await field.press("Enter");
  await expect(screen.getByText("Ничего не нашлось")).toBeVisible();
});

test("sales changes recipient and pickup point before the shipment, four presses at most each", async ({ page, browser, shop }) => {
  const { clerk: sales } = await atPaidOrder({ page, browser, shop }, "sales");
  await sales.press(button(sales.page, "Получатель"));
  await sales.page.getByLabel("Фамилия").fill("Орлова");
  await sales.press(button(sales.page, /^Сохранить/));
  await expect(sales.page.getByText("Получатель изменён", { exact: true })).toBeVisible();
  await expect(sales.page.getByText("Орлова Анна")).toBeVisible();
  expect(sales.presses()).toBeLessThanOrEqual(4);

  const before = sales.presses();
  await sales.press(button(sales.page, "Пункт выдачи"));
  const panel = sales.page.getByRole("complementary", { name: "Пункт выдачи" });
  const other = panel.getByRole("radio").nth(1);
  await sales.press(other);
  await sales.press(button(sales.page, /^Сохранить/));
  await expect(sales.page.getByText("Пункт изменён", { exact: true })).toBeVisible();
  expect(sales.presses() - before).toBeLessThanOrEqual(4);
});

test("the owner refunds one coin of two with five presses at most, and sees the receipt before", async ({ page, browser, shop }) => {
  const { clerk: owner } = await atPaidOrder({ page, browser, shop }, "owner");
  await owner.press(button(owner.page, "Убрать монеты"));
  await owner.press(button(owner.page, /^Больше/));
  await owner.page.getByLabel("Причина, попадёт в журнал").fill("Покупатель убрал монету");
  await expect(owner.page.getByText("Чек: возврат прихода")).toBeVisible();
  await expect(owner.page.getByText("Монеты выйдут из заказа и снова будут в продаже.")).toBeVisible();
  await owner.press(button(owner.page, /^Вернуть \d/));
  await expect(owner.page.getByText("1 из 2", { exact: true })).toBeVisible();
  expect(owner.presses()).toBeLessThanOrEqual(5);
});

test("a refund is confirmed only as it is shown: not while another choice is counted, and not without a connection", async ({
  page,
  browser,
  shop,
}) => {
  const { clerk: owner } = await atPaidOrder({ page, browser, shop }, "owner", { quantity: 3 }); // dropping all pieces is refused
  await button(owner.page, "Убрать монеты").click();
  const panel = owner.page.getByRole("complementary", { name: "Вернуть деньги" });
  const more = panel.getByRole("button", { name: /^Больше/ });
  const confirm = panel.getByRole("button", { name: /^Вернуть/ });
  await more.click();
  await panel.getByLabel("Причина, попадёт в журнал").fill("Покупатель передумал");
  await expect(confirm).toHaveText(/^Вернуть \d/);
  await expect(confirm).toBeEnabled();

  const counted = Promise.withResolvers<void>();
  const refunds: string[] = [];
  await owner.page.route(/\/orders\/[^/]+\/refund(\?|$)/, async (route) => {
    if (route.request().method() === "POST") refunds.push(route.request().postData() ?? "");
    await counted.promise;
    await route.continue();
  });
  await more.click();
  await expect(confirm).toBeDisabled();
  await owner.page.keyboard.press("Control+Enter");
  counted.resolve();
  await expect(confirm).toHaveText(/^Вернуть \d/);
  await expect(confirm).toBeEnabled();

  await owner.page.context().setOffline(true);
  await panel.getByRole("button", { name: /^Меньше/ }).click();
  await expect(panel.getByText(/Нет связи/)).toBeVisible();
  await expect(confirm).toBeDisabled();
  await owner.page.keyboard.press("Control+Enter");
  await owner.page.context().setOffline(false);
  expect(refunds).toEqual([]);
});

test("a session that ends while an order's form is open asks to sign in over it, and goes on with what was typed", async ({
  page,
  browser,
  shop,
}) => {
  const { clerk: sales } = await atPaidOrder({ page, browser, shop }, "sales");
  await sales.press(button(sales.page, "Получатель"));
  await sales.page.getByLabel("Фамилия").fill("Кольцова");
  await sales.page.context().clearCookies();
  await sales.press(button(sales.page, /^Сохранить/));
  const prompt = sales.page.getByRole("dialog", { name: "Войдите ещё раз" });
  await expect(sales.page.locator('input[value="Кольцова"]')).toBeAttached(); // behind the dialog, hidden from assistive technology
  await sales.press(prompt.getByRole("button", { name: roleButtons.sales }));
  await expect(sales.page.getByText("Получатель изменён", { exact: true })).toBeVisible();
  await expect(sales.page.getByText("Кольцова Анна")).toBeVisible();
  expect(sales.presses()).toBeLessThanOrEqual(4);
});

test("sales asks for a refund, and the owner approves it in two presses after the second factor is entered over the panel", async ({
  page,
  browser,
  shop,
}) => {
  const { order, clerk: sales } = await atPaidOrder({ page, browser, shop }, "sales");
  await sales.press(button(sales.page, "Убрать монеты"));
  await sales.press(button(sales.page, /^Больше/));
  const reason = `Покупатель убрал монету из ${order.number}`;
  await sales.page.getByLabel("Причина, попадёт в журнал").fill(reason);
  await sales.press(button(sales.page, /^Вернуть \d/));
  await expect(sales.page.getByText(/Ждёт второго человека/)).toBeVisible();
  await expect(sales.page.getByText(/^На согласовании: Возврат/)).toBeVisible();
  expect(sales.presses()).toBeLessThanOrEqual(5);

  const owner = await staffMember(browser, shop, "owner", "/approvals");
  await shop.advance(6 * 60_000);
  await owner.press(button(owner.page, "Возврат денег").first());
  await expect(owner.page.getByText(reason, { exact: true })).toBeVisible();
  await owner.press(button(owner.page, /^Согласовать/));
  expect(owner.presses()).toBeLessThanOrEqual(2);
  await owner.page
    .getByRole("dialog", { name: "Подтвердите, что это вы" })
    .getByRole("button", { name: /демонстрация/ })
    .click();
  await expect(owner.page.getByText("Сделано: Возврат денег")).toBeVisible();
  await owner.open(order);
  await expect(owner.page.getByText("1 из 2", { exact: true })).toBeVisible();
});

test("sales asks to cancel a paid order, which returns its money, and the owner approves it", async ({ page, browser, shop }) => {
  const { order, clerk: sales } = await atPaidOrder({ page, browser, shop }, "sales");
  await sales.page.getByRole("button", { name: "Отменить заказ", exact: true }).click();
  const question = sales.page.getByRole("alertdialog");
  await expect(question).toContainText("покупателю вернётся");
  await question.getByRole("button", { name: "Отменить заказ", exact: true }).click();
  await expect(sales.page.getByText(/^На согласовании: Шаг заказа/)).toBeVisible();

  const owner = await staffMember(browser, shop, "owner", "/approvals");
  await owner.press(button(owner.page, "Шаг заказа").first());
  await owner.press(button(owner.page, /^Согласовать/));
  await expect(owner.page.getByText("Сделано: Шаг заказа")).toBeVisible();
  await owner.open(order);
  await expect(owner.page.getByRole("list", { name: "Путь заказа" })).toContainText("отменён");
});

test("an unknown order is a page and no empty screen; a long word in a note does not widen the screen", async ({ page, browser, shop }) => {
  const order = await aPaidOrder(page, shop);
  const sales = await staffMember(browser, shop, "sales", "/orders/unknown");
  await expect(sales.page.getByRole("heading", { level: 1, name: "Такой страницы нет" })).toBeVisible();
  await openOffice(sales.page, shop, `/orders/${"A".repeat(22)}`); // as long as the id of an order
  await expect(sales.page.getByRole("heading", { level: 1, name: "Такой страницы нет" })).toBeVisible();
  await sales.open(order);
  await sales.page.getByLabel("Заметка для своих").fill("безпробелов".repeat(60));
  await button(sales.page, "Записать").click();
  await expect(sales.page.getByRole("listitem").filter({ hasText: "безпробелов" })).toBeVisible();
  await expectAccessible(sales.page, "an order with a long note");
});

test("two clerks at one order see each other, and a stale save shows both versions and loses nothing", async ({ page, browser, shop }) => {
  const order = await aPaidOrder(page, shop);
  const [sales, owner] = [await staffMember(browser, shop, "sales"), await staffMember(browser, shop, "owner")];
  await sales.open(order);
  await owner.open(order);
  await expect(owner.page.getByText(/Смотрят тоже/)).toBeVisible();
  await sales.press(button(sales.page, "Получатель"));
  await sales.page.getByLabel("Фамилия").fill("Лебедева");
  await owner.press(button(owner.page, "Собрать"));
  await owner.page.getByLabel("Номер пломбы").fill(`OF${order.number}`);
  await owner.press(button(owner.page, /^Собран/));
  await expect(owner.page.getByText("Заказ собран", { exact: true })).toBeVisible();
  await sales.press(button(sales.page, /^Сохранить/));
  const dialog = sales.page.getByRole("dialog", { name: "Запись тем временем изменили" });
  await expect(dialog).toContainText("Собран");
  await expect(dialog).toContainText("Лебедева");
  await sales.press(dialog.getByRole("button", { name: "Сохранить моё" }));
  await expect(sales.page.getByText("Получатель изменён")).toBeVisible();
});

test("an open card shows a colleague's change by itself; what is being typed stays, and a save still shows both versions", async ({
  page,
  browser,
  shop,
}) => {
  const order = await aPaidOrder(page, shop);
  const [sales, owner] = [await staffMember(browser, shop, "sales"), await staffMember(browser, shop, "owner")];
  await sales.open(order);
  await button(sales.page, "Показать").click();
  const phone = sales.page.locator(`a[href="tel:${order.phone}"]`);
  await expect(phone).toBeVisible();
  await button(sales.page, "Получатель").click();
  const lastName = sales.page.getByRole("complementary", { name: "Получатель" }).getByLabel("Фамилия");
  await lastName.fill("Лебедева");
  await sales.page.getByLabel("Заметка для своих").fill("Перезвонит после");

  await owner.open(order);
  await owner.page.getByLabel("Заметка для своих").fill("Просил позвонить в шесть");
  await button(owner.page, "Записать").click();
  await expect(owner.page.getByRole("listitem").filter({ hasText: "Просил позвонить в шесть" })).toBeVisible();
  await owner.page.getByLabel("Ведёт", { exact: true }).selectOption({ index: 1 });
  await expect(owner.page.getByText(/^Ведёт: /)).toBeVisible();

  await sales.page.bringToFront();
  await sales.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange"))); // as when a person comes back to the window
  await expect(sales.page.getByText(/^Заказ изменили, показано новое: новая заметка/)).toBeVisible();
  await expect(sales.page.getByRole("listitem").filter({ hasText: "Просил позвонить в шесть" })).toBeVisible();
  await expect(lastName).toHaveValue("Лебедева");
  await expect(sales.page.getByLabel("Заметка для своих")).toHaveValue("Перезвонит после");
  await expect(phone).toBeVisible();
  await button(sales.page, /^Сохранить/).click();
  const dialog = sales.page.getByRole("dialog", { name: "Запись тем временем изменили" });
  await expect(dialog).toContainText("Лебедева");
  await dialog.getByRole("button", { name: "Сохранить моё" }).click();
  await expect(sales.page.getByText("Получатель изменён", { exact: true })).toBeVisible();
});

test("opened contacts name the address, and another order opened by Ctrl K begins with masked contacts and without a panel", async ({
  page,
  browser,
  shop,
}) => {
  const address = { city: "Москва", street: "Тверская", house: "7", room: "12", entrance: "2", floor: "5", message: "Домофон 12" };
  const [first, second] = [await aPaidOrderTo(page, shop, address), await aPaidOrder(page, shop)];
  const sales = await staffMember(browser, shop, "sales");
  await sales.open(first);
  await expect(sales.page.getByText("Тверская")).toHaveCount(0);
  await button(sales.page, "Показать").click();
  await expect(sales.page.locator(`a[href="tel:${first.phone}"]`)).toBeVisible();
  await expect(sales.page.getByText("Москва, Тверская, д. 7, кв. 12, подъезд 2, этаж 5", { exact: true })).toBeVisible();
  await expect(sales.page.getByText("Домофон 12", { exact: true })).toBeVisible();
  await expectAccessible(sales.page, "an order with open contacts");
  await button(sales.page, "Получатель").click();
  const panel = sales.page.getByRole("complementary", { name: "Получатель" });
  await expect(panel.getByLabel("Телефон")).toHaveValue(first.phone);

  await sales.page.keyboard.press("Control+k");
  await sales.page.getByRole("combobox", { name: "Искать" }).fill(`${second.number}`);
  await expect(sales.page.getByRole("option", { name: new RegExp(`${second.number}`) })).toBeVisible();
  await sales.page.keyboard.press("Enter");
  await expect(sales.page.getByRole("heading", { level: 1, name: `Заказ ${second.number}` })).toBeVisible();
  await expect(panel).toHaveCount(0);
  await expect(sales.page.locator('a[href^="tel:"]')).toHaveCount(0);
  await expect(button(sales.page, "Показать")).toBeVisible();
  await expect(sales.page.getByText("Тверская, д. 7")).toHaveCount(0);
});

test("of two colleagues who change a recipient or an address the second sees every field of both versions in full", async ({
  page,
  browser,
  shop,
}) => {
  const order = await aPaidOrderTo(page, shop, { city: "Москва", street: "Тверская", house: "7", room: "12" });
  const [sales, owner] = [await staffMember(browser, shop, "sales"), await staffMember(browser, shop, "owner")];
  const dialog = sales.page.getByRole("dialog", { name: "Запись тем временем изменили" });
  const rowOf = (field: string) => dialog.getByRole("row", { name: new RegExp(`^${field} `) });
  const fieldOf = (at: Page, panel: string, label: string) => at.getByRole("complementary", { name: panel }).getByLabel(label);
  await sales.open(order);
  await button(sales.page, "Получатель").click();
  await fieldOf(sales.page, "Получатель", "Телефон").fill("+79160000001");
  await owner.open(order);
  await button(owner.page, "Получатель").click();
  await fieldOf(owner.page, "Получатель", "Отчество").fill("Игоревна");
  await fieldOf(owner.page, "Получатель", "Почта").fill("voroncova@example.com");
  await button(owner.page, /^Сохранить/).click();
  await expect(owner.page.getByText("Получатель изменён", { exact: true })).toBeVisible();

  await sales.page.bringToFront();
  await button(sales.page, /^Сохранить/).click();
  await expect(rowOf("Отчество")).toContainText("Игоревна");
  await expect(rowOf("Почта")).toContainText("voroncova@example.com");
  await expect(rowOf("Почта")).toContainText("office@example.com");
  await expect(rowOf("Телефон")).toContainText(order.phone);
  await expect(rowOf("Телефон")).toContainText("+79160000001");
  await expect(rowOf("Фамилия")).toHaveCount(0);
  await expectAccessible(sales.page, "two versions of a recipient");
  await dialog.getByRole("button", { name: "Взять с сервера" }).click();

  await button(sales.page, "Адрес").click();
  await fieldOf(sales.page, "Адрес", "Этаж").fill("5");
  await owner.page.bringToFront();
  await button(owner.page, "Адрес").click();
  await fieldOf(owner.page, "Адрес", "Квартира").fill("21");
  await button(owner.page, /^Сохранить/).click();
  await expect(owner.page.getByText("Адрес изменён", { exact: true })).toBeVisible();
  await sales.page.bringToFront();
  await button(sales.page, /^Сохранить/).click();
  await expect(rowOf("Квартира")).toContainText("21");
  await expect(rowOf("Квартира")).toContainText("12");
  await expect(rowOf("Улица")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Сохранить моё" }).click();
  await expect(sales.page.getByText("Адрес изменён", { exact: true })).toBeVisible();
});

test("the order is given to a colleague and to no one on its card", async ({ page, browser, shop }) => {
  const order = await aPaidOrder(page, shop);
  await staffMember(browser, shop, "owner"); // a colleague to whom orders can be assigned
  const sales = await staffMember(browser, shop, "sales");
  await sales.open(order);
  const assignee = sales.page.getByRole("combobox", { name: "Ведёт" });
  await expect(assignee).toHaveValue("");
  await assignee.selectOption("Олег Владельцев");
  await expect(sales.page.getByText("Ведёт: Олег Владельцев")).toBeVisible();
  await expect(assignee).toHaveValue("demo-owner");
  await assignee.selectOption("никто");
  await expect(sales.page.getByText("Ведёт: никто")).toBeVisible();
  await expect(assignee).toHaveValue("");

  // The documents of one order are printed from its card.
  const paper = sales.page.waitForEvent("popup");
  await sales.page.getByRole("button", { name: "Лист", exact: true }).click();
  await (await paper).close();
  await sales.page.getByRole("button", { name: "Этикетка", exact: true }).click();
  await expect(sales.page.getByText("Заказ ещё не собран").first()).toBeVisible();
});

test("the list shows more columns on request, and narrows by a sum from and to", async ({ page, browser, shop }) => {
  const order = await aPaidOrder(page, shop);
  const owner = await staffMember(browser, shop, "owner");
  await openOffice(owner.page, shop, `/orders?text=${order.number}`);
  const row = owner.page.getByRole("row", { name: new RegExp(`${order.number}`) });
  const deadline = owner.page.getByRole("columnheader", { name: "Срок" });
  await expect(row).toBeVisible();
  await expect(deadline).toHaveCount(0);
  await button(owner.page, "Столбцы").click();
  await owner.page.getByRole("menuitemcheckbox", { name: "Срок" }).click();
  await owner.page.getByRole("menuitemcheckbox", { name: "Телефон" }).click();
  await owner.page.keyboard.press("Escape");
  await expect(deadline).toBeVisible();
  await expect(row).toContainText(order.phone.slice(-2));

  const [from, to] = [owner.page.getByLabel("Сумма от, ₽:"), owner.page.getByLabel("до, ₽:", { exact: true })];
  await from.fill("сто");
  await from.press("Enter");
  await expect(owner.page.getByRole("alert").filter({ hasText: "например 100000" })).toBeVisible();
  await from.fill(`${Math.ceil(order.total) + 1}`);
  await from.press("Enter");
  await expect(owner.page.getByText("Таких заказов нет")).toBeVisible();
  await from.fill("1");
  await from.press("Enter");
  await to.fill(`${Math.ceil(order.total)}`);
  await to.press("Enter");
  await expect(owner.page).toHaveURL(/sumTo=/);
  await expect(row).toBeVisible();
});

test("of a delivered order one coin of two comes back, counted in a panel", async ({ page, browser, shop }) => {
  const order = await aPaidOrder(page, shop);
  for (const event of [{ event: "assemble", seal: `GB${order.number}` }, { event: "ship" }, { event: "deliver" }])
    await demo(shop, `orders/${order.id}`, event);
  const sales = await staffMember(browser, shop, "sales");
  await sales.open(order);
  await sales.page.getByRole("button", { name: "Ещё", exact: true }).click();
  await sales.page.getByRole("menuitem", { name: "Покупатель вернул" }).click();
  const panel = sales.page.getByRole("complementary", { name: "Покупатель вернул" });
  const pieces = panel.getByRole("textbox", { name: /, штук$/ });
  await expect(pieces).toHaveValue("2");
  await panel.getByRole("button", { name: /^Меньше/ }).click();
  await panel.getByRole("button", { name: /^Принять/ }).click();
  await expect(sales.page.getByText("Принято обратно: 1 монета")).toBeVisible();
  await expect(sales.page.getByText("1 из 2", { exact: true })).toBeVisible();
  await expect(sales.page.getByRole("list", { name: "Путь заказа" })).toContainText("Выдан");
});

test("picked orders stay picked when the connection is lost, and are dropped with another filter", async ({ page, browser, shop }) => {
  const order = await aPaidOrder(page, shop);
  await staffMember(browser, shop, "owner"); // a colleague to whom orders can be assigned
  const sales = await staffMember(browser, shop, "sales");
  await openOffice(sales.page, shop, `/orders?text=${order.number}`);
  const tick = sales.page.getByRole("checkbox", { name: `Выбрать ${order.number}` });
  const bulk = sales.page.getByRole("region", { name: "Действия с выбранными" });
  await tick.check();
  await sales.page.route("**/bulk/assign", (route) => route.abort(), { times: 1 });
  await bulk.getByRole("button", { name: "Взять себе" }).click();
  await expect(sales.page.getByRole("alert").filter({ hasText: "Нет связи" })).toBeVisible();
  await expect(bulk).toContainText("Выбрано 1");
  await bulk.getByRole("button", { name: "Взять себе" }).click();
  await expect(sales.page.getByText("Взято: 1 из 1")).toBeVisible();
  await expect(bulk).toHaveCount(0);

  await tick.check();
  await expect(bulk).toBeVisible();
  // Each colleague to whom orders can be assigned can be chosen.
  await sales.page.getByRole("combobox", { name: "Ведёт:" }).selectOption("Олег Владельцев");
  await expect(sales.page).toHaveURL(/assignee=demo-owner/);
  await expect(bulk).toHaveCount(0);
  await sales.page.getByRole("combobox", { name: "Ведёт:" }).selectOption("любой");
  await tick.check();
  await sales.page.getByRole("combobox", { name: "Ведёт:" }).selectOption("вы");
  await expect(bulk).toHaveCount(0);
  await expect(tick).not.toBeChecked();
});

test("picked orders are given to a colleague together; the one that was changed meanwhile says so", async ({ page, browser, shop }) => {
  const [one, two] = [await aPaidOrder(page, shop), await aPaidOrder(page, shop)];
  const owner = await staffMember(browser, shop, "owner");
  const sales = await staffMember(browser, shop, "sales");
  await openOffice(sales.page, shop, "/orders");
  for (const { number } of [one, two]) await sales.page.getByRole("checkbox", { name: `Выбрать ${number}` }).check();
  await owner.open(two);
  await owner.page.getByRole("combobox", { name: "Ведёт" }).selectOption("Олег Владельцев");
  await expect(owner.page.getByText("Ведёт: Олег Владельцев")).toBeVisible();

  await sales.page.bringToFront();
  const bulk = sales.page.getByRole("region", { name: "Действия с выбранными" });
  await bulk.getByRole("button", { name: "Назначить" }).click();
  const dialog = sales.page.getByRole("dialog", { name: /^Назначить 2/ });
  const assignee = dialog.getByRole("combobox", { name: "Ведёт" });
  await dialog.getByRole("button", { name: "Назначить" }).press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("Выберите, кто ведёт");
  await expectAccessible(sales.page, "the choice of a colleague for picked orders");
  await assignee.selectOption("Анна Продажина");
  await dialog.getByRole("button", { name: "Назначить" }).click();
  await expect(sales.page.getByText("Назначено: 1 из 2")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  const refused = sales.page.getByRole("list", { name: "Что не получилось" });
  await expect(refused).toContainText(`${two.number}: Запись тем временем изменили`);
  await expect(bulk).toHaveCount(0);

  // The row was read again: the next press knows its revision.
  await sales.page.getByRole("checkbox", { name: `Выбрать ${two.number}` }).check();
  await bulk.getByRole("button", { name: "Назначить" }).click();
  const again = sales.page.getByRole("dialog", { name: /^Назначить 1/ });
  await again.getByRole("combobox", { name: "Ведёт" }).selectOption("никто");
  await again.getByRole("button", { name: "Назначить" }).click();
  await expect(sales.page.getByText("Снято: 1 из 1")).toBeVisible();
  await sales.open(two);
  await expect(sales.page.getByRole("combobox", { name: "Ведёт" })).toHaveValue("");
  await sales.open(one);
  await expect(sales.page.getByRole("combobox", { name: "Ведёт" })).toHaveValue("demo-sales");
});

test("packing sees orders without any sum, and no button that it may not press", async ({ page, browser, shop }) => {
  const order = await aPaidOrder(page, shop);
  const packing = await staffMember(browser, shop, "packing");
  const bodies: Promise<string>[] = [];
  packing.page.on("response", (response) => {
    // The body of a call that a navigation cuts off cannot be read; those of the card and the list are waited for.
    if (response.url().includes("/api/staff/orders")) bodies.push(response.text().catch(() => ""));
  });
  await packing.open(order);
  await expect(button(packing.page, "Собрать")).toBeVisible();
  await expect(button(packing.page, "Вернуть деньги")).toHaveCount(0);
  await expect(packing.page.getByRole("heading", { name: "Деньги" })).toHaveCount(0);
  await Promise.all(bodies);
  await openOffice(packing.page, shop, "/orders");
  await expect(packing.page.getByRole("link", { name: `${order.number}` })).toBeVisible();
  await expect(packing.page.getByRole("columnheader", { name: "Сумма, ₽" })).toHaveCount(0);
  const read = (await Promise.all(bodies)).filter((body) => body !== "");
  expect(read.length).toBeGreaterThanOrEqual(2);
  for (const body of read) expect(body).not.toMatch(/"(sum|price|total|money|paid)":/);
});
