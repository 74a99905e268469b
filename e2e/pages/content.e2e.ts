import type { Page } from "@playwright/test";
import type { RunningShop } from "#tests/running-shop.ts";
import { aCoin, aPhone, demo, expect, letters, readCode, test, open, openWithoutWaiting, reload } from "../journey.ts";

const main = (page: Page) => page.getByRole("main");
const desk = "info@chekan.example";

/** The letter to staff about the last form, once it was sent. */
async function deskLetter(shop: RunningShop, about: string): Promise<string> {
  let letter: string | undefined;
  await expect
    .poll(async () => (letter = (await letters(shop, desk)).find((each) => each.includes(about))), { message: `a letter about ${about}` })
    .toBeDefined();
  return letter ?? "";
}

test("a review with invalid fields is corrected and sent, waits for staff, and is then published", async ({ page, shop }) => {
  await open(page, "/reviews");
  await expect(page.getByText("образец").first()).toBeVisible();
  const form = main(page).getByRole("region", { name: "Ваш отзыв" });
  await form.getByLabel("Отзыв", { exact: true }).fill("Дошло за три дня, капсула цела <b>!</b>");
  await form.getByLabel(/^Имя/).fill("Вера");
  await form.getByLabel(/^Электронная почта/).fill("vera@");
  await form.getByRole("button", { name: "Отправить отзыв" }).click();

  await expect(form.getByText("Поставьте оценку от одного до пяти")).toBeVisible();
  await expect(form.getByText("Email указан неверно")).toBeVisible();
  await expect(form.getByText("Нужно согласие на обработку персональных данных")).toBeVisible();
  await expect(form.getByRole("radio", { name: "5" })).toBeFocused();
  await expect(form.getByLabel("Отзыв", { exact: true })).toHaveValue("Дошло за три дня, капсула цела <b>!</b>");

  await form.getByRole("radio", { name: "4" }).check();
  await form.getByLabel(/^Электронная почта/).fill("vera@example.com");
  await form.getByRole("checkbox").check();
  await shop.advance(5_000);
  await form.getByRole("button", { name: "Отправить отзыв" }).click();
  const thanks = main(page).getByRole("region", { name: "Спасибо за отзыв" });
  await expect(thanks).toBeFocused();

  const letter = await deskLetter(shop, "Дошло за три дня");
  expect(letter).toContain("Почта: vera@example.com");
  await expect.poll(async () => (await letters(shop, "vera@example.com")).length).toBe(1);
  const id = /desk -- review (\d+) approve/.exec(letter)?.[1];

  const isShown = async () => (await (await fetch(`${shop.url}/reviews`)).text()).includes("Дошло за три дня");
  expect(await isShown()).toBe(false);
  await demo(shop, `reviews/${id}`, { event: "approve" });
  await expect.poll(isShown).toBe(true); // cached pages may be some seconds old
  await open(page, "/reviews");
  await expect(main(page).getByText("капсула цела <b>!</b>")).toBeVisible();
  await demo(shop, `reviews/${id}`, { event: "reject" });
  await expect.poll(isShown).toBe(false);
});

test("a buyer opens the review form of a coin from the coin's page", async ({ page }) => {
  await open(page, `/reviews?coin=${aCoin.slug}`);
  await expect(
    main(page)
      .getByRole("region", { name: "Ваш отзыв" })
      .getByText(/О монете: Георгий Победоносец/),
  ).toBeVisible();
});

