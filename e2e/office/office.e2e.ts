import {
  aPaidOrder,
  countClicks,
  expect,
  expectAccessible,
  openOffice,
  roleButtons,
  signInAs,
  staffMember,
  test,
  type OfficeRole,
} from "./office.ts";

const minutes = (count: number): number => count * 60_000;

test("each role sees its own sections only", async ({ browser, shop }) => {
  test.slow();
  const sections: Readonly<Record<OfficeRole, { sees: string[]; lacks: string[] }>> = {
    sales: { sees: ["Согласования"], lacks: ["Журнал", "Сотрудники"] },
    packing: { sees: ["Согласования"], lacks: ["Журнал", "Сотрудники"] },
    buyback: { sees: ["Согласования"], lacks: ["Журнал", "Сотрудники"] },
    editor: { sees: ["Согласования"], lacks: ["Журнал", "Сотрудники"] },
    accountant: { sees: ["Согласования", "Журнал"], lacks: ["Сотрудники"] },
    owner: { sees: ["Согласования", "Журнал", "Сотрудники"], lacks: [] },
    admin: { sees: ["Согласования", "Журнал", "Сотрудники"], lacks: [] },
  };
  for (const role of Object.keys(roleButtons) as OfficeRole[]) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await signInAs(page, shop, role);
    const rail = page.getByRole("navigation", { name: "Разделы" });
    for (const name of sections[role].sees) await expect(rail.getByRole("link", { name })).toBeVisible();
    for (const name of sections[role].lacks) await expect(rail.getByRole("link", { name })).toHaveCount(0);
    await openOffice(page, shop, "/people");
    const heading = sections[role].sees.includes("Сотрудники") ? "Сотрудники" : "Недоступно вашей роли";
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    await context.close();
  }
});

