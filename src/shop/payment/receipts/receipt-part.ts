import { kopecks, share, type Kopecks } from "#kit/money.ts";
import type { ReceiptLine } from "../gateway.ts";

/** A receipt line that covers a part of a line of another receipt; `line` is the index of that line. */
export type PartLine = ReceiptLine & { line: number };

const sumOf = (lines: readonly ReceiptLine[]): Kopecks =>
  kopecks(lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0));

/** The lines without their reference to the other receipt. */
export const asLines = (parts: readonly PartLine[]): ReceiptLine[] =>
  parts.map(({ title, quantity, unitPrice, vatCode, subject }) => ({ title, quantity, unitPrice, vatCode, subject }));

/**
 * The rest of a receipt after parts of it were taken: whole pieces at their price, or, when a part was a fraction of a piece, the rest of
 * the line as one piece. Sums are exact to the kopeck; the number of lines never grows.
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

/**
 * Takes `amount` from these lines: all lines unchanged when it is their sum, else each line's share as one piece. Throws when the sum is
 * less.
 */
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
 * Takes the same parts again where they come to `amount` and all of them are left; else each line's share. For a refund that is sent
 * again: its receipt names the pieces that come back, and no others.
 */
export function takeAgain(left: readonly PartLine[], parts: readonly PartLine[] | null, amount: Kopecks): PartLine[] {
  const of = (lines: readonly PartLine[], line: number): Kopecks => sumOf(lines.filter((each) => each.line === line));
  const isLeft = parts !== null && sumOf(parts) === amount && parts.every(({ line }) => of(parts, line) <= of(left, line));
  return isLeft ? [...parts] : takeAmount(left, amount);
}

/**
 * Takes pieces of these lines at their price from what is left. Null when a line has fewer pieces left or a part of their price was
 * refunded already; then only a sum can be refunded.
 */
export function takePieces(
  whole: readonly ReceiptLine[],
  left: readonly PartLine[],
  sent: readonly { line: number; quantity: number }[],
): PartLine[] | null {
  if (new Set(sent.map(({ line }) => line)).size !== sent.length) return null;
  const taken = sent.map(({ line, quantity }) => {
    const found = left.find((each) => each.line === line);
    return found && found.unitPrice === whole[line]?.unitPrice && quantity > 0 && quantity <= found.quantity
      ? { ...found, quantity }
      : null;
  });
  return taken.every((each) => each !== null) ? taken : null;
}