test("a visitor offers three kinds of coins for sale and staff gets all of them", async ({ page, shop }) => {
  const phone = aPhone();
  await open(page, "/coin-buyback"); // with scripts; without them: below
  const form = main(page).getByRole("region", { name: "Оценить монеты" });
  await form.getByRole("button", { name: "Добавить монету" }).click();
  for (const [row, title] of ["Сеятель 1976", "Георгий 50 рублей", "Соболь"].entries())
    await form
      .getByRole("combobox", { name: /^Монета/ })
      .nth(row)
      .fill(title);
  await form.getByRole("textbox", { name: /^Штук/ }).nth(0).fill("12");
  await form.getByRole("textbox", { name: /^Штук/ }).nth(1).fill("много");
  await form.getByLabel("Состояние").selectOption({ label: "Идеальное: в капсуле, без следов" });
  await reload(page); // every row is restored, also added ones
  await expect(form.getByRole("combobox", { name: /^Монета/ }).nth(2)).toHaveValue("Соболь");
  await form.getByLabel("Как к вам обращаться").fill("Олег");
  await form.getByLabel("Телефон").fill(phone);
  await form.getByRole("checkbox").check();
  await form.getByRole("button", { name: "Отправить на оценку" }).click();
  await expect(form.getByText("Число от 1 до 9999")).toBeVisible();
  await expect(form.getByRole("textbox", { name: /^Штук/ }).nth(1)).toBeFocused();
  await form.getByRole("textbox", { name: /^Штук/ }).nth(1).fill("2");
  await form.getByLabel("Как к вам обращаться").press("Enter");
  await expect(main(page).getByRole("region", { name: "Заявка на оценку получена" })).toBeVisible();
  const letter = await deskLetter(shop, phone);
  expect(letter).toContain("Сеятель 1976 × 12\nГеоргий 50 рублей × 2\nСоболь × 1");
  expect(letter).toContain("Состояние: идеальное");
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a partner's request with invalid fields is refused, keeps all entries, and is sent once corrected", async ({ page, shop }) => {
    await openWithoutWaiting(page, "/partners", "scripts are off");
    await expect(page.getByText(/Доставим бесплатно|До пункта СДЭК бесплатно/)).toHaveCount(0);
    const form = main(page).getByRole("region", { name: "Стать партнёром" });
    await form.getByLabel("Организация").fill("ООО «Салон»");
    await form.getByLabel("Телефон").fill("12");
    await form.getByLabel(/объёмы/).fill("Десять монет\nв месяц");
    await form.getByRole("checkbox").check();
    await form.getByRole("button", { name: "Отправить заявку" }).click();
    await expect(form.getByText("Телефон указан неверно")).toBeVisible();
    await expect(page).toHaveTitle("Ошибка: Партнёрам — Чекан");
    await expect(form.getByText("Обязательное поле").first()).toBeVisible();
    await expect(form.getByLabel("Организация")).toHaveValue("ООО «Салон»");
    await expect(form.getByLabel(/объёмы/)).toHaveValue("Десять монет\nв месяц");
    await expect(form.getByRole("checkbox")).toBeChecked();
    const phone = aPhone();
    await form.getByLabel("Телефон").fill(phone);
    await form.getByLabel("Как к вам обращаться").fill("Мария");
    await form.getByLabel("Электронная почта").fill("salon@example.com");
    await form.getByRole("button", { name: "Отправить заявку" }).click();
    await expect(main(page).getByRole("heading", { name: "Заявка получена" })).toBeVisible();
    await expect(page).toHaveTitle("Партнёрам — Чекан");
    expect(await deskLetter(shop, phone)).toContain("Организация: ООО «Салон»");
  });

  test("the title of a page with a refused form begins with «Ошибка:»", async ({ page }) => {
    for (const [path, button, title] of [
      ["/reviews", "Отправить отзыв", "Отзывы покупателей"],
      ["/contacts", "Жду звонка", "Контакты"],
      ["/coin-buyback", "Отправить на оценку", "Выкуп монет"],
    ] as const) {
      await openWithoutWaiting(page, path, "scripts are off");
      await expect(page).toHaveTitle(`${title} — Чекан`);
      await main(page).getByRole("button", { name: button }).click();
      await expect(page).toHaveTitle(`Ошибка: ${title} — Чекан`);
      await expect(main(page).getByRole("alert").first()).toBeVisible();
    }
    await openWithoutWaiting(page, "/quotes-online", "scripts are off");
    await main(page).getByText("Напишите мне, когда цена изменится").click();
    await main(page).getByLabel("Электронная почта").fill("не почта");
    await main(page).getByRole("button", { name: "Следить" }).click();
    await expect(page).toHaveTitle("Ошибка: Оповещения о цене — Чекан");
    await expect(main(page).getByLabel("Электронная почта")).toHaveValue("не почта");

    await openWithoutWaiting(page, `/products/${aCoin.slug}`, "scripts are off");
    await main(page).getByRole("button", { name: "В корзину", exact: true }).first().click();
    await openWithoutWaiting(page, "/cart", "scripts are off");
    await main(page).getByText("Ввести промокод").click();
    await main(page).getByLabel("Промокод").fill("НЕТ-ТАКОГО");
    await main(page).getByRole("button", { name: "Применить" }).click();
    await expect(page).toHaveTitle("Ошибка: Корзина — Чекан");
    await expect(main(page).getByText("Такого промокода нет")).toBeVisible();
    await main(page).getByLabel("Промокод").fill(" ");
    await main(page).getByRole("button", { name: "Применить" }).click();
    await expect(main(page).getByLabel("Промокод")).toHaveAccessibleDescription("Обязательное поле");
  });

  test("without scripts another coin's row is added by the server without losing entries", async ({ page }) => {
    await openWithoutWaiting(page, "/coin-buyback", "scripts are off");
    const form = main(page).getByRole("region", { name: "Оценить монеты" });
    await form
      .getByRole("combobox", { name: /^Монета/ })
      .nth(1)
      .fill("Соболь");
    await form.getByRole("button", { name: "Добавить монету" }).click();
    await expect(form.getByRole("combobox", { name: /^Монета/ })).toHaveCount(3);
    await expect(form.getByRole("combobox", { name: /^Монета/ }).nth(1)).toHaveValue("Соболь");
    await expect(form.getByRole("alert")).toHaveCount(0);
  });
});

