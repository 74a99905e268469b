import type { Page } from "@playwright/test";
import {
  aCoin,
  aPhone,
  demo,
  expect,
  goBackWithoutScripts,
  letters,
  marketStands,
  openWithoutWaiting,
  reloadWithoutScripts,
  simulatedPayments,
  test,
} from "../journey.ts";

test.use({ javaScriptEnabled: false });

const main = (page: Page) => page.getByRole("main");
const next = (page: Page, name: RegExp) => main(page).getByRole("button", { name }).click();

async function putInCart(page: Page): Promise<void> {
  await openWithoutWaiting(page, `/products/${aCoin.slug}`, "scripts are off");
  await main(page).getByRole("button", { name: "В корзину", exact: true }).first().click();
  await expect(page).toHaveURL(new RegExp(`/products/${aCoin.slug}$`));
}

async function fillContacts(page: Page, { phone, email }: { phone: string; email: string }): Promise<void> {
  await page.getByLabel("Фамилия").fill("Воронцова");
  await page.getByLabel("Имя", { exact: true }).fill("Анна");
  await page.getByRole("textbox", { name: "Телефон" }).fill(phone);
  await page.getByLabel("Электронная почта").fill(email);
  await next(page, /^Дальше/);
}

async function chooseCity(page: Page, beginning: string, name: RegExp): Promise<void> {
  await page.getByLabel("Найти город по названию").fill(beginning);
  await next(page, /^Найти$/);
  await page.getByRole("radio", { name }).check();
  await next(page, /^Дальше/);
}

async function agree(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: /Принимаю условия продажи/ }).check();
  await page.getByRole("checkbox", { name: /Разрешаю обработку персональных данных/ }).check();
}

test.beforeEach(({ shop }) => marketStands(shop));

test("a guest without scripts orders by courier and pays by card", async ({ page, shop }) => {
  const phone = aPhone();
  const email = `plain-${phone.slice(-6)}@example.com`;
  await putInCart(page);
  await openWithoutWaiting(page, "/cart", "scripts are off");
  await main(page).getByRole("link", { name: "Оформить", exact: true }).first().click();
  await expect(page).toHaveURL(/\/checkout\/steps\/contacts$/);
  await fillContacts(page, { phone: `8 ${phone.slice(2)}`, email });
  await chooseCity(page, "Санкт", /Санкт-Петербург/);
  await page.getByRole("radio", { name: /^Курьер СДЭК/ }).check();
  await next(page, /^Дальше/);
  await page.getByLabel("Улица").fill("Невский проспект");
  await next(page, /^Дальше/);
  await expect(page.getByText("Обязательное поле").first()).toBeVisible();
  await expect(page.getByLabel("Улица")).toHaveValue("Невский проспект");
  await page.getByLabel("Дом, корпус").fill("28");
  await next(page, /^Дальше/);
  await page.getByRole("radio", { name: /^Банковская карта/ }).check();
  await next(page, /^Зафиксировать цену/);
  await expect(page.getByRole("complementary", { name: "Ваш заказ" })).toContainText(/Цена зафиксирована ещё (9|10)\s*мин/);
  await expect(main(page)).toContainText("Невский проспект, 28");
  await agree(page);
  await next(page, /^Оплатить/);
  await page.locator('button[value="pay"]').click();
  await expect(page.getByRole("heading", { name: "Спасибо, заказ оплачен" })).toBeVisible();
  const [mine] = (await simulatedPayments(shop)).filter((each) => page.url().includes(each.orderId));
  expect(mine?.status).toBe("succeeded");
  await expect.poll(async () => (await letters(shop, email)).length).toBe(2);
  // The entries are deleted with the order, and no step's address contained them.
  await putInCart(page);
  await openWithoutWaiting(page, "/checkout/steps/contacts", "scripts are off");
  await expect(page.getByLabel("Фамилия")).toHaveValue("");
});

