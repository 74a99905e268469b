import { paymentIds } from "#shop/method-ids.ts";
import type { Stage } from "./stage.ts";
import {
  aPhone,
  askQuote,
  aVisitor,
  payOrder,
  placeOrder,
  putInCart,
  quoteIdOf,
  signIn,
  type Asked,
  type Heard,
  type Placed,
  type Visitor,
} from "./visitor.ts";

/** What people do at the shop: the columns of the fault matrix (threat model 9). */
export const columns = ["pages", "search", "lists", "sign-in", "quote", "order", "pay", "account"] as const;
export type Column = (typeof columns)[number];

export const publicPages = ["/", "/catalog", "/catalog/gold", "/products/georgij-pobedonosec-50-rublej-2026-mmd", "/delivery"];

/** People in the middle of something when the fault begins, so that each column can be tried by itself. */
export type People = { member: Visitor; shopper: Visitor; quoted: Visitor & { quoteId: string }; owing: Visitor & { order: Placed } };

export async function gatherPeople(stage: Stage, { coin, bullion }: { coin: number; bullion: number }): Promise<People> {
  const newcomer = () => aVisitor(stage.urls[0] ?? "");
  const [member, shopper, quoted, owing] = [newcomer(), newcomer(), newcomer(), newcomer()];
  must(await signIn(member, stage.sms, aPhone()));
  must(await putInCart(shopper, bullion));
  must(await putInCart(quoted, coin));
  const quoteId = quoteIdOf(must(await askQuote(quoted)));
  must(await putInCart(owing, coin));
  const order = must(await placeOrder(owing, quoteIdOf(must(await askQuote(owing))))).data as Placed;
  for (const each of [member, shopper, quoted, owing]) each.takeHeard();
  return { member, shopper, quoted: Object.assign(quoted, { quoteId }), owing: Object.assign(owing, { order }) };
}

function must(asked: Asked): Asked {
  if (asked.status === 200 || asked.status === 201) return asked;
  throw new Error(`before the fault: ${asked.method} ${asked.path}: ${asked.status} ${asked.text.slice(0, 200)}`);
}

/** Does what the column says and tells every call that was made for it. */
export async function tryColumn(stage: Stage, people: People, column: Column, { coin }: { coin: number }): Promise<Heard[]> {
  const stranger = aVisitor(stage.urls[0] ?? "");
  switch (column) {
    case "pages":
      for (const page of publicPages) await stranger.page(page);
      return stranger.takeHeard();
    case "search":
      await stranger.ask("GET", `/api/search?q=${encodeURIComponent("победоносец")}`);
      await stranger.ask("GET", `/api/search/suggest?q=${encodeURIComponent("соб")}`);
      return stranger.takeHeard();
    case "lists":
      await stranger.ask("PATCH", `/api/cart/${coin}`, { quantity: 1 });
      await stranger.ask("GET", "/api/cart");
      await stranger.ask("POST", `/api/wishlist/${coin}`);
      await stranger.ask("POST", `/api/compare/${coin}`);
      return stranger.takeHeard();
    case "sign-in":
      await signIn(stranger, stage.sms, aPhone());
      return stranger.takeHeard();
    case "quote":
      await people.shopper.ask("POST", "/api/checkout/deliveries", { code: "0000073738" });
      await askQuote(people.shopper);
      return people.shopper.takeHeard();
    case "order":
      await placeOrder(people.quoted, people.quoted.quoteId);
      return people.quoted.takeHeard();
    case "pay":
      await payOrder(people.owing, people.owing.order, paymentIds.sbp); // by card there is a page already, which needs nobody
      return people.owing.takeHeard();
    case "account":
      await people.member.ask("GET", "/api/me");
      await people.member.ask("GET", "/api/orders");
      await people.member.page("/my/orders");
      return people.member.takeHeard();
  }
}
