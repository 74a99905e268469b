import type { Page } from "@playwright/test";
import type { RunningShop } from "#tests/running-shop.ts";
import { agreeAndOrder, aPhone, letters, priceIsLocked, expect, putInCart, readCode, signInByCall, test, open } from "../journey.ts";

const dialog = (page: Page) => page.getByRole("dialog");

async function signIn(page: Page, shop: RunningShop, phone: string): Promise<void> {
  await dialog(page).getByLabel("Телефон").fill(phone);
  await dialog(page)
    .getByRole("button", { name: /^(Получить код|Продолжить)/ })
    .click();
  await expect(dialog(page).getByRole("heading", { name: "Введите код из SMS" })).toBeVisible();
  await dialog(page)
    .getByLabel("Код из SMS")
    .fill(await readCode(shop, phone));
}

test("a new customer signs in at checkout in three steps and orders by courier; next time everything is filled in", async ({
  page,
  shop,
}) => {
  const phone = aPhone();
  await putInCart(page);
  await open(page, "/checkout");
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

  await open(page, "/my/orders");
  await page
    .getByRole("main")
    .getByRole("link", { name: /Заказ|№/ })
    .first()
    .click();
  await expect(page.getByRole("main").getByText("Оплачен").first()).toBeVisible();

  // Again as a known customer: only the choice remains.
  await putInCart(page, "georgij-pobedonosec-3-rublya-2025-mmd").catch(() => putInCart(page));
  await open(page, "/checkout");
  await expect(page.getByRole("region", { name: "Контакты" })).toContainText("oleg@example.com");
  await expect(page.getByRole("radio", { name: /^Курьер СДЭК/ })).toBeChecked();
  await expect(page.getByLabel("Улица")).toHaveValue("Тверская");
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await priceIsLocked(page);
  await agreeAndOrder(page);
  await page.locator('button[value="pay"]').click();
  await expect(page.getByRole("heading", { name: "Спасибо, заказ оплачен" })).toBeVisible();
});

test("a buyer who typed another name and then signs in keeps it as the recipient", async ({ page, shop }) => {
  await putInCart(page);
  await open(page, "/checkout");
  await page.getByLabel("Фамилия").fill("Ильин");
  await page.getByRole("main").getByRole("button", { name: "Войти" }).click();
  await signIn(page, shop, aPhone());
  await dialog(page).getByLabel("Фамилия и имя").fill("Новиков Олег");
  await dialog(page).getByLabel("Электронная почта").fill("oleg@example.com");
  await dialog(page).getByRole("checkbox").check();
  await dialog(page).getByRole("button", { name: "Завершить" }).click();
  await expect(dialog(page)).toBeHidden();
  // The closing dialog may still be in the document, hidden.
  await expect(page.getByRole("textbox", { name: "Электронная почта" })).toHaveValue("oleg@example.com");
  await expect(page.getByRole("textbox", { name: "Имя", exact: true })).toHaveValue("");
  const confirmation = page.getByRole("region", { name: "Подтверждение" });
  await expect(confirmation).not.toContainText("Получит");
  await page.getByLabel("Имя", { exact: true }).fill("Пётр");
  await expect(confirmation).toContainText("Получит: Ильин Пётр");
});