test("a quantity that is not there is refused beside the coin of the cart and in the title, without scripts", async ({ page }) => {
  await putInCart(page);
  await openWithoutWaiting(page, "/cart", "scripts are off");
  await page.getByRole("textbox", { name: "Количество" }).fill("999");
  await page.getByRole("textbox", { name: "Количество" }).press("Enter");
  await expect(main(page).getByRole("listitem").getByRole("alert")).toContainText(
    /^(Столько нет: осталось \d+|В один заказ можно не больше \d+)$/,
  );
  await expect(page).toHaveTitle(/^Ошибка: Корзина/);
  await page.getByRole("textbox", { name: "Количество" }).fill("");
  await page.getByRole("textbox", { name: "Количество" }).press("Enter");
  await expect(main(page).getByRole("listitem").getByRole("alert")).toHaveText("Количество — от 1 до 999");
  await expect(page).toHaveTitle(/^Ошибка: Корзина/);
  await openWithoutWaiting(page, "/cart", "scripts are off");
  await expect(page).toHaveTitle(/^Корзина/);
});

test("a guest without scripts orders to a pickup point and gets the invoice; a double click and Back make one order", async ({
  page,
  shop,
}) => {
  const phone = aPhone();
  const email = `plain-${phone.slice(-6)}@example.com`;
  await putInCart(page);
  await openWithoutWaiting(page, "/checkout", "scripts are off");
  await expect(page).toHaveURL(/\/checkout\/steps\/contacts$/);
  await fillContacts(page, { phone, email });
  await next(page, /^Дальше/);
  await page.getByRole("radio", { name: /^Пункт выдачи СДЭК/ }).check();
  await next(page, /^Дальше/);
  await next(page, /^Получу здесь/);
  await expect(page.getByText("Выберите пункт выдачи").first()).toBeVisible();
  await page.getByRole("searchbox", { name: "Найти пункт" }).fill("Алтуфьев");
  await next(page, /^Показать$/);
  await page.getByRole("radio", { name: /Алтуфьевское шоссе, 70/ }).check();
  await next(page, /^Получу здесь/);
  await page.getByRole("radio", { name: /^Счёт в банке/ }).check();
  await next(page, /^Зафиксировать цену/);
  await agree(page);
  // A double click: the browser's form is sent twice.
  const form = {
    quoteId: await page.locator('input[name="quoteId"]').inputValue(),
    terms: "on",
    consent: "on",
  };
  const send = () =>
    page.request.post("/checkout/steps/confirm", { form, maxRedirects: 0, headers: { origin: shop.url } }).then((answer) => {
      expect(answer.status()).toBe(303);
      return answer.headers().location;
    });
  const [first, second] = await Promise.all([send(), send()]);
  expect(first).toMatch(/^\/thanks\?order=/);
  expect(second).toBe(first);
  // And once more from the page that Back shows.
  await next(page, /^Заказать/);
  await expect(page.getByRole("heading", { name: "Спасибо, счёт отправлен" })).toBeVisible();
  const orderIn = (address: string) => new URL(address, shop.url).searchParams.get("order");
  expect(orderIn(page.url())).toBe(orderIn(first ?? ""));
  await expect(
    main(page)
      .getByRole("link", { name: /[Сс]чёт/ })
      .first(),
  ).toBeVisible();
  await expect.poll(async () => (await letters(shop, email)).length).toBe(1);
  await goBackWithoutScripts(page);
  await openWithoutWaiting(page, "/checkout/steps/confirm", "scripts are off");
  await expect(page).toHaveURL(/\/cart$/);
});

