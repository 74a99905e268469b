import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { aStatementFile } from "#shop/statements/testing.ts";
import { demo, marketStands } from "../journey.ts";
import { anInvoice, button, expect, openOffice, staffMember, test } from "./office.ts";

const settings = JSON.parse(readFileSync(new URL("../../config/shop.json", import.meta.url), "utf8")) as {
  placeholders: Record<string, string>;
};
const account = settings.placeholders["ACCOUNT"] ?? "";

test("the accountant drops a statement of 100 lines with one press and settles what is left with two", async ({ page, browser, shop }) => {
  await marketStands(shop);
  const [named, mistyped] = [await anInvoice(page, shop), await anInvoice(page, shop)];
  const day = new Date().toLocaleDateString("ru-RU", { timeZone: "Europe/Moscow" });
  const wrong = `${mistyped.number}0`; // one digit too many: no order has this number
  const own = randomUUID().slice(0, 6);
  const file = aStatementFile(
    account,
    [
      { number: `${own}1`, sum: named.total.toFixed(2), purpose: `Оплата заказа № ${named.number}` },
      { number: `${own}2`, sum: mistyped.total.toFixed(2), purpose: `за монеты ${wrong}`, payer: "Воронцова А." },
      { number: `${own}3`, sum: "300.00", purpose: "перевод", payer: "Захаров Пётр" },
      ...Array.from({ length: 97 }, (_, n) => ({ number: `${own}${n}f`, sum: "481.00", purpose: "комиссия", isOutgoing: true })),
    ],
    day,
  );
  const clerk = await staffMember(browser, shop, "accountant", "/statement");
  const began = Date.now();
  await clerk.drop(file);
  await expect(clerk.page.getByText("Разнесено сразу: 1 из 100")).toBeVisible();
  expect(Date.now() - began).toBeLessThan(10_000);
  expect(clerk.presses()).toBeLessThanOrEqual(2);

  // A lost connection and a refused entry are said where they happened, and nothing is settled.
  const settling = "**/statement-entries/settle";
  await clerk.page.route(settling, (route) => route.abort(), { times: 1 });
  await button(clerk.page, /^Принять все/).click();
  await expect(clerk.page.getByRole("alert").filter({ hasText: "Нет связи" })).toBeVisible();
  await clerk.page.route(
    settling,
    (route) => {
      const { entries } = route.request().postDataJSON() as { entries: { id: number }[] };
      const results = entries.map(({ id }) => ({ id, isSettled: false, orderNumber: null, message: "Такого заказа нет" }));
      return route.fulfill({ json: { data: { results } } });
    },
    { times: 1 },
  );
  await button(clerk.page, /^Принять все/).click();
  await expect(clerk.page.getByRole("row").filter({ hasText: "Такого заказа нет" })).toHaveCount(1);

  await clerk.press(button(clerk.page, /^Принять все/));
  await expect(clerk.page.getByText(/Зачтено: 1 из 1/)).toBeVisible();
  await clerk.page.getByLabel("Заметка").fill("Личный перевод, вернули звонком");
  await clerk.press(button(clerk.page, /^Отметить/));
  await expect(clerk.page.getByText("Всё разнесено")).toBeVisible();
  expect(clerk.presses()).toBeLessThanOrEqual(4);

  await clerk.drop(file);
  await expect(clerk.page.getByText(/Эту выписку уже загружали/)).toBeVisible();
});

test("a payer with a long name does not push the reason of an entry under the open one", async ({ browser, shop }) => {
  const day = new Date().toLocaleDateString("ru-RU", { timeZone: "Europe/Moscow" });
  const payer = "Общество с ограниченной ответственностью «Нумизматический дом Северной столицы»";
  const clerk = await staffMember(browser, shop, "accountant", "/statement");
  await clerk.drop(aStatementFile(account, [{ number: randomUUID().slice(0, 6), sum: "512.00", purpose: "перевод", payer }], day));
  const reason = clerk.page.getByRole("cell", { name: "номера заказа нет" }).first();
  const [cell, pane] = [await reason.boundingBox(), await clerk.page.getByRole("complementary", { name: "Строка выписки" }).boundingBox()];
  expect((cell?.x ?? 0) + (cell?.width ?? 0)).toBeLessThanOrEqual(pane?.x ?? 0);
  await expect(clerk.page.getByText(/^1\sстрока, загрузил/)).toBeVisible();
});

test("a wrong file is refused in words beside the place where it was dropped", async ({ browser, shop }) => {
  const clerk = await staffMember(browser, shop, "accountant", "/statement");
  await clerk.drop(Buffer.from("%PDF-1.7"));
  await expect(clerk.page.getByRole("alert")).toContainText("Это не выписка в формате 1С");
});

