import { add, times, zero, type Kopecks } from "#kit/money.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import { piecesOf, type OrderState, type StoredLine } from "../order.ts";

/**
 * Normalises the number of a bag's seal: upper case, without spaces. Null unless it has 5 to 20 letters, digits and hyphens, at least
 * four of them digits.
 */
export function readSealNumber(text: string): string | null {
  const number = text.toUpperCase().replaceAll(/\s/g, "");
  return /^[0-9A-ZА-ЯЁ](?:-?[0-9A-ZА-ЯЁ]){4,19}$/.test(number) && (number.match(/\d/g) ?? []).length >= 4 ? number : null;
}

/** States in which the coins are packed and not handed over; the seal can be entered or corrected. */
export const sealableStates = ["assembled", "shipped", "ready"] as const satisfies readonly OrderState[];
/** Whether the seal of an order in this state can be entered or corrected. */
export const isSealable = (state: OrderState): boolean => (sealableStates as readonly OrderState[]).includes(state);

/** Whether the order is packed in a sealed bag: all but those collected at the office. */
export const isSealed = (deliveryId: number): boolean => deliveryById(deliveryId)?.type !== "office";

/**
 * The value declared to the carrier, for which it insures the parcel: the full price of its pieces. Null where no carrier insures
 * (office and special contact).
 */
export function insuredValue(order: { deliveryId: number; lines: readonly StoredLine[] }): Kopecks | null {
  if (deliveryById(order.deliveryId)?.type !== "carrier") return null;
  return order.lines.reduce<Kopecks>((sum, line) => add(sum, times(line.price, piecesOf(line))), zero);
}
