import { aPhone, demo, postForm } from "../journey.ts";
import { anInvoice, aPaidOrder, atPaidOrder, expect, openOffice, refuseParcel, staffMember, test } from "./office.ts";

/** The tasks of the day, counted in presses from «Ждёт», where a row of the only thing leads to it. */
test.use({ shopOf: "waiting" }); // what other journeys left waits, too

test("a callback is answered in two presses, and the buyer's number is there after the first", async ({ browser, shop }) => {
  const phone = aPhone();
  await postForm(shop, "callback", { name: "Мария Ждёт", phone, convenientTime: "после 18", consent: true });
  const sales = await staffMember(browser, shop, "sales");
  await expect(sales.page.getByRole("heading", { level: 1, name: "Ждёт" })).toBeVisible();
  await sales.press(sales.page.getByRole("link", { name: /^Позвонить: Обращения/ }));
  await expect(sales.page.locator(`a[href="tel:${phone}"]`)).toBeVisible();
  // A reload shows the request and opens no contacts again.
  await openOffice(sales.page, shop, new URL(sales.page.url()).pathname);
  await expect(sales.page.getByRole("button", { name: "Показать" })).toBeVisible();
  await openOffice(sales.page, shop);
  const before = sales.presses();
  await sales.press(sales.page.getByRole("link", { name: /^Позвонить: Обращения/ }));
  await expect(sales.page.locator(`a[href="tel:${phone}"]`)).toBeVisible();
  await sales.press(sales.page.getByRole("button", { name: /^Дозвонились/ }));
  await expect(sales.page.getByText("Отвечено", { exact: true })).toBeVisible();
  expect(sales.presses() - before).toBeLessThanOrEqual(2);
});

test("a refund by hand is closed in two presses, with its sum and its account before the second", async ({ page, browser, shop }) => {
  const order = await anInvoice(page, shop);
  await demo(shop, `orders/${order.id}`, { event: "pay" });
  await demo(shop, `orders/${order.id}`, { event: "cancel" });
  const clerk = await staffMember(browser, shop, "accountant");
  await clerk.press(clerk.page.getByRole("link", { name: /^Вернуть: Вернуть деньги вручную/ }));
  const question = clerk.page.getByRole("alertdialog", { name: "Деньги отправлены?" });
  await expect(question).toContainText("Воронцова Анна");
  await clerk.press(question.getByRole("button", { name: "Да, отправлены" }));
  await expect(clerk.page.getByText("Возврат закрыт")).toBeVisible();
  expect(clerk.presses()).toBeLessThanOrEqual(2);
});

test("a refused parcel is sent again in three presses", async ({ page, browser, shop }) => {
  const order = await aPaidOrder(page, shop);
  await demo(shop, `orders/${order.id}`, { event: "assemble", seal: `WAIT${order.number}` });
  const sales = await staffMember(browser, shop, "sales");
  await refuseParcel(shop, order.id);
  const row = sales.page.getByRole("link", { name: /^Отправить снова: Перевозчик отклонил/ });
  await expect(async () => {
    await shop.advance(10 * 60_000);
    await openOffice(sales.page, shop);
    await expect(row).toBeVisible({ timeout: 1_500 });
  }).toPass();
  await sales.press(row);
  await sales.press(sales.page.getByRole("button", { name: "Отправить посылку снова" }));
  await sales.press(sales.page.getByRole("button", { name: /^Отправить снова/ }));
  await expect(sales.page.getByText("Посылка отправлена снова")).toBeVisible();
  expect(sales.presses()).toBeLessThanOrEqual(3);
});

test("an approval is given in two presses", async ({ page, browser, shop }) => {
  const { order, clerk: sales } = await atPaidOrder({ page, browser, shop }, "sales");
  await sales.page.getByRole("button", { name: "Убрать монеты" }).click();
  await sales.page.getByRole("button", { name: /^Больше/ }).click();
  await sales.page.getByLabel("Причина, попадёт в журнал").fill("Покупатель убрал монету");
  await sales.page.getByRole("button", { name: /^Вернуть \d/ }).click();
  await expect(sales.page.getByText(/Ждёт второго человека/)).toBeVisible();

  const owner = await staffMember(browser, shop, "owner");
  await owner.press(owner.page.getByRole("link", { name: /^Посмотреть: Согласовать/ }));
  await expect(owner.page.getByText("Покупатель убрал монету", { exact: true })).toBeVisible();
  await owner.press(owner.page.getByRole("button", { name: /^Согласовать/ }));
  await expect(owner.page.getByText("Сделано: Возврат денег")).toBeVisible();
  expect(owner.presses()).toBeLessThanOrEqual(2);
  await demo(shop, `orders/${order.id}`, { event: "refund" }); // the transfer was sent: it does not wait beside that of another journey
});

test("the pick list of a batch is printed in two presses", async ({ page, browser, shop }) => {
  await aPaidOrder(page, shop);
  const packing = await staffMember(browser, shop, "packing");
  await packing.press(packing.page.getByRole("button", { name: "Собирать всё" }));
  const paper = packing.page.waitForEvent("popup");
  await packing.press(packing.page.getByRole("button", { name: "Лист подбора" }));
  await (await paper).close();
  expect(packing.presses()).toBeLessThanOrEqual(2);
});

test("sales finds an order by the buyer's name and by the tracking number with Ctrl K, without a press of the mouse", async ({
  page,
  browser,
  shop,
}) => {
  const order = await aPaidOrder(page, shop);
  await demo(shop, `orders/${order.id}`, { event: "assemble", seal: `FIND${order.number}` });
  const sales = await staffMember(browser, shop, "sales");
  let tracking = "";
  await expect(async () => {
    await shop.advance(60_000);
    const answer = await sales.page.request.get(new URL(`/api/staff/orders/${order.id}`, shop.officeUrl).href);
    tracking = /"tracking":"([^"]{6,})"/.exec(await answer.text())?.[1] ?? "";
    expect(tracking).not.toBe("");
  }).toPass();
  for (const text of ["Воронцова Анна", tracking]) {
    await openOffice(sales.page, shop);
    await sales.page.keyboard.press("Control+k");
    await sales.page.getByRole("combobox", { name: "Искать" }).fill(text);
    await expect(sales.page.getByRole("option", { name: new RegExp(`${order.number}`) })).toHaveAttribute("aria-selected", "true");
    await sales.page.keyboard.press("Enter");
    await expect(sales.page.getByRole("heading", { level: 1, name: new RegExp(`${order.number}`) })).toBeVisible();
  }
  expect(sales.presses()).toBe(0);
});
