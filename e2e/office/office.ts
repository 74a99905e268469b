import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, ConsoleMessage, Locator, Page } from "@playwright/test";
import type { RunningShop } from "#tests/running-shop.ts";
import { axeFaults } from "../axe.ts";
import { aCoin, aPhone, demo, expect, marketStands, test as base } from "../journey.ts";

/** The buttons of the roles on the sign-in page of the demonstration. */
export const roleButtons = {
  sales: "Продажи",
  packing: "Упаковка",
  buyback: "Выкуп",
  editor: "Редактор",
  accountant: "Бухгалтер",
  owner: "Владелец",
  admin: "Администратор",
} as const;
export type OfficeRole = keyof typeof roleButtons;

/** Refusals that a journey meets on purpose: browsers report each as an error of the console. */
const expectedErrors = [
  /Failed to load resource: the server responded with a status of (400|401|403|404|409|410|422|429)/,
  /Failed to load resource: net::ERR_(FAILED|INTERNET_DISCONNECTED)/,
];
const isExpected = (message: ConsoleMessage): boolean => expectedErrors.some((error) => error.test(message.text()));

/** Collects errors of the console, uncaught errors and reports of the security policy. */
async function watchFaults(context: BrowserContext, faults: string[]): Promise<void> {
  context.on("console", (message) => {
    if (message.type() === "error" && !isExpected(message)) faults.push(message.text());
  });
  context.on("weberror", (error) => faults.push(error.error().message));
  await context.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      console.error(`security policy: ${violatedDirective} blocked ${blockedURI}`),
    ),
  );
}

/** Journeys of the back office: errors of the console and reports of the security policy fail them. */
export const test = base.extend<{ faults: string[] }>({
  faults: [
    async ({ context, browser }, use) => {
      const faults: string[] = [];
      await watchFaults(context, faults);
      // Members of staff have a browser of their own.
      const newContext = browser.newContext.bind(browser);
      browser.newContext = async (options) => {
        const made = await newContext(options);
        await watchFaults(made, faults);
        return made;
      };
      await use(faults);
      browser.newContext = newContext;
      expect(faults, "nothing fails in the browser, and nothing breaks the security policy").toEqual([]);
    },
    { auto: true },
  ],
});
export { expect };

