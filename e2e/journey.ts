import { test as base, expect, type Page, type Response } from "@playwright/test";
import { runShop, withoutRateLimits, withoutReserveLimits, type RunningShop } from "#tests/running-shop.ts";
import { ownDatabase } from "./postgres.ts";
import { lookAtClasses, type Unstyled, watchClasses } from "./unstyled-classes.ts";

/**
 * Journeys share one running shop per worker: simulators, a clock that can be moved, and a PostgreSQL database. The embedded database runs
 * inside the shop's process and takes its time, so only `buy-as-guest.e2e.ts` uses it. A file that changes what others count on, or counts
 * what others leave, has a shop of its own: it gives `shopOf` a name that no other file has.
 */
export const test = base.extend<{ unstyled: Unstyled }, { database: "postgresql" | "pglite"; shopOf: string; shop: RunningShop }>({
  database: ["postgresql", { option: true, scope: "worker" }],
  shopOf: ["all files without a name here", { option: true, scope: "worker" }],
  shop: [
    async ({ database }, use) => {
      const shop = await runShop({ ...unlimited, ...exchangeAccess, ...(database === "postgresql" ? await ownDatabase() : {}) });
      await use(shop);
      await stopInOrder(shop);
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ shop }, use) => use(shop.url),
  /** The cookie banner is already answered; only `consents.e2e.ts` tests it. */
  context: async ({ context, unstyled }, use) => {
    await context.addInitScript(() => {
      if (location.origin === "null") return; // a blank page has no storage
      localStorage.setItem(
        "cookie-choice",
        JSON.stringify({ statistics: false, textVersion: "cookies-2026-11", at: new Date().toISOString() }),
      );
    });
    await use(context);
    await Promise.all(context.pages().map(lookAtClasses));
    expect(
      [...unstyled].map(([name, path]) => `.${name} at ${path}`),
      "each class has a rule in the styles of its page",
    ).toEqual([]);
  },
  /** Checks the classes in contexts that a journey opens itself, too. */
  unstyled: [
    async ({ browser }, use) => {
      const unstyled: Unstyled = new Map();
      const newContext = browser.newContext.bind(browser);
      browser.newContext = async (options) => {
        const context = await newContext(options);
        await watchClasses(context, unstyled);
        return context;
      };
      await use(unstyled);
      browser.newContext = newContext;
    },
    { auto: true },
  ],
});
export { expect };

/** Stops a shop after its journeys. Fails when they left stock or money that do not add up. */
export async function stopInOrder(shop: RunningShop): Promise<void> {
  const broken = await shop.checkLedger().finally(() => shop.stop());
  expect(broken, "the ledger is in order after the journeys").toEqual([]);
}

/** The exchange with 1C, under a password that journeys know. */
export const exchangeAccess = { COMMERCEML_LOGIN: "1c", COMMERCEML_PASSWORD: "password-of-the-journeys" };

/** One machine plays all buyers, so rate limits are off, and a busy one must not turn an answer into 503. */
export const unlimited: Record<string, string> = {
  REQUEST_DEADLINE_MS: "60000",
  ...withoutRateLimits,
  ...withoutReserveLimits,
  ...Object.fromEntries(
    [
      "CODES_PER_ADDRESS_HOUR",
      "CODES_PER_NETWORK_HOUR",
      "WRONG_CODES_PER_ADDRESS_HOUR",
      "INQUIRIES_PER_ADDRESS_HOUR",
      "OVERLOAD_DELAY_MS",
    ].map((name) => [name, "1000000"]),
  ),
};

export const aCoin = { slug: "georgij-pobedonosec-50-rublej-2026-mmd", id: 1001 };

/**
 * Waits until the page is interactive: hydrated, the router idle, and React rendered. Before that a click may be lost, a field may be reset
 * to the server's value, and the page may still redirect. After a link that the router follows, call it once the new page is shown (its
 * heading or address).
 */
