import { paymentIds } from "#shop/method-ids.ts";
import type { Stage } from "../stage/stage.ts";
import {
  aPhone,
  requestQuote,
  aVisitor,
  payOrder,
  placeOrder,
  putInCart,
  quoteIdOf,
  signIn,
  type CallResult,
  type RecordedCall,
  type Placed,
  type Visitor,
} from "./visitor.ts";

/** The actions of visitors: the columns of the fault matrix. */
export const columns = ["pages", "search", "lists", "sign-in", "quote", "order", "pay", "account"] as const;
export type Column = (typeof columns)[number];

export const publicPages = ["/", "/catalog", "/catalog/gold", "/products/georgij-pobedonosec-50-rublej-2026-mmd", "/delivery"];

/** Visitors in the middle of something when the fault begins, so that each column can be tried by itself. */
export type People = { member: Visitor; shopper: Visitor; quoted: Visitor & { quoteId: string }; owing: Visitor & { order: Placed } };

/** Prepares the visitors of `People` at the first process; throws when one of their calls is refused. */
export async function gatherPeople(stage: Stage, { coin, bullion }: { coin: number; bullion: number }): Promise<People> {
  const newcomer = () => aVisitor(stage.urls[0] ?? "");
  const [member, shopper, quoted, owing] = [newcomer(), newcomer(), newcomer(), newcomer()];
  must(await signIn(member, stage.sms, aPhone()));
  must(await putInCart(shopper, bullion));
  must(await putInCart(quoted, coin));
  const quoteId = quoteIdOf(must(await requestQuote(quoted)));
  must(await putInCart(owing, coin));
  const order = must(await placeOrder(owing, quoteIdOf(must(await requestQuote(owing))))).data as Placed;
  for (const each of [member, shopper, quoted, owing]) each.takeRecordedCalls();
  return { member, shopper, quoted: Object.assign(quoted, { quoteId }), owing: Object.assign(owing, { order }) };
}

function must(result: CallResult): CallResult {
  if (result.status === 200 || result.status === 201) return result;
  throw new Error(`before the fault: ${result.method} ${result.path}: ${result.status} ${result.text.slice(0, 200)}`);
}

/** Runs the column's action and returns every call that was made for it. */
export async function tryColumn(stage: Stage, people: People, column: Column, { coin }: { coin: number }): Promise<RecordedCall[]> {
  const stranger = aVisitor(stage.urls[0] ?? "");
  switch (column) {
    case "pages":
      for (const page of publicPages) await stranger.page(page);
      return stranger.takeRecordedCalls();
    case "search":
      await stranger.request("GET", `/api/search?q=${encodeURIComponent("победоносец")}`);
      await stranger.request("GET", `/api/search/suggest?q=${encodeURIComponent("соб")}`);
      return stranger.takeRecordedCalls();
    case "lists":
      await stranger.request("PATCH", `/api/cart/${coin}`, { quantity: 1 });
      await stranger.request("GET", "/api/cart");
      await stranger.request("POST", `/api/wishlist/${coin}`);
      await stranger.request("POST", `/api/compare/${coin}`);
      return stranger.takeRecordedCalls();
    case "sign-in":
      await signIn(stranger, stage.sms, aPhone());
      return stranger.takeRecordedCalls();
    case "quote":
      await people.shopper.request("POST", "/api/checkout/deliveries", { code: "0000073738" });
      await requestQuote(people.shopper);
      return people.shopper.takeRecordedCalls();
    case "order":
      await placeOrder(people.quoted, people.quoted.quoteId);
      return people.quoted.takeRecordedCalls();
    case "pay":
      await payOrder(people.owing, people.owing.order, paymentIds.sbp); // by card the payment page exists already, so no provider is called
      return people.owing.takeRecordedCalls();
    case "account":
      await people.member.request("GET", "/api/me");
      await people.member.request("GET", "/api/orders");
      await people.member.page("/my/orders");
      return people.member.takeRecordedCalls();
  }
}
