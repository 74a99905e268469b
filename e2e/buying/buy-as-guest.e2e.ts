import {
  agreeAndOrder,
  aCoin,
  aPhone,
  priceIsLocked,
  expect,
  fillContacts,
  letters,
  putInCart,
  simulatedPayments,
  test,
  open,
  openWithoutWaiting,
  reload,
} from "../journey.ts";

test.use({ database: "pglite" }); // as the README starts the shop: with the embedded database

test("a guest buys a coin, picks it up at a point and pays by card", async ({ page, shop }) => {
  const phone = aPhone();
  const email = `guest-${phone.slice(-6)}@example.com`;
  await open(page, "/catalog/gold/bullion-coins");
  await page.getByRole("main").locator('a[href^="/products/georgij"]').first().click();
  await expect(page).toHaveURL(/\/products\//);
  await putInCart(page);
  await page
    .getByRole("banner")
    .getByRole("link", { name: /Корзина, 1 монета/ })
    .click();
  await page
    .getByRole("link", { name: "Оформить" })
    .or(page.getByRole("link", { name: /Перейти к оформлению|Оформить заказ/ }))
    .first()
    .click();

  await fillContacts(page, { lastName: "Воронцова", name: "Анна", phone, email });
  await page.getByRole("radio", { name: /^Пункт выдачи СДЭК/ }).check();
  await page.getByRole("searchbox", { name: /Найти пункт/ }).fill("Алтуфьев");
  await page.getByRole("radio", { name: /Алтуфьевское шоссе, 70/ }).check();
  await priceIsLocked(page);
  await agreeAndOrder(page);

  await page.locator('button[value="pay"]').click();
  await expect(page.getByRole("heading", { name: "Спасибо, заказ оплачен" })).toBeVisible();
  await expect(page.getByText("Алтуфьевское шоссе, 70").first()).toBeVisible();

  const [mine] = (await simulatedPayments(shop)).filter((each) => page.url().includes(each.orderId));
  expect(mine?.status).toBe("succeeded");
  await expect.poll(async () => (await letters(shop, email)).length).toBe(2); // placed and paid: one message each
  await open(page, "/cart");
  await expect(page.getByRole("heading", { name: "Здесь пока пусто" })).toBeVisible();
});

test("a buyer's entries at checkout survive a reload", async ({ page }) => {
  await putInCart(page, aCoin.slug);
  await open(page, "/checkout");
  await fillContacts(page, { lastName: "Терпеливый", name: "Пётр", phone: aPhone(), email: "petr@example.com" });
  await reload(page);
  await expect(page.getByLabel("Фамилия")).toHaveValue("Терпеливый");
  await expect(page.getByLabel("Электронная почта")).toHaveValue("petr@example.com");
});

test("two clicks on plus before the scripts have loaded add two pieces, two clicks on a heart add one", async ({ page }) => {
  let come = () => {};
  const scripts = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await scripts;
    await route.continue();
  });
  await openWithoutWaiting(page, `/products/${aCoin.slug}`, "scripts are held back");
  const box = page.getByRole("main").locator(".order");
  const heart = box.getByRole("button", { name: /^В избранное/ });
  for (const button of [box.getByRole("button", { name: "Больше" }), heart]) await button.click({ clickCount: 2 });
  come();
  await expect(box.getByRole("textbox", { name: "Количество" })).toHaveValue("3");
  await expect(heart).toHaveAttribute("aria-pressed", "true");
});

test("an invalid entry has a message beside its field and nothing is lost", async ({ page }) => {
  await putInCart(page, aCoin.slug);
  await open(page, "/checkout");
  await page.getByLabel("Фамилия").fill("Спешный");
  await page.getByLabel("Электронная почта").fill("не почта");
  await agreeAndOrder(page);
  await expect(page.getByText("Email указан неверно").first()).toBeVisible();
  await expect(page.getByText("Обязательное поле").first()).toBeVisible();
  await expect(page.getByLabel("Фамилия")).toHaveValue("Спешный");
});