test("after a wrong code the right one still works, and signing out empties this browser", async ({ page, shop }) => {
  const phone = aPhone();
  await open(page, "/");
  await page.getByRole("banner").getByRole("button", { name: "Войти" }).first().click();
  await dialog(page).getByLabel("Телефон").fill(phone);
  await dialog(page)
    .getByRole("button", { name: /^(Получить код|Продолжить)/ })
    .click();
  const right = await readCode(shop, phone);
  await dialog(page)
    .getByLabel("Код из SMS")
    .fill(right === "0000" ? "1111" : "0000");
  await expect(dialog(page).getByText("Неверный смс код")).toBeVisible();
  await dialog(page).getByLabel("Код из SMS").fill(right);
  await expect(dialog(page).getByRole("heading", { name: "Завершение регистрации" })).toBeVisible();
  await dialog(page)
    .getByRole("button", { name: /^Пропустить/ })
    .click();
  await expect(dialog(page)).toBeHidden();
  await page.getByRole("banner").getByText("Профиль").click();
  await page.getByRole("banner").getByRole("button", { name: "Выйти" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole("banner").getByRole("button", { name: "Войти" }).first()).toBeVisible();
});

test("a page of the account asks to sign in and then opens", async ({ page, shop }) => {
  await open(page, "/my/orders");
  const phone = aPhone();
  await expect(dialog(page)).toBeVisible(); // by itself
  await signIn(page, shop, phone);
  await dialog(page)
    .getByRole("button", { name: /^Пропустить/ })
    .click();
  await expect(page).toHaveURL(/\/my\/orders$/);
  await expect(page.getByRole("main").getByRole("heading", { level: 1, name: /Заказы/ })).toBeVisible();
});

test("the dialog closes by button, by Escape and by a click outside", async ({ page }) => {
  await open(page, "/");
  const openDialog = async () => {
    await page.getByRole("banner").getByRole("button", { name: "Войти" }).first().click();
    await expect(dialog(page)).toBeVisible();
  };
  await openDialog();
  await dialog(page).getByRole("button", { name: "Закрыть" }).click();
  await expect(dialog(page)).toBeHidden();
  await openDialog();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await openDialog();
  await page.mouse.click(5, 5);
  await expect(dialog(page)).toBeHidden();
});

const spellings = [
  "89161234567",
  "+7 (916) 123-45-67",
  "7 916 123 45 67",
  "8\u00A0916\u00A0123\u00A045\u00A067",
  "тел.: 8 (916) 123–45–67",
  "9161234567",
];

test("the first step by keyboard: focus, mask, every pasted spelling, error messages, and the number is kept on every failure", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "/about");
  const opener = page.getByRole("banner").getByRole("button", { name: "Войти" }).first();
  await opener.focus();
  await page.keyboard.press("Enter");
  const box = page.getByRole("dialog", { name: "Вход или регистрация" });
  const phone = box.getByLabel("Телефон");
  const send = box.getByRole("button", { name: "Получить код" });
  await expect(phone).toBeFocused();
  for (const key of ["Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab"]) {
    await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.closest("dialog") !== null)).toBe(true);
  }
  await phone.focus();
  await phone.blur();
  await expect(phone).toHaveAccessibleDescription("Обязательное поле");
  await expect(send).toBeDisabled();
  await phone.pressSequentially("916123");
  await expect(phone).toHaveValue("+7 (916) 123");
  await phone.blur();
  await expect(phone).toHaveAccessibleDescription("Телефон указан неверно");
  await expect(send).toBeDisabled();
  for (const spelling of spellings) {
    await page.evaluate((text) => navigator.clipboard.writeText(text), spelling);
    await phone.selectText();
    await page.keyboard.press("Control+V");
    await expect(phone, spelling).toHaveValue("+7 (916) 123-45-67");
  }
  await expect(send).toBeEnabled();

  let answer: { status: number; headers?: Record<string, string>; json: object } | "offline" = "offline";
  let requested = 0;
  await page.route("**/api/auth/get-code", async (route) => {
    requested += 1;
    await (answer === "offline" ? route.abort() : route.fulfill(answer));
  });
  const refusals = [
    ["offline", /^Нет связи с магазином/],
    [
      { status: 503, json: { code: "auth.sms_unavailable", message: "Не удалось отправить SMS. Попробуйте ещё раз через минуту" } },
      /^Не удалось отправить SMS/,
    ],
    [
      {
        status: 429,
        headers: { "retry-after": "300" },
        json: { code: "auth.too_many_codes", message: "Слишком много запросов кода. Попробуйте позже" },
      },
      /^Слишком много запросов кода\. Подождите 5\sминут\.$/,
    ],
    [
      { status: 422, json: { code: "auth.bad_phone", message: "На этот номер нельзя отправить SMS. Проверьте номер" } },
      /^На этот номер нельзя отправить SMS/,
    ],
  ] as const;
  for (const [given, words] of refusals) {
    answer = given;
    await phone.press("Enter");
    await page.keyboard.press("Enter"); // a quick click
    await expect(phone).toHaveAccessibleDescription(words);
    await expect(phone).toHaveValue("+7 (916) 123-45-67");
  }
  expect(requested).toBeLessThanOrEqual(refusals.length * 2);
  await page.keyboard.press("Escape");
  await expect(box).toBeHidden();
  await expect(opener).toBeFocused();
});

