import type { Kopecks } from "#kit/money.ts";
import { toRoubles } from "#kit/money.ts";
import type { CoinKind, Metal } from "#shop/catalog/coin.ts";
import { kindNames, metalNames } from "../../texts.ru.ts";
import { readData } from "../page/text-data.ts";

/** Metrika's e-commerce objects (docs "e-commerce data", 2025: the structure of GA Enhanced Ecommerce; numbers, not texts, for money). */
export type Product = { id: string; name?: string; price?: number; category?: string; list?: string; position?: number; quantity?: number };
type Action =
  | { impressions: Product[] }
  | { click: { actionField: { list: string }; products: Product[] } }
  | { detail: { products: Product[] } }
  | { add: { products: Product[] } }
  | { remove: { products: Product[] } }
  | { purchase: { actionField: { id: string; revenue: number }; products: Product[] } };
export type EcommerceEvent = { ecommerce: { currencyCode: "RUB" } & Action };

const event = (action: Action): EcommerceEvent => ({ ecommerce: { currencyCode: "RUB", ...action } });

/** The fields of a coin that events need; the cards of all pages have them. */
export type SeenCoin = { id: number; slug: string; title: string; price: Kopecks | null; metal: Metal; kind: CoinKind };

/** What a page shows: a single coin, named lists of coins, a placed order. */
export type SeenPage = { detail: SeenCoin | null; lists: { name: string; coins: SeenCoin[] }[]; order: SeenOrder | null };
type SeenOrder = { id: string; goods: Kopecks; lines: { id: number; title: string; price: Kopecks; quantity: number }[] };

const productOf = ({ id, title, price, metal, kind }: SeenCoin): Product => ({
  id: String(id),
  name: title,
  ...(price === null ? {} : { price: toRoubles(price) }),
  category: `${metalNames[metal]}/${kindNames[kind]}`,
});

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const isCoin = (value: unknown): value is SeenCoin =>
  isRecord(value) &&
  typeof value.id === "number" &&
  typeof value.slug === "string" &&
  typeof value.title === "string" &&
  (value.price === null || typeof value.price === "number") &&
  typeof value.metal === "string" &&
  typeof value.kind === "string";

/** Outcomes that count as a placed order; a payment that is being checked or was declined does not. */
const placed: readonly unknown[] = ["paid", "invoice", "on_collection"];

/** Finds coins and orders in a page's loader data, so that pages contain no code for statistics; `title` names a list without a name. */
export function seenPage(data: unknown, title: string): SeenPage {
  const page: SeenPage = { detail: null, lists: [], order: null };
  if (!isRecord(data)) return page;
  if (isCoin(data.card)) page.detail = data.card;
  const gather = (sent: unknown, name: string, depth: number): void => {
    const value = (isRecord(sent) && readData(sent)) || sent;
    if (Array.isArray(value)) {
      const coins = value.map((each: unknown) => (isRecord(each) && isCoin(each.card) ? each.card : each)).filter(isCoin);
      if (coins.length > 0) page.lists.push({ name, coins });
      else
        for (const each of value)
          if (isRecord(each) && depth < 2) gatherIn(each, typeof each.title === "string" ? each.title : name, depth + 1);
    } else if (isRecord(value) && depth < 2 && !isCoin(value)) gatherIn(value, name, depth + 1);
  };
  const gatherIn = (record: Record<string, unknown>, name: string, depth: number): void => {
    for (const [key, value] of Object.entries(record)) if (key !== "card" && key !== "order") gather(value, name, depth);
  };
  gatherIn(data, title, 0);
  const { order } = data;
  if (
    placed.includes(data.outcome) &&
    isRecord(order) &&
    typeof order.id === "string" &&
    typeof order.goods === "number" &&
    Array.isArray(order.lines)
  )
    page.order = order as unknown as SeenOrder;
  return page;
}

/** Coins of a list that came into view; `before`: how many of the list came before them. */
export const impressions = (list: string, coins: readonly SeenCoin[], before: number): EcommerceEvent =>
  event({ impressions: coins.map((coin, index) => ({ ...productOf(coin), list, position: before + index + 1 })) });

/** A click on a coin of a list. */
export const click = (list: string, coin: SeenCoin, position: number): EcommerceEvent =>
  event({ click: { actionField: { list }, products: [{ ...productOf(coin), position }] } });

/** The page of a coin. */
export const detail = (coin: SeenCoin): EcommerceEvent => event({ detail: { products: [productOf(coin)] } });

/** The revenue is the goods without the delivery fee. */
export const purchase = ({ id, goods, lines }: SeenOrder): EcommerceEvent =>
  event({
    purchase: {
      actionField: { id, revenue: toRoubles(goods) },
      products: lines.map((line) => ({ id: String(line.id), name: line.title, price: toRoubles(line.price), quantity: line.quantity })),
    },
  });

type Quantities = Readonly<Record<number, number>>;

/** The difference between two states of the cart as events; `coinOf` returns a coin that a page has shown. */
export function cartChanges(before: Quantities, after: Quantities, coinOf: (id: number) => SeenCoin | undefined): EcommerceEvent[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)].map(Number))];
  const moved = ids.map((id) => ({ id, by: (after[id] ?? 0) - (before[id] ?? 0) })).filter(({ by }) => by !== 0);
  const products = (sign: 1 | -1) =>
    moved
      .filter(({ by }) => Math.sign(by) === sign)
      .map(({ id, by }): Product => {
        const coin = coinOf(id);
        return { ...(coin ? productOf(coin) : { id: String(id) }), quantity: Math.abs(by) };
      });
  const [added, removed] = [products(1), products(-1)];
  return [
    ...(added.length > 0 ? [event({ add: { products: added } })] : []),
    ...(removed.length > 0 ? [event({ remove: { products: removed } })] : []),
  ];
}