/** Opens a screen of the back office and waits for its name; the sign-in page has one too. */
export async function openOffice(page: Page, shop: RunningShop, path = "/"): Promise<void> {
  await page.bringToFront();
  await page.goto(new URL(path, shop.officeUrl).href);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

export const button = (within: Page | Locator, name: string | RegExp): Locator => within.getByRole("button", { name });

/** Signs in with a role by one press, on its start screen. */
export async function signInAs(page: Page, shop: RunningShop, role: OfficeRole, path = "/"): Promise<void> {
  await openOffice(page, shop, path);
  await page.getByRole("button", { name: roleButtons[role] }).click();
  await expect(page.getByRole("navigation", { name: "Разделы" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** Counts click events from now on, also those that a key causes. Returns a function that reads the count. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counter = window as unknown as { clicks: number };
    counter.clicks = 0;
    const count = () => {
      counter.clicks += 1;
    };
    document.addEventListener("click", count, true);
  });
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks);
}

/** No fault of accessibility and nothing wider than the screen, on a desktop and on a phone. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  const before = page.viewportSize();
  await page.emulateMedia({ reducedMotion: "reduce" }); // a colour on its way to another one is not a fault
  for (const size of [
    { width: 1280, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    // All faults of a screen, and of all screens, are named in one run.
    expect.soft(await axeFaults(page), `${what} at ${size.width}`).toEqual([]);
    const widest = await page.evaluate(() =>
      document.documentElement.scrollWidth <= innerWidth
        ? []
        : [...document.querySelectorAll("main *")]
            .filter((each) => each.getBoundingClientRect().right > innerWidth + 1 && !each.closest(".table-scroll, .statement"))
            .slice(0, 5)
            .map((each) => `${each.tagName} ${each.className}`),
    );
    expect.soft(widest, `${what} fits into ${size.width}`).toEqual([]);
  }
  if (before) await page.setViewportSize(before);
}

export type Placed = { id: string; number: number; phone: string; total: number };
const moscow = "0000073738";
const byPoint = 76;
const byCourier = 45;

/** An order to a pickup point that waits for its transfer. */
export const anInvoice = (page: Page, shop: RunningShop, { quantity = 2 } = {}): Promise<Placed> =>
  anOrder(page, shop, { quantity, paymentId: 6 });

/** An unpaid order by card, with the address of the provider's payment page. */
export async function anOrderByCard(page: Page, shop: RunningShop): Promise<Placed & { paymentPage: string }> {
  const order = await anOrder(page, shop, { quantity: 1, paymentId: 4 });
  if (order.paymentPage === null) throw new Error("the order has no payment page");
  return { ...order, paymentPage: order.paymentPage };
}

async function anOrder(
  page: Page,
  shop: RunningShop,
  { quantity, paymentId, address }: { quantity: number; paymentId: number; address?: Record<string, string> },
): Promise<Placed & { paymentPage: string | null }> {
  await marketStands(shop);
  async function call<T>(method: "PATCH" | "POST", path: string, data: object, headers = {}): Promise<T> {
    const answer = await page.request.fetch(`${shop.url}${path}`, { method, headers: { origin: shop.url, ...headers }, data });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return ((await answer.json()) as { data: T }).data;
  }
  await call("PATCH", `/api/cart/${aCoin.id}`, { quantity });
  const points = await call<Record<string, unknown>>("POST", "/api/locations/get-pvz", { city: moscow, deliveryId: byPoint });
  const pvzId = Object.keys(points)[0] ?? "";
  const quote = { ...(address ? { deliveryId: byCourier } : { deliveryId: byPoint, pvzId }), city: moscow, paymentId };
  // After the clock was advanced the rates are stale until the next ones arrive.
  let locked = { quoteId: "", total: 0 };
  await expect(async () => {
    locked = await call<typeof locked>("POST", "/api/checkout/quote", quote);
  }).toPass({ timeout: 30_000 });
  const { quoteId, total } = locked;
  const phone = aPhone();
  const user = { name: "Анна", lastName: "Воронцова", email: "office@example.com", phone };
  const order = await call<{ id: string; number: number; payment: { confirmationUrl?: string } }>(
    "POST",
    "/api/orders",
    { quoteId, user, delivery: address ? { id: byCourier } : { id: byPoint, pvzId }, address, paymentId, consent: true },
    { "idempotency-key": randomUUID() },
  );
  return { id: order.id, number: order.number, phone, total, paymentPage: order.payment.confirmationUrl ?? null };
}

/** A paid order to a pickup point, ready to be packed. */
export async function aPaidOrder(page: Page, shop: RunningShop, what: { quantity?: number } = {}): Promise<Placed> {
  const order = await anInvoice(page, shop, what);
  await demo(shop, `orders/${order.id}`, { event: "pay" });
  return order;
}

/** A paid order that the courier brings to this address. */
export async function aPaidOrderTo(page: Page, shop: RunningShop, address: Record<string, string>): Promise<Placed> {
  const order = await anOrder(page, shop, { quantity: 1, paymentId: 6, address });
  await demo(shop, `orders/${order.id}`, { event: "pay" });
  return order;
}

/**
 * A member of staff in a separate browser. `press` and `drop` count as presses of the task; `presses` returns how many there were.
 */
export async function staffMember(browser: Browser, shop: RunningShop, role: OfficeRole, path = "/") {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await signInAs(page, shop, role, path);
  let presses = 0;
  return {
    page,
    press: async (what: Locator): Promise<void> => {
      presses += 1;
      await what.click();
    },
    /** Drops a file on the screen, which counts as one press. */
    drop: async (bytes: Buffer): Promise<void> => {
      presses += 1;
      await page.locator("input[type=file]").setInputFiles({ name: "kl_to_1c.txt", mimeType: "text/plain", buffer: bytes });
    },
    presses: () => presses,
    open: async ({ id, number }: Placed): Promise<void> => {
      await openOffice(page, shop, `/orders/${id}`);
      await expect(page.getByRole("heading", { level: 1, name: new RegExp(`${number}`) })).toBeVisible();
    },
  };
}

/** A paid order, and a member of staff who has its card open. */
export async function atPaidOrder(
  { page, browser, shop }: { page: Page; browser: Browser; shop: RunningShop },
  role: OfficeRole,
  what: { quantity?: number } = {},
) {
  const order = await aPaidOrder(page, shop, what);
  const clerk = await staffMember(browser, shop, role);
  await clerk.open(order);
  return { order, clerk };
}

/** The carrier refuses the parcel of an order, as soon as it has been registered there. */
export async function refuseParcel(shop: RunningShop, orderId: string): Promise<void> {
  await expect
    .poll(async () => {
      await shop.advance(30_000);
      return fetch(`${shop.url}/_demo/parcels/${orderId}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code: "INVALID" }),
      }).then(({ status }) => status);
    })
    .toBe(200);
}
