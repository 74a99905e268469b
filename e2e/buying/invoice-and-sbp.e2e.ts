import type { Locator, Page } from "@playwright/test";
import { readQr } from "#tests/read-qr.ts";
import {
  agreeAndOrder,
  aPhone,
  demo,
  expect,
  fillContacts,
  letters,
  priceIsLocked,
  putInCart,
  simulatedPayments,
  test,
  open,
  reload,
} from "../journey.ts";

/** Fills in the checkout: collection at the office, with the given payment method. */
async function orderBy(page: Page, payment: RegExp, email: string): Promise<void> {
  await putInCart(page);
  await open(page, "/checkout");
  await fillContacts(page, { lastName: "Счётчиков", name: "Павел", phone: aPhone(), email });
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await page.getByRole("radio", { name: payment }).check();
  await priceIsLocked(page);
  await agreeAndOrder(page, /^(Оплатить|Заказать)/);
}
/** An SVG of the page as a picture that is large enough for a QR reader. */
const drawn = async (code: Locator): Promise<Buffer> =>
  Buffer.from(
    (await code.evaluate((svg) => new XMLSerializer().serializeToString(svg))).replace("<svg ", '<svg width="900" height="900" '),
  );
const orderOf = (page: Page): string => new URL(page.url()).searchParams.get("order") ?? "";

test("a buyer opens the invoice as a PDF, pays it in two parts, and repeats the order", async ({ page, shop }) => {
  const email = `invoice-${aPhone().slice(-6)}@example.com`;
  await orderBy(page, /^Счёт в банке/, email);
  await expect(page.getByRole("heading", { level: 1, name: "Спасибо, счёт отправлен" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Подготовим монеты, когда деньги придут");
  const id = orderOf(page);
  const code = page.getByRole("img", { name: /Код для приложения банка/ });
  await expect(code).toBeVisible();
  expect(await readQr(await drawn(code))).toMatch(/^ST00012\|Name=.+\|PersonalAcc=\d{20}\|.*\|Purpose=Оплата заказа № \d+\..*\|Sum=\d+$/);
  const pdf = await page.request.get((await page.getByRole("link", { name: "Счёт на оплату (PDF)" }).getAttribute("href")) ?? "");
  expect([
    pdf.status(),
    pdf.headers()["content-type"],
    pdf.headers()["cache-control"],
    (await pdf.body()).subarray(0, 5).toString(),
  ]).toEqual([200, "application/pdf", "private, no-store", "%PDF-"]);
  expect((await page.request.get(`/order/${id}/invoice.pdf?key=another`)).status()).toBe(404);
  await expect.poll(async () => (await letters(shop, email))[0] ?? "").toContain("[вложение: schet-");

  await demo(shop, `orders/${id}`, { event: "pay", amount: 10_000, reference: { number: "125", date: "2026-11-20" } });
  await reload(page);
  await expect(page.getByText(/Поступило 10\s000\s₽, осталось/)).toBeVisible();
  await demo(shop, `orders/${id}`, { event: "pay" });
  await reload(page);
  await expect(page.getByRole("heading", { level: 1, name: "Спасибо, заказ оплачен" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Подготовим монеты и напишем, когда их можно забрать");
  await expect(page.getByRole("region", { name: "Документы" }).getByText(/Чек части оплаты/)).toHaveCount(2);

  await page.getByRole("button", { name: "Повторить заказ" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /Корзина/ })).toBeVisible();
  await expect(page.getByText(/Монеты из заказа \d+ в корзине/)).toBeVisible();
});

test("SBP on a desktop shows a code; after payment on the phone the page continues, and shows a partial refund by staff", async ({
  page,
  shop,
  browserName,
}) => {
  expect(browserName).toBe("chromium");
  await orderBy(page, /^СБП/, "sbp@example.com");
  const dialog = page.getByRole("dialog", { name: "Оплата по СБП" });
  const code = dialog.getByRole("img", { name: "Код со ссылкой на оплату" });
  await expect(code).toBeVisible();
  const payPage = (await dialog.getByRole("link", { name: "Открыть страницу оплаты" }).getAttribute("href")) ?? "";
  expect(await readQr(await drawn(code))).toBe(payPage);
  await page.request.post(payPage, { form: { outcome: "pay" }, maxRedirects: 0 });
  await expect(page.getByRole("heading", { level: 1, name: "Спасибо, заказ оплачен" })).toBeVisible();

  const id = orderOf(page);
  await demo(shop, `orders/${id}`, { event: "refund", amount: 500.5 });
  await expect.poll(async () => (await simulatedPayments(shop)).find((each) => each.orderId === id)?.refunded).toBe(500.5);
  await expect
    .poll(async () => {
      await reload(page);
      return page.getByText("Оплачено, часть денег возвращена").count();
    })
    .toBe(1);
  await expect(page.getByText(/^500,50\s₽$/)).toBeVisible();
});
