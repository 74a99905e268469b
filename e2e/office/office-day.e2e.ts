import { aCoin, demo, marketStands, postForm, putInCart, signInByCall, aPhone, open } from "../journey.ts";
import {
  anInvoice,
  aPaidOrder,
  atPaidOrder,
  expect,
  expectAccessible,
  openOffice,
  refuseParcel,
  signInAs,
  staffMember,
  test,
} from "./office.ts";

test("sales answers a callback in two presses, and the buyer's number is a link to call", async ({ page, browser, shop }) => {
  const phone = aPhone();
  await postForm(shop, "callback", { name: "Мария Перезвон", phone, convenientTime: "после 18", consent: true });
  const sales = await staffMember(browser, shop, "sales", "/requests");
  const row = sales.page.getByRole("row", { name: /Мария Перезвон/ });
  await sales.press(row.getByRole("button", { name: "Позвонить" }));
  await expect(sales.page.locator(`a[href="tel:${phone}"]`)).toBeVisible();
  await sales.press(sales.page.getByRole("button", { name: /^Дозвонились/ }));
  await expect(sales.page.getByText("Отвечено", { exact: true })).toBeVisible();
  expect(sales.presses()).toBeLessThanOrEqual(2);
  await expect(row).toHaveCount(0);
  await page.close();
});

test("a parcel that the carrier refused is sent again in three presses", async ({ page, browser, shop }) => {
  const order = await aPaidOrder(page, shop);
  await demo(shop, `orders/${order.id}`, { event: "assemble", seal: `DAY${order.number}` });
  const sales = await staffMember(browser, shop, "sales");
  await refuseParcel(shop, order.id);
  const resend = sales.page.getByRole("button", { name: "Отправить посылку снова" });
  await expect(async () => {
    await shop.advance(10 * 60_000);
    await sales.open(order);
    await expect(resend).toBeVisible({ timeout: 1_500 });
  }).toPass();
  await expect(sales.page.getByText("отклонил посылку")).toBeVisible();
  await sales.press(resend);
  await sales.press(sales.page.getByRole("button", { name: /^Отправить снова/ }));
  await expect(sales.page.getByText("Посылка отправлена снова")).toBeVisible();
  expect(sales.presses()).toBeLessThanOrEqual(3);
});

test("coins are added by a new order with a locked price; both cards and the buyer's page lead to the other order", async ({
  page,
  browser,
  shop,
}) => {
  const { order, clerk: sales } = await atPaidOrder({ page, browser, shop }, "sales");
  await sales.press(sales.page.getByRole("button", { name: "Добавить монеты" }));
  const panel = sales.page.getByRole("complementary", { name: "Добавить монеты" });
  await expect(panel.getByText(/без доплаты, пока он не собран/)).toBeVisible();
  await panel.getByLabel("Монета: номер или название").fill("победоносец");
  await sales.press(panel.getByRole("listbox", { name: "Нашлись" }).getByRole("option", { disabled: false }).first());
  await sales.press(panel.getByRole("button", { name: /^Посчитать/ }));
  await expect(panel.getByRole("timer")).toHaveText(/^(10:00|09:\d\d)$/);
  await sales.press(panel.getByRole("button", { name: /^Оформить на/ }));
  await expect(sales.page.getByText(/покупателю ушла ссылка на оплату/)).toBeVisible();
  expect(sales.presses()).toBeLessThanOrEqual(4);
  const link = sales.page.getByRole("link", { name: /^\d{5,}$/ });
  await expect(sales.page.getByText("Добавлены монеты отдельным заказом")).toBeVisible();
  await link.click();
  await expect(sales.page.getByText("ждёт оплаты").or(sales.page.getByText("Оформлен")).first()).toBeVisible();
  await expect(sales.page.getByRole("link", { name: `${order.number}` })).toBeVisible();
});

test("a transfer is recorded on the card, and what was typed survives a lost connection", async ({ page, browser, shop }) => {
  const order = await anInvoice(page, shop);
  const owner = await staffMember(browser, shop, "owner");
  await owner.open(order);
  await owner.press(owner.page.getByRole("button", { name: "Ещё", exact: true }));
  await owner.press(owner.page.getByRole("menuitem", { name: "Внести перевод" }));
  const panel = owner.page.getByRole("complementary", { name: "Внести перевод" });
  await panel.getByLabel("Номер платёжного поручения").fill(`${order.number}`);
  await panel.getByLabel("Дата поручения").fill(new Date().toISOString().slice(0, 10));
  await owner.page.context().setOffline(true);
  await owner.page.keyboard.press("Control+Enter");
  await expect(panel.getByText(/Нет связи/)).toBeVisible();
  await expect(panel.getByLabel("Номер платёжного поручения")).toHaveValue(`${order.number}`);
  await owner.page.context().setOffline(false);
  await owner.page.keyboard.press("Control+Enter");
  await expect(owner.page.getByText("Перевод внесён")).toBeVisible();
  await expect(owner.page.getByRole("button", { name: "Собрать" })).toBeVisible();
});

