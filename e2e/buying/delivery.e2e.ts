import type { Browser, BrowserContext, Page } from "@playwright/test";
import type { RunningShop } from "#tests/running-shop.ts";
import { aCoin, aPhone, expect, priceIsLocked, test, orderButton, open, goBack, reload } from "../journey.ts";

/** A buyer with coins in the cart and stored contacts: only delivery and payment remain to be chosen. */
async function atCheckout(
  browser: Browser,
  shop: RunningShop,
  { pieces = 1 }: { pieces?: number } = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ baseURL: shop.url });
  await context.request.get("/api/cart");
  await putByApi(context, pieces);
  const draft = {
    user: { name: "Анна", lastName: "Воронцова", secondName: "", email: "anna@example.com", phone: aPhone() },
    closed: { contacts: true, delivery: false },
    agreed: { terms: true, privacy: true },
  };
  await context.addInitScript((text) => {
    if (location.pathname === "/checkout" && !sessionStorage.getItem("checkout-1")) sessionStorage.setItem("checkout-1", text);
  }, JSON.stringify(draft));
  await context.route("**/media/**", (route) => route.abort());
  const page = await context.newPage();
  await open(page, "/checkout"); // the restored draft collapses the contacts, which moves what is below
  return { page, context };
}

async function putByApi(context: BrowserContext, quantity: number): Promise<void> {
  expect((await context.request.patch(`/api/cart/${aCoin.id}`, { data: { quantity } })).ok()).toBe(true);
}

const points = (page: Page) => page.getByRole("group", { name: /^(Пункты выдачи|Постаматы), / }).getByRole("radio");

/** The answer to the order's call, read in flight, because the page navigates away with it. */
const orderOf = (page: Page): Promise<{ id: string; key: string }> =>
  new Promise((resolve) => {
    void page.unroute("**/api/orders").then(() =>
      page.route("**/api/orders", async (route) => {
        const response = await route.fetch();
        resolve(((await response.json()) as { data: { id: string; key: string } }).data);
        await route.fulfill({ response });
      }),
    );
  });

type OrderView = { delivery: { id: number }; payment: { id: number } };
/** The order just made, by its link's key. */
async function readOrder(page: Page, id: string, key: string): Promise<OrderView> {
  const answer = await page.request.get(`/api/orders/${id}?key=${key}`);
  return ((await answer.json()) as { data: OrderView }).data;
}

const ways = [
  { id: 76, name: /^Пункт выдачи СДЭК/, pieces: 1 },
  { id: 77, name: /^Постамат СДЭК/, pieces: 1 },
  { id: 45, name: /^Курьер СДЭК/, pieces: 1 },
  { id: 75, name: /^Курьер СДЭК/, pieces: 2 },
  { id: 35, name: /^Офис в Москве/, pieces: 1 },
  { id: 43, name: /^Спецсвязь/, pieces: 1 },
];
const payments: Record<number, RegExp> = { 4: /^Банковская карта/, 5: /^СБП/, 6: /^Счёт в банке/, 7: /^При получении/ };
const allowed = (delivery: number): number[] => (delivery === 35 ? [4, 5, 6, 7] : delivery === 43 ? [6] : [4, 5, 6]);

