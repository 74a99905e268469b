import { renderToString } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider, type RouteObject } from "react-router";
import { afterAll, beforeAll, expect, test } from "vitest";
import { minutes } from "#kit/time.ts";
import { readEntries } from "#shop/checkout/entries/entries.service.ts";
import { openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { OwnerKey, Visitor } from "#shop/context.ts";
import { orders as orderTable } from "#shop/orders/tables.ts";
import { aPageContext } from "#web/testing.ts";
import { testClock } from "#tests/shop.ts";
import * as city from "./city-page.tsx";
import * as confirm from "./confirm-page.tsx";
import * as contacts from "./contacts-page.tsx";
import * as delivery from "./delivery-page.tsx";
import * as payment from "./payment-page.tsx";
import * as point from "./point-page.tsx";
import * as start from "./start-resource.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 1000, limits: { unpaidOrders: 100 } });
});
afterAll(() => shop.close());

type Page = Pick<RouteObject, "loader" | "action"> & { default?: () => React.ReactNode };
const pages: Record<string, unknown> = { contacts, city, delivery, point, payment, confirm };
const routes: RouteObject[] = [
  { path: "/checkout/steps", loader: start.loader as never },
  ...Object.entries(pages).map(([name, module]): RouteObject => {
    const { loader, action, default: Component } = module as Page;
    return { path: `/checkout/steps/${name}`, loader, action, Component };
  }),
];
const handler = createStaticHandler(routes);

let serial = 0;
/** A browser without scripts, with coins in its cart: opens pages and submits their forms. */
async function aBrowser(content: Record<number, number> = { 1: 1 }) {
  const owner: OwnerKey = `visitor:steps-${(serial += 1)}`;
  await shop.fill(owner, content);
  const visitor: Visitor = {
    owner,
    browser: owner,
    customerId: null,
    sidHash: null,
    signedInAt: null,
    deviceHash: null,
    address: "192.0.2.1",
    userAgent: "",
  };
  async function send(path: string, form?: Record<string, string>): Promise<{ location: string | null; html: string }> {
    const request = new Request(
      new URL(path, "http://shop.example/checkout/steps/"),
      form ? { method: "POST", body: new URLSearchParams(form) } : {},
    );
    const requestContext = aPageContext(shop.ctx, visitor);
    const answer = await handler.query(request, { requestContext });
    if (answer instanceof Response) return { location: answer.headers.get("location"), html: "" };
    if (answer.errors) throw Object.values(answer.errors)[0];
    const router = createStaticRouter(handler.dataRoutes, answer);
    return { location: null, html: renderToString(<StaticRouterProvider router={router} context={answer} hydrate={false} />) };
  }
  return {
    owner,
    submit: async (step: string, form: Record<string, string>) => (await send(step, form)).location,
    open: (path: string) => send(path),
    text: async (path: string) =>
      (await send(path)).html
        .replaceAll(/<!--.*?-->/g, "")
        .replaceAll(/<[^>]+>/g, " ")
        .replaceAll(/\s+/g, " "),
    orders: async () => (await shop.ctx.db.select().from(orderTable)).filter((order) => order.owner === owner),
  };
}
type Browser = Awaited<ReturnType<typeof aBrowser>>;

const anna = { lastName: "Иванова", name: "Анна", secondName: "", phone: "8 916 123-45-67", email: "anna@example.ru" };
const petersburg = "0000103664";
const moscow = "0000073738";
const yes = { terms: "on", consent: "on" };

/** Everything up to the last step; answers the id of the quote that it shows. */
async function upToConfirm(browser: Browser, { deliveryId = "35", paymentId = "6" } = {}): Promise<string> {
  await browser.submit("contacts", anna);
  await browser.submit("city", { code: moscow });
  await browser.submit("delivery", { deliveryId });
  expect(await browser.submit("payment", { paymentId })).toBe("/checkout/steps/confirm");
  return quoteShown(browser);
}
const quoteShown = async (browser: Browser): Promise<string> =>
  /name="quoteId" value="([^"]+)"/.exec((await browser.open("confirm")).html)?.[1] ?? "";

