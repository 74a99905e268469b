import type { Page } from "@playwright/test";
import { minutes } from "#kit/time.ts";
import {
  aCoin,
  agreeAndOrder,
  aPhone,
  priceIsLocked,
  demo,
  expect,
  fillContacts,
  marketStands,
  putInCart,
  test,
  open,
} from "../journey.ts";

/** Orders a coin: collection at the office, by card. */
async function order(page: Page): Promise<void> {
  await putInCart(page);
  await open(page, "/checkout");
  await fillContacts(page, { lastName: "Плательщиков", name: "Иван", phone: aPhone(), email: "ivan@example.com" });
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await priceIsLocked(page);
  await agreeAndOrder(page);
}

/** Buys up to the payment provider's page. */
async function orderToPay(page: Page): Promise<void> {
  await order(page);
  await expect(page.locator('button[value="decline"]')).toBeVisible();
}

test("after a declined payment the coins stay reserved and the buyer can pay again", async ({ page }) => {
  await orderToPay(page);
  await page.locator('button[value="decline"]').click();
  await expect(page.getByRole("heading", { level: 1, name: "Платёж не прошёл" })).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: /карт/i }).first().click();
  await page.locator('button[value="pay"]').click();
  await expect(page.getByRole("heading", { name: "Спасибо, заказ оплачен" })).toBeVisible();
});

test("without the provider's notification the order is paid when the buyer comes back", async ({ page }) => {
  await orderToPay(page);
  await page.locator('button[value="pay_without_webhook"]').click();
  await expect(page.getByRole("heading", { name: "Спасибо, заказ оплачен" })).toBeVisible();
});

test("an unpaid order expires and releases its coins", async ({ page, shop }) => {
  await orderToPay(page);
  await page.locator('button[value="abandon"]').click();
  await expect(page.getByRole("heading", { name: "Проверяем оплату" })).toBeVisible();
  // the provider still reports no payment
  await expect(page.getByRole("heading", { name: "Ждёт оплаты" })).toBeVisible();
  const link = page.url();
  await shop.advance(minutes(66));
  await expect
    .poll(
      async () => {
        await open(page, link);
        return page.getByRole("heading", { level: 1 }).textContent();
      },
      { timeout: 30_000 },
    )
    .toBe("Заказ отменён");
});

test("after the quote has expired and the price changed, the buyer is asked to accept the new price", async ({ page, shop }) => {
  await marketStands(shop);
  await putInCart(page);
  await open(page, "/checkout");
  await fillContacts(page, { lastName: "Неторопливый", name: "Илья", phone: aPhone(), email: "ilya@example.com" });
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await priceIsLocked(page);
  await shop.advance(minutes(11));
  await marketStands(shop, { gold: 11_250 });
  await agreeAndOrder(page);
  const dialog = page.getByRole("dialog", { name: "Цены обновились" });
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: /^Принять/ }).click();
  await page.locator('button[value="pay"]').click();
  await expect(page.getByRole("heading", { name: "Спасибо, заказ оплачен" })).toBeVisible();
});

