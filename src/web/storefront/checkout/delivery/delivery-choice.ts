import { deliveryGroupTexts } from "#contract/texts.ru.ts";
import { deliveryById, paymentsAllowed, deliveryMethods, type DeliveryType } from "#shop/delivery/delivery.ts";
import { paymentIds } from "#shop/method-ids.ts";

/** The part of a city's options that decides the choice: groups in the order in which they are offered. */
export type OfferedGroup = { name: string; items: readonly { id: number }[] };

/** The chosen way of delivery and what follows from it. */
export type DeliveryChoice = {
  deliveryId: number;
  type: DeliveryType;
  isCourier: boolean;
  paymentId: number;
  /** Whether the first group is the carrier's free delivery, and whether special contact is the only way. */
  isFree: boolean;
  isSpecial: boolean;
  /** The buyer has not chosen yet: this is the default. */
  isPreset?: boolean;
};

/** The default: a parcel locker of the carrier, paid online. */
export const firstChoice: DeliveryChoice = {
  deliveryId: deliveryMethods.locker.id,
  type: "carrier",
  isCourier: false,
  paymentId: paymentIds.card,
  isFree: false,
  isSpecial: false,
  isPreset: true,
};

/** The buyer's own choice of a way; see `take`. */
export const choose = (choice: DeliveryChoice, deliveryId: number): DeliveryChoice => ({ ...take(choice, deliveryId), isPreset: false });

/** Chooses a way of delivery. Special contact changes the payment to an invoice, leaving it back to online payment. */
function take(choice: DeliveryChoice, deliveryId: number): DeliveryChoice {
  const way = deliveryById(deliveryId);
  if (!way) return choice;
  const wasForced = choice.type === "special";
  const wanted: number = way.type === "special" ? paymentIds.invoice : wasForced ? paymentIds.card : choice.paymentId;
  const paymentId = paymentsAllowed(deliveryId).includes(wanted) ? wanted : paymentIds.card;
  return { ...choice, deliveryId, type: way.type, isCourier: way.isCourier, paymentId };
}

/**
 * Adapts the choice to what a city offers. Special contact in first place is adopted; leaving it returns to a pickup point. A way that
 * became free or paid is replaced by its counterpart. A way that is not offered is replaced by the first that is. `isValuable`: an order
 * of high value does not begin with a locker, where no passport is checked, but with a staffed point or a courier; a locker that the buyer
 * chose stays.
 */
export function fit(choice: DeliveryChoice, groups: readonly OfferedGroup[], { isValuable = false } = {}): DeliveryChoice {
  const [first] = groups;
  const firstItem = first?.items[0];
  if (!first || !firstItem) return choice;
  const flags = { isFree: first.name === deliveryGroupTexts.free_carrier, isSpecial: deliveryById(firstItem.id)?.type === "special" };
  const fresh = { ...choice, ...flags };
  const offered = groups.flatMap((group) => group.items.map((item) => item.id));

  if (flags.isSpecial) return take(fresh, firstItem.id);
  if (choice.isSpecial)
    return take(
      fresh,
      [flags.isFree ? deliveryMethods.free_pickup_point.id : deliveryMethods.pickup_point.id, firstItem.id].find((id) =>
        offered.includes(id),
      ) ?? firstItem.id,
    );
  const staffed = isValuable && choice.isPreset ? staffedWays.find((id) => offered.includes(id)) : undefined;
  if (staffed !== undefined) return take(fresh, staffed);
  if (offered.includes(choice.deliveryId)) return take(fresh, choice.deliveryId);
  const twin = twins.find((pair) => pair.includes(choice.deliveryId))?.find((id) => offered.includes(id));
  return take(fresh, twin ?? firstItem.id);
}

/** Confirms the new choice: the way, its flags, and the payment chosen meanwhile if the way allows it. */
export const confirmed = (old: DeliveryChoice, anew: DeliveryChoice): DeliveryChoice =>
  choose({ ...old, isFree: anew.isFree, isSpecial: anew.isSpecial }, anew.deliveryId);

/** The way with the other kind of points (lockers or staffed points); null where it is not offered. */
export function otherKind(deliveryId: number, offered: readonly number[]): number | null {
  const kind = deliveryById(deliveryId)?.pointType;
  return kind
    ? (offered.find((id) => {
        const other = deliveryById(id)?.pointType;
        return other != null && other !== kind;
      }) ?? null)
    : null;
}

const staffedWays: readonly number[] = [
  deliveryMethods.free_pickup_point.id,
  deliveryMethods.pickup_point.id,
  deliveryMethods.free_courier.id,
  deliveryMethods.courier.id,
];

const twins: readonly (readonly number[])[] = [
  [deliveryMethods.pickup_point.id, deliveryMethods.free_pickup_point.id],
  [deliveryMethods.locker.id, deliveryMethods.free_locker.id],
  [deliveryMethods.courier.id, deliveryMethods.free_courier.id],
];

/** Whether two ways have the same points, so that a chosen point may stay. */
export const sharesPoints = (one: number, other: number): boolean =>
  (deliveryById(one)?.pointType ?? null) === (deliveryById(other)?.pointType ?? null);