test("a visitor asks for a call; a robot that fills in the hidden field gets the same thanks and is dropped", async ({ page, shop }) => {
  const [phone, robots] = [aPhone(), aPhone()];
  const send = async (number: string, prepare?: () => Promise<void>) => {
    await open(page, "/contacts");
    const form = main(page).getByRole("region", { name: "Перезвоним вам" });
    await form.getByLabel("Телефон").fill(number);
    await reload(page);
    await expect(form.getByLabel("Телефон")).toHaveValue(/^\+7 \(\d{3}\) \d{3}-\d\d-\d\d$/); // stored in this tab until it is sent
    await form.getByRole("checkbox").check();
    await prepare?.();
    await form.getByRole("button", { name: "Жду звонка" }).click();
    await expect(main(page).getByRole("region", { name: "Скоро позвоним" })).toBeVisible();
  };
  await send(robots, () =>
    page.locator("input[name=second_subject]").evaluate((input: HTMLInputElement) => {
      input.value = "купите";
    }),
  );
  await send(phone);
  await deskLetter(shop, phone);
  expect((await letters(shop, desk)).some((each) => each.includes(robots))).toBe(false);
});

test("a link in an order's message opens sign-in with the phone filled in; three steps later the account is open", async ({
  page,
  browser,
  shop,
}) => {
  const phone = aPhone();
  const post = async (url: string, data: object, headers = {}) =>
    (await (await page.request.post(url, { data, headers: { origin: shop.url, ...headers } })).json()) as {
      data: { quoteId: string; id: string; key: string };
    };
  await page.request.patch(`/api/cart/${aCoin.id}`, { data: { quantity: 1 }, headers: { origin: shop.url } });
  const {
    data: { quoteId },
  } = await post("/api/checkout/quote", { deliveryId: 35, city: "0000073738", paymentId: 4 });
  const user = { name: "Анна", lastName: "Белова", email: "anna@example.com", phone };
  const { data: order } = await post(
    "/api/orders",
    { quoteId, user, delivery: { id: 35 }, paymentId: 4, consent: true },
    { "idempotency-key": "content-1" },
  );

  await expect
    .poll(async () => (await letters(shop, "anna@example.com"))[0] ?? "")
    .toContain(`/cabinet/create?order=${order.id}&key=${order.key}`);
  await open(page, `/cabinet/create?order=${order.id}&key=${order.key}`);
  await expect(page.getByRole("banner")).toHaveCount(0);
  await expect(page.getByRole("contentinfo")).toHaveCount(0);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Телефон")).toHaveValue(new RegExp(phone.slice(-2)));
  await dialog.getByRole("button", { name: /^Получить код/ }).click();
  await dialog.getByLabel("Код из SMS").fill(await readCode(shop, phone));
  await dialog.getByRole("button", { name: /^Пропустить/ }).click();
  await expect(page).toHaveURL(/\/my$/);
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(main(page).getByText("Белова Анна").first()).toBeVisible(); // the order was added, with its buyer's name
  await expect(
    main(page)
      .getByRole("link", { name: /№|Заказ \d/ })
      .first(),
  ).toBeVisible();

  const other = await browser.newPage();
  await open(other, `${shop.url}/cabinet/create?order=${order.id}&key=wrong`);
  await expect(other.getByRole("dialog").getByLabel("Телефон")).toHaveValue("");
  await other.close();
});