export async function untilInteractive(page: Page): Promise<void> {
  // One function that waits inside the page: Playwright restarts it when the page is loaded again meanwhile.
  await page.waitForFunction(async () => {
    const isReady = (): boolean => {
      const router = window.__reactRouterDataRouter?.state;
      return (
        document.readyState !== "loading" && // before, the script that records early clicks may not have run
        window.earlyClicks === undefined &&
        router?.revalidation === "idle" &&
        router.navigation.state === "idle" &&
        [...router.fetchers.values()].every(({ state }) => state === "idle")
      );
    };
    // The scheduler uses the machine's clock even if a journey has replaced the page's, and is not throttled in a hidden tab.
    for (;;) {
      while (!isReady()) await scheduler.postTask(() => {}, { delay: 20 });
      // A task of the lowest priority runs after everything that React has queued.
      for (let turn = 0; turn < 2; turn += 1) await scheduler.postTask(() => {}, { priority: "background" });
      if (isReady()) return true;
    }
  });
}

/** Waits until all queued work of the page is done: nothing more happens without a further action. */
export const queueIsEmpty = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 2; turn += 1) await scheduler.postTask(() => {}, { priority: "background" });
  });

/** Opens a page of the shop in the foreground (timers of a hidden tab are throttled) and waits until it is interactive. */
export async function open(page: Page, url: string): Promise<Response | null> {
  await page.bringToFront();
  const answer = await page.goto(url, { waitUntil: "domcontentloaded" });
  await untilInteractive(page);
  return answer;
}

export async function reload(page: Page): Promise<void> {
  await page.bringToFront();
  await page.reload({ waitUntil: "domcontentloaded" });
  await untilInteractive(page);
}

/** One step back to a page of the shop. Waits for a running navigation first, which would otherwise continue after it. */
export async function goBack(page: Page): Promise<void> {
  const isOfShop = await page.evaluate(() => window.__reactRouterDataRouter !== undefined);
  if (isOfShop) await untilInteractive(page);
  await page.goBack({ waitUntil: "domcontentloaded" });
  await untilInteractive(page);
}

/** The same for pages with scripts off. */
export const goBackWithoutScripts = (page: Page): Promise<Response | null> => page.goBack({ waitUntil: "domcontentloaded" });
export const reloadWithoutScripts = (page: Page): Promise<Response | null> => page.reload({ waitUntil: "domcontentloaded" });

/** Opens a page that never becomes interactive, or is used before it is; the reason is named. Without scripts it waits for the styles. */
export const openWithoutWaiting = (
  page: Page,
  url: string,
  reason: "scripts are off" | "scripts fail" | "scripts are held back" | "not a page of the shop",
): Promise<Response | null> =>
  page.goto(url, { waitUntil: reason === "scripts are held back" ? "commit" : reason === "scripts are off" ? "load" : "domcontentloaded" });

/** Waits until the server has answered the clicks: badges change at once, so a page requested outside the router could be older. */
export const pressesAnswered = (page: Page): Promise<void> => expect(page.getByRole("banner").locator("a[aria-busy]")).toHaveCount(0);

/** Opens a coin's page and puts one piece in the cart. */
export async function putInCart(page: Page, slug = aCoin.slug): Promise<void> {
  await open(page, `/products/${slug}`);
  await page.getByRole("main").getByRole("button", { name: "В корзину", exact: true }).first().click();
  await expect(page.getByRole("banner").getByRole("link", { name: /Корзина, / })).toBeVisible();
  await pressesAnswered(page);
}

export async function fillContacts(page: Page, buyer: { lastName: string; name: string; phone: string; email: string }): Promise<void> {
  await page.getByLabel("Фамилия").fill(buyer.lastName);
  await page.getByLabel("Имя", { exact: true }).fill(buyer.name);
  await page.getByRole("textbox", { name: "Телефон" }).fill(buyer.phone);
  await page.getByLabel("Электронная почта").fill(buyer.email);
}

export const agreeAndOrder = async (page: Page, button: string | RegExp = /^Оплатить/): Promise<void> => {
  await page.getByRole("checkbox", { name: /Принимаю условия продажи/ }).check();
  await page.getByRole("checkbox", { name: /Разрешаю обработку персональных данных/ }).check();
  await orderButton(page, button).click();
};

/** The button of the last step; the sum beside the steps has one with the same verb. */
export const orderButton = (page: Page, name: string | RegExp = /^(Оплатить|Заказать)/) =>
  page.getByRole("region", { name: "Подтверждение" }).getByRole("button", { name });