test("the code and profile steps: countdown, new code, back and forth, another tab, pasted code, name, e-mail and consent", async ({
  page,
  context,
  shop,
}) => {
  const phone = aPhone();
  const stored = () => page.evaluate(() => sessionStorage.getItem("auth-phone"));
  await page.clock.install();
  await open(page, "/about");
  await page.getByRole("banner").getByRole("button", { name: "Войти" }).first().click();
  const box = dialog(page);
  await box.getByLabel("Телефон").fill(phone);
  await box.getByLabel("Телефон").press("Enter");
  await expect(box.getByRole("heading", { name: "Введите код из SMS" })).toBeVisible();
  await expect(box.getByLabel("Код из SMS")).toBeFocused();
  expect(await stored()).toBe(phone);

  // The seconds are visible and not read out.
  const timer = box.getByRole("timer");
  await expect(timer).toHaveText(/Новый код можно получить через 0[12]:\d\d/);
  await expect(timer).toHaveAttribute("aria-live", "off");
  const spoken = await box.getByRole("status").allInnerTexts();
  const seconds = async () => {
    const [, minute, second] = /(\d\d):(\d\d)/.exec((await timer.textContent()) ?? "") ?? [];
    return Number(minute) * 60 + Number(second);
  };
  const left = await seconds();
  await page.clock.runFor(3_000);
  await expect.poll(seconds).toBeLessThanOrEqual(left - 3);
  expect(await box.getByRole("status").allInnerTexts()).toEqual(spoken);

  // Another number, then the first again: its code is still valid, and no new one is sent.
  const before = (await letters(shop, phone)).length;
  await box.getByRole("button", { name: "Другой номер" }).click();
  await expect(box.getByRole("heading", { name: "Вход или регистрация" })).toBeVisible();
  await box.getByLabel("Телефон").press("Enter");
  await expect(box.getByRole("heading", { name: "Введите код из SMS" })).toBeVisible();
  expect((await letters(shop, phone)).length).toBe(before);

  // A wrong code, pasted with a space; two minutes later a new one, and the field is empty.
  const code = box.getByLabel("Код из SMS");
  const right = await readCode(shop, phone);
  await code.fill(right === "12 34" ? "43 21" : "12 34");
  await expect(code).toHaveAccessibleDescription("Неверный смс код");
  await expect(code).toBeFocused();
  await shop.advance(120_000);
  await page.clock.runFor(121_000);
  await box.getByRole("button", { name: "Получить новый код" }).click();
  await expect(code).toHaveValue("");
  await expect(timer).toHaveText(/0[12]:\d\d/);
  await expect(code).not.toHaveAccessibleDescription("Неверный смс код");

  // Another tab may enter the code that this one requested; here a lost answer is requested again by Enter.
  const other = await context.newPage();
  await open(other, "/about");
  await other.getByRole("banner").getByRole("button", { name: "Войти" }).first().click();
  await dialog(other).getByLabel("Телефон").fill(phone);
  await dialog(other).getByLabel("Телефон").press("Enter");
  await expect(dialog(other).getByLabel("Телефон")).toHaveAccessibleDescription(
    /^Код на этот номер уже отправлен\. Новый можно получить через/,
  );
  const toCode = dialog(other).getByRole("button", { name: "Ввести код из SMS" });
  await expect(toCode).toBeFocused();
  await toCode.press("Enter");
  await expect(dialog(other).getByLabel("Код из SMS")).toBeFocused();
  await other.close();
  await page.bringToFront();
  await page.route("**/api/auth/check-code", (route) => route.abort(), { times: 1 });
  const newest = await readCode(shop, phone);
  await code.fill(newest);
  await expect(code).toHaveAccessibleDescription(/^Нет связи с магазином/);
  await code.press("Enter");

  await expect(box.getByRole("heading", { name: "Завершение регистрации" })).toBeVisible();
  await box.getByRole("button", { name: "Назад к коду" }).click();
  await code.fill(newest);
  const name = box.getByLabel("Фамилия и имя");
  const email = box.getByLabel("Электронная почта");
  await expect(name).toBeFocused();
  await name.blur();
  await expect(name).toHaveAccessibleDescription("Обязательное поле");
  await email.fill("oleg@");
  await email.blur();
  await expect(email).toHaveAccessibleDescription("Email указан неверно");
  await name.fill("Новиков Олег");
  await email.fill("oleg@example.com");
  const finish = box.getByRole("button", { name: "Завершить" });
  await expect(finish).toBeDisabled();
  await box.getByRole("checkbox", { name: /обработку персональных данных/ }).check();
  await finish.click();
  await page.clock.runFor(1_000);
  await expect(box).toBeHidden();
  await expect(page.getByRole("banner").getByText("Профиль")).toBeVisible();
  expect(await stored()).toBeNull();

  // Stored while a code is valid, deleted once the dialog is closed.
  await page.evaluate((value) => sessionStorage.setItem("auth-phone", value), phone);
  await context.clearCookies();
  await open(page, "/about");
  await page.getByRole("banner").getByRole("button", { name: "Войти" }).first().click();
  await expect(box.getByLabel("Телефон")).toHaveValue(/^\+7 \(916\)/);
  await page.keyboard.press("Escape");
  await page.clock.runFor(1_000);
  await expect(box).toBeHidden();
  expect(await stored()).toBeNull();
});

