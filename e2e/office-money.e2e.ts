import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { aStatementFile } from "#shop/statements/testing.ts";
import { demo, marketStands } from "./journey.ts";
import { anInvoice, expect, openOffice, staffMember, test } from "./office.ts";

const settings = JSON.parse(readFileSync(new URL("../config/shop.json", import.meta.url), "utf8")) as {
  placeholders: Record<string, string>;
};
const account = settings.placeholders["ACCOUNT"] ?? "";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

test("the accountant drops a statement of 100 lines with one press and settles what is left with two", async ({ page, browser, shop }) => {
  await marketStands(shop);
  const [named, mistyped] = [await anInvoice(page, shop), await anInvoice(page, shop)];
  const day = new Date().toLocaleDateString("ru-RU", { timeZone: "Europe/Moscow" });
  const wrong = String(mistyped.number).replace(/(\d)$/, (last) => String((Number(last) + 5) % 10));
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
