import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { hasMoved, hasOtherContents, isSameOffer, type LockedQuote } from "./locked-quote.ts";

/** A quote for `{ coin: [count, price] }`. */
function aQuote(coins: Record<number, [number, number]>, change: Partial<LockedQuote> = {}): LockedQuote {
  const lines = Object.entries(coins).map(([id, [count, price]]) => ({
    id: Number(id),
    title: `Монета ${id}`,
    count,
    price: kopecks(price),
    sum: kopecks(price * count),
  }));
  return {
    id: "q",
    expiresAt: "",
    endsAt: 0,
    lines,
    delivery: { id: 35, price: kopecks(0) },
    promo: null,
    total: kopecks(lines.reduce((sum, line) => sum + line.sum, 0)),
    ...change,
  };
}

test("a changed quantity, an added coin and a removed coin change the contents; a changed price does not", () => {
  const before = aQuote({ 1: [1, 100], 2: [2, 200] });
  for (const other of [
    aQuote({ 1: [2, 100], 2: [2, 200] }),
    aQuote({ 1: [1, 100] }),
    aQuote({ 1: [1, 100], 2: [2, 200], 3: [1, 5] }),
    aQuote({ 1: [1, 100], 3: [2, 200] }),
  ]) {
    expect(hasOtherContents(before, other)).toBe(true);
    expect(isSameOffer(before, other)).toBe(false);
  }
  expect(hasOtherContents(before, aQuote({ 2: [2, 250], 1: [1, 90] }))).toBe(false);
  expect(hasMoved(before, aQuote({ 2: [2, 250], 1: [1, 90] }))).toBe(true);
});

test("other coins for the same total are other contents", () => {
  expect(hasOtherContents(aQuote({ 1: [2, 100] }), aQuote({ 2: [1, 200] }))).toBe(true);
});

test("two quotes with the same coins, prices and total are the same offer, even with other ids and times", () => {
  expect(isSameOffer(aQuote({ 1: [1, 100] }), aQuote({ 1: [1, 100] }, { id: "r", endsAt: 5 }))).toBe(true);
  expect(isSameOffer(aQuote({ 1: [1, 100] }), aQuote({ 1: [1, 101] }))).toBe(false);
  expect(isSameOffer(aQuote({ 1: [1, 100] }), aQuote({ 1: [1, 100] }, { total: kopecks(500) }))).toBe(false);
});
