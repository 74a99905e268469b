import { agreeAndOrder, aPhone, priceIsLocked, expect, fillContacts, putInCart, test, open } from "../journey.ts";

type Item = { id: number; slug: string; available: number };

test("of two buyers of the last pieces, one gets them and the other sees what is left", async ({ browser, shop }) => {
  const answer = await fetch(`${shop.url}/api/catalog?kind=memorable&inStock=1&sort=-price`);
  const { data } = (await answer.json()) as { data: { items: Item[] } };
  const scarce = data.items.toSorted((a, b) => a.available - b.available)[0];
  if (!scarce) throw new Error("nothing in stock");

  const buyers = await Promise.all(
    [0, 1].map(async (n) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await putInCart(page, scarce.slug);
      await page.request.patch(`${shop.url}/api/cart/${scarce.id}`, { data: { quantity: scarce.available } });
      await open(page, "/checkout");
      await fillContacts(page, { lastName: `Собиратель${n ? "ов" : "ев"}`, name: "Лев", phone: aPhone(), email: `lev${n}@example.com` });
      await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
      await page.getByRole("radio", { name: /^Счёт в банке/ }).check();
      await priceIsLocked(page);
      return page;
    }),
  );
  const [first, second] = buyers;
  if (!first || !second) throw new Error("two buyers");
  await first.bringToFront();
  await agreeAndOrder(first, /^Заказать/);
  await expect(first.getByRole("heading", { name: "Спасибо, счёт отправлен" })).toBeVisible();
  await second.bringToFront();
  await agreeAndOrder(second, /^Заказать/);
  await expect(second.getByRole("dialog")).toContainText(/закончилась|осталось/);
  await Promise.all(buyers.map((page) => page.context().close()));
});
