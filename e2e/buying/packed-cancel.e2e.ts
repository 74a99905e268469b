import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { RunningShop } from "#tests/running-shop.ts";
import { aCoin, aPhone, demo, expect, marketStands, test, open, reload } from "../journey.ts";

/** An order for the courier, paid by invoice and packed; returns the address of its page. */
async function aPackedOrder(page: Page, shop: RunningShop): Promise<{ id: string; path: string }> {
  await marketStands(shop);
  async function request(method: "PATCH" | "POST", path: string, data: object, headers = {}) {
    const answer = await page.request.fetch(path, { method, data, headers });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return ((await answer.json()) as { data: { id: string; key: string; quoteId: string } }).data;
  }
  await request("PATCH", `/api/cart/${aCoin.id}`, { quantity: 1 });
  const { quoteId } = await request("POST", "/api/checkout/quote", { deliveryId: 45, city: "0000073738", paymentId: 6 });
  const user = { name: "Анна", lastName: "Отменова", email: "cancel@example.com", phone: aPhone() };
  const address = { city: "Москва", street: "Арбат", house: "1" };
  const order = await request(
    "POST",
    "/api/orders",
    { quoteId, user, delivery: { id: 45 }, address, paymentId: 6, consent: true },
    { "idempotency-key": randomUUID() },
  );
  await demo(shop, `orders/${order.id}`, { event: "pay" });
  await demo(shop, `orders/${order.id}`, { event: "assemble" });
  return { id: order.id, path: `/order/${order.id}?key=${order.key}` };
}
const now = (page: Page) => page.getByRole("list", { name: "Состояние заказа" }).locator("[aria-current=step]");

test("a buyer cancels a packed order: the page says that CDEK decides, and then that it is cancelled", async ({ page, shop }) => {
  const { path } = await aPackedOrder(page, shop);
  await open(page, path);
  await page.getByRole("button", { name: "Отменить заказ" }).click();
  await page.getByRole("button", { name: "Да, отменить" }).click();
  await expect(now(page)).toContainText("Отмена запрошена");
  await expect(page.getByRole("heading", { name: "Ждём ответа СДЭК, потом вернём деньги" })).toBeVisible();
  await expect(page.getByText("Посылку уже собрали, поэтому мы попросили СДЭК её не везти.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Отменить заказ" })).toHaveCount(0);
  await expect
    .poll(
      async () => {
        await reload(page);
        return page.getByText("СДЭК подтвердил отмену").count();
      },
      { timeout: 90_000 },
    )
    .toBe(1);
  await expect(page.getByRole("heading", { name: "Отменён, деньги возвращаем" })).toBeVisible();
});

test("a parcel that was not collected returns: the page says so until the coins are back", async ({ page, shop }) => {
  const { id, path } = await aPackedOrder(page, shop);
  await expect
    .poll(async () => (await page.request.post(`${shop.url}/_demo/parcels/${id}`, { data: { code: "NOT_DELIVERED" } })).status(), {
      timeout: 60_000,
    })
    .toBe(200);
  await expect
    .poll(
      async () => {
        await open(page, path);
        return now(page).filter({ hasText: "Возвращается в магазин" }).count();
      },
      { timeout: 60_000 },
    )
    .toBe(1);
  await expect(page.getByRole("heading", { name: "Деньги вернём, когда монеты будут у нас" })).toBeVisible();
  await demo(shop, `orders/${id}`, { event: "turn_back" });
  await reload(page);
  await expect(page.getByText("Монеты вернулись к нам.")).toBeVisible();
});