test("without scripts an invalid entry has a message beside its field, nothing is lost, and a reload is no second try", async ({
  page,
}) => {
  await putInCart(page);
  await openWithoutWaiting(page, "/checkout/steps/payment", "scripts are off");
  await expect(page).toHaveURL(/\/checkout\/steps\/contacts$/); // the earlier steps come first
  await page.getByLabel("Фамилия").fill("Спешная");
  await page.getByLabel("Электронная почта").fill("не почта");
  await next(page, /^Дальше/);
  const email = page.getByLabel("Электронная почта");
  await expect(email).toHaveAccessibleDescription(/Email указан неверно/);
  await expect(email).toHaveValue("не почта");
  await expect(page.getByLabel("Фамилия")).toHaveValue("Спешная");
  await expect(page.getByRole("alert")).toContainText("Осталось поправить");
  await expect(page).toHaveTitle(/^Ошибка: /);
  const posts: string[] = [];
  page.on("request", (request) => void (request.method() === "POST" && posts.push(request.url())));
  await reloadWithoutScripts(page);
  await expect(page.getByLabel("Фамилия")).toHaveValue("Спешная");
  expect(posts).toEqual([]);
});

test("without scripts a closed market, a changed price and a changed cart are shown, and nothing is ordered at another price", async ({
  page,
  shop,
}) => {
  const phone = aPhone();
  const email = `plain-${phone.slice(-6)}@example.com`;
  await putInCart(page);
  await openWithoutWaiting(page, "/checkout/steps", "scripts are off");
  await fillContacts(page, { phone, email });
  await next(page, /^Дальше/);
  await page.getByRole("radio", { name: /^Офис в Москве/ }).check();
  await next(page, /^Дальше/);
  await demo(shop, "market", { open: false });
  await expect.poll(async () => ((await (await fetch(`${shop.url}/api/work`)).json()) as { work?: boolean }).work).toBe(false);
  await page.getByRole("radio", { name: /^Банковская карта/ }).check();
  await next(page, /^Зафиксировать цену/);
  await expect(page.getByRole("alert")).toContainText("Биржа закрыта");
  await marketStands(shop);
  await page.getByRole("radio", { name: /^Банковская карта/ }).check();
  await next(page, /^Зафиксировать цену/);
  await agree(page);

  // The quote expires while the page is open, and the gold price has changed.
  await shop.advance(11 * 60_000);
  await marketStands(shop, { gold: 11_300 });
  await next(page, /^Оплатить/);
  await expect(page.getByRole("alert")).toContainText("Цены обновились");
  await expect(main(page)).toContainText(/Заказ стоил .* теперь/);
  await expect(page.getByRole("checkbox", { name: /Принимаю условия продажи/ })).toBeChecked();
  expect(await letters(shop, email)).toEqual([]);

  // Another coin in the cart: the quote is not valid any more.
  await openWithoutWaiting(page, "/products/georgij-pobedonosec-3-rublya-2025-mmd", "scripts are off");
  await main(page).getByRole("button", { name: "В корзину", exact: true }).first().click();
  await openWithoutWaiting(page, "/checkout/steps/confirm", "scripts are off");
  await expect(main(page)).toContainText("Цена больше не зафиксирована");
  await next(page, /^Зафиксировать новую цену/);
  await expect(main(page)).toContainText(/Заказ стоил .* теперь/);
  await next(page, /^Оплатить/);
  await expect(page.locator('button[value="pay"]')).toBeVisible();
});

test("without scripts and cookies, adding to the cart says that cookies are needed", async ({ page, shop }) => {
  const back = `/products/${aCoin.slug}`;
  // What such a browser sends: a form without a cookie, then the next page without the cookie of the answer.
  const added = await fetch(`${shop.url}/cart`, {
    method: "POST",
    body: new URLSearchParams({ intent: "add", id: String(aCoin.id), quantity: "1", back }),
    headers: { origin: shop.url },
    redirect: "manual",
  });
  await openWithoutWaiting(page, added.headers.get("location") ?? "", "scripts are off");
  await expect(page.getByRole("alert")).toContainText("браузер не сохраняет cookie");
  await page.getByRole("link", { name: "Вернуться к монете" }).click();
  await expect(page).toHaveURL(new RegExp(`${back}$`));
});
