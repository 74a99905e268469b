import { randomUUID } from "node:crypto";
import { priceText } from "#kit/format.ts";
import { kopecks } from "#kit/money.ts";
import { expectAccessible, anOrderByCard, expect, openOffice, staffMember, test } from "./office.ts";

/** The provider's own account, past the shop: its API with the credentials of the demonstration. */
async function inCabinet<T>(paymentPage: string, path: string, body: object): Promise<T> {
  const answer = await fetch(new URL(`/v3/${path}`, paymentPage), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "idempotence-key": randomUUID(),
      authorization: `Basic ${Buffer.from("100500:test_demo").toString("base64")}`,
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
const pay = (paymentPage: string) =>
  fetch(paymentPage, { method: "POST", body: new URLSearchParams({ outcome: "pay" }), redirect: "manual" });
const price = (roubles: number): string => priceText(kopecks(roubles * 100));
const receiptOf = (value: string) => ({
  customer: { email: "buyer@example.com" },
  items: [
    {
      description: "Монета",
      quantity: 1,
      amount: { value, currency: "RUB" },
      vat_code: 1,
      payment_subject: "commodity",
      payment_mode: "full_prepayment",
    },
  ],
});

test("money without an order and a refund made past the shop are found at once and settled in four presses", async ({
  page,
  browser,
  shop,
}) => {
  const order = await anOrderByCard(page, shop);
  await pay(order.paymentPage);
  const accountant = await staffMember(browser, shop, "accountant", "/payments?view=differences");
  const screen = accountant.page;
  const compare = screen.getByRole("button", { name: "Сверить сейчас" });
  await expect(async () => {
    await openOffice(screen, shop, "/payments");
    await expect(screen.getByRole("row", { name: new RegExp(`${order.number}.*оплачен`) })).toBeVisible({ timeout: 1_500 });
  }).toPass();
  const paymentId = new URL(order.paymentPage).pathname.split("/").at(-1) ?? "";
  await inCabinet(order.paymentPage, "refunds", {
    payment_id: paymentId,
    amount: { value: "700.00", currency: "RUB" },
    receipt: receiptOf("700.00"),
  });
  const stray = await inCabinet<{ id: string; confirmation: { confirmation_url: string } }>(order.paymentPage, "payments", {
    amount: { value: "1500.00", currency: "RUB" },
    capture: true,
    confirmation: { type: "redirect", return_url: shop.url },
    receipt: receiptOf("1500.00"),
  });
  await pay(stray.confirmation.confirmation_url);

  await openOffice(screen, shop, "/payments?view=differences");
  await expect(screen.getByText(/Расхождений нет/)).toBeVisible();
  await accountant.press(compare);
  await expect(screen.getByText("Сверено: 3 новых расхождения")).toBeVisible();
  const row = (text: string | RegExp) => screen.getByRole("row", { name: text });
  await expect(row(/платёж, которого у нас нет/)).toContainText(`прошёл, ${price(1_500)}`);
  await expect(row(/возврат, которого у нас нет/)).toContainText(`прошёл, ${price(700)}`);
  await expect(row(/разная сумма возвратов/)).toContainText(price(700));
  await expect(row(/возврат, которого у нас нет/).getByRole("link", { name: `${order.number}` })).toHaveAttribute(
    "href",
    `/orders/${order.id}`,
  );
  await expectAccessible(screen, "differences");

  // The question says what to do; a note is required; a lost connection keeps what was written.
  await accountant.press(row(/платёж, которого у нас нет/).getByRole("button", { name: "Разобрать" }));
  const question = screen.getByRole("alertdialog", { name: "Что выяснили?" });
  await expect(question).toContainText("мимо магазина");
  const note = question.getByLabel("Что выяснили и сделали");
  await expect(note).toBeFocused();
  await note.press("Enter");
  await expect(question.getByText("Заполните это поле")).toBeVisible();
  await note.fill("Чужой платёж, вернули в кабинете");
  await screen.context().setOffline(true);
  await accountant.press(question.getByRole("button", { name: "Разобрано" }));
  await expect(question.getByText(/Нет связи/)).toBeVisible();
  await expect(note).toHaveValue("Чужой платёж, вернули в кабинете");
  await screen.context().setOffline(false);
  await accountant.press(question.getByRole("button", { name: "Разобрано" }));
  await expect(screen.getByText("Расхождение разобрано")).toBeVisible();
  await expect(row(/платёж, которого у нас нет/)).toHaveCount(0);
  expect(accountant.presses()).toBeLessThanOrEqual(4);

  // What was settled is not found again, and stays with its note.
  await compare.click();
  await expect(screen.getByText("Сверено: нового нет")).toBeVisible();
  await expect(screen.getByRole("navigation", { name: "Деньги" }).getByRole("link", { name: /Расхождения/ })).toContainText("2");
  await screen.getByLabel("Показать:").selectOption("settled");
  await expect(row(/платёж, которого у нас нет/)).toContainText("Чужой платёж, вернули в кабинете");
});
