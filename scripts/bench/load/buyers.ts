import { request } from "undici";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";

/** The cookies of one buying program. */
export type Buyer = { cookie: string; quoteId: string; coinId: number };

async function call(
  url: string,
  cookie: string,
  method: "GET" | "POST" | "PATCH",
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown; cookie: string }> {
  const answer = await request(url + path, {
    method,
    headers: { ...(cookie ? { cookie } : {}), ...(body === undefined ? {} : { "content-type": "application/json" }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const set = [answer.headers["set-cookie"] ?? []]
    .flat()
    .map((each) => each.split(";", 1)[0])
    .filter((each) => each !== undefined);
  return { status: answer.statusCode, body: await answer.body.json(), cookie: [...(cookie ? [cookie] : []), ...set].join("; ") };
}

export const moscow = "0000073738";

/** A visitor with one piece of `coinId` in the cart and a quote: collection by bank transfer, so that no provider is called. */
export async function aBuyerWithQuote(url: string, coinId: number): Promise<Buyer> {
  const state = await call(url, "", "GET", "/api/state");
  await call(url, state.cookie, "PATCH", `/api/cart/${coinId}`, { quantity: 1 });
  const quote = await call(url, state.cookie, "POST", "/api/checkout/quote", {
    deliveryId: deliveryIds.office,
    city: moscow,
    paymentId: paymentIds.invoice,
  });
  if (quote.status !== 200) throw new Error(`no quote: ${JSON.stringify(quote.body)}`);
  return { cookie: state.cookie, coinId, quoteId: (quote.body as { data: { quoteId: string } }).data.quoteId };
}

/** The body of an order of this quote. */
export const orderBody = (quoteId: string): unknown => ({
  quoteId,
  user: { name: "Иван", lastName: "Пробный", secondName: "", email: "ivan@example.com", phone: "+79160000000" },
  delivery: { id: deliveryIds.office },
  paymentId: paymentIds.invoice,
  consent: true,
});

/** Ids of coins in stock that every delivery and payment accepts, most pieces first. */
export async function coinsInStock(url: string): Promise<number[]> {
  const ids: { id: number; available: number }[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await call(url, "", "GET", `/api/catalog?inStock=1&priceTo=300000&page=${page}`);
    const { data } = body as { data: { items: { id: number; available: number }[]; pages: number } };
    ids.push(...data.items);
    if (page >= data.pages) break;
  }
  return ids.toSorted((a, b) => b.available - a.available).map(({ id }) => id);
}