test("a guest orders by courier and card step by step; each step opens when the one before is finished", async () => {
  const browser = await aBrowser();
  expect((await browser.open("payment")).location).toBe("/checkout/steps/contacts");
  expect((await browser.open("/checkout/steps")).location).toBe("/checkout/steps/contacts");
  expect(await browser.submit("contacts", anna)).toBe("/checkout/steps/city");
  expect(await browser.text("city?q=санкт")).toContain("Санкт-Петербург");
  expect(await browser.submit("city", { code: petersburg })).toBe("/checkout/steps/delivery");
  expect(await browser.text("delivery")).toMatch(/Курьер СДЭК .*₽/);
  expect(await browser.submit("delivery", { deliveryId: "45" })).toBe("/checkout/steps/point");
  expect(await browser.submit("point", { street: "Невский проспект", house: "" })).toBe("/checkout/steps/point?check=1#errors");
  const again = await browser.open("point?check=1");
  expect(again.html).toMatch(/id="checkout-house"[^>]*aria-invalid="true"[^>]*aria-describedby="checkout-house-error"/);
  expect(again.html).toContain('value="Невский проспект"');
  expect(await browser.submit("point", { street: "Невский проспект", house: "28" })).toBe("/checkout/steps/payment");
  expect(await browser.submit("payment", { paymentId: "4" })).toBe("/checkout/steps/confirm");
  const confirmed = await browser.text("confirm");
  expect(confirmed).toMatch(/Оплатить 6 450 ₽.*Цена зафиксирована ещё (9|10) мин/);
  expect(confirmed).toContain("+7 (916) 123-45-67");
  expect(await browser.submit("confirm", { quoteId: await quoteShown(browser), ...yes })).toMatch(/^http:\/\/pay\.example\//);

  const [order, ...others] = await browser.orders();
  expect(others).toEqual([]);
  expect(order).toMatchObject({
    user: { lastName: "Иванова", phone: "+79161234567" },
    address: { city: "Санкт-Петербург", street: "Невский проспект", house: "28" },
  });
  expect(await readEntries(shop.ctx, browser.owner)).toEqual({});
});

test("a pickup point is chosen from the points that accept the parcel; a way or a point that is not offered is refused", async () => {
  const browser = await aBrowser();
  await browser.submit("contacts", anna);
  await browser.submit("city", { code: moscow });
  // Pickup is free, so only 76 is offered.
  expect(await browser.submit("delivery", { deliveryId: "79" })).toBe("/checkout/steps/delivery?check=1#errors");
  expect(await browser.text("delivery?check=1")).toContain("Выберите способ из списка");
  await browser.submit("delivery", { deliveryId: "76" });
  expect(await browser.submit("point", { pointId: "SPB1" })).toBe("/checkout/steps/point?check=1#errors");
  expect(await browser.text("point?check=1")).toContain("Выберите пункт выдачи");
  expect(await browser.submit("point", { pointId: "MSK1" })).toBe("/checkout/steps/payment");
  await browser.submit("payment", { paymentId: "6" });
  expect(await browser.submit("city", { code: petersburg })).toBe("/checkout/steps/delivery"); // another city has other points
  expect((await browser.open("confirm")).location).toBe("/checkout/steps/point");
});

test("a courier's address stays in its city: for another city it is entered anew", async () => {
  const browser = await aBrowser();
  await browser.submit("contacts", anna);
  await browser.submit("city", { code: moscow });
  await browser.submit("delivery", { deliveryId: "45" });
  await browser.submit("point", { street: "Арбат", house: "1" });
  await browser.submit("city", { code: moscow });
  expect((await browser.open("point")).html).toContain('value="Арбат"');
  await browser.submit("city", { code: petersburg });
  expect((await browser.open("payment")).location).toBe("/checkout/steps/point");
  expect((await browser.open("point")).html).not.toContain('value="Арбат"');
});

test("wrong contacts are stored and shown with the API's texts; no mistakes are shown before the form is sent", async () => {
  const browser = await aBrowser();
  expect((await browser.open("contacts")).html).not.toContain("Обязательное поле");
  expect(await browser.submit("contacts", { ...anna, name: "", email: "не почта" })).toBe("/checkout/steps/contacts?check=1#errors");
  const { html } = await browser.open("contacts?check=1");
  expect(html).toContain('value="не почта"');
  expect(html).toContain("Email указан неверно");
  expect(html).toMatch(/id="errors" role="alert"/);
  expect(html).toContain('value="8 916 123-45-67"');
});

test("without both consents nothing is ordered, and a given consent stays ticked", async () => {
  const browser = await aBrowser();
  const quoteId = await upToConfirm(browser);
  expect(await browser.submit("confirm", { quoteId, terms: "on" })).toBe("/checkout/steps/confirm?check=1#errors");
  const { html } = await browser.open("confirm?check=1");
  expect(html).toContain("Нужно согласие на обработку персональных данных");
  expect(html).toMatch(/id="checkout-terms"[^>]*checked/);
  expect(await browser.orders()).toEqual([]);
});

test("pressing twice at once, and once more after Back, makes one order and leads to it", async () => {
  const browser = await aBrowser();
  const quoteId = await upToConfirm(browser);
  const press = () => browser.submit("confirm", { quoteId, ...yes });
  const [first, second] = await Promise.all([press(), press()]);
  expect(first).toMatch(/^\/thanks\?order=.*&key=/);
  expect([second, await press(), await browser.submit("confirm", { quoteId, ...yes, newsletter: "on" })]).toEqual([first, first, first]);
  expect(await browser.orders()).toHaveLength(1);
  expect((await browser.open("confirm")).location).toBe("/cart");
});

test("a price that moved after the lock ran out is shown before anything is ordered at it", async () => {
  const browser = await aBrowser({ 3: 1 });
  const quoteId = await upToConfirm(browser);
  shop.clock.advance(minutes(10));
  await shop.receiveRates({ gold: 12_000 });
  expect(await browser.text("confirm")).toContain("Цена больше не зафиксирована");
  expect(await browser.submit("confirm", { quoteId, ...yes })).toBe("/checkout/steps/confirm#errors");
  expect(await browser.orders()).toEqual([]);
  const text = await browser.text("confirm");
  expect(text).toMatch(/Заказ стоил 94 391 ₽, теперь 98 495 ₽/);
  expect(await browser.submit("confirm", { quoteId: await quoteShown(browser), ...yes })).toMatch(/^\/thanks/);
  await shop.receiveRates();
});

test("a closed exchange and missing stock are reported in the step, and nothing is ordered", async () => {
  const browser = await aBrowser({ 3: 1 });
  await upToConfirm(browser);
  await shop.receiveRates({ isOpen: false });
  expect(await browser.submit("payment", { paymentId: "6" })).toBe("/checkout/steps/payment#errors");
  expect(await browser.text("payment")).toContain("Биржа закрыта: цены инвестиционных монет сейчас не фиксируются");
  const refused = { frame: { refusal: { message: "Биржа закрыта", short: [] } } };
  expect(payment.meta({ loaderData: refused })).toContainEqual({ title: expect.stringMatching(/^Ошибка: Оплата/) });
  await shop.receiveRates();

  const bySpecial = { deliveryId: "43" };
  const short = await aBrowser({ 1: 550 });
  const rival = await aBrowser({ 1: 550 });
  const [mine, its] = [await upToConfirm(short, bySpecial), await upToConfirm(rival, bySpecial)];
  expect(await rival.submit("confirm", { quoteId: its, ...yes })).toMatch(/^\/thanks/);
  expect(await short.submit("confirm", { quoteId: mine, ...yes })).toBe("/checkout/steps/confirm#errors");
  expect(await short.text("confirm")).toMatch(/Пока вы оформляли заказ, часть монет закончилась.*осталось 4\d\d/);
  expect(await short.orders()).toEqual([]);
});

test("an empty cart leads to the cart, and another browser's quote orders nothing", async () => {
  const empty = await aBrowser({});
  expect((await empty.open("contacts")).location).toBe("/cart");
  expect(await empty.submit("contacts", anna)).toBe("/cart");
  expect(await readEntries(shop.ctx, empty.owner)).toEqual({});

  const [victim, thief] = [await aBrowser(), await aBrowser()];
  const quoteId = await upToConfirm(victim);
  await upToConfirm(thief);
  expect(await thief.submit("confirm", { quoteId, ...yes })).toBe("/checkout/steps/confirm#errors");
  expect([await thief.orders(), await victim.orders()]).toEqual([[], []]);
});
