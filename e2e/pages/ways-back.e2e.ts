import {
  aCoin,
  agreeAndOrder,
  aPhone,
  expect,
  fillContacts,
  priceIsLocked,
  putInCart,
  signInByCall,
  test,
  open,
  goBack,
} from "../journey.ts";

test("the checkout with an empty cart redirects to the cart; after an unpaid order both lead to its payment, also in a second tab", async ({
  page,
  context,
}) => {
  await open(page, "/checkout");
  await expect(page).toHaveURL(/\/cart$/);
  await expect(page.getByRole("main")).toContainText("Здесь пока пусто");

  await putInCart(page);
  await open(page, "/checkout");
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await fillContacts(page, { lastName: "Возвратова", name: "Нина", phone: aPhone(), email: "nina.back@example.com" });
  await priceIsLocked(page);
  await agreeAndOrder(page);
  await expect(page.locator('button[value="pay"]')).toBeVisible(); // the provider's page

  await goBack(page);
  await expect(page.getByRole("main")).toContainText(/Заказ \d+ (ждёт оплаты|оформлен)/);
  const other = await context.newPage();
  for (const path of ["/cart", "/checkout"]) {
    await open(other, path);
    await expect(other.getByRole("heading", { name: /Заказ \d+ ждёт оплаты/ })).toBeVisible();
    await expect(other.getByRole("main")).toContainText(/отложены для вас до (конца \d|.*, \d\d:\d\d)/);
  }
  await other.getByRole("link", { name: "Оплатить заказ" }).click();
  await expect(other).toHaveURL(/\/thanks\?order=/);
  await other
    .getByRole("button", { name: /Банковская карта|Оплатить/ })
    .first()
    .click();
  await expect(other.locator('button[value="pay"]')).toBeVisible();
});

test("a page from the back-forward cache shows the cart as it is now", async ({ page }) => {
  await open(page, "/about");
  await page.request.patch(`/api/cart/${aCoin.id}`, { data: { quantity: 3 } });
  // The browser of the journeys has no such cache: only the event of a page that comes from it.
  await page.evaluate(() => void dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await expect(page.getByRole("banner").getByRole("link", { name: "Корзина, 3 монеты" })).toBeVisible();
});

test("when the session ends during the checkout, the order is not called lost: the page says that the buyer is signed out", async ({
  page,
  context,
  shop,
}) => {
  await open(page, "/about");
  await signInByCall(page, shop, aPhone(), { name: "Сессиев Иван", email: "ivan.session@example.com" });
  await putInCart(page);
  await open(page, "/checkout");
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await priceIsLocked(page);
  await context.clearCookies({ name: "sid" });
  await agreeAndOrder(page);
  await expect(page.getByText("Вы вышли из кабинета. Войдите снова, чтобы оформить заказ")).toBeVisible();
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("banner").getByRole("button", { name: "Войти" }).first()).toBeVisible();
});

test("another visitor's browser does not show an order", async ({ browser, shop, page }) => {
  await putInCart(page);
  await open(page, "/checkout");
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await fillContacts(page, { lastName: "Чужакова", name: "Ольга", phone: aPhone(), email: "olga.own@example.com" });
  await priceIsLocked(page);
  await agreeAndOrder(page);
  await expect(page.locator('button[value="pay"]')).toBeVisible();
  const otherBrowser = await browser.newContext({ baseURL: shop.url });
  const theirs = await otherBrowser.newPage();
  await open(theirs, "/cart");
  await expect(theirs.getByRole("main")).toContainText("Здесь пока пусто");
  await otherBrowser.close();
});
