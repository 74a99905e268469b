import type { Page } from "@playwright/test";
import type { RunningShop } from "#tests/running-shop.ts";
import { agreeAndOrder, aPhone, priceIsLocked, expect, putInCart, readCode, test } from "./journey.ts";

const dialog = (page: Page) => page.getByRole("dialog");

async function signIn(page: Page, shop: RunningShop, phone: string): Promise<void> {
  await dialog(page).getByLabel("Телефон").fill(phone);
  await dialog(page).getByRole("button", { name: /^(Получить код|Продолжить)/ }).click();
  await expect(dialog(page).getByRole("heading", { name: "Введите код из SMS" })).toBeVisible();
  await dialog(page).getByLabel("Код из SMS").fill(await readCode(shop, phone));
}

test("a new customer signs in at checkout in three steps and orders by courier; next time everything is filled in", async ({ page, shop }) => {
  const phone = aPhone();
  await putInCart(page);
  await page.goto("/checkout");
  await page.getByRole("main").getByRole("button", { name: "Войти" }).click();
  await expect(dialog(page).getByRole("heading", { name: "Вход или регистрация" })).toBeVisible();
  await signIn(page, shop, phone);
  await expect(dialog(page).getByRole("heading", { name: "Завершение регистрации" })).toBeVisible();
  await dialog(page).getByLabel("Фамилия и имя").fill("Новиков Олег");
  await dialog(page).getByLabel("Электронная почта").fill("oleg@example.com");
  await dialog(page).getByRole("checkbox").check();
  await dialog(page).getByRole("button", { name: "Завершить" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("region", { name: "Контакты" })).toContainText(/Новиков Олег|Олег Новиков/);

  await page.getByRole("radio", { name: /^Курьер СДЭК/ }).check();
  await page.getByLabel("Улица").fill("Тверская");
  await page.getByLabel("Дом").fill("12");
  await priceIsLocked(page);
  await agreeAndOrder(page);
  await page.locator('button[value="pay"]').click();
  await expect(page.getByRole("heading", { name: "Спасибо, заказ оплачен" })).toBeVisible();

  await page.goto("/my/orders");
  await page.getByRole("main").getByRole("link", { name: /Заказ|№/ }).first().click();
  await expect(page.getByRole("main").getByText("Оплачен").first()).toBeVisible();

  // Once more, as a known customer: nothing to type but the choice.
  await putInCart(page, "georgij-pobedonosec-3-rublya-2025-mmd").catch(() => putInCart(page));
  await page.goto("/checkout");
  await expect(page.getByRole("region", { name: "Контакты" })).toContainText("oleg@example.com");
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await priceIsLocked(page);
  await agreeAndOrder(page);
  await page.locator('button[value="pay"]').click();
  await expect(page.getByRole("heading", { name: "Спасибо, заказ оплачен" })).toBeVisible();
});

test("a wrong code is told, the right one still works, and logout empties this browser", async ({ page, shop }) => {
  const phone = aPhone();
  await page.goto("/");
  await page.getByRole("banner").getByRole("button", { name: "Войти" }).first().click();
  await dialog(page).getByLabel("Телефон").fill(phone);
  await dialog(page).getByRole("button", { name: /^(Получить код|Продолжить)/ }).click();
  const right = await readCode(shop, phone);
  await dialog(page).getByLabel("Код из SMS").fill(right === "0000" ? "1111" : "0000");
  await expect(dialog(page).getByText("Неверный смс код")).toBeVisible();
  await dialog(page).getByLabel("Код из SMS").fill(right);
  await expect(dialog(page).getByRole("heading", { name: "Завершение регистрации" })).toBeVisible();
  await dialog(page).getByRole("button", { name: /^Пропустить/ }).click();
  await expect(dialog(page)).toBeHidden();
  await page.getByRole("banner").getByText("Профиль").click();
  await page.getByRole("banner").getByRole("button", { name: "Выйти" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole("banner").getByRole("button", { name: "Войти" }).first()).toBeVisible();
});

test("a page of the account asks to sign in and then opens", async ({ page, shop }) => {
  await page.goto("/my/orders");
  const phone = aPhone();
  await expect(dialog(page)).toBeVisible(); // by itself
  await signIn(page, shop, phone);
  await dialog(page).getByRole("button", { name: /^Пропустить/ }).click();
  await expect(page).toHaveURL(/\/my\/orders$/);
  await expect(page.getByRole("main").getByRole("heading", { level: 1, name: /Заказы/ })).toBeVisible();
});

test("the dialog closes by button, by Escape and by a click outside", async ({ page }) => {
  await page.goto("/");
  const open = async () => {
    await page.getByRole("banner").getByRole("button", { name: "Войти" }).first().click();
    await expect(dialog(page)).toBeVisible();
  };
  await open();
  await dialog(page).getByRole("button", { name: "Закрыть" }).click();
  await expect(dialog(page)).toBeHidden();
  await open();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await open();
  await page.mouse.click(5, 5);
  await expect(dialog(page)).toBeHidden();
});
