import type { Browser, Page } from "@playwright/test";
import type { RunningShop } from "#tests/running-shop.ts";
import { open as openShop } from "../journey.ts";
import { button, expect, expectAccessible, type OfficeRole, openOffice, staffMember, test } from "./office.ts";

const saved = (page: Page) => page.getByText("Сохранено. Магазин работает по-новому");

const opened = (browser: Browser, shop: RunningShop, role: OfficeRole, group: string) =>
  staffMember(browser, shop, role, `/settings/${group}`);

/** Brings the group back to the settings file, so that other journeys find the shop as it was. */
async function bringBack(page: Page): Promise<void> {
  await button(page, "Вернуть обычные значения").click();
  await button(page, "Вернуть").last().click();
  await expect(page.getByText("Возвращено")).toBeVisible();
}

test("the owner changes the phone with three presses, the shop shows it, and the old one comes back", async ({ page, browser, shop }) => {
  const owner = await staffMember(browser, shop, "owner", "/settings");
  const header = page.getByRole("banner").getByRole("link", { name: /495 777-66-55/ });
  await openShop(page, shop.url);
  await expect(
    page
      .getByRole("banner")
      .getByRole("link", { name: /495 000-00-00/ })
      .first(),
  ).toBeAttached();
  await owner.press(owner.page.getByRole("link", { name: "Название и контакты" }));
  await owner.page.getByLabel("Номер").first().fill("+7 495 777-66-55");
  await owner.press(button(owner.page, /^Сохранить/));
  await expect(saved(owner.page)).toBeVisible();
  await expect.poll(async () => (await page.request.get(shop.url)).text()).toContain("+7 495 777-66-55");
  await openShop(page, shop.url);
  await expect(header.first()).toBeAttached();
  expect(owner.presses()).toBeLessThanOrEqual(3);
  await bringBack(owner.page);
  await expect(owner.page.getByLabel("Номер").first()).toHaveValue("+7 495 000-00-00");
});

test("requisites: a wrong tax number is named beside its field, the right change waits for a second person", async ({ browser, shop }) => {
  const owner = await opened(browser, shop, "owner", "requisites");
  const inn = owner.page.getByLabel("ИНН");
  await owner.page.getByLabel("Банк").fill("АО «Новый банк»");
  await inn.fill("7700000008");
  await owner.press(button(owner.page, /^Отправить на согласование/));
  await expect(inn).toHaveAccessibleDescription(/Контрольные цифры ИНН не сходятся/);
  await expect(owner.page.getByLabel("Банк")).toHaveValue("АО «Новый банк»");
  await inn.fill("7700000009");
  await owner.press(button(owner.page, /^Отправить на согласование/));
  await expect(owner.page.getByText(/Ждёт второго человека/)).toBeVisible();

  const admin = await staffMember(browser, shop, "admin", "/approvals");
  await admin.press(button(admin.page, "Настройки").first());
  await expect(admin.page.getByText("АО «Новый банк»").first()).toBeVisible();
  await admin.press(button(admin.page, /^Согласовать/));
  await expect(admin.page.getByText("Сделано: Настройки")).toBeVisible();
  await openOffice(owner.page, shop, "/settings/requisites");
  await expect(owner.page.getByLabel("Банк")).toHaveValue("АО «Новый банк»");
});

test("a holiday of the exchange is added to its year and stays", async ({ browser, shop }) => {
  const owner = await opened(browser, shop, "owner", "market");
  const closed = owner.page.getByRole("group", { name: "Биржа закрыта" });
  await closed.getByLabel("Биржа закрыта: новый день").fill("2027-01-04");
  await owner.press(closed.getByRole("button", { name: "Добавить день" }));
  await owner.press(button(owner.page, /^Сохранить/));
  await expect(saved(owner.page)).toBeVisible();
  await openOffice(owner.page, shop, "/settings/market");
  await closed.getByLabel("Биржа закрыта: год").selectOption("2027");
  await expect(closed.getByText("4 января")).toBeVisible();
  await bringBack(owner.page);
});

test("a stale save shows both versions and who changed it, and keeps what was typed", async ({ browser, shop }) => {
  const owner = await opened(browser, shop, "owner", "requests");
  const admin = await opened(browser, shop, "admin", "requests");
  const due = "Перезвонить в течение рабочих минут";
  await admin.page.getByLabel(due).fill("40");
  await admin.press(button(admin.page, /^Сохранить/));
  await expect(saved(admin.page)).toBeVisible();
  await owner.page.getByLabel(due).fill("50");
  await owner.press(button(owner.page, /^Сохранить/));
  const dialog = owner.page.getByRole("dialog", { name: "Запись тем временем изменили" });
  await expect(dialog.getByRole("row", { name: /40 мин.*50 мин/ })).toBeVisible();
  await expect(dialog.getByText(/Изменил: /)).toBeVisible();
  await dialog.getByRole("button", { name: "Сохранить моё" }).click();
  await expect(saved(owner.page)).toBeVisible();
  await expect(owner.page.getByLabel(due)).toHaveValue("50");
  await bringBack(owner.page);
});

test("what was typed stays while another group is open, and the screens fit a phone", async ({ browser, shop }) => {
  const { page } = await opened(browser, shop, "admin", "delivery");
  await page.getByLabel("Курьер бесплатно от").fill("200000");
  await page.getByRole("link", { name: "Календарь биржи" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Календарь биржи" })).toBeVisible();
  await expectAccessible(page, "the market calendar");
  await page.getByRole("link", { name: /Доставка.*не сохранено/ }).click();
  await expect(page.getByLabel("Курьер бесплатно от")).toHaveValue(/^200\s000$/);
  await button(page, "Отменить правки").click();
  await expectAccessible(page, "a group of limits");
  await openOffice(page, shop, "/settings/identity");
  await expectAccessible(page, "contacts");
  await openOffice(page, shop, "/settings");
  await expectAccessible(page, "the groups");

  await openOffice(page, shop, "/settings/delivery");
  await page.setViewportSize({ width: 360, height: 640 });
  const field = page.getByRole("textbox").last();
  await field.focus();
  const bottom = await field.evaluate((element) => element.getBoundingClientRect().bottom);
  const foot = await button(page, /^Сохранить/).evaluate((element) => element.getBoundingClientRect().top);
  expect(bottom, "the focused field is above the foot").toBeLessThanOrEqual(foot);
});