test("the editor walks the reviews by keyboard: A publishes, R rejects with a reason, Esc takes it back", async ({ page, shop }) => {
  for (const name of ["Первый Отзыв", "Второй Отзыв", "Третий Отзыв"])
    await postForm(shop, "reviews", { name, rating: 5, text: "Монеты пришли за два дня, пломба цела.", consent: true });
  await signInAs(page, shop, "editor", "/reviews");
  const queue = page.getByRole("region", { name: "Список отзывов" });
  const chosen = queue.getByRole("button", { pressed: true });
  await expect(chosen).toHaveCount(1);
  const first = (await chosen.textContent()) ?? "";
  await page.keyboard.press("a");
  await expect(page.getByText(`Опубликован: ${first}`)).toBeVisible();
  await expect(queue.getByRole("button", { name: first, exact: true })).toHaveCount(0);
  const second = (await chosen.textContent()) ?? "";
  await page.keyboard.press("r");
  await page.getByLabel(/Почему отклоняете/).fill("Не о монетах");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText(`Отклонён: ${second}`)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText(`Возвращён в очередь: ${second}`)).toBeVisible();
  await page.keyboard.press("Shift+Slash");
  await expect(page.getByRole("dialog", { name: "Клавиши" }).getByText("Опубликовать отзыв")).toBeVisible();
});

test("a customer is masked until opened, the opening is in the audit, and the export requires the second factor", async ({
  page,
  browser,
  shop,
}) => {
  const phone = aPhone();
  await open(page, `${shop.url}/`);
  const email = `tamara-${phone.slice(-7)}@example.com`;
  await signInByCall(page, shop, phone, { name: "Тамара", email });
  const agreed = await page.request.patch(`${shop.url}/api/me`, { headers: { origin: shop.url }, data: { newsletter: true } });
  expect(agreed.ok()).toBe(true);
  await marketStands(shop);
  await putInCart(page, aCoin.slug);
  const owner = await staffMember(browser, shop, "owner", "/customers");
  await owner.page.getByRole("searchbox").fill(phone.slice(-4));
  await owner.page
    .getByRole("link", { name: /Тамара/ })
    .first()
    .click();
  await expect(owner.page.getByText(`${phone.slice(-4, -2)}-${phone.slice(-2)}`)).toBeVisible();
  await expect(owner.page.locator(`a[href="tel:${phone}"]`)).toHaveCount(0);
  await owner.page.getByRole("button", { name: "Показать" }).click();
  await expect(owner.page.locator(`a[href="tel:${phone}"]`), "the keyboard goes on from what was shown").toBeFocused();
  await shop.advance(6 * 60_000);
  const saved = owner.page.waitForEvent("download");
  await owner.page.getByRole("button", { name: "Выгрузить данные" }).click();
  const prompt = owner.page.getByRole("dialog", { name: "Подтвердите, что это вы" });
  await prompt.getByRole("button", { name: /демонстрация/ }).click();
  expect((await saved).suggestedFilename()).toMatch(/^customer-.*json$/);
  const newsletter = owner.page.waitForEvent("download");
  await openOffice(owner.page, shop, "/customers");
  await owner.page.getByRole("button", { name: "Выгрузить рассылку" }).click();
  expect((await newsletter).suggestedFilename()).toMatch(/^newsletter-.*csv$/);

  // The buyer wants to be taken off the list: found by the e-mail, which stays masked.
  await owner.page.getByRole("link", { name: "Подписчики" }).click();
  await expect(owner.page.getByRole("heading", { level: 1, name: "Подписчики" })).toBeVisible();
  await owner.page.getByRole("searchbox").fill(email);
  await owner.page.getByRole("searchbox").press("Enter");
  const subscriber = owner.page.getByRole("row", { name: /Тамара/ });
  await expect(subscriber).toHaveCount(1);
  await expect(subscriber).toContainText("t•••@example.com");
  await expect(subscriber).toContainText("кабинет");
  await expectAccessible(owner.page, "the subscribers of the newsletter");
  await subscriber.getByRole("button", { name: "Отписать Тамара" }).click();
  await owner.page.getByRole("alertdialog").getByRole("button", { name: "Отписать" }).click();
  await expect(owner.page.getByText("Больше не пишем: t•••@example.com")).toBeVisible();
  await expect(owner.page.getByText(/Никого не нашли/)).toBeVisible();
  await openOffice(owner.page, shop, "/audit?action=newsletter.end");
  await expect(owner.page.getByRole("row").nth(1)).toContainText("Покупатель отписан от рассылки");
  await openOffice(owner.page, shop, "/audit?action=customer.open_contacts");
  await expect(owner.page.getByRole("row").nth(1)).toContainText(/онтакт/);
  await owner.page.getByRole("combobox", { name: "Кто:" }).selectOption("Олег Владельцев");
  await expect(owner.page).toHaveURL(/actor=staff/);
  await expect(owner.page.getByRole("row").nth(1)).toContainText("Олег Владельцев");

  // Erasure at the customer's request: the reason is needed, then the second factor over the question.
  await openOffice(owner.page, shop, `/customers?text=${phone.slice(-4)}`);
  await shop.advance(6 * 60_000);
  const before = owner.presses();
  await owner.press(owner.page.getByRole("link", { name: /Тамара/ }).first());
  await owner.press(owner.page.getByRole("button", { name: "Удалить кабинет" }));
  const question = owner.page.getByRole("alertdialog", { name: "Удалить кабинет?" });
  await question.getByLabel(/Основание/).press("Enter");
  await expect(question.getByText("Заполните это поле")).toBeVisible();
  await question.getByLabel(/Основание/).fill("Заявление от 22.11.2026");
  await owner.press(question.getByRole("button", { name: "Удалить кабинет" }));
  await owner.press(prompt.getByRole("button", { name: /демонстрация/ }));
  await expect(owner.page.getByText("Кабинет удалён")).toBeVisible();
  expect(owner.presses() - before).toBeLessThanOrEqual(4);
  await openOffice(owner.page, shop, `/customers?text=${phone.slice(-4)}`);
  await expect(owner.page.getByText(/Никого не нашли/)).toBeVisible();
  await openOffice(owner.page, shop, "/audit?action=customer.erase");
  await owner.page.getByRole("button", { name: "Удаление кабинета покупателя" }).first().click();
  await expect(owner.page.getByText("Заявление от 22.11.2026")).toBeVisible();
});

