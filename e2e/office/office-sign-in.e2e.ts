import type { Browser, BrowserContext, Page } from "@playwright/test";
import { totpCodeAt } from "#kit/security/totp.ts";
import { minutes } from "#kit/time.ts";
import type { RunningShop } from "#tests/running-shop.ts";
import { button, expect, expectAccessible, openOffice, roleButtons, signInAs, test } from "./office.ts";

// Failed sign-ins close the address, and here they are made on purpose.
test.use({ shopOf: "signing in" });

/** How far this file has moved the shop's clock: codes of the application follow it. */
let moved = 0;
async function pass(shop: RunningShop, milliseconds: number): Promise<void> {
  moved += milliseconds;
  await shop.advance(milliseconds);
}
/** The code that an application shows now. A code works once, so another one is a step later. */
async function nextCode(shop: RunningShop, secret: string): Promise<string> {
  await pass(shop, 30_000);
  return totpCodeAt(secret, new Date(Date.now() + moved));
}

const password = "длинная фраза для входа";

/** An invitation's page in a browser of its own. */
async function invited(
  page: Page,
  browser: Browser,
  shop: RunningShop,
  email: string,
): Promise<{ own: Page; context: BrowserContext; link: string }> {
  await signInAs(page, shop, "owner", "/people?invite=1");
  const panel = page.getByRole("complementary", { name: "Пригласить" });
  await panel.getByLabel("Рабочая почта").fill(email);
  await panel.getByRole("checkbox", { name: "Упаковка" }).check();
  await page.keyboard.press("Control+Enter");
  await expect(panel.getByLabel("Ссылка")).toHaveValue(/\/invite#/);
  const { pathname, hash } = new URL(await panel.getByLabel("Ссылка").inputValue());
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const own = await context.newPage();
  await openOffice(own, shop, `${pathname}${hash}`);
  await expect(own.getByLabel(/Имя и фамилия/)).toBeVisible();
  return { own, context, link: `${pathname}${hash}` };
}
const signOut = async (page: Page, name: RegExp): Promise<void> => {
  await button(page, name).click();
  await page.getByRole("menuitem", { name: "Выйти" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Служебная часть" })).toBeVisible();
};

test("who chooses password and code reads what is wrong beside each field, signs in with them, and changes the password", async ({
  page,
  browser,
  shop,
}) => {
  test.slow();
  const { own, context, link } = await invited(page, browser, shop, "paketov@chekan.example");
  const form = { name: own.getByLabel(/Имя и фамилия/), password: own.getByLabel(/^Пароль/), code: own.getByLabel(/^Код из/) };
  await button(own, "Создать вход с паролем").click();
  await expect(own.getByRole("alert")).toHaveText(["Обязательное поле", "Не короче 12 символов", "Шесть цифр из приложения"]);
  await expect(form.password).toBeFocused();
  await form.name.fill("Пётр Пакетов");
  await form.password.fill("короткий");
  await form.code.fill("12 34");
  await form.code.press("Enter");
  await expect(own.getByRole("alert")).toHaveText(["Не короче 12 символов", "Шесть цифр из приложения"]);
  await expect(form.password).toBeFocused();
  await form.password.fill(password);
  const secret = (await own.locator(".sign-in-frame__code .number").innerText()).replaceAll(" ", "");
  await form.code.fill(await nextCode(shop, secret));
  await form.code.press("Enter");
  await expect(own.getByRole("heading", { name: "Запасные коды" })).toBeFocused();
  await expect(own.getByText(/для входа нужен и пароль/)).toBeVisible();
  const [first = "", second = ""] = await own.locator(".recovery-codes li").allInnerTexts();
  await button(own, "Коды у меня").click();
  await expect(button(own, /Пётр Пакетов/)).toBeVisible();

  // The phone is at home: a recovery code stands in for the application's code, once.
  await signOut(own, /Пётр Пакетов/);
  await own.getByLabel("Рабочая почта").fill("PAKETOV@chekan.example ");
  await own.getByLabel("Пароль", { exact: true }).fill(password);
  await own.getByLabel(/^Код из/).fill("1234");
  await own.keyboard.press("Enter");
  await expect(own.getByRole("alert")).toHaveText("Шесть цифр из приложения");
  await button(own, /запасной код/).click();
  await expect(own.getByRole("alert")).toHaveCount(0);
  await own.getByLabel(/^Запасной код/).fill(first.toLowerCase());
  await own.keyboard.press("Enter");
  await expect(button(own, /Пётр Пакетов/)).toBeVisible();

  await openOffice(own, shop, "/devices");
  const entries = own.locator(".password-form");
  await pass(shop, minutes(6));
  await entries.getByLabel("Прежний пароль").fill(password);
  await entries.getByLabel("Новый пароль", { exact: true }).fill("другая фраза для входа");
  await entries.getByLabel("Новый пароль ещё раз").fill("другая фраза для входа");
  await button(own, "Сменить пароль").click();
  const confirm = own.getByRole("dialog", { name: "Подтвердите, что это вы" });
  await button(confirm, "Запасной код").click();
  await confirm.getByRole("textbox").fill("ABC");
  await own.keyboard.press("Enter");
  await expect(confirm.getByRole("alert")).toHaveText("Двенадцать знаков запасного кода");
  // What belongs to the other kind of code does not stay.
  await button(confirm, "Код из приложения").click();
  await expect(confirm.getByLabel(/^Код из/)).toHaveValue("");
  await expect(confirm.getByRole("alert")).toHaveCount(0);
  await button(confirm, "Запасной код").click();
  await confirm.getByRole("textbox").fill(second);
  await own.keyboard.press("Enter");
  await expect(own.getByText("Пароль изменён")).toBeVisible();
  await expect(own.getByText("осталось 8")).toBeVisible();

  // The link is used up; a page that was loaded again has lost it and says so.
  await openOffice(own, shop, link);
  await expect(own.getByText(/Приглашение уже использовано или устарело/)).toBeVisible();
  await openOffice(own, shop, "/invite");
  await expect(own.getByText(/Откройте ссылку из приглашения ещё раз/)).toBeVisible();
  await context.close();
});

test("who has a passkey only confirms with a recovery code, and reads that a removed passkey does not work any more", async ({
  page,
  browser,
  shop,
}) => {
  const { own, context } = await invited(page, browser, shop, "klyuchev@chekan.example");
  const device = await context.newCDPSession(own);
  await device.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const;
  await device.send("WebAuthn.addVirtualAuthenticator", { options: { ...options, automaticPresenceSimulation: true } });
  await own.getByLabel(/Имя и фамилия/).fill("Кирилл Ключев");
  await button(own, "Создать ключ").click();
  await expect(own.getByText(/Войти одним кодом нельзя/)).toBeVisible();
  const [first = ""] = await own.locator(".recovery-codes li").allInnerTexts();
  await button(own, "Коды у меня").click();
  await expect(button(own, /Кирилл Ключев/)).toBeVisible();

  await openOffice(own, shop, "/devices");
  await pass(shop, minutes(6));
  await button(own, "Выпустить новые").click();
  await button(own.getByRole("alertdialog"), "Выпустить").click();
  const confirm = own.getByRole("dialog", { name: "Подтвердите, что это вы" });
  // There is no application, so no code of one is requested.
  await expect(confirm.getByLabel(/^Код из/)).toHaveCount(0);
  await confirm.getByLabel(/^Запасной код/).fill(first);
  await own.keyboard.press("Enter");
  await expect(own.locator(".recovery-codes li")).toHaveCount(10);

  // The colleague resets the sign-in, and the old passkey is not known any more.
  await openOffice(page, shop, "/people");
  await page.getByRole("button", { name: "Кирилл Ключев" }).click();
  await button(page, "Сбросить вход").click();
  await button(page.getByRole("alertdialog"), "Сбросить").click();
  const again = page.getByRole("dialog", { name: "Подтвердите, что это вы" });
  await button(again, /демонстрация/).click();
  await expect(page.getByLabel("Ссылка")).toHaveValue(/\/invite#/);
  await openOffice(own, shop, "/devices");
  await button(own, "Войти ключом").click();
  await expect(own.getByText(/Этот ключ здесь больше не действует/)).toBeVisible();
  await expectAccessible(own, "a refused passkey");
  await context.close();
});

test("five failures close the sign-in for 15 minutes, and say so beside the field", async ({ page, shop }) => {
  await openOffice(page, shop);
  await page.getByLabel("Рабочая почта").fill("nobody@chekan.example");
  await page.getByLabel("Пароль", { exact: true }).fill("не тот пароль");
  const code = page.getByLabel(/^Код из/);
  for (let turn = 0; turn < 5; turn += 1) {
    await code.fill(`00000${turn}`);
    await Promise.all([page.waitForResponse(/sign-in\/password$/), code.press("Enter")]);
    await expect(button(page, /^Войти$/)).toBeEnabled();
  }
  await code.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Слишком много неудачных попыток. Вход закрыт на 15 минут");
  await pass(shop, minutes(16));
  await code.press("Enter");
  await expect(page.getByRole("alert")).toHaveText(/Войти не удалось/);
  await button(page, roleButtons.owner).click();
  await expect(page.getByRole("navigation", { name: "Разделы" })).toBeVisible();
});