const openSignIn = (page: Page) => page.getByRole("banner").getByRole("button", { name: "Войти" }).first().click();

test("by keyboard alone: Tab and Enter show what is missing, the focus moves to the phone and back, and nothing entered is lost", async ({
  page,
  shop,
}) => {
  const number = aPhone();
  await page.clock.install();
  await open(page, "/about");
  await openSignIn(page);
  const box = dialog(page);
  const phone = box.getByLabel("Телефон");
  await expect(phone).toBeFocused();
  await page.keyboard.press("Tab"); // past the disabled button, to the close button
  await expect(phone).toHaveAccessibleDescription("Обязательное поле");
  await expect(phone).toHaveAttribute("aria-invalid", "true");
  await expect(box.getByRole("alert").filter({ hasText: "Обязательное поле" })).toBeVisible();
  await phone.fill("916");
  await phone.press("Enter");
  await expect(phone).toHaveAccessibleDescription("Телефон указан неверно");
  await phone.fill(number);
  await phone.press("Enter");
  const code = box.getByLabel("Код из SMS");
  await expect(code).toBeFocused();
  await page.keyboard.type("12");
  await page.keyboard.press("Enter");
  await expect(code).toHaveAccessibleDescription("Введите четыре цифры из SMS");
  await box.getByRole("button", { name: "Другой номер" }).click();
  await expect(phone).toBeFocused();
  await phone.press("Enter");
  await code.fill(await readCode(shop, number));

  const name = box.getByLabel("Фамилия и имя");
  await name.press("Enter");
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription("Обязательное поле");
  await expect(box.getByRole("checkbox")).toHaveAccessibleDescription("Нужно согласие на обработку персональных данных");
  await name.fill("Новиков Олег");
  await box.getByLabel("Электронная почта").fill("oleg@example.com");
  await box.getByRole("checkbox").check();
  await box.getByRole("button", { name: "Назад к коду" }).click();
  await code.fill(await readCode(shop, number));
  await expect(name).toHaveValue("Новиков Олег");
  await expect(box.getByLabel("Электронная почта")).toHaveValue("oleg@example.com");
  await expect(box.getByRole("checkbox")).toBeChecked();
  await box.getByRole("button", { name: "Завершить" }).click();
  await page.clock.runFor(1_000);
  await expect(box).toBeHidden();
});