test("the office works by keyboard, whatever the layout", async ({ page, shop }) => {
  await signInAs(page, shop, "owner", "/people");
  await page.keyboard.press("Shift+Slash");
  const keys = page.getByRole("dialog", { name: "Клавиши" });
  await expect(keys.getByText("Ниже по списку")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(keys).toHaveCount(0);
  await page.keyboard.press("?");
  await expect(keys).toBeVisible();
  await page.keyboard.press("Control+KeyK"); // of the screen behind the dialog
  await expect(page.getByRole("combobox", { name: "Искать" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(keys).toHaveCount(0);

  // What is typed before the browser has drawn the opened search is typed into it.
  await page.evaluate(() => {
    window.requestAnimationFrame = () => 0;
  });
  await page.keyboard.press("Control+KeyK");
  await page.keyboard.type("зак");
  await expect(page.getByRole("combobox", { name: "Искать" })).toHaveValue("зак");
  await openOffice(page, shop, "/people");
  const find = page.getByRole("button", { name: /Ctrl K/ });
  await find.focus();
  await page.keyboard.press("Control+KeyK");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(find).toBeFocused();

  await page.keyboard.press("Control+KeyK");
  await page.getByRole("combobox", { name: "Искать" }).fill("журн");
  await expect(page.getByRole("option", { name: "Журнал" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Журнал" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  // The first row of the audit is this sign-in: J walks to it, Enter opens it beside the list.
  await expect(page.getByRole("row", { name: /Вход/ }).first()).toBeVisible();
  // Keys are bound a moment after the rows are drawn.
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(page.locator("tr.is-current")).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Enter");
  const entry = page.getByRole("complementary", { name: "Вход" });
  await expect(entry).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(entry).toHaveCount(0);

  // Letters in a field are typed. With a Russian layout the key N writes «т» and still opens the invitation.
  await page.getByRole("searchbox", { name: /О чём/ }).pressSequentially("njk[");
  await expect(page.getByRole("searchbox", { name: /О чём/ })).toHaveValue("njk[");
  await openOffice(page, shop, "/people");
  await expect(page.getByRole("row", { name: /владелец/ })).toBeVisible();
  await page.evaluate(() =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { code: "KeyN", key: "т", bubbles: true, cancelable: true })),
  );
  await expect(page.getByRole("complementary", { name: "Пригласить" })).toBeVisible();
});

test("the focus goes into an opened panel and back to what opened it, and to the name of a screen that replaces the one with the focus", async ({
  page,
  shop,
}) => {
  const order = await aPaidOrder(page, shop);
  await signInAs(page, shop, "owner", `/orders/${order.id}`);
  const name = page.getByRole("heading", { level: 1, name: new RegExp(`${order.number}`) });
  await expect(name).toBeVisible();
  const recipient = page.getByRole("button", { name: "Получатель", exact: true });
  await recipient.focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("complementary", { name: "Получатель" });
  await expect(panel.getByRole("heading", { name: "Получатель" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(panel.getByRole("button", { name: "Закрыть" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(panel).toHaveCount(0);
  await expect(recipient).toBeFocused();

  // A menu gives the focus back to its button when it closes, and the panel takes it after that.
  await page.getByRole("button", { name: "Ещё", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Внести перевод" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Внести перевод" })).toBeFocused();

  await openOffice(page, shop, "/orders");
  const row = page.getByRole("link", { name: `${order.number}`, exact: true });
  await row.focus();
  await page.keyboard.press("Enter");
  await expect(name).toBeFocused();
  await page.evaluate(() => history.back());
  await expect(page.getByRole("heading", { level: 1, name: "Заказы" })).toBeFocused();
  await expect(row).toBeVisible();
  // What Tab reaches scrolls clear of the top bar and of the sticky head of the list.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await row.focus();
  const head = await page.getByRole("columnheader", { name: "Номер" }).boundingBox();
  expect((await row.boundingBox())?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0));
});

test("the chosen theme and the folded rail survive a reload", async ({ page, shop }) => {
  await signInAs(page, shop, "sales");
  await page.getByRole("button", { name: /продажи/ }).click();
  await page.getByRole("menuitemcheckbox", { name: "Тёмная" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Свернуть" }).click();
  await openOffice(page, shop, "/approvals");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("button", { name: "Развернуть" })).toHaveAttribute("aria-pressed", "true");
  await expectAccessible(page, "approvals in the dark");
});

test("a second factor required over a form leaves what was typed in place", async ({ page, shop }) => {
  await signInAs(page, shop, "owner", "/people");
  await shop.advance(minutes(6));
  const clicks = await countClicks(page);
  await page.getByRole("button", { name: "Пригласить" }).click();
  const panel = page.getByRole("complementary", { name: "Пригласить" });
  await panel.getByLabel("Рабочая почта").fill("step-up@chekan.example");
  await panel.getByRole("checkbox", { name: "Редактор" }).check();
  await page.keyboard.press("Control+Enter");
  const prompt = page.getByRole("dialog", { name: "Подтвердите, что это вы" });
  await expect(prompt).toBeVisible();
  // Behind the dialog the form is hidden from assistive technology, so it is found by its type.
  await expect(page.locator('input[type="email"], input[name="email"]').first()).toHaveValue("step-up@chekan.example");
  await prompt.getByRole("button", { name: /демонстрация/ }).click();
  await expect(panel.getByLabel("Ссылка")).toHaveValue(/\/invite#/);
  expect(await clicks()).toBeLessThanOrEqual(4);
  await expect(page.getByText(/step-up@chekan\.example/)).toHaveCount(1);
});

test("the link of an approved invitation is shown to the person who requested it", async ({ browser, shop }) => {
  const owner = await staffMember(browser, shop, "owner");
  const admin = await staffMember(browser, shop, "admin", "/people?invite=1");
  const panel = admin.page.getByRole("complementary", { name: "Пригласить" });
  await panel.getByLabel("Рабочая почта").fill("approved@chekan.example");
  await panel.getByRole("checkbox", { name: "Бухгалтер" }).check();
  await admin.page.keyboard.press("Control+Enter");
  await expect(admin.page.getByText(/Ждёт второго человека/)).toBeVisible();

  await openOffice(owner.page, shop, "/approvals");
  await owner.press(owner.page.getByRole("button", { name: "Приглашение сотрудника" }).first());
  await owner.press(owner.page.getByRole("button", { name: /^Согласовать/ }));
  await expect(owner.page.getByText("Сделано: Приглашение сотрудника")).toBeVisible();

  await openOffice(admin.page, shop, "/approvals?view=decided");
  await admin.press(admin.page.getByRole("button", { name: "Приглашение сотрудника" }).first());
  await expect(admin.page.getByLabel("Ссылка")).toHaveValue(/\/invite#/);
});

test("a session that ended over a form asks to sign in and repeats the press", async ({ page, shop, context }) => {
  await signInAs(page, shop, "owner", "/people?invite=1");
  const panel = page.getByRole("complementary", { name: "Пригласить" });
  await panel.getByLabel("Рабочая почта").fill("ended@chekan.example");
  await panel.getByRole("checkbox", { name: "Упаковка" }).check();
  await context.clearCookies();
  await page.keyboard.press("Control+Enter");
  const prompt = page.getByRole("dialog", { name: "Войдите ещё раз" });
  await prompt.getByRole("button", { name: roleButtons.owner }).click();
  await expect(prompt).toHaveCount(0);
  await expect(panel.getByLabel("Ссылка")).toHaveValue(/\/invite#/);
});

test("a window does nothing in the name of the member of staff who signed in in another window of the browser", async ({
  page,
  shop,
  context,
}) => {
  await signInAs(page, shop, "owner", "/people?invite=1");
  const panel = page.getByRole("complementary", { name: "Пригласить" });
  await panel.getByLabel("Рабочая почта").fill("windows@chekan.example");
  await panel.getByRole("checkbox", { name: "Упаковка" }).check();
  await context.clearCookies();
  const other = await context.newPage();
  await signInAs(other, shop, "admin");
  await page.bringToFront();
  await page.keyboard.press("Control+Enter"); // unless the window has noticed it by itself
  const prompt = page.getByRole("dialog", { name: "Войдите ещё раз" });
  await prompt.getByRole("button", { name: roleButtons.owner }).click();
  await expect(prompt).toHaveCount(0);
  await expect(async () => {
    await page.keyboard.press("Control+Enter");
    await expect(panel.getByLabel("Ссылка")).toHaveValue(/\/invite#/, { timeout: 1_000 });
  }).toPass();
  await expect(page.getByText(/windows@chekan\.example.* от demo-owner/)).toBeVisible();
  await other.close();
});

test("a session that ends while the second factor is entered asks to sign in, and goes on with the form", async ({
  page,
  shop,
  context,
}) => {
  await signInAs(page, shop, "owner", "/people?invite=1");
  await shop.advance(minutes(6));
  const panel = page.getByRole("complementary", { name: "Пригласить" });
  await panel.getByLabel("Рабочая почта").fill("both@chekan.example");
  await panel.getByRole("checkbox", { name: "Упаковка" }).check();
  await page.keyboard.press("Control+Enter");
  const second = page.getByRole("dialog", { name: "Подтвердите, что это вы" });
  await expect(second).toBeVisible();
  await context.clearCookies();
  await second.getByRole("button", { name: /демонстрация/ }).click();
  const prompt = page.getByRole("dialog", { name: "Войдите ещё раз" });
  await prompt.getByRole("button", { name: roleButtons.owner }).click();
  await expect(prompt).toHaveCount(0);
  await expect(second).toHaveCount(0);
  await expect(panel.getByLabel("Ссылка")).toHaveValue(/\/invite#/);
});

test("a press whose answer was lost is carried out once when it is repeated", async ({ page, shop }) => {
  await signInAs(page, shop, "owner", "/people?invite=1");
  const panel = page.getByRole("complementary", { name: "Пригласить" });
  await panel.getByLabel("Рабочая почта").fill("lost@chekan.example");
  await panel.getByRole("checkbox", { name: "Редактор" }).check();
  const keys: string[] = [];
  let isLost = false;
  await page.route("**/api/staff/people", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    keys.push(route.request().headers()["idempotency-key"] ?? "");
    if (isLost) return route.continue();
    isLost = true;
    await route.fetch(); // the server has done it; the answer does not arrive
    await route.abort();
  });
  await page.keyboard.press("Control+Enter");
  await expect(panel.getByText(/Нет связи/)).toBeVisible();
  await expect(panel.getByLabel("Рабочая почта")).toHaveValue("lost@chekan.example");
  await page.keyboard.press("Control+Enter");
  await expect(panel.getByLabel("Ссылка")).toHaveValue(/\/invite#/);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  await expect(page.getByText(/lost@chekan\.example/)).toHaveCount(1);
});

test("a wrong field is named beside the field and keeps the rest", async ({ page, shop }) => {
  await signInAs(page, shop, "owner", "/people?invite=1");
  const panel = page.getByRole("complementary", { name: "Пригласить" });
  await panel.getByLabel("Рабочая почта").fill("not a mailbox");
  await page.keyboard.press("Control+Enter");
  await expect(panel.getByRole("alert")).toHaveCount(2);
  await expect(panel.getByLabel("Рабочая почта")).toHaveAttribute("aria-invalid", "true");
  await expect(panel.getByLabel("Рабочая почта")).toHaveValue("not a mailbox");
  await expectAccessible(page, "refused invitation");
});

test("an invited member of staff creates a passkey, keeps the recovery codes and signs in with the passkey", async ({
  page,
  shop,
  browser,
}) => {
  await signInAs(page, shop, "owner", "/people?invite=1");
  const panel = page.getByRole("complementary", { name: "Пригласить" });
  await panel.getByLabel("Рабочая почта").fill("novikova@chekan.example");
  await panel.getByRole("checkbox", { name: "Редактор" }).check();
  await page.keyboard.press("Control+Enter");
  await expect(panel.getByLabel("Ссылка")).toHaveValue(/\/invite#/);
  const link = await panel.getByLabel("Ссылка").inputValue();

  const context = await browser.newContext();
  const own = await context.newPage();
  const device = await context.newCDPSession(own);
  await device.send("WebAuthn.enable");
  await device.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const { pathname, hash } = new URL(link);
  await openOffice(own, shop, `${pathname}${hash}`);
  await expect(own).not.toHaveURL(/#/);
  await own.getByLabel(/Имя и фамилия/).fill("Анна Новикова");
  await shop.advance(minutes(6)); // the link works for an hour, however long the names take
  await expectAccessible(own, "invitation");
  await own.getByRole("button", { name: "Создать ключ" }).click();
  await expect(own.getByRole("heading", { name: "Запасные коды" })).toBeVisible();
  await own.getByRole("button", { name: "Коды у меня" }).click();
  await expect(own.getByRole("navigation", { name: "Разделы" })).toBeVisible();
  const who = own.getByRole("button", { name: /Анна Новикова/ });
  const place = await who.boundingBox();
  await who.click();
  await expect(own.getByRole("menuitem", { name: "Выйти" })).toBeVisible();
  // A button that moves while it is pressed is left by the pointer, and the menu closes again.
  expect(await who.boundingBox()).toEqual(place);
  await own.getByRole("menuitem", { name: "Выйти" }).click();
  await own.getByRole("button", { name: "Войти ключом" }).click();
  await expect(own.getByRole("button", { name: /Анна Новикова/ })).toBeVisible();
  await openOffice(own, shop, "/devices");
  await expect(own.getByText("этот сеанс")).toBeVisible();
  await expectAccessible(own, "devices");
  await context.close();
});

test("sign-in, people, approvals and audit are accessible on a desktop and on a phone", async ({ page, shop }) => {
  test.slow();
  await openOffice(page, shop);
  await expect(page.getByRole("button", { name: roleButtons.owner })).toBeVisible();
  await expectAccessible(page, "sign-in");
  await signInAs(page, shop, "owner", "/people");
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  for (const [path, name] of [
    ["/people", "Сотрудники"],
    ["/approvals", "Согласования"],
    ["/audit", "Журнал"],
  ] as const) {
    await openOffice(page, shop, path);
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(page.getByText("Загружаем…")).toHaveCount(0);
    await expectAccessible(page, name);
  }
});
