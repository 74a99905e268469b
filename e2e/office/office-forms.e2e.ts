import type { Page } from "@playwright/test";
import { aPhone, postForm } from "../journey.ts";
import { aPaidOrder, atPaidOrder, expect, openOffice, signInAs, staffMember, test } from "./office.ts";

/** What every form of the back office shares, tried on the card of an order: its panels, and its notes as a form without one. */
const panelOf = (page: Page) => page.getByRole("complementary", { name: "Получатель" });
const question = (page: Page) => page.getByRole("alertdialog", { name: "Уйти без сохранения?" });

test("what was typed stays on the way back, on a reload and when its panel is closed, until it is given up", async ({
  page,
  browser,
  shop,
}) => {
  const order = await aPaidOrder(page, shop);
  const sales = await staffMember(browser, shop, "sales");
  const screen = sales.page;
  await openOffice(screen, shop, "/orders");
  await screen.getByRole("link", { name: `${order.number}` }).click();
  await screen.getByRole("button", { name: "Получатель", exact: true }).click();
  const name = panelOf(screen).getByLabel("Фамилия");
  await name.fill("Воронцова-Дашкова");

  await screen.evaluate(() => history.back());
  // Enter is often pressed before the question is read.
  await expect(question(screen).getByRole("button", { name: "Остаться" })).toBeFocused();
  await question(screen).getByRole("button", { name: "Остаться" }).click();
  await expect(screen).toHaveURL(new RegExp(`/orders/${order.id}`));
  await expect(name).toHaveValue("Воронцова-Дашкова");

  await screen
    .getByRole("navigation", { name: "Разделы" })
    .getByRole("link", { name: /Покупатели/ })
    .click();
  await question(screen).getByRole("button", { name: "Остаться" }).click();
  await panelOf(screen).getByRole("button", { name: "Закрыть" }).click();
  await question(screen).getByRole("button", { name: "Остаться" }).click();
  await expect(name).toHaveValue("Воронцова-Дашкова");

  const warned = screen.waitForEvent("dialog");
  // The helper of journeys waits for the page of the shop; this reload is refused, and must begin after the call has returned.
  // oxlint-disable-next-line no-restricted-globals, no-restricted-properties -- an order, not a wait
  await screen.evaluate(() => setTimeout(() => location.reload(), 0));
  const warning = await warned;
  expect(warning.type()).toBe("beforeunload");
  await warning.dismiss();
  await expect(name).toHaveValue("Воронцова-Дашкова");

  // A wrong field gets the focus, nothing of the others is lost; what is put back is not a change.
  await panelOf(screen).getByLabel("Телефон").fill("12");
  await panelOf(screen)
    .getByRole("button", { name: /^Сохранить/ })
    .click();
  await expect(panelOf(screen).getByLabel("Телефон")).toBeFocused();
  await expect(panelOf(screen).getByRole("alert")).toBeVisible();
  await expect(name).toHaveValue("Воронцова-Дашкова");
  await panelOf(screen).getByLabel("Телефон").fill(order.phone);
  await panelOf(screen)
    .getByRole("button", { name: /^Сохранить/ })
    .click();
  await expect(screen.getByText("Получатель изменён", { exact: true })).toBeVisible();
  await screen.evaluate(() => history.back());
  await expect(screen.getByRole("heading", { level: 1, name: "Заказы" })).toBeVisible();
});

