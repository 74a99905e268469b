import { renderToString } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider, type RouteObject } from "react-router";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { Visitor } from "#shop/context.ts";
import { signUp } from "#shop/customers/testing.ts";
import { ordersPageSize } from "#shop/orders/order.ts";
import { aPageContext } from "#web/testing.ts";
import { testClock } from "#tests/shop.ts";
import Page, { loader, meta } from "./orders-page.tsx";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 1000, limits: { unpaidOrders: 100 } });
});
afterAll(() => shop.close());

const handler = createStaticHandler([{ path: "/my/orders", loader, Component: Page } as RouteObject]);

test("more than twenty orders are shown on pages with ordinary links; a page that does not exist is not found", async () => {
  const { id } = (await signUp(shop.ctx, "+79160004501")).customer;
  const visitor: Visitor = {
    owner: `customer:${id}`,
    browser: null,
    customerId: id,
    sidHash: null,
    signedInAt: shop.clock.now(),
    deviceHash: null,
    address: "192.0.2.1",
    userAgent: "",
  };
  const numbers: number[] = [];
  for (let order = 0; order <= ordersPageSize; order += 1) numbers.unshift((await shop.ordered(`customer:${id}`, { 1: 1 })).number);

  const read = async (path: string) => {
    const request = new Request(`http://localhost:3000${path}`);
    const found = await handler.query(request, { requestContext: aPageContext(shop.ctx, visitor) });
    if (found instanceof Response) throw new Error(`${path} was answered with a redirect`);
    if (found.statusCode !== 200) return { status: found.statusCode };
    const html = renderToString(<StaticRouterProvider router={createStaticRouter(handler.dataRoutes, found)} context={found} />);
    const title = meta({ loaderData: Object.values(found.loaderData)[0] as never }).find((each) => "title" in each);
    return {
      status: 200,
      title,
      numbers: [...html.matchAll(/Заказ <span class="digits">(\d+)/g)].map(([, number]) => Number(number)),
      links: [...html.matchAll(/href="(\/my\/orders(?:\?[^"]*)?)"/g)].map(([, href]) => href),
    };
  };

  const first = await read("/my/orders");
  expect(first.numbers).toEqual(numbers.slice(0, ordersPageSize));
  expect(first.links).toContain("/my/orders?page=2");
  const second = await read("/my/orders?page=2");
  expect(second.numbers).toEqual(numbers.slice(ordersPageSize));
  expect(second.links).toContain("/my/orders");
  expect(second.title).toEqual({ title: "Заказы, страница 2 — Чекан" });
  for (const page of ["3", "0", "-1", "x", "1e9"]) expect(await read(`/my/orders?page=${page}`)).toEqual({ status: 404 });
});
