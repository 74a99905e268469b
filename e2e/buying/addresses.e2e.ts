import type { RunningShop } from "#tests/running-shop.ts";
import { aCoin, demo, expect, test, open } from "../journey.ts";

/** The addresses that links and search engines know: address, page heading, page title before the shop's name. */
const pages: readonly (readonly [path: string, heading: string, title?: string])[] = [
  ["/", "Цена должна быть объяснима", "Чекан: монеты из золота и серебра с объяснимой ценой"],
  ["/about", "О магазине"],
  ["/cart", "Корзина"],
  ["/cases", "Кейсы", "Кейсы покупателей"],
  ["/cases/nakopit-na-obuchenie", "Четвертинка в месяц: как семья копит на учёбу"],
  ["/catalog", "Каталог монет"],
  ["/catalog/page/2", "Каталог монет", "Каталог монет, страница 2"],
  ["/catalog/gold", "Золотые монеты"],
  ["/catalog/silver", "Серебряные монеты"],
  ["/catalog/gold/page/2", "Золотые монеты", "Золотые монеты, страница 2"],
  ["/catalog/gold/monety-georgiy-pobedonosec", "Золотой «Георгий Победоносец»"],
  ["/catalog/gold/monety-georgiy-pobedonosec/50-rub", "«Георгий Победоносец», 50 рублей"],
  ["/catalog/gold/monety-seyatel", "Золотой червонец «Сеятель»"],
  ["/certificates", "Подлинность и документы"],
  ["/checkout", "Оформление"],
  ["/coin-buyback", "Выкуп монет"],
  ["/contacts", "Контакты"],
  ["/delivery", "Доставка и оплата"],
  ["/how-to-buy", "Как купить"],
  ["/news", "Блог", "Блог о монетах"],
  ["/news/page/2", "Блог, страница 2"],
  ["/partners", "Партнёрам"],
  ["/payment-error", "Оплата не завершена"],
  ["/product-comparison", "Сравнение", "Сравнение монет"],
  ["/promo", "Акции"],
  ["/promo/1", "Курьер до двери бесплатно при заказе от 150\u00A0000 ₽"],
  ["/quotes-online", "Цена золота", "Цена золота сегодня"],
  ["/return", "Возврат и обмен"],
  ["/reviews", "Отзывы", "Отзывы покупателей"],
  ["/search?q=георгий", "Поиск", "георгий: поиск"],
  ["/thanks", "Здесь нет заказа"],
  ["/training", "Обучение для новичков"],
  ["/training/18", "Что такое инвестиционные монеты"],
  ["/training/19", "Как выбрать монету для вложений"],
  ["/training/20", "Из чего складывается цена монеты"],
  ["/training/318", "Как и где хранить монеты"],
  ["/training/1485", "Налоги: НДС, НДФЛ и документы"],
  ["/training/1486", "Как продать монеты и не потерять на этом"],
  ["/training/1487", "Десять ошибок начинающих инвесторов в монеты"],
  ["/wishlist", "Избранное"],
  ["/cabinet/create", "Создать кабинет"],
  ["/catalog/bullion-coins", "Инвестиционные монеты"],
  ["/catalog/bullion-coins/georgij-pobedonosec", "«Георгий Победоносец» в золоте и серебре"],
  ["/catalog/bullion-coins/monety-sberbanka", "Монеты, которые продаёт Сбербанк"],
  ["/catalog/bullion-coins/monety-sberbanka/gold", "Золотые монеты из ассортимента Сбербанка"],
  ["/catalog/bullion-coins/monety-sberbanka/silver", "Серебряные монеты из ассортимента Сбербанка"],
  ["/catalog/bullion-coins/rf", "Инвестиционные монеты России"],
  ["/catalog/gold/rf", "Золотые монеты России"],
  ["/catalog/silver/rf", "Серебряные монеты России"],
  ["/catalog/silver/monety-georgiy-pobedonosec", "Серебряный «Георгий Победоносец»"],
  ["/catalog/memorable-coins", "Памятные монеты"],
  ["/catalog/gold/bullion-coins", "Золотые инвестиционные монеты"],
  ["/catalog/gold/memorable-coins", "Золотые памятные монеты"],
  ["/catalog/silver/bullion-coins", "Серебряные инвестиционные монеты"],
  ["/catalog/silver/memorable-coins", "Серебряные памятные монеты"],
];

type StructuredData = { "@type": string; [name: string]: unknown };
type Read = {
  status: number;
  heading: string;
  title: string;
  html: string;
  meta(name: string): string | null;
  canonical: string | null;
  structuredData: StructuredData[];
};

