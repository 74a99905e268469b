import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { RunningShop } from "#tests/running-shop.ts";
import { aCoin, aPhone, demo, expect, letters, marketStands, open, reload, test } from "../journey.ts";

const email = "seal@example.com";

/** A guest's order for the courier, paid by invoice; returns the address of its page. */
async function aPaidOrder(page: Page, shop: RunningShop): Promise<{ id: string; path: string; total: number }> {
  await marketStands(shop);
  async function request(method: "PATCH" | "POST", path: string, data: object, headers = {}) {
    const answer = await page.request.fetch(path, { method, data, headers });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return ((await answer.json()) as { data: { id: string; key: string; quoteId: string; items: { sum: number }[] } }).data;
  }
  await request("PATCH", `/api/cart/${aCoin.id}`, { quantity: 1 });
  const { quoteId } = await request("POST", "/api/checkout/quote", { deliveryId: 45, city: "0000073738", paymentId: 6 });
  const order = await request(
    "POST",
    "/api/orders",
    {
      quoteId,
      user: { name: "Анна", lastName: "Пломбирова", email, phone: aPhone() },
      delivery: { id: 45 },
      address: { city: "Москва", street: "Арбат", house: "1" },
      paymentId: 6,
      consent: true,
    },
    { "idempotency-key": randomUUID() },
  );
  await demo(shop, `orders/${order.id}`, { event: "pay" });
  return { id: order.id, path: `/order/${order.id}?key=${order.key}`, total: order.items[0]?.sum ?? 0 };
}

test("beside «В корзину» are returns, insurance with a seal, and certificate, each with a page that agrees", async ({ page }) => {
  await open(page, `/products/${aCoin.slug}`);
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: "Отказ до получения и 7 дней после" })).toHaveAttribute("href", "/return");
  await expect(main.getByRole("link", { name: "Полная страховка, пломба с номером, видео" })).toHaveAttribute("href", "/delivery");
  await expect(main.getByRole("link", { name: /Акт проверки при покупке от 100\s000\s₽/ })).toHaveAttribute("href", "/certificates");
  await open(page, "/delivery");
  await expect(page.getByRole("main")).toContainText("опечатываются в пакет с номером");
  await open(page, "/certificates");
  await expect(page.getByRole("main")).toContainText(/при покупке от 100\s000\s₽/);
});

test("the seal entered at packing and the insured sum are in the order and in the letter about its parcel", async ({ page, shop }) => {
  const { id, path, total } = await aPaidOrder(page, shop);
  const side = page.getByRole("complementary", { name: "Сумма и действия" });
  await open(page, path);
  await expect(side).toContainText("Страховкана полную цену");
  await expect(side).not.toContainText("Пломба");
  await demo(shop, `orders/${id}`, { event: "assemble", seal: `0041 ${String(Date.now()).slice(-8)}` });
  await reload(page);
  await expect(side).toContainText(/Пломба№ 0041\d{8}, сверьте при получении/);
  const sum = total.toLocaleString("ru-RU").replaceAll(/\s/g, "\u00A0");
  await expect(side).toContainText(`на полную цену, ${sum}`);
  await demo(shop, `orders/${id}`, { event: "ship" });
  await expect.poll(async () => (await letters(shop, email)).join("\n")).toMatch(/Номер пломбы на пакете: 0041\d{8}\./);
  expect((await letters(shop, email)).join("\n")).toContain("Посылка застрахована на ");
});

test("the printed order has the seller's details, the buyer, the sum and the VAT; on the screen they are not repeated", async ({
  page,
  shop,
}) => {
  const { path } = await aPaidOrder(page, shop);
  await open(page, path);
  const paper = page.locator(".printed-order");
  await expect(paper).toBeHidden();
  await expect(page.getByRole("button", { name: "Распечатать заказ" })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(paper).toContainText(/Заказ № \d+ от/);
  await expect(paper).toContainText("Продавец: ООО «Чекан»");
  for (const fact of [
    "ИНН7700000009",
    "КПП770001001",
    "ОГРН1207700000001",
    "АдресМосква",
    "ПокупательПломбирова Анна",
    "ОплатаСчёт в банке, оплачен",
  ])
    await expect(paper).toContainText(fact);
  await expect(paper).toContainText(/НДС (не облагается|22%)/);
  await expect(page.getByRole("complementary", { name: "Сумма и действия" })).toContainText("Итого");
  for (const hidden of [page.getByRole("banner"), page.getByRole("contentinfo"), page.getByRole("button", { name: "Распечатать заказ" })])
    await expect(hidden).toBeHidden();
});