test("a note that is pressed twice, or whose answer was lost, is written once, and a lost connection keeps it", async ({
  page,
  browser,
  shop,
}) => {
  const { order, clerk: sales } = await atPaidOrder({ page, browser, shop }, "sales");
  const screen = sales.page;
  const note = screen.getByLabel("Заметка для своих");
  const write = screen.getByRole("button", { name: "Записать" });
  const written = screen.getByRole("listitem").filter({ hasText: "Позвонить после шести" });
  await note.fill("Позвонить после шести");
  await screen.context().setOffline(true);
  await write.click();
  await expect(screen.getByText(/Нет связи/).first()).toBeVisible();
  await expect(note).toHaveValue("Позвонить после шести");
  await screen.context().setOffline(false);

  // The change arrives, its answer does not.
  await screen.route(
    "**/comments",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await write.click();
  await expect(screen.getByText(/Нет связи/).first()).toBeVisible();
  await write.dblclick();
  await expect(note).toHaveValue("");
  await expect(written).toHaveCount(1);
  await sales.open(order);
  await expect(written).toHaveCount(1);
});

test("another act, the same button and a key ask before the panel with something typed is closed or replaced", async ({
  page,
  browser,
  shop,
}) => {
  const { clerk: sales } = await atPaidOrder({ page, browser, shop }, "sales");
  const screen = sales.page;
  const recipient = screen.getByRole("button", { name: "Получатель", exact: true });
  const point = screen.getByRole("button", { name: "Пункт выдачи", exact: true });
  await recipient.click();
  const name = panelOf(screen).getByLabel("Фамилия");
  await name.fill("Воронцова-Дашкова");
  for (const press of [() => point.click(), () => recipient.click(), () => point.press("r"), () => point.press("m")]) {
    await press();
    await question(screen).getByRole("button", { name: "Остаться" }).click();
    await expect(question(screen)).toHaveCount(0);
    await expect(name).toHaveValue("Воронцова-Дашкова");
  }
  await point.click();
  await question(screen).getByRole("button", { name: "Уйти" }).click();
  await expect(screen.getByRole("complementary", { name: "Пункт выдачи" })).toBeVisible();
  // Nothing typed, nothing asked.
  await recipient.click();
  await expect(name).toHaveValue("Воронцова");
});

test("a press that stores nothing, outside a form, leaves the question about what was typed on the screen", async ({
  page,
  browser,
  shop,
}) => {
  const order = await aPaidOrder(page, shop);
  const { page: screen, open } = await staffMember(browser, shop, "owner");
  const rail = screen.getByRole("navigation", { name: "Разделы" });
  await open(order);
  const note = screen.getByLabel("Заметка для своих");
  await note.fill("Позвонить после шести");
  await screen.getByRole("button", { name: "Показать" }).click();
  await expect(screen.locator(`a[href="tel:${order.phone}"]`)).toBeVisible();
  await rail.getByRole("link", { name: /Покупатели/ }).click();
  await question(screen).getByRole("button", { name: "Остаться" }).click();
  await expect(note).toHaveValue("Позвонить после шести");
  await rail.getByRole("link", { name: /Покупатели/ }).click();
  await question(screen).getByRole("button", { name: "Уйти" }).click();

  // Buttons of the whole screen are in its header: what they have stored causes no question.
  await openOffice(screen, shop, "/content/news/new");
  await screen.getByLabel("Заголовок").fill("Черновик о выпуске");
  await screen.getByLabel("Адрес", { exact: true }).fill(`chernovik-${order.number}`);
  await screen.getByLabel("Вводный текст").fill("Что известно о выпуске.");
  await screen.getByLabel("Текст", { exact: true }).fill("Текст.");
  await screen.getByRole("button", { name: "Сохранить черновик" }).click();
  await expect(screen.getByText("Черновик сохранён").first()).toBeVisible();
  await rail.getByRole("link", { name: /Покупатели/ }).click();
  await expect(screen.getByRole("heading", { level: 1, name: "Покупатели" })).toBeVisible();
});

test("a note to a request is kept when the request is finished; Ctrl Enter and Enter send their own field only", async ({
  browser,
  shop,
}) => {
  await postForm(shop, "callback", { name: "Мария Заметка", phone: aPhone(), convenientTime: "", consent: true });
  const { page: screen } = await staffMember(browser, shop, "sales", "/requests");
  const row = screen.getByRole("row", { name: /Мария Заметка/ });
  await row.getByRole("button", { name: "Мария Заметка" }).click();
  const panel = screen.getByRole("complementary", { name: "Мария Заметка" });
  const notes = panel.getByRole("list", { name: "Между нами" });
  const note = panel.getByRole("textbox", { name: "Между нами" });
  const outcome = panel.getByLabel("Чем закончилось");

  await note.fill("Просила набор к юбилею");
  await note.press("Control+Enter");
  await expect(notes).toContainText("Просила набор к юбилею");
  await expect(note).toHaveValue("");
  const due = panel.getByLabel("Ответить до, по Москве");
  await due.fill("2031-05-14T12:30");
  await due.press("Enter");
  await expect(screen.getByText("Сохранено", { exact: true })).toBeVisible();
  await expect(panel).toContainText("обратный звонок, новое");

  // Contacts and who answers are sent at once; the outcome and the note beside them are still asked about.
  await outcome.fill("Договорились о встрече");
  await note.fill("Встреча в пятницу");
  await panel.getByRole("button", { name: "Показать" }).click();
  await expect(panel.locator('a[href^="tel:"]'), "the keyboard goes on from what was shown").toBeFocused();
  await expect(panel).toContainText("обратный звонок, в работе");
  const readAgain = screen.waitForResponse((answer) => answer.request().method() === "GET" && /\/requests\/\d+$/.test(answer.url()));
  await panel.getByLabel("Отвечает").selectOption("Олег Владельцев");
  await readAgain;
  await panel.getByRole("button", { name: "Закрыть", exact: true }).click();
  await question(screen).getByRole("button", { name: "Остаться" }).click();
  await expect(note).toHaveValue("Встреча в пятницу");

  await panel.getByRole("button", { name: /^Дозвонились/ }).click();
  await expect(screen.getByText("Отвечено", { exact: true })).toBeVisible();
  await expect(panel).toHaveCount(0);
  await openOffice(screen, shop, "/requests?view=finished");
  await screen.getByRole("button", { name: "Мария Заметка" }).click();
  await expect(notes).toContainText("Встреча в пятницу");
  await expect(panel).toContainText("Договорились о встрече");
});

test("a colleague who was chosen without a connection stays chosen, with the reason beside the field", async ({ browser, shop }) => {
  await postForm(shop, "callback", { name: "Мария Безсвязи", phone: aPhone(), convenientTime: "", consent: true });
  const { page: screen } = await staffMember(browser, shop, "sales", "/requests");
  await screen.getByRole("button", { name: "Мария Безсвязи" }).click();
  const panel = screen.getByRole("complementary", { name: "Мария Безсвязи" });
  const assignee = panel.getByLabel("Отвечает");
  await expect(assignee).toHaveValue("");
  await screen.context().setOffline(true);
  await assignee.selectOption("Анна Продажина");
  await expect(assignee).toHaveAccessibleDescription(/Нет связи/);
  await expect(assignee).toHaveValue("demo-sales");
  await screen.context().setOffline(false);
  await panel.getByRole("button", { name: "Сохранить" }).click();
  await expect(screen.getByText("Сохранено", { exact: true })).toBeVisible();
  await expect(assignee).toHaveValue("demo-sales");
});

test("a request that a colleague has finished shows the outcome of both, and cannot be finished over it", async ({ browser, shop }) => {
  await postForm(shop, "callback", { name: "Мария Итог", phone: aPhone(), convenientTime: "", consent: true });
  const [sales, owner] = [await staffMember(browser, shop, "sales", "/requests"), await staffMember(browser, shop, "owner", "/requests")];
  const panelIn = (screen: Page) => screen.getByRole("complementary", { name: "Мария Итог" });
  for (const { page: screen } of [sales, owner]) {
    await openOffice(screen, shop, "/requests");
    await screen.getByRole("button", { name: "Мария Итог" }).click();
    await expect(panelIn(screen).getByLabel("Чем закончилось")).toBeVisible();
  }
  await panelIn(sales.page).getByLabel("Чем закончилось").fill("Купит в офисе");
  await panelIn(sales.page).getByLabel("Чем закончилось").press("Control+Enter");
  await expect(sales.page.getByText("Отвечено", { exact: true })).toBeVisible();
  await panelIn(owner.page).getByLabel("Чем закончилось").fill("Не дозвонились");
  await panelIn(owner.page).getByRole("button", { name: "Закрыть без ответа" }).click();
  const dialog = owner.page.getByRole("dialog", { name: "Запись тем временем изменили" });
  await expect(dialog.getByRole("row", { name: /Итог/ })).toContainText("Купит в офисе");
  await expect(dialog.getByRole("row", { name: /Итог/ })).toContainText("Не дозвонились");
  await expect(dialog.getByRole("button", { name: "Сохранить моё" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Взять с сервера" }).click();
  await expect(panelIn(owner.page).getByRole("button", { name: "Вернуть в работу" })).toBeVisible();
  await expect(panelIn(owner.page)).toContainText("Купит в офисе");
});

test("of two colleagues who change one request the second sees both versions and chooses", async ({ browser, shop }) => {
  await postForm(shop, "callback", { name: "Мария Двойная", phone: aPhone(), convenientTime: "", consent: true });
  const [sales, owner] = [await staffMember(browser, shop, "sales", "/requests"), await staffMember(browser, shop, "owner", "/requests")];
  const panelIn = (screen: Page) => screen.getByRole("complementary", { name: "Мария Двойная" });
  for (const { page: screen } of [sales, owner]) {
    await openOffice(screen, shop, "/requests");
    await screen.getByRole("button", { name: "Мария Двойная" }).click();
    await expect(panelIn(screen).getByLabel("Отвечает")).toHaveValue("");
  }
  await panelIn(sales.page).getByLabel("Отвечает").selectOption("Анна Продажина");
  await expect(sales.page.getByText("Сохранено", { exact: true })).toBeVisible();
  await panelIn(owner.page).getByLabel("Отвечает").selectOption("Олег Владельцев");
  const dialog = owner.page.getByRole("dialog", { name: "Запись тем временем изменили" });
  await expect(dialog).toContainText("Анна Продажина");
  await expect(dialog).toContainText("Олег Владельцев");
  await dialog.getByRole("button", { name: "Сохранить моё" }).click();
  await expect(owner.page.getByText("Сохранено", { exact: true })).toBeVisible();
  await expect(panelIn(owner.page).getByLabel("Отвечает")).toHaveValue("demo-owner");
});

test("a typed public answer causes a question before another review, a decision or the closing of its panel", async ({ page, shop }) => {
  for (const name of ["Анна Ответ", "Борис Ответ"])
    await postForm(shop, "reviews", { name, rating: 5, text: "Монеты пришли за два дня, пломба цела.", consent: true });
  await signInAs(page, shop, "editor", "/reviews");
  const queue = page.getByRole("region", { name: "Список отзывов" });
  const [first, second] = ["Анна Ответ", "Борис Ответ"].map((name) => queue.getByRole("button", { name, exact: true }).first());
  if (!first || !second) throw new Error("two reviews are expected");
  await first.click();
  const panel = page.getByRole("complementary", { name: "Отзыв: Анна Ответ" });
  const answer = panel.getByLabel("Ответ магазина (увидят все)");
  await answer.fill("Спасибо, Анна!");
  for (const press of [
    () => second.click(),
    () => first.press("j"),
    () => first.press("a"),
    () => first.press("r"),
    () => panel.getByRole("button", { name: "Закрыть" }).click(),
  ]) {
    await press();
    await question(page).getByRole("button", { name: "Остаться" }).click();
    await expect(question(page)).toHaveCount(0);
    await expect(answer).toHaveValue("Спасибо, Анна!");
  }
  await panel.getByRole("button", { name: "Сохранить ответ" }).click();
  await expect(page.getByText("Ответ сохранён")).toBeVisible();
  await second.click();
  await expect(page.getByRole("complementary", { name: "Отзыв: Борис Ответ" })).toBeVisible();
});

test("a public answer is kept without a connection, stored once when its answer was lost, and keeps what is typed meanwhile", async ({
  page,
  shop,
}) => {
  await postForm(shop, "reviews", { name: "Жанна Ответ", rating: 5, text: "Монеты пришли за два дня, пломба цела.", consent: true });
  await signInAs(page, shop, "editor", "/reviews");
  await page.getByRole("region", { name: "Список отзывов" }).getByRole("button", { name: "Жанна Ответ", exact: true }).click();
  const panel = page.getByRole("complementary", { name: "Отзыв: Жанна Ответ" });
  const answer = panel.getByLabel("Ответ магазина (увидят все)");
  const save = panel.getByRole("button", { name: "Сохранить ответ" });
  await answer.fill("Спасибо, Жанна!");
  await page.context().setOffline(true);
  await save.click();
  await expect(answer).toHaveAccessibleDescription(/Нет связи/);
  await expect(answer).toHaveValue("Спасибо, Жанна!");
  await page.context().setOffline(false);

  // The change arrives, its answer does not; then the answer comes when more was typed already.
  await page.route(
    "**/reviews/*/answer",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await save.click();
  await expect(answer).toHaveAccessibleDescription(/Нет связи/);
  const typed = Promise.withResolvers<void>();
  await page.route(
    "**/reviews/*/answer",
    async (route) => {
      const response = await route.fetch();
      await typed.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await save.click();
  await answer.fill("Спасибо, Жанна! Ждём снова.");
  typed.resolve();
  await expect(page.getByText("Ответ сохранён")).toBeVisible();
  await expect(answer).toHaveValue("Спасибо, Жанна! Ждём снова.");
  await panel.getByRole("button", { name: "Закрыть" }).click();
  await question(page).getByRole("button", { name: "Остаться" }).click();
  await save.click();
  await expect(save).toHaveCount(0);
  await panel.getByRole("button", { name: "Закрыть" }).click();
  await expect(panel).toHaveCount(0);
});

test("each message takes back its own review, and the panel of a review can be closed on a wide screen", async ({ page, shop }) => {
  for (const name of ["Вера Первая", "Глеб Второй", "Дарья Третья"])
    await postForm(shop, "reviews", { name, rating: 5, text: "Монеты пришли за два дня, пломба цела.", consent: true });
  await signInAs(page, shop, "editor", "/reviews");
  const queue = page.getByRole("region", { name: "Список отзывов" });
  const rowOf = (name: string) => queue.getByRole("button", { name, exact: true });
  const open = async (name: string) => {
    await rowOf(name).click();
    const docked = page.getByRole("complementary", { name: `Отзыв: ${name}` });
    await expect(docked).toBeVisible();
    return docked;
  };
  const publish = async (name: string) => {
    await page.keyboard.press("a");
    await expect(page.getByText(`Опубликован: ${name}`)).toBeVisible();
  };
  await open("Вера Первая");
  await publish("Вера Первая");
  // The message lies beside the panel, not over its buttons.
  const docked = await (await open("Глеб Второй")).boundingBox();
  const message = await page.locator(".toasts").boundingBox();
  expect((message?.x ?? 0) + (message?.width ?? 0)).toBeGreaterThan(0);
  expect((message?.x ?? 0) + (message?.width ?? 0)).toBeLessThanOrEqual(docked?.x ?? 0);
  await publish("Глеб Второй");
  await page.locator(".toast").filter({ hasText: "Опубликован: Вера Первая" }).getByRole("button", { name: "Отменить" }).click();
  await expect(page.getByText("Возвращён в очередь: Вера Первая")).toBeVisible();
  await expect(rowOf("Вера Первая")).toBeVisible();
  await expect(rowOf("Глеб Второй")).toHaveCount(0);

  const panel = page.getByRole("complementary", { name: "Отзыв: Вера Первая" });
  await panel.getByRole("button", { name: "Закрыть" }).click();
  await expect(page.getByRole("complementary", { name: /^Отзыв:/ })).toHaveCount(0);
  await rowOf("Дарья Третья").click();
  await expect(page.getByRole("complementary", { name: "Отзыв: Дарья Третья" })).toBeVisible();
});

test("a review that a colleague answered meanwhile keeps the typed reason, and is rejected after a look at both", async ({
  browser,
  shop,
}) => {
  await postForm(shop, "reviews", { name: "Егор Причина", rating: 1, text: "Монета пришла с пятном на гурте.", consent: true });
  const [editor, owner] = [await staffMember(browser, shop, "editor", "/reviews"), await staffMember(browser, shop, "owner", "/reviews")];
  const panelIn = (screen: Page) => screen.getByRole("complementary", { name: "Отзыв: Егор Причина" });
  for (const { page: screen } of [editor, owner]) {
    await openOffice(screen, shop, "/reviews");
    await screen.getByRole("button", { name: "Егор Причина", exact: true }).click();
    await expect(panelIn(screen)).toBeVisible();
  }
  await panelIn(owner.page).getByLabel("Ответ магазина (увидят все)").fill("Пришлите, пожалуйста, снимок.");
  await panelIn(owner.page).getByRole("button", { name: "Сохранить ответ" }).click();
  await expect(owner.page.getByText("Ответ сохранён")).toBeVisible();

  await panelIn(editor.page)
    .getByRole("button", { name: /^Отклонить/ })
    .click();
  const reason = panelIn(editor.page).getByLabel(/Почему отклоняете/);
  await reason.fill("Не о наших монетах");
  await reason.press("Control+Enter");
  const dialog = editor.page.getByRole("dialog", { name: "Запись тем временем изменили" });
  await expect(dialog).toContainText("Пришлите, пожалуйста, снимок.");
  await expect(dialog).toContainText("Не о наших монетах");
  // The next press goes with the version that the dialog has shown, even before the list is read again.
  const list = Promise.withResolvers<void>();
  await editor.page.route(/\/reviews\?/, async (route) => {
    await list.promise;
    await route.fallback();
  });
  await dialog.getByRole("button", { name: "Закрыть" }).click();
  await expect(reason).toHaveValue("Не о наших монетах");
  await panelIn(editor.page)
    .getByRole("button", { name: /^Отклонить/ })
    .click();
  await expect(editor.page.getByText("Отклонён: Егор Причина")).toBeVisible();
  list.resolve();
});
