import type { CoinCondition } from "#shop/inquiries/inquiry.ts";
import { moneyInField, parseMoney } from "../ui/form/money.ts";
import { fromRoubles } from "#kit/money.ts";
import type { DealCoin, LinePart, OfferedPart } from "./words.ts";

/** A line of a deal as its fields show it. `isTyped`: staff named the price; otherwise it is that of the price list. */
export type TypedLine = { coin: DealCoin; quantity: string; condition: CoinCondition; price: string; isTyped: boolean };
type SentLine = OfferedPart & { coin: number };

const inField = (roubles: number | null): string => (roubles === null ? "" : moneyInField(fromRoubles(roubles)));
/** Today's price of a coin in this condition as a field shows it; empty: it is typed by hand. */
const proposed = ({ prices }: DealCoin, condition: CoinCondition): string => inField(prices[condition]);

/** A new line at today's price. */
export const lineOf = (coin: DealCoin, quantity = 1, condition: CoinCondition = "good"): TypedLine => ({
  coin,
  quantity: String(quantity),
  condition,
  price: proposed(coin, condition),
  isTyped: false,
});

/** A checked or promised line as its fields show it. */
export const typedLine = (coin: DealCoin, { quantity, condition, unitPrice }: LinePart): TypedLine => ({
  coin,
  quantity: String(quantity),
  condition,
  price: inField(unitPrice),
  isTyped: unitPrice !== coin.prices[condition],
});

/** A line of an offer to edit: today's price, unless the stored one was typed by hand or there is none today. */
export function offeredLine(coin: DealCoin, part: OfferedPart): TypedLine {
  const isKept = part.isTyped || coin.prices[part.condition] === null;
  return isKept ? { ...typedLine(coin, part), isTyped: true } : lineOf(coin, part.quantity, part.condition);
}

/** The price of the list is not a typed one, even if it was typed. */
export const withPrice = (line: TypedLine, price: string): TypedLine => ({
  ...line,
  price,
  isTyped: price.trim() !== "" && priceOf({ price }) !== line.coin.prices[line.condition],
});

/** Another condition takes its price with it, unless the price was typed by hand. */
export function inCondition(line: TypedLine, condition: CoinCondition): TypedLine {
  return line.isTyped ? { ...line, condition } : { ...line, condition, price: proposed(line.coin, condition) };
}

/** The lines with newer prices of their coins; prices typed by hand stay. */
export const atNewPrices = (lines: readonly TypedLine[], coins: readonly DealCoin[]): TypedLine[] =>
  lines.map((line) => {
    const coin = coins.find(({ id }) => id === line.coin.id) ?? line.coin;
    return inCondition({ ...line, coin }, line.condition);
  });

/** The price in whole roubles; null: it is not one. */
export function priceOf({ price }: Pick<TypedLine, "price">): number | null {
  const amount = parseMoney(price);
  return amount === null || amount % 100 !== 0 ? null : amount / 100;
}
/** The pieces; null: not a whole number. */
export const piecesOf = ({ quantity }: Pick<TypedLine, "quantity">): number | null =>
  /^\d{1,6}$/.test(quantity.trim()) ? Number(quantity.trim()) : null;

/** The sum of the lines that can be read, roubles. */
export const sumOf = (lines: readonly TypedLine[]): number =>
  lines.reduce((sum, line) => sum + (piecesOf(line) ?? 0) * (priceOf(line) ?? 0), 0);

/** The lines for the server, or a message for each wrong field (`lines.0.unitPrice`, as the server names it). */
export function readLines(lines: readonly TypedLine[]): { lines: SentLine[]; wrong: Readonly<Record<string, string>> } {
  const wrong: Record<string, string> = {};
  const sent = lines.map((line, index): SentLine => {
    const [quantity, unitPrice] = [piecesOf(line), priceOf(line)];
    if (quantity === null) wrong[`lines.${index}.quantity`] = "Целое число";
    if (unitPrice === null) wrong[`lines.${index}.unitPrice`] = line.price.trim() === "" ? "Сколько платим за одну монету" : "Целые рубли";
    return { coin: line.coin.id, quantity: quantity ?? 0, condition: line.condition, unitPrice: unitPrice ?? 0, isTyped: line.isTyped };
  });
  return { lines: sent, wrong };
}

/** What of a line changes by the check: compared with what was offered. */
export const isChanged = (line: TypedLine, offered: LinePart | null): boolean =>
  offered === null ||
  piecesOf(line) !== offered.quantity ||
  line.condition !== offered.condition ||
  (priceOf(line) !== offered.unitPrice && piecesOf(line) !== 0);
