import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Browser, Locator, Page } from "@playwright/test";
import { aStatementFile } from "#shop/statements/testing.ts";
import type { RunningShop } from "#tests/running-shop.ts";
import { aCoin, aPhone, demo, expect, marketStands, openWithoutWaiting, test } from "./journey.ts";

type Placed = { id: string; number: number; total: number };
const moscow = "0000073738";
const byPoint = 76;
const settings = JSON.parse(readFileSync(new URL("../config/shop.json", import.meta.url), "utf8")) as {
  placeholders: Record<string, string>;
};
const account = settings.placeholders["ACCOUNT"] ?? "";

/** An order to a pickup point that is to be paid by invoice. */
async function anInvoice(page: Page, shop: RunningShop): Promise<Placed> {
  async function ask<T>(method: "GET" | "PATCH" | "POST", path: string, data?: object, headers = {}): Promise<T> {
    const answer = await page.request.fetch(`${shop.url}${path}`, { method, headers, ...(data ? { data } : {}) });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return ((await answer.json()) as { data: T }).data;
  }
  await ask("PATCH", `/api/cart/${aCoin.id}`, { quantity: 1 });
  const points = await ask<Record<string, unknown>>("POST", "/api/locations/get-pvz", { city: moscow, deliveryId: byPoint });
  const pvzId = Object.keys(points)[0] ?? "";
  const quote = await ask<{ quoteId: string; total: number }>("POST", "/api/checkout/quote", {
    deliveryId: byPoint,
    pvzId,
    city: moscow,
    paymentId: 6,
  });
  const user = { name: "Анна", lastName: "Воронцова", email: "office@example.com", phone: aPhone() };
  const order = await ask<{ id: string; number: number }>(
    "POST",
    "/api/orders",
    { quoteId: quote.quoteId, user, delivery: { id: byPoint, pvzId }, paymentId: 6, consent: true },
    { "idempotency-key": randomUUID() },
  );
  return { ...order, total: quote.total };
}

/** The accountant at a browser of its own; presses are counted. */
async function accountant(browser: Browser, shop: RunningShop, path: string) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await openWithoutWaiting(page, shop.officeUrl, "not a page of the shop");
  await page.getByRole("button", { name: /^Бухгалтер/ }).click();
  await expect(page.getByRole("navigation", { name: "Разделы" })).toBeVisible();
  await openWithoutWaiting(page, `${shop.officeUrl}${path}`, "not a page of the shop");
  let presses = 0;
  return {
    page,
    press: async (what: Locator): Promise<void> => {
      presses += 1;
      await what.click();
    },
    /** Dropping a file counts as one press. */
    drop: async (bytes: Buffer): Promise<void> => {
      presses += 1;
      await page.locator("input[type=file]").setInputFiles({ name: "kl_to_1c.txt", mimeType: "text/plain", buffer: bytes });
    },
    presses: () => presses,
  };
}
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
/** For looking at the screens: `SHOTS=/tmp/shots`. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  if (!folder) return;
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText("Загружаем…")).toHaveCount(0);
  await page.screenshot({ path: `${folder}/${name}-1280.png` });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: `${folder}/${name}-390.png` });
  await page.setViewportSize({ width: 1280, height: 900 });
}

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
  const clerk = await accountant(browser, shop, "/statement");
  const began = Date.now();
  await clerk.drop(file);
  await expect(clerk.page.getByText("Разнесено сразу: 1 из 100")).toBeVisible();
  expect(Date.now() - began).toBeLessThan(10_000);
  expect(clerk.presses()).toBeLessThanOrEqual(2);
  await look(clerk.page, "statement");

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
  const clerk = await accountant(browser, shop, "/statement");
  await clerk.drop(Buffer.from("%PDF-1.7"));
  await expect(clerk.page.getByRole("alert")).toContainText("Это не выписка в формате 1С");
});

test("a refund by hand is closed in two presses, and a receipt gets its fiscal numbers", async ({ page, browser, shop }) => {
  await marketStands(shop);
  const order = await anInvoice(page, shop);
  await demo(shop, `orders/${order.id}`, { event: "pay" });
  const clerk = await accountant(browser, shop, "/receipts");
  const row = clerk.page.getByRole("row", { name: new RegExp(`${order.number}`) });
  await row.getByRole("button", { name: "Внести номера" }).click();
  await clerk.page.getByLabel("ФН").fill("9999078900004312");
  await clerk.page.getByLabel("ФД").fill("0");
  await clerk.page.getByLabel("ФПД").fill("3522207165");
  await button(clerk.page, /^Чек пробит/).click();
  await expect(clerk.page.getByText("ФД: до 10 цифр, не с нуля")).toBeVisible();
  await look(clerk.page, "receipts");
  await clerk.page.getByLabel("ФД").fill("125");
  await button(clerk.page, /^Чек пробит/).click();
  await expect(clerk.page.getByText(`Чек по заказу ${order.number} пробит`)).toBeVisible();

  await demo(shop, `orders/${order.id}`, { event: "cancel" });
  await openWithoutWaiting(clerk.page, `${shop.officeUrl}/payments?view=refunds`, "not a page of the shop");
  await look(clerk.page, "refunds");
  const refund = clerk.page.getByRole("row", { name: new RegExp(`${order.number}`) });
  await clerk.press(refund.getByRole("button", { name: "Отправлено" }));
  await clerk.press(button(clerk.page, "Да, отправлены"));
  await expect(clerk.page.getByText("Возврат закрыт")).toBeVisible();
  expect(clerk.presses()).toBeLessThanOrEqual(2);
  await expect(refund).toHaveCount(0);
  await openWithoutWaiting(clerk.page, `${shop.officeUrl}/payments`, "not a page of the shop");
  await expect(clerk.page.getByRole("link", { name: `${order.number}` })).toBeVisible();
  await look(clerk.page, "payments");
});