async function read(shop: RunningShop, path: string): Promise<Read> {
  const answer = await fetch(`${shop.url}${encodeURI(path)}`, { redirect: "manual" });
  const html = await answer.text();
  const words = (text: string) =>
    text
      .replaceAll(/<[^>]+>/g, "")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&")
      .trim();
  return {
    status: answer.status,
    html,
    heading: words(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? ""),
    title: words(/<title>([^<]*)/.exec(html)?.[1] ?? ""),
    meta: (name) => new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1]?.replaceAll("&amp;", "&") ?? null,
    canonical: /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1] ?? null,
    structuredData: [...html.matchAll(/<script type="application\/ld\+json"[^>]*>([\s\S]*?)<\/script>/g)].map(
      ([, text = ""]) => JSON.parse(text) as StructuredData,
    ),
  };
}

test("every address of the specification answers with its own heading and title", async ({ shop }) => {
  for (const [path, heading, title = heading] of pages) {
    const page = await read(shop, path);
    expect([path, page.status, page.heading, page.title]).toEqual([
      path,
      200,
      heading,
      title.includes("Чекан") ? title : `${title} — Чекан`,
    ]);
  }
  for (const path of ["/my", "/my/orders", "/my/orders/abcdefghijkl", "/my/profile", "/my/profile/edit"])
    expect([path, (await read(shop, path)).status]).toEqual([path, 401]);
});

/** Structured data of a kind of page besides the organisation, and whether it has its own picture. */
const kinds = [
  ["/", [], false],
  ["/catalog", ["BreadcrumbList"], false],
  ["/catalog/gold/bullion-coins", ["BreadcrumbList"], false],
  [`/products/${aCoin.slug}`, ["BreadcrumbList", "Product"], true],
  ["/news", ["BreadcrumbList"], false],
  ["/news/konec-goda-sroki-dostavki-2026", ["BreadcrumbList", "Article"], true],
  ["/training/19", ["BreadcrumbList", "Article"], false],
  ["/promo/1", ["BreadcrumbList", "Article"], true],
  ["/delivery", ["BreadcrumbList", "FAQPage"], false],
  ["/contacts", ["BreadcrumbList"], false],
  ["/reviews", ["BreadcrumbList"], false],
  ["/documents", ["BreadcrumbList"], false],
] as const;

for (const [path, types, hasPicture] of kinds) {
  test(`${path} describes itself to search engines: kind, breadcrumbs and picture`, async ({ shop }) => {
    const page = await read(shop, path);
    expect(page.structuredData.map((each) => each["@type"]).toSorted()).toEqual(["Organization", ...types].toSorted());
    expect(page.canonical).toBe(`${shop.url}${path}`);
    expect(page.meta("og:url")).toBe(page.canonical);
    expect(page.meta("og:title")).toBe(page.title);
    expect(page.meta("robots")).toBeNull();
    const description = page.meta("description") ?? "";
    expect(description.length).toBeGreaterThan(40);
    expect(description.length).toBeLessThanOrEqual(161);
    const pictures = [...page.html.matchAll(/<meta property="og:image" content="([^"]*)"/g)].map(([, address = ""]) =>
      address.replaceAll("&amp;", "&"),
    );
    expect(pictures).toHaveLength(hasPicture ? 2 : 1);
    for (const address of pictures) {
      expect(address.startsWith(shop.url)).toBe(true);
      const picture = await fetch(address);
      expect([address, picture.status]).toEqual([address, 200]);
      expect(picture.headers.get("content-type")).toMatch(/^image\/(jpeg|webp)$/);
    }
    const trail = page.structuredData.find((each) => each["@type"] === "BreadcrumbList")?.itemListElement as
      | { position: number; name: string; item: string }[]
      | undefined;
    if (!trail) return;
    expect(trail.map(({ position }) => position)).toEqual(trail.map((_, index) => index + 1));
    expect([trail[0]?.item, trail.at(-1)?.item]).toEqual([`${shop.url}/`, page.canonical]);
    for (const { item, name } of trail) expect([item, name !== "", (await fetch(item)).status]).toEqual([item, true, 200]);
  });
}

test("a page with any query string is noindex and has the canonical address without it", async ({ shop }) => {
  for (const [path, own] of [
    ["/catalog?metal=gold", "/catalog"],
    ["/?utm_source=x", "/"],
    [`/products/${aCoin.slug}?from=mail`, `/products/${aCoin.slug}`],
    ["/search?q=золото", "/search"],
    ["/contacts?a=b", "/contacts"],
  ] as const) {
    const page = await read(shop, path);
    expect([path, page.meta("robots"), page.canonical]).toEqual([path, "noindex", `${shop.url}${own}`]);
  }
  for (const path of ["/cart", "/checkout", "/wishlist", "/product-comparison", "/thanks", "/payment-error", "/cabinet/create", "/my"])
    expect([path, (await read(shop, path)).meta("robots")]).toEqual([path, "noindex"]);
});