test("a dialog closed while a code is valid stores no phone; the button for a new code looks like a button", async ({ page, shop }) => {
  const number = aPhone();
  await page.clock.install();
  await open(page, "/about");
  await openSignIn(page);
  let answer = () => {};
  await page.route(
    "**/api/auth/get-code",
    async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await route.continue();
    },
    { times: 1 },
  );
  await dialog(page).getByLabel("Телефон").fill(number);
  await dialog(page).getByRole("button", { name: "Получить код" }).click();
  await expect(dialog(page).getByRole("button", { name: "Отправляем…" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  const answered = page.waitForResponse("**/api/auth/get-code");
  answer();
  await answered;
  await readCode(shop, number);
  await page.clock.runFor(1_000);
  expect(await page.evaluate(() => sessionStorage.getItem("auth-phone"))).toBeNull();
  await openSignIn(page);
  await expect(dialog(page).getByLabel("Телефон")).toHaveValue("");
  await dialog(page).getByLabel("Телефон").fill(number);
  await dialog(page).getByLabel("Телефон").press("Enter");
  await expect(dialog(page).getByLabel("Код из SMS")).toBeFocused();
  await page.clock.runFor(125_000);
  const again = dialog(page).getByRole("button", { name: "Получить новый код" });
  await expect(again).toBeEnabled();
  await expect(again).toHaveClass(/button--gold/);
});

test("right after signing out, the same phone sees when it may sign in again, not that a used code is valid", async ({ page, shop }) => {
  const number = aPhone();
  await open(page, "/about");
  await openSignIn(page);
  await signIn(page, shop, number);
  await dialog(page)
    .getByRole("button", { name: /^Пропустить/ })
    .click();
  await expect(dialog(page)).toBeHidden();
  await page.getByRole("banner").getByText("Профиль").click();
  await page.getByRole("banner").getByRole("button", { name: "Выйти" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
  await openSignIn(page);
  await expect(dialog(page).getByRole("heading", { name: "Вход или регистрация" })).toBeVisible();
  await expect(dialog(page).getByLabel("Телефон")).toHaveValue("");
  await dialog(page).getByLabel("Телефон").fill(number);
  await dialog(page).getByLabel("Телефон").press("Enter");
  await expect(dialog(page).getByLabel("Телефон")).toHaveAccessibleDescription(
    /^Вы недавно входили с этим номером\. Новый код можно получить через/,
  );
  await expect(dialog(page).getByRole("button", { name: "Ввести код из SMS" })).toHaveCount(0);
});

test("without cookies the shop says so at the heart, at the cart and before a code is sent", async ({ page, shop }) => {
  // The browser neither sends nor stores cookies.
  await page.route(/\/api\/(state|cart|auth)/, async (route) => {
    const request = route.request();
    const answer = await fetch(request.url(), {
      method: request.method(),
      headers: { accept: "application/json", "content-type": "application/json" },
      body: request.postData(),
    });
    await route.fulfill({ status: answer.status, contentType: "application/json", body: await answer.text() });
  });
  await open(page, "/products/georgij-pobedonosec-50-rublej-2026-mmd");
  await page.getByRole("main").getByRole("button", { name: "В корзину", exact: true }).first().click();
  await expect(page.getByRole("status").filter({ hasText: "Разрешите cookie для этого сайта" })).toBeVisible();
  // no badge for what was not stored
  await expect(page.getByRole("banner").getByRole("link", { name: "Корзина", exact: true })).toBeVisible();
  await openSignIn(page);
  const number = aPhone();
  await dialog(page).getByLabel("Телефон").fill(number);
  await dialog(page).getByLabel("Телефон").press("Enter");
  await expect(dialog(page).getByLabel("Телефон")).toHaveAccessibleDescription(/^Чтобы войти, разрешите cookie/);
  expect(await letters(shop, number)).toEqual([]);
});

test("if the visitor's state cannot be loaded the page shows signed out, and the next load signs in again", async ({ page, shop }) => {
  await open(page, "/about");
  await signInByCall(page, shop, aPhone(), { name: "Иванов Пётр", email: "petr-7@example.com" });
  await open(page, "/about");
  await expect(page.getByRole("banner").getByText("Профиль")).toBeVisible();
  const turnTo = () => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.route("**/api/state", (route) => route.abort());
  await turnTo();
  await expect(page.getByRole("banner").getByRole("button", { name: "Войти" }).first()).toBeVisible();
  await page.unroute("**/api/state");
  await turnTo();
  await expect(page.getByRole("banner").getByText("Профиль")).toBeVisible();
});

test("signing out in one tab closes the personal pages of the others", async ({ page, context, shop }) => {
  await open(page, "/about");
  await signInByCall(page, shop, aPhone(), { name: "Соколова Мария", email: "maria-7@example.com" });
  await putInCart(page);
  await open(page, "/checkout");
  await expect(page.getByRole("main")).toContainText("maria-7@example.com");
  const [profile, catalog] = [await context.newPage(), await context.newPage()];
  await open(profile, "/my/profile");
  await expect(profile.getByRole("main")).toContainText("maria-7@example.com");
  await open(catalog, "/about");
  await catalog.getByRole("banner").getByText("Профиль").click();
  await catalog.getByRole("banner").getByRole("button", { name: "Выйти" }).click();
  await expect(catalog.getByRole("banner").getByRole("button", { name: "Войти" }).first()).toBeVisible();
  await expect(profile.getByRole("main")).not.toContainText("maria-7@example.com");
  await expect(profile.getByRole("heading", { name: "Войдите в кабинет" })).toBeVisible();
  await expect(page).toHaveURL(/:\d+\/$/);
  await putInCart(page);
  await open(page, "/checkout");
  await expect(page.getByLabel("Электронная почта")).toHaveValue("");
  await expect(page.getByRole("main")).not.toContainText("Соколова");
});

test("signing in in one tab closes the sign-in dialog of another", async ({ page, context, shop }) => {
  const phone = aPhone();
  await open(page, "/my/orders");
  await dialog(page).getByLabel("Телефон").fill(phone);
  await dialog(page).getByRole("button", { name: "Получить код" }).click();
  await expect(dialog(page).getByLabel("Код из SMS")).toBeFocused();
  const other = await context.newPage();
  await open(other, "/about");
  await openSignIn(other);
  await dialog(other).getByLabel("Телефон").fill(phone);
  await dialog(other).getByRole("button", { name: "Получить код" }).click();
  await dialog(other).getByRole("button", { name: "Ввести код из SMS" }).click();
  await dialog(other)
    .getByLabel("Код из SMS")
    .fill(await readCode(shop, phone));
  await expect(dialog(other).getByRole("heading", { name: "Завершение регистрации" })).toBeVisible();
  await page.bringToFront();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Заказы");
});
