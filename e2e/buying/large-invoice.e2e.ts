import type { Page } from "@playwright/test";
import { runShop, type RunningShop } from "#tests/running-shop.ts";
import {
  agreeAndOrder,
  aPhone,
  expect,
  fillContacts,
  open,
  orderButton,
  priceIsLocked,
  putInCart,
  readCode,
  stopInOrder,
  test as base,
  unlimited,
} from "../journey.ts";

/** A shop whose invoices from ten thousand roubles need a confirmed phone: one coin is above that. */
const test = base.extend<object, { shop: RunningShop }>({
  shop: [
    async ({}, use) => {
      const shop = await runShop({ ...unlimited, INVOICE_UNCONFIRMED_ROUBLES: "10000" });
      await use(shop);
      await stopInOrder(shop);
    },
    { scope: "worker", timeout: 120_000 },
  ],
});
const dialog = (page: Page) => page.getByRole("dialog");

test("a guest with a large invoice must confirm the phone, and then gets the order", async ({ page, shop }) => {
  const phone = aPhone();
  await putInCart(page);
  await open(page, "/checkout");
  await fillContacts(page, { lastName: "Крупный", name: "Павел", phone, email: "large@example.com" });
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await page.getByRole("radio", { name: /^Счёт в банке/ }).check();
  await priceIsLocked(page);
  await agreeAndOrder(page, /^(Оплатить|Заказать)/);

  await expect(dialog(page).getByRole("alert")).toContainText("выставляем на подтверждённый телефон");
  await dialog(page).getByRole("button", { name: "Подтвердить по SMS" }).click();
  await expect(dialog(page).getByRole("heading", { name: "Вход или регистрация" })).toBeVisible();
  expect((await dialog(page).getByLabel("Телефон").inputValue()).replaceAll(/\D/g, "")).toBe(phone.slice(1));
  await dialog(page)
    .getByRole("button", { name: /^(Получить код|Продолжить)/ })
    .click();
  await dialog(page)
    .getByLabel("Код из SMS")
    .fill(await readCode(shop, phone));
  await dialog(page).getByRole("button", { name: "Пропустить" }).click();
  await expect(dialog(page)).toBeHidden();

  await priceIsLocked(page);
  await orderButton(page).click();
  await expect(page.getByRole("heading", { name: "Спасибо, счёт отправлен" })).toBeVisible();
});