test("each text has one address; other spellings redirect to it, unknown ones show the error page", async ({ page, shop }) => {
  const request = async (path: string) => {
    const answer = await fetch(`${shop.url}${path}`, { redirect: "manual" });
    return `${answer.status} ${(answer.headers.get("location") ?? "").replace(shop.url, "")}`.trim();
  };
  for (const id of [18, 19, 20, 318, 1485, 1486, 1487]) expect(await request(`/training/${id}`)).toBe("200");
  expect([await request("/training/kak-vybrat-monetu"), await request("/training/kak-vybrat-monetu?from=mail")]).toEqual([
    "308 /training/19",
    "308 /training/19?from=mail",
  ]);
  expect((await fetch(`${shop.url}/training/kak-vybrat-monetu`, { redirect: "manual" })).headers.get("content-type")).toBeNull();
  expect(await request("/promo/serebro-do-10-tysyach")).toBe("308 /promo/2");
  expect([await request("/blog"), await request("/blog?utm_source=mail&page=2")]).toEqual([
    "308 /news",
    "308 /news?utm_source=mail&page=2",
  ]);
  expect(await request("/contacts/map")).toMatch(/^307 https:\/\/yandex\.ru\/maps/);
  expect([
    await request("/news/page/1?x=1"),
    await request("/news/page/2"),
    await request("/news/page/3"),
    await request("/news/page/0"),
  ]).toEqual(["301 /news?x=1", "200", "404", "404"]);
  for (const path of [
    "/nothing",
    "/a/b",
    "/a/b/c",
    "/a/b/c/d",
    "/a/b/c/d/e",
    "/training/21",
    "/cases/nothing",
    "/promo/99",
    "/products/nothing",
  ])
    expect([path, await request(path)]).toEqual([path, "404"]);

  for (const icon of ["/favicon.ico", "/apple-touch-icon.png"])
    expect([icon, (await fetch(`${shop.url}${icon}`)).headers.get("content-type")]).toEqual([
      icon,
      expect.stringMatching(/^image\/(x-icon|png)$/),
    ]);

  await open(page, "/a/b/c/d");
  await expect(page.getByRole("heading", { level: 1, name: "Страница не найдена" })).toBeVisible();
  await open(page, "/consent/review");
  await expect(page.getByRole("heading", { level: 1, name: "Согласие на публикацию отзыва" })).toBeVisible();
  await page.getByRole("navigation", { name: "Вы здесь" }).getByRole("link", { name: "Документы" }).click();
  await expect(page).toHaveURL(/\/documents$/);
});

