import { fieldMessages } from "#contract/fields.ts";
import { placeOrder } from "#contract/public/orders.ts";
import { noAddress, noBuyer, type CheckoutEntries } from "#shop/checkout/entries/entries.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import * as page from "../confirm/order-errors.ts";
import type { FieldErrors } from "../confirm/order-errors.ts";
import { hasAddress, isWithoutPoint, stepNames, type StepName } from "./step-names.ts";

const { user, address } = placeOrder.body.shape;

type Schema = { safeParse(value: unknown): { error?: { issues: readonly { path: PropertyKey[]; message: string }[] } | undefined } };

/** The first mistake of each field, by the schemas of the API. */
function mistakesOf(schema: Schema, value: unknown): FieldErrors {
  const errors: Record<string, string> = {};
  for (const { path, message } of schema.safeParse(value).error?.issues ?? []) errors[String(path[0])] ??= message;
  return errors;
}

export const contactMistakes = ({ buyer = noBuyer }: CheckoutEntries): FieldErrors => mistakesOf(user, buyer);

/** Mistakes of the point, or of the address for a courier. */
export function pointMistakes({ deliveryId, pointId, address: entered = noAddress }: CheckoutEntries): FieldErrors {
  const way = deliveryById(deliveryId ?? 0);
  if (way?.hasPoint) return pointId ? {} : { pvzId: fieldMessages.point };
  if (!hasAddress(deliveryId)) return {};
  const missing = way?.isCourier ? (["street", "house"] as const).filter((name) => entered[name] === "") : [];
  return { ...mistakesOf(address, entered), ...Object.fromEntries(missing.map((name) => [name, fieldMessages.required])) };
}

export const agreementMistakes = ({ agreed }: CheckoutEntries): FieldErrors =>
  page.agreementMistakes({ agreed: { terms: agreed?.terms ?? false, privacy: agreed?.privacy ?? false } });

const isFree = (errors: FieldErrors): boolean => Object.keys(errors).length === 0;

const isDone: Record<Exclude<StepName, "confirm">, (entries: CheckoutEntries) => boolean> = {
  contacts: (entries) => isFree(contactMistakes(entries)),
  city: ({ cityCode }) => cityCode !== undefined,
  delivery: ({ deliveryId }) => deliveryId !== undefined,
  point: (entries) => isWithoutPoint(entries.deliveryId) || isFree(pointMistakes(entries)),
  payment: ({ quoteId }) => typeof quoteId === "string",
};

/** The first unfinished step; the last one when nothing is missing. */
export const firstOpenStep = (entries: CheckoutEntries): StepName =>
  stepNames.find((name) => name !== "confirm" && !isDone[name](entries)) ?? "confirm";

/** Whether all steps before this one are finished. */
export const isReachable = (step: StepName, entries: CheckoutEntries): boolean =>
  stepNames.indexOf(step) <= stepNames.indexOf(firstOpenStep(entries));