for (const way of ways) {
  test(`a buyer orders with delivery ${way.id} and each of its payment methods`, async ({ browser, shop }) => {
    const { page, context } = await atCheckout(browser, shop, { pieces: way.pieces });
    for (const payment of allowed(way.id)) {
      if (payment !== allowed(way.id)[0]) {
        await putByApi(context, way.pieces);
        await open(page, "/checkout");
      }
      const placed = orderOf(page);
      await page.getByRole("radio", { name: way.name }).check();
      if (way.id === 76 || way.id === 77) await points(page).first().check();
      if (way.id === 45 || way.id === 75) {
        await page.getByLabel("Улица").fill("Баумана");
        await page.getByLabel("Дом, корпус").fill("5");
      }
      const choice = page.getByRole("radio", { name: payments[payment] ?? /никак/ });
      await choice.check();
      await priceIsLocked(page);
      // Methods that are not allowed are not offered.
      for (const [id, name] of Object.entries(payments))
        if (!allowed(way.id).includes(Number(id))) await expect(page.getByRole("radio", { name })).toHaveCount(0);
      await orderButton(page).click();
      if (payment === 7) await page.getByRole("dialog", { name: "Оплата при получении" }).getByRole("button", { name: "Заказать" }).click();
      const { id, key } = await placed;
      expect(await readOrder(page, id, key)).toMatchObject({ delivery: { id: way.id }, payment: { id: payment } });
      if (payment === 5)
        await page.getByRole("dialog", { name: "Оплата по СБП" }).getByRole("link", { name: "Открыть страницу оплаты" }).click();
      if (payment === 4 || payment === 5) await expect(page.locator('button[value="pay"]')).toBeVisible();
      else
        await expect(
          page.getByRole("heading", { level: 1, name: payment === 7 ? "Спасибо, монеты отложены" : "Спасибо, счёт отправлен" }),
        ).toBeVisible();
    }
    await context.close();
  });
}

test("a buyer chooses a pickup point on the map, and the list shows it as chosen", async ({ browser, shop }) => {
  const { page, context } = await atCheckout(browser, shop);
  await page.getByRole("radio", { name: ways[0]?.name ?? "" }).check();
  const map = page.getByRole("group", { name: /^Карта пунктов, Москва/ });
  await expect(map.locator("[data-cluster]").first()).toBeVisible();
  const before = await map.locator("[data-object-id]").count();
  await map.getByRole("button", { name: "Ближе" }).click();
  await expect.poll(() => map.locator("[data-object-id]").count()).not.toBe(before);
  await page.getByRole("searchbox", { name: /Найти пункт/ }).fill("Алтуфьев");
  await expect(map.locator("[data-object-id]")).toHaveCount(1);
  await map.locator("[data-object-id]").click();
  await expect(page.getByRole("radio", { name: /Алтуфьевское шоссе, 70/ })).toBeChecked();
  await expect(map.getByText("Алтуфьевское шоссе, 70")).toHaveCount(2); // its title and its label
  await priceIsLocked(page);
  // Choosing in the list selects it on the map.
  await page.getByRole("searchbox", { name: /Найти пункт/ }).fill("Пушкинская");
  await page.getByRole("radio", { name: /Тверская ул., 12/ }).check();
  await expect(map.locator("text", { hasText: "Тверская ул., 12" })).toBeVisible();
  await context.close();
});

test("after a reload the chosen point is visible in its list; the page does not scroll and the focus stays", async ({ browser, shop }) => {
  const { page, context } = await atCheckout(browser, shop);
  await page.getByRole("radio", { name: ways[0]?.name ?? "" }).check();
  await points(page).last().check();
  await priceIsLocked(page);
  let showList = () => {};
  const isAwaited = new Promise<void>((resolve) => {
    showList = resolve;
  });
  await page.route("**/api/locations/get-pvz", async (route) => {
    await isAwaited;
    await route.continue();
  });
  await reload(page);
  await expect(page.getByText("Загружаем список")).toBeAttached();
  const place = await page.evaluate(() => scrollY);
  showList();
  const list = page.getByRole("group", { name: /^Пункты выдачи, / });
  await expect(points(page).last()).toBeChecked();
  await expect
    .poll(() =>
      list.evaluate((box) => {
        const [row, frame] = [box.querySelector("label:has(:checked)")?.getBoundingClientRect(), box.getBoundingClientRect()];
        return row !== undefined && row.top > frame.top - 1 && row.bottom < frame.bottom + 1; // scrolling ends at whole pixels
      }),
    )
    .toBe(true);
  expect(await page.evaluate(() => [scrollY, document.activeElement?.tagName])).toEqual([place, "BODY"]);
  await context.close();
});

