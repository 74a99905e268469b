import { subtract } from "#kit/money.ts";
import type { PayableOrder } from "#shop/orders/transfers/statement.ts";
import { isPayer, type StatementEntry } from "#shop/orders/transfers/statement.ts";

/** What an entry and an order have in common. `number_like`: one digit of the order's number is mistyped. */
export const suggestionReasons = ["sum", "number", "number_like", "name"] as const;
export type SuggestionReason = (typeof suggestionReasons)[number];

/** An order that an entry may belong to. `isStrong`: enough agrees to accept it without another look at the list. */
export type Suggestion = { order: PayableOrder; reasons: SuggestionReason[]; isStrong: boolean };

const weights: Readonly<Record<SuggestionReason, number>> = { sum: 4, number: 4, number_like: 3, name: 3 };
const maxSuggestions = 3;

type EntryFacts = Pick<StatementEntry, "amount" | "payer" | "purpose">;

/**
 * The orders that an entry without an order may belong to, the likeliest first. One is strong when the sum agrees, the number or the
 * payer's name agrees too, and no other order agrees as well.
 */
export function suggest(entry: EntryFacts, orders: readonly PayableOrder[]): Suggestion[] {
  const numbers = entry.purpose.match(/\d{4,9}/g) ?? [];
  // A number that an order has is not a mistyped one: the money of that order must not be accepted for its neighbour.
  const existing = new Set(orders.map(({ number }) => String(number)));
  const mistyped = numbers.filter((number) => !existing.has(number));
  const scored = orders
    .map((order) => ({ order, reasons: reasonsFor(entry, { numbers, mistyped }, order) }))
    .filter(({ reasons }) => reasons.length > 0)
    .map((each) => ({ ...each, score: each.reasons.reduce((sum, reason) => sum + weights[reason], 0) }))
    .toSorted((a, b) => b.score - a.score || b.order.number - a.order.number);
  const [first, second] = scored;
  const isClear = first !== undefined && first.score > (second?.score ?? 0);
  return scored.slice(0, maxSuggestions).map(({ order, reasons }, at) => ({
    order,
    reasons,
    isStrong: at === 0 && isClear && order.state === "awaiting_payment" && reasons.includes("sum") && reasons.length > 1,
  }));
}

/**
 * The suggestions of each of these entries. An order that several of them agree with is strong for none: one may belong to another order.
 */
export function suggestEach(entries: readonly EntryFacts[], orders: readonly PayableOrder[]): Suggestion[][] {
  const found = entries.map((entry) => suggest(entry, orders));
  const rivals = new Map<string, number>();
  for (const { order, isStrong } of found.flat()) if (isStrong) rivals.set(order.id, (rivals.get(order.id) ?? 0) + 1);
  return found.map((each) => each.map((known) => ({ ...known, isStrong: known.isStrong && rivals.get(known.order.id) === 1 })));
}

function reasonsFor(
  { amount, payer }: EntryFacts,
  { numbers, mistyped }: { numbers: readonly string[]; mistyped: readonly string[] },
  order: PayableOrder,
): SuggestionReason[] {
  const isOpen = order.state === "awaiting_payment";
  const reasons: SuggestionReason[] = [];
  if (isOpen && (amount === subtract(order.total, order.paid) || amount === order.total)) reasons.push("sum");
  const own = String(order.number);
  if (numbers.includes(own)) reasons.push("number");
  else if (isOpen && mistyped.some((each) => isOneTypoAway(each, own))) reasons.push("number_like");
  if (isOpen && (isPayer(payer, order.recipient) || hasSurnameAndInitial(payer, order))) reasons.push("name");
  return reasons;
}

/** Whether one digit is wrong, missing or too much, or two neighbours are swapped. */
export function isOneTypoAway(typed: string, wanted: string): boolean {
  if (typed === wanted || Math.abs(typed.length - wanted.length) > 1) return false;
  let at = 0;
  while (at < wanted.length && typed[at] === wanted[at]) at += 1;
  if (typed.length > wanted.length) return typed.slice(at + 1) === wanted.slice(at);
  if (typed.length < wanted.length) return typed.slice(at) === wanted.slice(at + 1);
  const isSwapped = typed[at] === wanted[at + 1] && typed[at + 1] === wanted[at] && typed.slice(at + 2) === wanted.slice(at + 2);
  return isSwapped || typed.slice(at + 1) === wanted.slice(at + 1);
}

/** «Титов С. В.» for Сергей Титов: the surname as a word, and a word that begins with the first letter of the first name. */
function hasSurnameAndInitial(payer: string, { recipient }: PayableOrder): boolean {
  const words = wordsOf(payer);
  const [lastName] = wordsOf(recipient.lastName);
  const [name] = wordsOf(recipient.name);
  if (!lastName || lastName.length < 3 || !name || !words.includes(lastName)) return false;
  return words.some((word) => word !== lastName && (word === name || (word.length === 1 && name.startsWith(word))));
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll("ё", "е")
    .match(/\p{L}+/gu) ?? [];