test("on a phone an order is found, its state is seen and the buyer is called; a saved view is renamed and deleted", async ({
  page,
  browser,
  shop,
}) => {
  const order = await aPaidOrder(page, shop);
  const sales = await staffMember(browser, shop, "sales");
  await sales.page.setViewportSize({ width: 390, height: 844 });
  await sales.page.emulateMedia({ colorScheme: "dark" });
  await sales.page.getByRole("button", { name: /Заказ, телефон/ }).click();
  await sales.page.getByRole("combobox", { name: "Искать" }).fill(`${order.number}`);
  await sales.page.getByRole("option", { name: new RegExp(`${order.number}`) }).click();
  await expect(sales.page.getByRole("heading", { level: 1, name: new RegExp(`${order.number}`) })).toBeVisible();
  await expect(sales.page.getByRole("list", { name: "Путь заказа" })).toContainText("Оплачен");
  await sales.page.getByRole("button", { name: "Показать" }).click();
  await expect(sales.page.locator(`a[href="tel:${order.phone}"]`), "the keyboard goes on from what was shown").toBeFocused();

  await sales.page.setViewportSize({ width: 1280, height: 900 });
  await openOffice(sales.page, shop, "/orders?state=paid");
  await sales.page.getByRole("button", { name: "Сохранить вид" }).click();
  await sales.page.getByLabel("Название").fill("Оплаченные");
  await sales.page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect(sales.page.getByRole("link", { name: "Оплаченные" })).toBeVisible(); // it is saved
  await openOffice(sales.page, shop, "/orders");
  await sales.page.getByRole("link", { name: "Оплаченные" }).click();
  // The filter of the view is in the address and in its fields, where it can be removed.
  const state = sales.page.getByRole("combobox", { name: "Состояние:" });
  await expect(sales.page).toHaveURL(/[?&]state=paid/);
  await expect(state).toHaveValue("paid");
  await sales.page.getByRole("button", { name: "Сбросить" }).click();
  await expect(sales.page).not.toHaveURL(/[?&]state=/);
  await expect(state).toHaveValue("");
  await sales.page.getByRole("link", { name: "Оплаченные" }).click();
  await expect(state).toHaveValue("paid");
  await sales.page.getByRole("button", { name: "Этот вид" }).click();
  await sales.page.getByRole("menuitem", { name: "Переименовать" }).click();
  await sales.page.getByLabel("Название").fill(`Пора собирать ${"щ".repeat(46)}`);
  await sales.page.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect(sales.page.getByRole("link", { name: "Пора собирать" })).toBeVisible();
  expect(await sales.page.evaluate(() => document.documentElement.scrollWidth - innerWidth), "a long name wraps").toBe(0);
  await sales.page
    .getByRole("row", { name: new RegExp(`${order.number}`) })
    .getByRole("checkbox")
    .check();
  const paper = sales.page.waitForEvent("popup");
  await sales.page.getByRole("button", { name: "Листы" }).click();
  await (await paper).close();
  await sales.page.getByRole("button", { name: "Этикетки" }).click();
  await expect(sales.page.getByText(`${order.number}: Заказ ещё не собран`)).toBeVisible();
  await sales.page.getByRole("button", { name: "Этот вид" }).click();
  await sales.page.getByRole("menuitem", { name: "Удалить" }).click();
  await sales.page.getByRole("button", { name: "Удалить", exact: true }).click();
  await expect(sales.page.getByRole("link", { name: "Пора собирать" })).toHaveCount(0);
});
