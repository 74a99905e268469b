import { test as base, expect, type Page, type Response } from "@playwright/test";
import { runShop, withoutRateLimits, withoutReserveLimits, type RunningShop } from "#tests/running-shop.ts";
import { ownDatabase } from "./postgres.ts";
import { lookAtClasses, type Unstyled, watchClasses } from "./unstyled-classes.ts";

/**
 * Journeys share one running shop per worker: simulators, a clock that can be moved, and a PostgreSQL database. The one that `npm start` takes
 * without `DATABASE_URL` works inside the shop's own process and takes its time; `buy-as-guest.e2e.ts` runs on that one.
 */
export const test = base.extend<{ unstyled: Unstyled }, { database: "postgresql" | "pglite"; shop: RunningShop }>({
  database: ["postgresql", { option: true, scope: "worker" }],
  shop: [
    async ({ database }, use) => {
      const shop = await runShop({ ...unlimited, ...(database === "postgresql" ? await ownDatabase() : {}) });
      await use(shop);
      await shop.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ shop }, use) => use(shop.url),
  /** Whoever walks a journey has answered about cookies before; `consents.e2e.ts` is where he is asked. */
  context: async ({ context, unstyled }, use) => {
    await context.addInitScript(() =>
      localStorage.setItem(
        "cookie-choice",
        JSON.stringify({ statistics: false, textVersion: "cookies-2026-11", at: new Date().toISOString() }),
      ),
    );
    await use(context);
    await Promise.all(context.pages().map(lookAtClasses));
    expect(
      [...unstyled].map(([name, path]) => `.${name} at ${path}`),
      "each class has a rule in the styles of its page",
    ).toEqual([]);
  },
  /** Classes without a rule, in the contexts that a journey makes by itself as well. */
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

/** One machine plays all buyers. */
export const unlimited: Record<string, string> = {
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
 * Waits until the page can be used: its scripts have taken it over, the router has nothing under way, and React has drawn what it had to.
 * Before that a press may be lost, a field may be set back to what the server sent, and the page may lead on by itself.
 * After a link that the router follows, call it once the page asked for shows (its heading or its address).
 */
export async function isAlive(page: Page): Promise<void> {
  // One call of a function that waits by itself: Playwright begins it anew when the page is loaded anew meanwhile.
  await page.waitForFunction(async () => {
    const isReady = (): boolean => {
      const router = window.__reactRouterDataRouter?.state;
      return (
        document.readyState !== "loading" && // before, the script that records early presses may not have run
        window.earlyClicks === undefined &&
        router?.revalidation === "idle" &&
        router.navigation.state === "idle" &&
        [...router.fetchers.values()].every(({ state }) => state === "idle")
      );
    };
    // The scheduler's time is the machine's also when a journey has replaced the clock, and is not slowed in a hidden tab.
    for (;;) {
      while (!isReady()) await scheduler.postTask(() => {}, { delay: 20 });
      // A task of the lowest priority comes after all that React has queued: what its effects changed is drawn.
      for (let turn = 0; turn < 2; turn += 1) await scheduler.postTask(() => {}, { priority: "background" });
      if (isReady()) return true;
    }
  });
}

/** Everything that the page has queued for now is done: what has not happened by then does not happen by itself. */
export const queueIsEmpty = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 2; turn += 1) await scheduler.postTask(() => {}, { priority: "background" });
  });

/** Opens a page of the shop in its tab, which comes to the front (a hidden tab's timers are slowed), and waits until it can be used. */
export async function open(page: Page, url: string): Promise<Response | null> {
  await page.bringToFront();
  const answer = await page.goto(url, { waitUntil: "domcontentloaded" });
  await isAlive(page);
  return answer;
}

export async function reload(page: Page): Promise<void> {
  await page.bringToFront();
  await page.reload({ waitUntil: "domcontentloaded" });
  await isAlive(page);
}

/** One step back in the history, to a page of the shop. A navigation that is still running would go on after it, so it ends first. */
export async function goBack(page: Page): Promise<void> {
  const isOfShop = await page.evaluate(() => window.__reactRouterDataRouter !== undefined);
  if (isOfShop) await isAlive(page);
  await page.goBack({ waitUntil: "domcontentloaded" });
  await isAlive(page);
}

/** The same for pages whose scripts are off. */
export const goBackWithoutScripts = (page: Page): Promise<Response | null> => page.goBack({ waitUntil: "domcontentloaded" });
export const reloadWithoutScripts = (page: Page): Promise<Response | null> => page.reload({ waitUntil: "domcontentloaded" });

/** Opens what never becomes interactive, or is used before it is; the reason is named. Without scripts the styles are waited for. */
export const openWithoutWaiting = (
  page: Page,
  url: string,
  reason: "scripts are off" | "scripts fail" | "scripts are held back" | "not a page of the shop",
): Promise<Response | null> =>
  page.goto(url, { waitUntil: reason === "scripts are held back" ? "commit" : reason === "scripts are off" ? "load" : "domcontentloaded" });

/** The server has answered what was pressed: badges count a press at once, a page that is asked for past the router may come before it. */
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

/** The button of the last step: the sum beside the steps has one with the same verb. */
export const orderButton = (page: Page, name: string | RegExp = /^(Оплатить|Заказать)/) =>
  page.getByRole("region", { name: "Подтверждение" }).getByRole("button", { name });

/** The quote is there: what the page says now is what will be charged. */
export const priceIsLocked = (page: Page): Promise<void> =>
  expect(page.getByRole("status").filter({ hasText: /Цена зафиксирована до/ })).toBeVisible();

/** The code that the shop sent last to a phone, from the demo's outbox. */
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

export async function demo(shop: RunningShop, path: string, body: object): Promise<void> {
  const answer = await fetch(`${shop.url}/_demo/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`/_demo/${path}: ${answer.status} ${await answer.text()}`);
}

/**
 * The market is open and stands still at these rates, roubles: what walked by itself, or was left anywhere by an earlier journey, is at a known place.
 * Comes back when the shop names them and its price list is made of them.
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
      const premium = (coin?.price ?? 0) / (gold * 7.78) - 1; // of a coin with 7.78 g of gold, for 5.5 % over the metal
      return [work.work, answer.courses?.XAU_RUB.course, answer.courses?.XAG_RUB.course, premium.toFixed(3)];
    })
    .toEqual([true, gold, silver, "0.055"]);
}

type SimulatedPayment = { id: string; orderId: string; amount: number; status: string; refunded: number };
export async function simulatedPayments(shop: RunningShop): Promise<SimulatedPayment[]> {
  const answer = await fetch(`${shop.url}/_demo/payments`);
  return ((await answer.json()) as { data: SimulatedPayment[] }).data;
}

export async function letters(shop: RunningShop, to: string): Promise<string[]> {
  const answer = await fetch(`${shop.url}/_demo/outbox?to=${encodeURIComponent(to)}`);
  return ((await answer.json()) as { data: { text: string }[] }).data.map((each) => each.text);
}

/** A phone that no other journey uses. */
let used = 0;
export const aPhone = (): string => `+7916${String(1_000_000 + (process.pid % 1000) * 1000 + (used += 1)).padStart(7, "0")}`;

/** Signs this browser in past the dialog; the page must be of the shop already. The next page it opens knows. */
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
