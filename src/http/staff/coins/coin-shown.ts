import { priceText } from "#kit/format.ts";
import { wasShown, type Coin } from "#shop/catalog/coin.ts";
import { differingFields, type CoinFacts, type FactField, type FirstPrices, type PriceField } from "#shop/catalog/coin-rules.ts";
import { coinColumns } from "#shop/exchange/columns/coin-columns.ts";
import { textOf, type ColumnValue } from "#shop/exchange/columns/column.ts";
import { priceOf, type PricedCoin, type PriceList } from "#shop/pricing/price.ts";
import type { ShownChange } from "#shop/staff/approvals/approval.ts";

/** Coins as the person who approves them reads them: fields with the names and units of the tables of the exchange. */

type Field = FactField | PriceField;
const columns = new Map(coinColumns.map((column) => [column.key, column]));
const emptyText = "нет";

function texts(coin: Readonly<Partial<Record<Field, ColumnValue>>>, fields: readonly Field[]): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const column = columns.get(field);
      return column ? [[column.head, textOf(column, coin[field] ?? null) || emptyText]] : [];
    }),
  );
}

const priceNow = (coin: PricedCoin, list: PriceList): string => {
  const { price } = priceOf(coin, list);
  return price === null ? emptyText : priceText(price);
};

/** A new coin: what it is, what it costs now, and whether it goes on sale at once. */
export function newCoinShown(facts: CoinFacts, prices: FirstPrices, list: PriceList, isPublished: boolean): ShownChange {
  const fields: readonly Field[] = facts.kind === "bullion" ? ["premiumBp", "buybackBp"] : ["fixedPriceKopecks", "fixedBuybackKopecks"];
  const priced = { ...facts, ...prices, premiumBp: prices.premiumBp ?? 0 };
  return {
    before: {},
    after: {
      ...texts(priced, ["title", "metal", "kind", "year", "finenessTenths", "pureMassMg", "totalMassMg", ...fields]),
      "Цена сейчас": priceNow(priced, list),
      "Сразу на витрину": isPublished ? "да" : "нет",
    },
  };
}

/** The edited fields of a coin, and its price before and after. */
export function editShown(before: Coin, facts: CoinFacts, list: PriceList): ShownChange {
  const fields = differingFields(before, facts);
  const side = (coin: Coin) => ({ ...texts(coin, fields), "Цена сейчас": priceNow(coin, list) });
  const onSale = before.isPublished ? "да" : wasShown(before) ? "снята" : "нет";
  const name = { Монета: `${before.title}, артикул ${before.id}`, "На витрине": onSale };
  return { before: { ...name, ...side(before) }, after: { ...name, ...side({ ...before, ...facts }) } };
}
