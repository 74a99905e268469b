import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { minutes } from "#kit/time.ts";
import {
  aCoin,
  agreeAndOrder,
  aPhone,
  expect,
  fillContacts,
  untilInteractive,
  letters,
  priceIsLocked,
  putInCart,
  readCode,
  signInByCall,
  test,
  open,
  openWithoutWaiting,
  goBack,
} from "../journey.ts";

const main = (page: Page) => page.getByRole("main");
const dialog = (page: Page) => page.getByRole("dialog");
const h1 = (page: Page) => page.getByRole("heading", { level: 1 });

/** Signs in a customer with a name and an e-mail, and makes an order that waits for payment. */
async function withOrder(page: Page, shop: Parameters<typeof signInByCall>[1], email: string): Promise<string> {
  const phone = aPhone();
  await open(page, "/about");
  await signInByCall(page, shop, phone, { name: "Новикова Анна", email });
  await putInCart(page, "georgij-pobedonosec-3-rublya-2025-mmd");
  await open(page, "/checkout");
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await priceIsLocked(page);
  await agreeAndOrder(page);
  await expect(page.locator('button[value="pay"]')).toBeVisible(); // leaves the provider's page without paying
  return phone;
}

test("a customer sees the overview and an order's history, pays the order from the account and cancels another", async ({ page, shop }) => {
  await withOrder(page, shop, "anna-1@example.com");
  await open(page, "/my");
  await expect(h1(page)).toHaveText("Здравствуйте, Анна");
  await expect(main(page).getByLabel("О вас")).toContainText("anna-1@example.com");
  await main(page)
    .getByRole("link", { name: /^Заказ \d+/ })
    .click();
  await expect(page).toHaveURL(/\/my\/orders\/[\w-]+$/);
  await expect(main(page).getByRole("list", { name: "Состояние заказа" })).toContainText("Оформлен");
  await expect(main(page).getByRole("heading", { name: "Что уже было" })).toBeVisible();

  // On /my: choose a payment method, close by Back, choose again, pay.
  const pay = main(page).getByRole("button", { name: "Оплатить" });
  await untilInteractive(page);
  await pay.click();
  await expect(dialog(page).getByRole("heading", { name: "Как оплатите" })).toBeVisible();
  await goBack(page);
  await expect(dialog(page)).toBeHidden();
  await expect(page).toHaveURL(/\/my\/orders\/[\w-]+$/);
  await expect(pay).toBeFocused();
  await pay.press("Enter");
  await expect(dialog(page).getByRole("radio", { checked: true })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(dialog(page).getByRole("radio", { name: /^СБП/ })).toBeChecked();
  await page.keyboard.press("ArrowUp");
  await dialog(page)
    .getByRole("button", { name: /^Оплатить/ })
    .click();
  await page.locator('button[value="pay"]').click();
  await expect(page.getByRole("heading", { name: "Спасибо, заказ оплачен" })).toBeVisible();
  await open(page, "/my/orders");
  await expect(h1(page)).toHaveText("Заказы");
  await expect(main(page).locator(".orders__status")).toHaveText("Оплачен");
  await main(page)
    .getByRole("link", { name: /^Заказ \d+/ })
    .click();
  await expect(pay).toHaveCount(0);
  await main(page).getByRole("button", { name: "Отменить заказ" }).click();
  await main(page).getByRole("button", { name: "Оставить" }).click();
  await main(page).getByRole("button", { name: "Отменить заказ" }).click();
  await main(page).getByRole("button", { name: "Да, отменить" }).click();
  await expect(main(page).getByRole("list", { name: "Состояние заказа" })).toContainText("Отменён");
});

test("the profile stores names, address and point for checkout and lists devices; a new e-mail needs a fresh code", async ({
  page,
  shop,
}) => {
  const phone = aPhone();
  await open(page, "/about");
  await signInByCall(page, shop, phone, { name: "Иванов Пётр", email: "petr-1@example.com" });
  await open(page, "/my/profile");
  await expect(main(page)).toContainText("Иванов Пётр");
  await main(page).getByRole("link", { name: "Изменить" }).click();

  await page.getByLabel("Имя", { exact: true }).fill("");
  await page.getByLabel("Электронная почта").fill("petr@");
  await page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect(page.getByLabel("Имя", { exact: true })).toBeFocused();
  await expect(page.getByLabel("Имя", { exact: true })).toHaveAccessibleDescription("Обязательное поле");
  await expect(page.getByLabel("Электронная почта")).toHaveAccessibleDescription(/Email указан неверно/);

  await page.getByRole("button", { name: "Выбрать", exact: true }).click();
  await page.getByRole("combobox", { name: "Город" }).selectOption({ label: "Москва" });
  await main(page)
    .getByRole("group", { name: /^Пункты/ })
    .getByRole("radio")
    .first()
    .check();
  await page.getByRole("button", { name: "Сохранить пункт" }).click();
  await expect(page.getByRole("button", { name: "Выбрать другой" })).toBeVisible();

  const address = page.getByRole("region", { name: "Адрес для курьера" });
  await address.getByLabel("Улица").fill("Тверская");
  await address.getByLabel("Дом").fill("12");
  await address.getByRole("button", { name: "Сохранить адрес" }).click();
  await expect(address.getByRole("status")).toHaveText("Адрес сохранён, личные данные выше — ещё нет.");
  await page.getByLabel("Имя", { exact: true }).fill("Пётр");
  await page.getByLabel("Электронная почта").fill("petr-1@example.com");
  await page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect(page).toHaveURL(/\/my\/profile$/);
  await expect(main(page)).toContainText("Тверская, 12");
  await expect(main(page)).toContainText("Пункт выдачи");
  await page.request.patch(`/api/cart/${aCoin.id}`, { data: { quantity: 1 } });
  await open(page, "/checkout");
  await expect(page.getByRole("radio", { name: /^Пункт выдачи СДЭК/ })).toBeChecked();
  await expect(page.getByRole("group", { name: /^Пункты выдачи, / }).getByRole("radio", { checked: true })).toHaveCount(1);

  // Eleven minutes after the code the name may still be changed; the e-mail needs a new code.
  await shop.advance(minutes(11));
  await open(page, "/my/profile/edit");
  await page.getByLabel("Электронная почта").fill("petr-2@example.com");
  await page.getByLabel("Фамилия").fill("Иваненко");
  await page.getByRole("checkbox", { name: /Получать письма/ }).check();
  await page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect(dialog(page).getByRole("heading", { name: "Подтвердите, что это вы" })).toBeVisible();
  await dialog(page).getByRole("button", { name: "Получить код" }).click();
  await expect(dialog(page).getByRole("heading", { name: "Введите код из SMS" })).toBeVisible();
  await dialog(page)
    .getByLabel("Код из SMS")
    .fill(await readCode(shop, phone));
  await expect(page).toHaveURL(/\/my\/profile$/);
  await expect(main(page)).toContainText("Иваненко Пётр");
  await expect(main(page)).toContainText("petr-2@example.com");

  await open(page, "/my/profile/edit");
  // the changes requested before the code are saved after it
  await expect(page.getByRole("checkbox", { name: /Получать письма/ })).toBeChecked();
  await expect(page.getByRole("complementary", { name: "Устройства" })).toContainText("это устройство");
  await page.getByRole("button", { name: "Забыть" }).click();
  await expect(main(page)).toContainText("Не выбран");
  await page.getByRole("button", { name: "Выйти везде" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByRole("banner").getByRole("button", { name: "Войти" }).first()).toBeVisible();
});

test("a customer ends the session of one device, which is named; signing out everywhere also forgets the checkout of this tab", async ({
  page,
  browser,
  shop,
}) => {
  const phone = aPhone();
  await open(page, "/about");
  await signInByCall(page, shop, phone, { name: "Уходов Пётр", email: "petr-9@example.com" });
  await shop.advance(minutes(3));
  const context = await browser.newContext({
    userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
  });
  const telephone = await context.newPage();
  await open(telephone, `${shop.url}/about`);
  await signInByCall(telephone, shop, phone);
  await open(telephone, `${shop.url}/my`);

  await page.bringToFront();
  await page.request.patch(`/api/cart/${aCoin.id}`, { data: { quantity: 1 } });
  await open(page, "/checkout");
  await page.getByRole("button", { name: "Изменить: Контакты" }).click();
  await page.getByLabel(/Отчество/).fill("Тайнович");
  const draft = () => page.evaluate(() => sessionStorage.getItem("checkout-1"));
  await expect.poll(draft).toContain("Тайнович");

  await open(page, "/my/profile/edit");
  const devices = page.getByRole("complementary", { name: "Устройства" });
  await devices.getByRole("button", { name: "Выйти на устройстве: Safari, iPhone" }).click();
  await expect(page.getByText("Вышли на устройстве: Safari, iPhone")).toBeVisible();
  await expect(devices.getByRole("heading", { name: "Где вы вошли" })).toBeFocused();
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  expect((await open(telephone, `${shop.url}/my`))?.status()).toBe(401);

  await page.bringToFront();
  await devices.getByRole("button", { name: "Выйти везде" }).click();
  await expect(page.getByText("Вы вышли на всех устройствах")).toBeVisible();
  expect(await draft()).toBeNull();
  await context.close();
});

test("a customer downloads the account's data and deletes the account with a fresh code; the phone can register again", async ({
  page,
  shop,
}) => {
  const phone = aPhone();
  await open(page, "/about");
  await signInByCall(page, shop, phone, { name: "Сидорова Ольга", email: "olga-1@example.com" });
  await open(page, "/my/profile");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    main(page).getByRole("link", { name: "Скачать мои данные" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("chekan-my-data.json");
  expect(JSON.parse(await readFile(await download.path(), "utf8"))).toMatchObject({
    profile: { phone, email: "olga-1@example.com", name: "Ольга" },
    orders: [],
    consents: [{ purpose: "registration" }, { purpose: "registration" }],
  });

  await shop.advance(minutes(11));
  await main(page).getByRole("link", { name: "Удалить кабинет" }).click();
  await expect(h1(page)).toHaveText("Удалить кабинет");
  await main(page).getByRole("button", { name: "Удалить навсегда" }).click();
  await dialog(page).getByRole("button", { name: "Получить код" }).click();
  await expect(dialog(page).getByRole("heading", { name: "Введите код из SMS" })).toBeVisible();
  await dialog(page)
    .getByLabel("Код из SMS")
    .fill(await readCode(shop, phone));
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByText("Кабинет удалён", { exact: true })).toBeVisible();
  await expect(page.getByRole("banner").getByRole("button", { name: "Войти" }).first()).toBeVisible();
  await expect.poll(async () => (await letters(shop, "olga-1@example.com")).join()).toContain("Ваш кабинет удалён");
  await shop.advance(minutes(3));
  await signInByCall(page, shop, phone);
  await open(page, "/my");
  await expect(h1(page)).toHaveText("Кабинет"); // a new account has no name
});

test("every page of the account asks a visitor to sign in and then opens; another customer's order is not found", async ({
  page,
  browser,
  shop,
}) => {
  await withOrder(page, shop, "anna-2@example.com");
  await open(page, "/my/orders");
  const order = new URL(
    (await main(page)
      .getByRole("link", { name: /^Заказ \d+/ })
      .getAttribute("href")) ?? "",
    shop.url,
  ).pathname;

  const context = await browser.newContext();
  const anonymous = await context.newPage();
  for (const path of ["/my", "/my/orders", order, "/my/profile", "/my/profile/edit", "/my/profile/delete", "/my/alerts"]) {
    const response = await open(anonymous, `${shop.url}${path}`);
    expect([path, response?.status(), response?.headers()["cache-control"]]).toEqual([path, 401, "no-store"]);
    expect(await response?.text()).not.toContain("anna-2@example.com");
  }
  await open(anonymous, `${shop.url}/my/profile`);
  await expect(dialog(anonymous)).toBeVisible();
  await anonymous.keyboard.press("Escape");
  await expect(h1(anonymous)).toHaveText("Войдите в кабинет");
  await main(anonymous).getByRole("button", { name: "Войти" }).click();
  const phone = aPhone();
  await dialog(anonymous).getByLabel("Телефон").fill(phone);
  await dialog(anonymous).getByRole("button", { name: "Получить код" }).click();
  await dialog(anonymous)
    .getByLabel("Код из SMS")
    .fill(await readCode(shop, phone));
  await dialog(anonymous)
    .getByRole("button", { name: /^Пропустить/ })
    .click();
  await expect(anonymous).toHaveURL(/\/my\/profile$/);
  await expect(h1(anonymous)).toHaveText("Личные данные");
  expect((await open(anonymous, `${shop.url}${order}`))?.status()).toBe(404);
  await context.close();
});

test("a customer who cancels an order by keyboard is asked, may keep it, and does not lose the place in the page", async ({
  page,
  context,
  shop,
}) => {
  await withOrder(page, shop, "anna-4@example.com");
  await open(page, "/my/orders");
  await main(page)
    .getByRole("link", { name: /^Заказ \d+/ })
    .click();
  await expect(page).toHaveURL(/\/my\/orders\/[\w-]+$/);
  await untilInteractive(page);
  const cancel = main(page).getByRole("button", { name: "Отменить заказ" });
  const sure = main(page).getByRole("button", { name: "Да, отменить" });
  await cancel.press("Enter");
  await expect(sure).toBeFocused();
  await main(page).getByRole("button", { name: "Оставить" }).press("Enter");
  await expect(cancel).toBeFocused();
  await cancel.press("Enter");
  await context.setOffline(true);
  await sure.press("Enter");
  await expect(page.locator(".toast")).toContainText("Нет связи с магазином");
  await expect(cancel).toBeFocused();
  await context.setOffline(false);
  await cancel.press("Enter");
  await sure.press("Enter");
  await expect(main(page).getByRole("list", { name: "Состояние заказа" })).toContainText("Отменён");
  await expect(main(page)).toBeFocused();
});

test("without scripts a customer pays and cancels an order, saves an address and signs out; a refusal is in the title", async ({
  page,
  browser,
  shop,
}) => {
  await withOrder(page, shop, "anna-3@example.com");
  const context = await browser.newContext({ javaScriptEnabled: false, storageState: await page.context().storageState() });
  const plain = await context.newPage();
  await openWithoutWaiting(plain, `${shop.url}/my/orders`, "scripts are off");
  await main(plain)
    .getByRole("link", { name: /^Заказ \d+/ })
    .click();
  const address = plain.url();
  await main(plain).getByRole("button", { name: "Оплатить" }).click();
  await expect(plain.locator('button[value="pay"]')).toBeVisible();
  await openWithoutWaiting(plain, address, "scripts are off");
  const late = await context.newPage();
  await openWithoutWaiting(late, address, "scripts are off");
  await main(plain).getByRole("button", { name: "Отменить заказ" }).click();
  await expect(main(plain).getByRole("list", { name: "Состояние заказа" })).toContainText("Отменён");
  await main(late).getByRole("button", { name: "Оплатить" }).click();
  await expect(main(late).getByRole("alert")).toBeVisible();
  await expect(late).toHaveTitle(/^Ошибка: Заказ \d+/);
  await late.close();
  await openWithoutWaiting(plain, `${shop.url}/my/profile/edit`, "scripts are off");
  await plain.getByRole("region", { name: "Адрес для курьера" }).getByLabel("Улица").fill("Арбат");
  await plain.getByRole("button", { name: "Сохранить адрес" }).click();
  await expect(main(plain)).toContainText("Арбат");
  await shop.advance(minutes(11));
  await openWithoutWaiting(plain, `${shop.url}/my/profile/delete`, "scripts are off");
  await expect(plain).toHaveTitle(/^Удалить кабинет/);
  await main(plain).getByRole("button", { name: "Удалить навсегда" }).click();
  await expect(main(plain).getByRole("alert")).toContainText("введите код из SMS");
  await expect(plain).toHaveTitle(/^Ошибка: Удалить кабинет/);
  await main(plain).getByRole("button", { name: "Выйти" }).click();
  expect((await openWithoutWaiting(plain, `${shop.url}/my`, "scripts are off"))?.status()).toBe(401);
  await context.close();
});

test("orders made without sign-in are offered to the account of their phone and added with one click", async ({
  page,
  context,
  browser,
  shop,
}) => {
  const phone = aPhone();
  await putInCart(page, "georgij-pobedonosec-3-rublya-2025-mmd");
  await open(page, "/checkout");
  await fillContacts(page, { lastName: "Орлова", name: "Нина", phone, email: "nina-1@example.com" });
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await priceIsLocked(page);
  await agreeAndOrder(page);
  await expect(page.locator('button[value="pay"]')).toBeVisible();

  // From another browser: the order's facts with a masked recipient.
  const other = await browser.newContext({ baseURL: shop.url });
  const there = await other.newPage();
  await open(there, "/about");
  await signInByCall(there, shop, phone);
  await open(there, "/my");
  await expect(main(there).getByRole("region", { name: "Найдены заказы на этот номер" })).toContainText(/Заказ \d+/);
  await open(there, "/my/orders");
  const offer = main(there).getByRole("region", { name: "Найдены заказы на этот номер" });
  await expect(offer).not.toContainText(/Орлова|nina/);
  await offer.getByRole("button", { name: "Добавить в мои заказы" }).click();
  await expect(offer).toHaveCount(0);
  await main(there)
    .getByRole("link", { name: /^Заказ \d+/ })
    .click();
  await expect(main(there).getByText("О•••").filter({ visible: true }).first()).toBeVisible();
  await expect(main(there)).not.toContainText(/Орлова|nina-1/);
  await other.close();

  // Orders made in this browser are shown unmasked.
  const second = aPhone();
  await putInCart(page, "georgij-pobedonosec-3-rublya-2025-mmd");
  await open(page, "/checkout");
  await fillContacts(page, { lastName: "Орлова", name: "Нина", phone: second, email: "nina-2@example.com" });
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await priceIsLocked(page);
  await agreeAndOrder(page);
  await expect(page.locator('button[value="pay"]')).toBeVisible();
  await open(page, "/about");
  await signInByCall(page, shop, second);
  await open(page, "/my/orders");
  await main(page).getByRole("button", { name: "Добавить в мои заказы" }).click();
  await main(page)
    .getByRole("link", { name: /^Заказ \d+/ })
    .click();
  await expect(main(page)).toContainText("nina-2@example.com");
  await context.clearCookies();
});

test("deleting an account lists the open orders first and sends no code", async ({ page, shop }) => {
  const phone = await withOrder(page, shop, "anna-9@example.com");
  await shop.advance(minutes(11));
  await open(page, "/my/profile/delete");
  // Messages about the order may still arrive; only codes are counted.
  const codes = async () => (await letters(shop, phone)).filter((text) => text.includes("код")).length;
  const before = await codes();
  await expect(main(page).getByRole("heading", { name: "Сначала завершите заказы" })).toBeVisible();
  await expect(main(page).getByRole("link", { name: /^Заказ \d+/ })).toBeVisible();
  await expect(main(page)).toContainText("неоплаченный заказ отменится сам");
  await expect(main(page).getByRole("button", { name: "Удалить навсегда" })).toHaveCount(0);
  expect(await codes()).toBe(before);
});

test("saving one part of the profile keeps what is typed into the other, with and without scripts", async ({ page, browser, shop }) => {
  await open(page, "/about");
  await signInByCall(page, shop, aPhone(), { name: "Волкова Ирина", email: "irina-2@example.com" });
  await open(page, "/my/profile/edit");
  await page.getByLabel("Фамилия").fill("Зайцева");
  await page.getByLabel("Улица").fill("Лесная");
  await page.getByLabel("Улица").press("Enter"); // saves the address, not the part with the form's first button
  await expect(page.getByText("Адрес сохранён, личные данные выше — ещё нет.")).toBeFocused();
  await expect(page.getByLabel("Фамилия")).toHaveValue("Зайцева");
  await page.getByLabel("Дом").fill("7");
  await page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect(page.getByText("Личные данные сохранены, адрес ниже — ещё нет.")).toBeFocused();
  await expect(page.getByLabel("Дом")).toHaveValue("7");
  await page.getByRole("button", { name: "Сохранить адрес" }).click();
  await expect(page).toHaveURL(/\/my\/profile$/);
  await expect(main(page)).toContainText("Зайцева Ирина");
  await expect(main(page)).toContainText("Лесная, 7");

  const context = await browser.newContext({ javaScriptEnabled: false, storageState: await page.context().storageState() });
  const plain = await context.newPage();
  await openWithoutWaiting(plain, `${shop.url}/my/profile/edit`, "scripts are off");
  await plain.getByLabel("Фамилия").fill("Лисицына");
  await plain.getByLabel("Улица").fill("Полевая");
  await plain.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect(plain.getByText("Личные данные сохранены, адрес ниже — ещё нет.")).toBeVisible();
  await expect(plain.getByLabel("Улица")).toHaveValue("Полевая");
  await plain.getByRole("button", { name: "Сохранить адрес" }).click();
  await expect(main(plain)).toContainText("Лисицына Ирина");
  await expect(main(plain)).toContainText("Полевая, 7");
  await context.close();
});

test("a customer with more than twenty orders turns their pages, also back and without scripts", async ({ page, browser, shop }) => {
  const phone = aPhone();
  await open(page, "/about");
  await signInByCall(page, shop, phone, { name: "Волкова Ирина", email: "irina-3@example.com" });
  const headers = { origin: shop.url };
  const post = async (url: string, data: object, more = {}) =>
    ((await (await page.request.post(url, { data, headers: { ...headers, ...more } })).json()) as { data: { quoteId: string; id: string } })
      .data;
  const user = { name: "Ирина", lastName: "Волкова", email: "irina-3@example.com", phone };
  for (let order = 0; order <= 20; order += 1) {
    await page.request.patch(`/api/cart/${aCoin.id}`, { data: { quantity: 1 }, headers });
    const { quoteId } = await post("/api/checkout/quote", { deliveryId: 35, city: "0000073738", paymentId: 7 });
    const body = { quoteId, user, delivery: { id: 35 }, paymentId: 7, consent: true };
    const { id } = await post("/api/orders", body, { "idempotency-key": `many-${order}` });
    await page.request.post(`/api/orders/${id}/cancel`, { headers });
  }
  const rows = (view: Page) => main(view).getByRole("link", { name: /^Заказ \d+/ });
  await open(page, "/my/orders");
  await expect(main(page)).toContainText("21 заказ, новые сверху");
  await expect(rows(page)).toHaveCount(20);
  await main(page).getByRole("link", { name: "Дальше" }).click();
  await expect(page).toHaveURL(/\/my\/orders\?page=2$/);
  await expect(rows(page)).toHaveCount(1);
  await rows(page).click();
  await expect(h1(page)).toHaveText(/^Заказ \d+/);
  await goBack(page);
  await expect(page).toHaveURL(/\/my\/orders\?page=2$/);
  await expect(rows(page)).toHaveCount(1);
  await goBack(page);
  await expect(rows(page)).toHaveCount(20);

  const context = await browser.newContext({ javaScriptEnabled: false, storageState: await page.context().storageState() });
  const plain = await context.newPage();
  await openWithoutWaiting(plain, `${shop.url}/my/orders`, "scripts are off");
  await main(plain).getByRole("link", { name: "Страница 2" }).click();
  await expect(rows(plain)).toHaveCount(1);
  await context.close();
});

test("when the session ends while the profile is edited, the entries are there again after signing in", async ({ page, shop }) => {
  const phone = aPhone();
  await open(page, "/about");
  await signInByCall(page, shop, phone, { name: "Волкова Ирина", email: "irina-1@example.com" });
  await open(page, "/my/profile/edit");
  await page.getByLabel("Фамилия").fill("Зайцева");
  await page.getByLabel("Улица").fill("Лесная");
  await page.request.post("/api/auth/logout", { headers: { origin: shop.url } });
  await page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect(dialog(page).getByRole("heading", { name: "Вход или регистрация" })).toBeVisible();
  await expect(page.getByLabel("Фамилия")).toHaveCount(0);

  await shop.advance(minutes(3));
  await dialog(page).getByLabel("Телефон").fill(phone.slice(2));
  await dialog(page).getByRole("button", { name: "Получить код" }).click();
  await expect(dialog(page).getByRole("heading", { name: "Введите код из SMS" })).toBeVisible();
  await dialog(page)
    .getByLabel("Код из SMS")
    .fill(await readCode(shop, phone));
  await expect(page.getByLabel("Фамилия")).toHaveValue("Зайцева");
  await expect(page.getByLabel("Улица")).toHaveValue("Лесная");
  await expect(page.getByLabel("Имя", { exact: true })).toHaveValue("Ирина");
  await page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect(page.getByText("Личные данные сохранены, адрес ниже — ещё нет.")).toBeFocused();
  await main(page).getByRole("link", { name: "Не менять" }).click();
  await expect(main(page)).toContainText("Зайцева Ирина");
  await main(page).getByRole("link", { name: "Изменить", exact: true }).click();
  await expect(page.getByLabel("Улица")).toHaveValue("");
});

test("a customer ends an alert in the account: it is named, and the focus moves to the heading", async ({ page, shop }) => {
  await open(page, "/about");
  await signInByCall(page, shop, aPhone());
  for (const below of [70_000, 80_000])
    await page.request.post("/api/alerts", {
      data: { productId: aCoin.id, below, email: "opoveshcheniya@example.com" },
      headers: { origin: shop.url },
    });
  await open(page, "/my/alerts");
  const rows = main(page).getByRole("list").last().getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await main(page)
    .getByRole("button", { name: /^Больше не писать: .* не дороже 70/ })
    .dblclick();
  await expect(page.getByText(/^Больше не напишем: Георгий Победоносец.* станет не дороже 70.000/)).toBeVisible();
  await expect(rows).toHaveCount(1);
  await expect(h1(page)).toBeFocused();
});