test("a refund by hand is closed in two presses, and a receipt gets its fiscal numbers", async ({ page, browser, shop }) => {
  await marketStands(shop);
  const order = await anInvoice(page, shop);
  await demo(shop, `orders/${order.id}`, { event: "pay" });
  const clerk = await staffMember(browser, shop, "accountant", "/receipts");
  const row = clerk.page.getByRole("row", { name: new RegExp(`${order.number}`) });
  await row.getByRole("button", { name: "Внести номера" }).click();
  await clerk.page.getByLabel("ФН").fill("9999078900004312");
  await clerk.page.getByLabel("ФД").fill("0");
  await clerk.page.getByLabel("ФПД").fill("3522207165");
  await button(clerk.page, /^Чек пробит/).click();
  await expect(clerk.page.getByText("ФД: до 10 цифр, не с нуля")).toBeVisible();
  await clerk.page.getByLabel("ФД").fill("125");
  await button(clerk.page, /^Чек пробит/).click();
  await expect(clerk.page.getByText(`Чек по заказу ${order.number} пробит`)).toBeVisible();

  // A wrong number is corrected over what was entered.
  await openOffice(clerk.page, shop, "/receipts?view=printed");
  await row.getByRole("button", { name: "Исправить" }).click();
  await expect(clerk.page.getByLabel("ФН")).toHaveValue("9999078900004312");
  await clerk.page.getByLabel("ФД").fill("126");
  await button(clerk.page, /^Исправить номера/).click();
  await expect(clerk.page.getByText(`Номера чека по заказу ${order.number} исправлены`)).toBeVisible();
  await expect(row).toContainText("ФД 126");
  // Several statements have a list of their own.
  await openOffice(clerk.page, shop, "/statement/all");
  await expect(clerk.page.getByRole("heading", { level: 1, name: "Все выписки" })).toBeVisible();

  await demo(shop, `orders/${order.id}`, { event: "cancel" });
  await openOffice(clerk.page, shop, "/payments?view=refunds");
  const refund = clerk.page.getByRole("row", { name: new RegExp(`${order.number}`) });
  await clerk.press(refund.getByRole("button", { name: "Отправлено" }));
  await clerk.press(button(clerk.page, "Да, отправлены"));
  await expect(clerk.page.getByText("Возврат закрыт")).toBeVisible();
  expect(clerk.presses()).toBeLessThanOrEqual(2);
  await expect(refund).toHaveCount(0);
  await openOffice(clerk.page, shop, "/payments");
  await expect(clerk.page.getByRole("link", { name: `${order.number}` })).toBeVisible();
});

test("a transfer goes to the order whose number is in the field, whichever answer comes last", async ({ page, browser, shop }) => {
  await marketStands(shop);
  const [first, second] = [await anInvoice(page, shop, { quantity: 1 }), await anInvoice(page, shop, { quantity: 2 })];
  const clerk = await staffMember(browser, shop, "accountant", "/payments?view=transfers");
  const late = Promise.withResolvers<void>();
  const isLate = Promise.withResolvers<void>();
  await clerk.page.route(/\/payable-orders\?/, async (route) => {
    if (!route.request().url().endsWith(`=${first.number}`)) return route.continue();
    const answer = await route.fetch();
    await late.promise;
    await route.fulfill({ response: answer }).catch(() => {}); // the page no longer waits for it
    isLate.resolve();
  });
  await button(clerk.page, "Внести перевод").click();
  const panel = clerk.page.getByRole("complementary", { name: "Внести перевод" });
  const enter = panel.getByRole("button", { name: /^Внести/ });
  const field = panel.getByLabel("Другой заказ");
  await field.fill(`${first.number}`);
  await field.fill(`${second.number}`);
  await expect(enter).toBeEnabled();
  late.resolve();
  await isLate.promise;
  await panel.getByLabel("Номер поручения").fill(`${second.number}`);
  await panel.getByLabel("Дата поручения").fill(new Date().toLocaleDateString("ru-RU", { timeZone: "Europe/Moscow" }));
  await panel.getByLabel("Сумма").fill(`${second.total}`);
  await enter.click();
  await expect(clerk.page.getByText(`Перевод внесён в заказ ${second.number}`)).toBeVisible();
});

test("a number of no order, typed beside a suggestion, settles nothing", async ({ page, browser, shop }) => {
  await marketStands(shop);
  const order = await anInvoice(page, shop);
  const day = new Date().toLocaleDateString("ru-RU", { timeZone: "Europe/Moscow" });
  const payer = `Похожий ${order.number}`;
  const wrong = String(order.number).replace(/(\d)$/, (last) => String((Number(last) + 5) % 10));
  const entry = { number: randomUUID().slice(0, 6), sum: order.total.toFixed(2), purpose: `за монеты ${wrong}`, payer };
  const clerk = await staffMember(browser, shop, "accountant", "/statement");
  await clerk.drop(aStatementFile(account, [entry], day));
  const pane = clerk.page.getByRole("complementary", { name: "Строка выписки" });
  await expect(pane.getByRole("heading", { name: payer })).toBeVisible();
  const settle = pane.getByRole("button", { name: /^Зачесть/ });
  await expect(settle).toBeEnabled();
  await pane.getByLabel("Другой заказ").fill("99999999");
  await expect(pane.getByText("Заказа с таким номером нет")).toBeVisible();
  await expect(settle).toBeDisabled();
  await pane.getByRole("radio", { name: new RegExp(`${order.number}`) }).check();
  await expect(pane.getByLabel("Другой заказ")).toHaveValue("");
  await settle.click();
  await expect(clerk.page.getByText(`Зачтено в заказ ${order.number}`)).toBeVisible();
});