test("the policy is a PDF with the shop's own name, and robots.txt excludes personal pages", async ({ shop }) => {
  const policy = await fetch(`${shop.url}/privacy-policy.pdf`);
  expect(policy.headers.get("content-type")).toBe("application/pdf");
  expect(
    Buffer.from(await policy.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe("%PDF-");
  const robots = await (await fetch(`${shop.url}/robots.txt`)).text();
  for (const path of ["/api/cart/clear", "/api/wishlist/clear", "/api/compare/clear", "/api/auth/logout", "/checkout", "/my"])
    expect(robots).toContain(`Disallow: ${path}\n`);
  expect(robots).toContain(`Sitemap: ${shop.url}/sitemap.xml`);
  const feed = await (await fetch(`${shop.url}/news/rss.xml`)).text();
  expect(feed.match(/<item>/g)).toHaveLength(9);
});

/** The address without what differs from coin to coin: of links that differ in their query alone, one of each kind is followed. */
const kindOf = (link: URL): string =>
  `${link.pathname.replace(/^\/products\/.+/, "/products/…")}?${[...link.searchParams.keys()].toSorted().join("&")}`;

/** How many pictures of coins are requested; all are encoded by the same code. */
const maxCoinPictures = 24;

test("no link, picture or site map entry is broken; each page has one heading, its own title and description", async ({ shop }) => {
  const pages = new Map<string, string>();
  const waiting = new Set(["/"]);
  const kinds = new Set<string>();
  const pictures = new Map<string, string>();
  const anchors: { from: string; to: string; id: string }[] = [];
  const map = await (await fetch(`${shop.url}/sitemap.xml`)).text();
  for (const [, address = ""] of map.matchAll(/<loc>([^<]+)<\/loc>/g)) waiting.add(new URL(address).pathname);
  expect(waiting.size).toBeGreaterThan(400);
  const wrong: string[] = [];
  for (const path of waiting) {
    // Compressing hundreds of pages would prove nothing here.
    const answer = await fetch(`${shop.url}${path}`, { headers: { "accept-encoding": "identity" } });
    const type = answer.headers.get("content-type") ?? "";
    const html = await answer.text();
    // Personal pages require a sign-in (401).
    if (!answer.ok && !(answer.status === 401 && path.startsWith("/my"))) wrong.push(`${path}: ${answer.status}`);
    if (!type.startsWith("text/html")) continue;
    if (answer.ok) pages.set(path, html);
    for (const [, found = ""] of html.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      const link = new URL(found.replaceAll("&amp;", "&"), `${shop.url}${path}`);
      if (link.origin !== shop.url || link.pathname === "/contacts/map") continue;
      if (link.hash) anchors.push({ from: path, to: `${link.pathname}${link.search}`, id: decodeURIComponent(link.hash.slice(1)) });
      if (!link.search) waiting.add(link.pathname);
      else if (!kinds.has(kindOf(link))) {
        kinds.add(kindOf(link));
        waiting.add(`${link.pathname}${link.search}`);
      }
    }
    for (const [, source = ""] of html.matchAll(/<(?:img|source|video|script|use)[^>]*? (?:src|poster|href)="(\/[^"]*)"/g))
      pictures.set(source.replaceAll("&amp;", "&").replace(/#.*/, ""), path);
  }
  expect([kinds.size > 5, anchors.length > 100, pictures.size > 400]).toEqual([true, true, true]); // the scan did look at pages
  for (const { from, to, id } of anchors) {
    const html = pages.get(to);
    if (html !== undefined && !html.includes(` id="${id}"`)) wrong.push(`${from}: nothing at ${to}#${id}`);
  }
  let coins = 0;
  for (const [source, path] of pictures) {
    if (source.startsWith("/media/coins/") && (coins += 1) > maxCoinPictures) continue;
    const { status } = await fetch(`${shop.url}${source}`);
    if (status !== 200) wrong.push(`${path}: ${source} ${status}`);
  }

  const [titles, descriptions] = [new Map<string, string>(), new Map<string, string>()];
  for (const [path, html] of pages) {
    if (/\{\{|\}\}/.test(html.replaceAll(/<(script|style)[\s\S]*?<\/\1>/g, ""))) wrong.push(`${path}: braces`);
    const headings = html.match(/<h1[ >]/g)?.length ?? 0;
    if (headings !== 1) wrong.push(`${path}: ${headings} headings`);
    const title = /<title>([^<]+)/.exec(html)?.[1] ?? "";
    if (title === "") wrong.push(`${path}: no title`);
    if (/<meta name="robots" content="noindex"/.test(html)) continue; // the same page, or not found for this visitor
    const description = /<meta name="description" content="([^"]+)/.exec(html)?.[1] ?? "";
    for (const [name, text, known] of [
      ["title", title, titles],
      ["description", description, descriptions],
    ] as const) {
      if (text === "" || known.has(text)) wrong.push(`${path}: ${name} «${text}» as ${known.get(text)}`);
      known.set(text, path);
    }
  }
  expect(wrong).toEqual([]);
});