test("when another tab changed the cart, the buyer confirms the changes before the order is made", async ({ page, shop }) => {
  await marketStands(shop);
  await putInCart(page);
  await open(page, "/checkout");
  await fillContacts(page, { lastName: "Вкладкин", name: "Пётр", phone: aPhone(), email: "petr@example.com" });
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await priceIsLocked(page);
  const bill = page.getByRole("complementary", { name: "Ваш заказ" });
  await expect(bill).toContainText("1 монета");
  await page.request.patch(`/api/cart/${aCoin.id}`, { data: { quantity: 3 }, headers: { origin: shop.url } }); // the other tab
  await page.getByRole("radio", { name: /^СБП/ }).check(); // another choice needs another quote
  const dialog = page.getByRole("dialog", { name: "Заказ изменился" });
  await expect(dialog).toContainText(/3\sшт\., было 1/);
  await expect(bill).toContainText("3 монеты");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await priceIsLocked(page);

  await agreeAndOrder(page); // not accepted yet: asked again
  await expect(dialog).toContainText(/3\sшт\., было 1/);
  await dialog.getByRole("button", { name: /^Принять/ }).click();
  await expect(page.getByRole("dialog", { name: "Оплата по СБП" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("main").getByRole("link", { name: "К заказу" }).click();
  await expect(page.getByRole("main")).toContainText(/3\sшт\.|3\s×/);
});

test("while the payment provider is down an order is made, and paid later", async ({ page, shop }) => {
  await putInCart(page);
  await open(page, "/checkout");
  await fillContacts(page, { lastName: "Стойкий", name: "Семён", phone: aPhone(), email: "semyon@example.com" });
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await priceIsLocked(page);
  await demo(shop, "faults", { provider: "payment", mode: "error" });
  try {
    await agreeAndOrder(page);
    await expect(page.getByRole("dialog", { name: /^Заказ \d+ принят/ })).toBeVisible();
  } finally {
    await demo(shop, "faults", { provider: "payment", mode: "ok" });
  }
  await page.getByRole("dialog").getByRole("button", { name: "Оплатить" }).click();
  await page.locator('button[value="pay"]').click();
  await expect(page.getByRole("heading", { name: "Спасибо, заказ оплачен" })).toBeVisible();
});

test("while the payment provider is down the dialog of an order says so in red and the button keeps the focus", async ({ page, shop }) => {
  await demo(shop, "faults", { provider: "payment", mode: "error" });
  try {
    await order(page);
    await expect(page.getByRole("dialog", { name: /^Заказ \d+ принят/ })).toBeVisible();
    const toOrder = page.getByRole("dialog").getByRole("link", { name: "К заказу" });
    const placed = new URL((await toOrder.getAttribute("href")) ?? "", shop.url).searchParams;
    await open(page, `/order/${placed.get("order")}?key=${placed.get("key")}`);
    await page.getByRole("main").getByRole("button", { name: "Оплатить", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Как оплатите" });
    const pay = dialog.getByRole("button", { name: /^Оплатить/ });
    await pay.press("Enter");
    const refusal = dialog.getByRole("alert");
    await expect(refusal).toHaveText("Оплата временно недоступна, заказ сохранён");
    await expect(pay).toBeFocused();
    const [red, text] = await Promise.all([
      dialog.evaluate((element) => {
        const sample = element.appendChild(document.createElement("i"));
        sample.style.color = "var(--down)";
        return getComputedStyle(sample).color;
      }),
      refusal.evaluate((element) => getComputedStyle(element).color),
    ]);
    expect(text).toBe(red);
  } finally {
    await demo(shop, "faults", { provider: "payment", mode: "ok" });
  }
});

test("after the SBP code is closed the order waits for payment: it shows the reservation's end and the code again", async ({ page }) => {
  await putInCart(page);
  await open(page, "/checkout");
  await fillContacts(page, { lastName: "Камерин", name: "Олег", phone: aPhone(), email: "oleg@example.com" });
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await page.getByRole("radio", { name: /^СБП/ }).check();
  await priceIsLocked(page);
  await agreeAndOrder(page);
  const code = page.getByRole("dialog", { name: "Оплата по СБП" });
  await expect(code).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(code).toHaveCount(0);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1, name: /^Заказ \d+ ждёт оплаты$/ })).toBeVisible();
  await expect(main.getByText(/^Монеты отложены до (конца )?\d+\s\S+(, \d\d:\d\d)? по Москве/)).toBeVisible();
  await main.getByRole("button", { name: "Оплатить по СБП" }).click();
  await expect(code).toBeVisible();
  await code.getByRole("link", { name: "К заказу" }).click();
  await expect(main.getByRole("heading", { level: 1, name: "Ждёт оплаты" })).toBeVisible();
  await expect(main.getByRole("status")).toContainText(/Монеты отложены до (конца )?\d+\s\S+(, \d\d:\d\d)? по Москве/);
  await main.getByRole("button", { name: "Оплатить по СБП" }).click();
  await expect(code).toBeVisible();
});