/** Waits for the quote: the page's price is now the one that will be charged. */
export const priceIsLocked = (page: Page): Promise<void> =>
  expect(page.getByRole("status").filter({ hasText: /Цена зафиксирована до/ })).toBeVisible();

/** The newest code sent to a phone, from the demo's outbox. */
export async function readCode(shop: RunningShop, phone: string): Promise<string> {
  let code: string | undefined;
  await expect
    .poll(
      async () => {
        const [newest = ""] = await letters(shop, phone);
        code = /\b\d{4}\b/.exec(newest)?.[0];
        return code;
      },
      { message: `a code was sent to ${phone}` },
    )
    .toBeDefined();
  return code ?? "";
}

/** Posts JSON to the shop outside a browser. Throws unless the answer is a success. */
async function post(shop: RunningShop, path: string, body: object, headers: Record<string, string> = {}): Promise<void> {
  const answer = await fetch(`${shop.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

/** A call of demo mode under `/_demo/`: `market`, `rates`, `orders/<id>` with an event. */
export const demo = (shop: RunningShop, path: string, body: object): Promise<void> => post(shop, `/_demo/${path}`, body);

/** Sends a public form, `callback` or `reviews`, as its page does. */
export const postForm = (shop: RunningShop, form: string, body: object): Promise<void> =>
  post(shop, `/api/${form}`, body, { origin: shop.url });

/**
 * Opens the market with fixed rates, roubles, whatever earlier journeys left. Resolves when the shop shows them and its price list uses
 * them.
 */
export async function marketStands(shop: RunningShop, { gold = 11_100, silver = 131.48 } = {}): Promise<void> {
  await demo(shop, "market", { open: true });
  await demo(shop, "rates", { XAU_RUB: gold, XAG_RUB: silver });
  await expect
    .poll(async () => {
      const answer = (await (await fetch(`${shop.url}/api/courses`)).json()) as {
        courses?: Record<"XAU_RUB" | "XAG_RUB", { course: number }>;
      };
      const work = (await (await fetch(`${shop.url}/api/work`)).json()) as { work?: boolean };
      const {
        data: [coin],
      } = (await (await fetch(`${shop.url}/api/products?ids=${aCoin.id}`)).json()) as { data: { price: number }[] };
      const premium = (coin?.price ?? 0) / (gold * 7.78) - 1; // of a coin with 7.78 g of gold, 5.5 % above the metal
      return [work.work, answer.courses?.XAU_RUB.course, answer.courses?.XAG_RUB.course, premium.toFixed(3)];
    })
    .toEqual([true, gold, silver, "0.055"]);
}

type SimulatedPayment = { id: string; orderId: string; amount: number; status: string; refunded: number };
/** All payments at the simulated provider. */
export async function simulatedPayments(shop: RunningShop): Promise<SimulatedPayment[]> {
  const answer = await fetch(`${shop.url}/_demo/payments`);
  return ((await answer.json()) as { data: SimulatedPayment[] }).data;
}

/** The texts of the letters and SMS to an address or a phone, the newest first. */
export async function letters(shop: RunningShop, to: string): Promise<string[]> {
  const answer = await fetch(`${shop.url}/_demo/outbox?to=${encodeURIComponent(to)}`);
  return ((await answer.json()) as { data: { text: string }[] }).data.map((each) => each.text);
}

/** A phone that no other journey uses. */
let used = 0;
export const aPhone = (): string => `+7916${String(1_000_000 + (process.pid % 1000) * 1000 + (used += 1)).padStart(7, "0")}`;

/** Signs this browser in without the dialog; the page must be of the shop. The next page that opens is signed in. */
export async function signInByCall(page: Page, shop: RunningShop, phone: string, profile?: { name: string; email: string }): Promise<void> {
  const call = (path: string, body: object) =>
    page.evaluate(
      async ([address, content]) => {
        const answer = await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: content });
        if (!answer.ok) throw new Error(`${address}: ${await answer.text()}`);
      },
      [path, JSON.stringify(body)] as const,
    );
  await call("/api/auth/get-code", { phone });
  await call("/api/auth/check-code", { phone, code: await readCode(shop, phone) });
  if (profile) await call("/api/me", profile);
}
