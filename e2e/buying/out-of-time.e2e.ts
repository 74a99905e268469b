import { type Page } from "@playwright/test";
import { minutes } from "#kit/time.ts";
import type { RunningShop } from "#tests/running-shop.ts";
import {
  aPhone,
  demo,
  expect,
  fillContacts,
  letters,
  marketStands,
  open,
  openWithoutWaiting,
  orderButton,
  priceIsLocked,
  putInCart,
  simulatedPayments,
  test,
} from "../journey.ts";

/** A buyer whose time runs out: that of the locked price, of the reservation, of the order. */
test.use({ contextOptions: { reducedMotion: "reduce" } });
test.beforeEach(({ shop }) => marketStands(shop));
test.afterEach(({ shop }) => demo(shop, "market", { open: true }));

const order = (page: Page) => page.getByRole("complementary", { name: "Ваш заказ" });
const lockNote = (page: Page) => order(page).getByText(/^Цена зафиксирована ещё/);

/** A guest at the last step, with both consents. */
async function atLastStep(page: Page, email = "medlenno@example.com"): Promise<void> {
  await page.clock.install();
  await putInCart(page);
  await open(page, "/checkout");
  await fillContacts(page, { lastName: "Медлительная", name: "Анна", phone: aPhone(), email });
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await page.getByRole("checkbox", { name: /Принимаю условия продажи/ }).check();
  await page.getByRole("checkbox", { name: /Разрешаю обработку персональных данных/ }).check();
  await priceIsLocked(page);
}

/** Eleven minutes pass in the shop and in the browser; the market has these rates then. */
async function lockEnds(page: Page, shop: RunningShop, rates: { gold?: number } | "closed" = {}): Promise<void> {
  await shop.advance(minutes(11));
  if (rates !== "closed") {
    await marketStands(shop, { gold: 11_050 }); // quotes came after the jump of the clock, so they are not late
    await marketStands(shop, rates);
  }
  await page.clock.fastForward(minutes(11));
}

test("a lock that ends is renewed by itself at the same prices; changed prices have to be accepted, again when the answer is late", async ({
  page,
  shop,
}) => {
  await atLastStep(page);
  const status = page.getByRole("status").filter({ hasText: /Цена зафиксирована до/ });
  const first = (await status.textContent()) ?? "";
  await lockEnds(page, shop);
  await expect(status).not.toHaveText(first);
  await expect(lockNote(page)).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByLabel("Фамилия")).toHaveValue("Медлительная");

  await lockEnds(page, shop, { gold: 11_300 });
  const question = page.getByRole("dialog", { name: "Цены обновились" });
  await expect(question).toContainText("Новые цены держим, пока идёт время внизу");
  const offered = (await question.getByRole("button", { name: /^Принять/ }).textContent()) ?? "";
  await lockEnds(page, shop, { gold: 11_200 });
  await expect(question).toContainText("Время этих цен вышло: если они изменились, спросим ещё раз");
  await question.getByRole("button", { name: /^Принять/ }).click();
  await expect(question.getByRole("button", { name: /^Принять/ })).not.toHaveText(offered);
  await question.getByRole("button", { name: /^Принять/ }).click();
  await expect(question).toBeHidden();
  await orderButton(page).click();
  await page.locator('button[value="pay"]').click();
  await expect(page.getByRole("heading", { name: "Спасибо, заказ оплачен" })).toBeVisible();
});

test("while the exchange is closed an ended lock is not called locked or live, and the entries wait for the opening", async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await atLastStep(page);
  await demo(shop, "market", { open: false });
  await expect(page.getByRole("main").getByRole("status").filter({ hasText: "Биржа закрыта" })).toBeVisible();
  await lockEnds(page, shop, "closed");
  await expect(order(page).getByRole("alert")).toContainText("Биржа закрыта");
  await expect(page.locator(".till")).toContainText("цена не зафиксирована");
  await expect(page.getByRole("status").filter({ hasText: "Цена зафиксирована до" })).toHaveCount(0);
  await marketStands(shop);
  await expect(page.locator(".till")).toContainText("цены те же ещё");
  await priceIsLocked(page);
  await expect(page.getByLabel("Фамилия")).toHaveValue("Медлительная");
});

test("money that comes for a cancelled order goes back, and the page to which the buyer returns says so", async ({ page, shop }) => {
  const email = `pozdno-${Date.now()}@example.com`;
  await atLastStep(page, email);
  await orderButton(page).click();
  await expect(page.locator('button[value="pay"]')).toBeVisible();
  await expect.poll(async () => (await letters(shop, email)).length).toBe(1);
  const link = /https?:\S+(\/order\/\S+)/.exec((await letters(shop, email))[0] ?? "")?.[1] ?? "";
  const other = await page.context().newPage();
  await open(other, link);
  await other.getByRole("button", { name: "Отменить заказ" }).click();
  await other.getByRole("button", { name: "Да, отменить" }).click();
  await expect(other.getByText("Отменён, деньги не списаны")).toBeVisible();

  await page.bringToFront();
  await page.locator('button[value="pay_without_webhook"]').click();
  await expect(page.getByRole("heading", { name: /^Заказ отменён, деньги (возвращаем|возвращены)$/ })).toBeVisible();
  await expect(page.getByRole("main")).not.toContainText("деньги не списаны");
  await expect.poll(async () => (await letters(shop, email)).join()).toContain("Мы вернули"); // letters are not sent in the order of events
  const [payment] = (await simulatedPayments(shop)).filter((each) => page.url().includes(each.orderId));
  expect(payment?.refunded).toBe(payment?.amount);
});

test("the page of thanks without an order does not thank; a cut link of an order says what is wrong", async ({ page }) => {
  await open(page, "/thanks");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Здесь нет заказа");
  for (const address of ["/order/AAAAAAAAAAAAAAAAAAAAAA?key=abc", "/thanks?order=AAAAAAAAAAAAAAAAAAAAAA&key=abc"]) {
    const answer = await openWithoutWaiting(page, address, "not a page of the shop");
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("main")).toContainText("ссылка на заказ скопирована не целиком или устарела");
  }
});