test("structured data of a coin agrees with its page and the API; invented reviews are left out", async ({ shop }) => {
  const page = await read(shop, `/products/${aCoin.slug}`);
  const product = page.structuredData.find((each) => each["@type"] === "Product") as StructuredData & {
    offers: { price: string; priceCurrency: string; availability: string };
    sku: string;
    image: string[];
  };
  const { data } = (await (await fetch(`${shop.url}/api/products/${aCoin.slug}`)).json()) as { data: { price: number; inStock: boolean } };
  expect(page.title).toContain(new Intl.NumberFormat("ru-RU").format(Number(product.offers.price)));
  expect(product).toMatchObject({
    sku: String(aCoin.id),
    offers: { priceCurrency: "RUB", availability: `https://schema.org/${data.inStock ? "InStock" : "OutOfStock"}` },
  });
  expect(Math.abs(Number(product.offers.price) - data.price)).toBeLessThan(data.price * 0.01); // the demo's market moves every second
  for (const picture of product.image) expect((await fetch(picture)).status).toBe(200);
  const reviews = await read(shop, "/reviews");
  expect(reviews.html).toContain("образец");
  expect(JSON.stringify([...page.structuredData, ...reviews.structuredData])).not.toMatch(/AggregateRating|"Review"/);
});

test("the price feed agrees with the shop, changes with the price list, and has the same bytes until then", async ({ shop }) => {
  const prices = (feed: string) =>
    new Map(
      [...feed.matchAll(/<offer id="(\d+)"[\s\S]*?<price>([\d.]+)<\/price>/g)].map(([, id = "", price = ""]) => [
        Number(id),
        Number(price),
      ]),
    );
  const own = async () => {
    const { data } = (await (await fetch(`${shop.url}/api/products?ids=1001,1050,1100,1200`)).json()) as {
      data: { id: number; price: number }[];
    };
    return new Map(data.map(({ id, price }) => [id, price]));
  };
  const agree = async () => {
    const before = await own();
    const answer = await fetch(`${shop.url}/yml.xml`);
    const feed = prices(await answer.text());
    if (JSON.stringify([...before]) !== JSON.stringify([...(await own())])) return null; // prices changed between the requests: try again
    expect(before.size).toBeGreaterThan(1);
    for (const [id, price] of before) expect([id, feed.get(id)]).toEqual([id, price]);
    expect(feed.size).toBeGreaterThan(370);
    return { feed, answer };
  };
  let first = await agree();
  await expect(async () => {
    first = await agree();
    expect(first).not.toBeNull();
  }).toPass();
  expect(first?.answer.headers.get("content-type")).toBe("application/xml; charset=utf-8");
  expect(first?.answer.headers.get("content-encoding")).toMatch(/br|gzip/);

  await demo(shop, "rates", { XAU_RUB: 11_200 });
  await expect(async () => {
    const moved = await agree();
    expect(moved?.feed.get(aCoin.id)).not.toBe(first?.feed.get(aCoin.id));
    const etag = moved?.answer.headers.get("etag") ?? "";
    expect((await fetch(`${shop.url}/yml.xml`, { headers: { "if-none-match": etag } })).status).toBe(304);
  }).toPass();
});

test("old addresses redirect: inside the site without a page load, to other sites with one", async ({ page, shop }) => {
  const request = async (path: string) => {
    const answer = await fetch(`${shop.url}${path}`, { redirect: "manual" });
    return `${answer.status} ${(answer.headers.get("location") ?? "").replace(shop.url, "")}`.trim();
  };
  const kept = [
    ["/blog", "/news"],
    ["/articles", "/training"],
    ["/faq", "/how-to-buy"],
    ["/payment", "/delivery"],
    ["/buyback", "/coin-buyback"],
    ["/otzyvy", "/reviews"],
    ["/actions", "/promo"],
    ["/kontakty", "/contacts"],
    ["/catalog.html", "/catalog"],
    ["/index.html", "/"],
  ] as const;
  for (const [from, to] of kept) expect([from, await request(from)]).toEqual([from, `308 ${to}`]);
  expect([await request("/catalog/gold/?sort=price"), await request("/catalog/page/1"), await request("/CATALOG")]).toEqual([
    "301 /catalog/gold?sort=price",
    "301 /catalog",
    "404",
  ]);
  expect(await request("/contacts/map")).toMatch(/^307 https:\/\/yandex\.ru\/maps/);

  await page.route("https://yandex.ru/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<meta charset=utf-8><title>Карта</title>" }),
  );
  await open(page, "/about");
  // A link inside the site to an address with a stored redirect: the router follows it.
  const follow = (path: string) =>
    page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate", { state: null }));
    }, path);
  await page.evaluate(() => {
    (window as { isSame?: boolean }).isSame = true;
  });
  await follow("/blog");
  await expect(page).toHaveURL(`${shop.url}/news`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Блог");
  expect(await page.evaluate(() => (window as { isSame?: boolean }).isSame)).toBe(true);
  await follow("/contacts/map");
  await expect(page).toHaveTitle("Карта");
});