test("without the map's script a buyer chooses a point in the list by keyboard alone", async ({ browser, shop }) => {
  const { page, context } = await atCheckout(browser, shop);
  await page.route("**/2.1/?**", (route) => route.abort());
  await page.getByRole("radio", { name: ways[0]?.name ?? "" }).check();
  await expect(page.getByText("Карта сейчас недоступна. В списке есть всё то же самое.")).toBeVisible();
  await page.getByRole("searchbox", { name: /Найти пункт/ }).focus();
  await page.keyboard.type("китай");
  await expect(points(page)).toHaveCount(1);
  await points(page).first().focus();
  await page.keyboard.press("Space");
  await expect(page.getByRole("radio", { name: /Маросейка, 9/ })).toBeChecked();
  await priceIsLocked(page);
  await context.close();
});

test("the city is found by the buyer's location", async ({ browser, shop }) => {
  const { page, context } = await atCheckout(browser, shop);
  await context.grantPermissions(["geolocation"]);
  await context.setGeolocation({ latitude: 55.82, longitude: 49.2 });
  await page.getByRole("button", { name: "По моему местоположению" }).click();
  await expect(page.getByRole("combobox", { name: "Город" })).toHaveValue("Казань");
  await expect.poll(async () => (await context.cookies()).find(({ name }) => name === "city")?.value).toBe("1000000424");
  await context.close();
});

test("a buyer changes the confirmed delivery and cancels the change: it stays as confirmed", async ({ browser, shop }) => {
  const { page, context } = await atCheckout(browser, shop);
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await page.getByRole("button", { name: "Дальше: оплата" }).click();
  await page.getByRole("button", { name: "Изменить: Доставка" }).click();
  await page.getByRole("radio", { name: /^Курьер СДЭК/ }).check();
  await page.getByLabel("Улица").fill("Баумана");
  await page.getByLabel("Дом, корпус").fill("5");
  await priceIsLocked(page);
  await orderButton(page).click();
  await expect(page.getByText("Подтвердите новый выбор или оставьте прежний").first()).toBeVisible();
  await reload(page);
  await expect(page.getByRole("radio", { name: /^Курьер СДЭК/ })).toBeChecked();
  await page.getByRole("button", { name: "Оставить прежний выбор" }).click();
  await expect(page.getByText("Офис в Москве").first()).toBeVisible();
  await page.getByRole("button", { name: "Изменить: Доставка" }).click();
  await page.getByRole("radio", { name: /^Курьер СДЭК/ }).check();
  await page.getByRole("button", { name: "Подтвердить", exact: true }).first().click();
  await expect(page.getByText("Доставка, курьер СДЭК")).toBeVisible();
  await context.close();
});

test("a double click, a second tab and Back after payment make one order", async ({ browser, shop }) => {
  const { page, context } = await atCheckout(browser, shop);
  const orderAnswers: string[] = [];
  context.on("response", (answer) => {
    if (new URL(answer.url()).pathname === "/api/orders" && answer.request().method() === "POST")
      orderAnswers.push(String(answer.status()));
  });
  const other = await context.newPage();
  for (const tab of [page, other]) {
    if (tab === other) await open(tab, "/checkout");
    await tab.getByRole("radio", { name: /^Офис в Москве/ }).check();
    await priceIsLocked(tab);
  }
  // The newer tab's quote replaced that of the older tab, which shows the new prices first.
  await orderButton(other).dblclick();
  await expect(other.locator('button[value="pay"]')).toBeVisible();
  // The older tab learns of the order when it comes to the front, and has nothing to press any more.
  await page.bringToFront();
  await expect(page.getByRole("heading", { name: /^Заказ \d+ ждёт оплаты/ })).toBeVisible();
  await expect(orderButton(page)).toHaveCount(0);
  await other.bringToFront();
  await other.locator('button[value="pay"]').click();
  await expect(other.getByRole("heading", { name: "Спасибо, заказ оплачен" })).toBeVisible();
  await open(other, "/checkout");
  await expect(other.getByRole("heading", { name: "Здесь пока пусто" })).toBeVisible();
  await goBack(other);
  await expect(other.getByRole("heading", { name: "Спасибо, заказ оплачен" })).toBeVisible();
  expect(orderAnswers.filter((status) => status === "201")).toHaveLength(1);
  await context.close();
});
