import { agreeAndOrder, aPhone, expect, fillContacts, priceIsLocked, putInCart, test, open, goBack } from "../journey.ts";

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
