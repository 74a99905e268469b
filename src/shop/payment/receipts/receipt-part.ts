import { kopecks, share, type Kopecks } from "#kit/money.ts";
import type { ReceiptLine } from "../gateway.ts";

/** A line of a receipt that covers a part of another one; `line` is the place of the covered line there. */
export type PartLine = ReceiptLine & { line: number };

const sumOf = (lines: readonly ReceiptLine[]): Kopecks =>
  kopecks(lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0));

/** Lines as they stand on a receipt of their own. */
export const asLines = (parts: readonly PartLine[]): ReceiptLine[] =>
  parts.map(({ title, quantity, unitPrice, vatCode, subject }) => ({ title, quantity, unitPrice, vatCode, subject }));

/**
 * What of a receipt is left after parts of it were taken: whole pieces at their own price, or, where a part was a fraction of a piece,
 * the rest of the line as one piece. Sums are exact to the kopeck and there are never more lines than before.
 */
export function leftOf(whole: readonly ReceiptLine[], taken: readonly PartLine[]): PartLine[] {
  return whole.flatMap((each, line) => {
    const left = each.unitPrice * each.quantity - sumOf(taken.filter((part) => part.line === line));
    if (left <= 0) return [];
    return [
      left % each.unitPrice === 0
        ? { ...each, line, quantity: left / each.unitPrice }
        : { ...each, line, quantity: 1, unitPrice: kopecks(left) },
    ];
  });
}

/** `amount` out of these lines: all of them as they are when it is all, else each line's share as one piece. Throws when there is less. */
export function takeAmount(left: readonly PartLine[], amount: Kopecks): PartLine[] {
  const sum = sumOf(left);
  if (amount > sum) throw new RangeError(`${amount} is more than the ${sum} of the receipt`);
  if (amount === sum) return [...left];
  const parts = share(
    amount,
    left.map((each) => each.unitPrice * each.quantity),
  );
  return left.flatMap((each, index) => {
    const unitPrice = parts[index] ?? kopecks(0);
    return unitPrice > 0 ? [{ ...each, quantity: 1, unitPrice }] : [];
  });
}

/**
 * So many pieces of these lines at their own price, out of what is left of the whole; null when a line has fewer pieces left, or
 * a part of their price went back already: then only a sum can be named.
 */
export function takePieces(
  whole: readonly ReceiptLine[],
  left: readonly PartLine[],
  asked: readonly { line: number; quantity: number }[],
): PartLine[] | null {
  if (new Set(asked.map(({ line }) => line)).size !== asked.length) return null;
  const taken = asked.map(({ line, quantity }) => {
    const found = left.find((each) => each.line === line);
    return found && found.unitPrice === whole[line]?.unitPrice && quantity > 0 && quantity <= found.quantity
      ? { ...found, quantity }
      : null;
  });
  return taken.every((each) => each !== null) ? taken : null;
}
