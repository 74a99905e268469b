import { kopecks, share, type Kopecks } from "#kit/money.ts";
import type { ReceiptLine } from "../gateway.ts";

/** A receipt line that covers a part of a line of another receipt; `line` is the index of that line. */
export type PartLine = ReceiptLine & { line: number };

/** A line by its price, which shows what part of an order a part of its money covers. */
export type PricedLine = Pick<ReceiptLine, "title" | "quantity" | "unitPrice">;

/** What these lines come to. */
export const sumOf = (lines: readonly PricedLine[]): Kopecks =>
  kopecks(lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0));

/** The lines without their reference to the other receipt. */
export const asLines = (parts: readonly PartLine[]): ReceiptLine[] =>
  parts.map(({ title, quantity, unitPrice, vatCode, subject }) => ({ title, quantity, unitPrice, vatCode, subject }));

/**
 * The rest of a receipt after parts of it were taken: whole pieces at their price, or, when a part was a fraction of a piece, the rest of
 * the line as one piece. Sums are exact to the kopeck; the number of lines never grows.
 */
export function leftOf<L extends PricedLine>(
  whole: readonly L[],
  taken: readonly (PricedLine & { line: number })[],
): (L & { line: number })[] {
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
export function takeAmount<L extends PricedLine>(left: readonly L[], amount: Kopecks): L[] {
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

/** The receipts of payments that pay an order one after another: each takes its share of what the earlier ones left of every line. */
export function sharesOf<L extends PricedLine>(whole: readonly L[], amounts: readonly Kopecks[]): (L & { line: number })[][] {
  const taken: (L & { line: number })[] = [];
  return amounts.map((amount) => {
    const share = takeAmount(leftOf(whole, taken), amount);
    taken.push(...share);
    return share;
  });
}

/**
 * The lines of the order's receipt that the receipts of its payments cover, oldest payment first: for each line of a payment's receipt the
 * number of its line in `whole`. Null when they are not the shares of `whole`, as those of an earlier release may not be.
 */
export function linesInWhole(whole: readonly PricedLine[], receipts: readonly (readonly PricedLine[])[]): number[][] | null {
  const total = sumOf(receipts.flat());
  if (total > sumOf(whole)) return null;
  const shares = sharesOf(whole, receipts.map(sumOf));
  const areSame = shares.every(
    (share, index) =>
      share.length === receipts[index]?.length &&
      share.every((each, line) => {
        const other = receipts[index]?.[line];
        return other?.title === each.title && sumOf([other]) === sumOf([each]);
      }),
  );
  return areSame ? shares.map((share) => share.map(({ line }) => line)) : null;
}

/**
 * Takes pieces of an order at their price from what is left of the receipts of its payments, the newest payment first. `receipts`: of each
 * payment, oldest first, the lines of its receipt and what is left of them. Returns the parts for each payment; null as `takePieces`, and
 * when the receipts are not the shares of `whole`.
 */
export function takePiecesOfShares(
  whole: readonly PricedLine[],
  receipts: readonly { whole: readonly ReceiptLine[]; left: readonly PartLine[] }[],
  sent: readonly { line: number; quantity: number }[],
): PartLine[][] | null {
  const inWhole = linesInWhole(
    whole,
    receipts.map((each) => each.whole),
  );
  if (!inWhole || new Set(sent.map(({ line }) => line)).size !== sent.length) return null;
  const parts: PartLine[][] = receipts.map(() => []);
  for (const { line, quantity } of sent) {
    const price = whole[line]?.unitPrice ?? kopecks(0);
    const lefts = receipts.map(({ left }, index) => left.filter((each) => inWhole[index]?.[each.line] === line));
    const sum = sumOf(lefts.flat());
    let rest = price * quantity;
    // As in `takePieces`: whole pieces only, and none of whose price a part was refunded already.
    if (quantity <= 0 || rest <= 0 || rest > sum || sum % price !== 0) return null;
    for (let index = receipts.length - 1; index >= 0; index -= 1) {
      const taken = takeAmount(lefts[index] ?? [], kopecks(Math.min(rest, sumOf(lefts[index] ?? []))));
      parts[index]?.push(...taken);
      rest -= sumOf(taken);
    }
  }
  return parts;
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
