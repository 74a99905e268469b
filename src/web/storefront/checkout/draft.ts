import type { CityView } from "#contract/public/locations.ts";
import { moscowCode } from "#shop/delivery/delivery.ts";
import { firstChoice, type DeliveryChoice } from "./delivery/delivery-choice.ts";
import { readDraft } from "./draft-store.ts";
import type { LockedQuote } from "./lock/locked-quote.ts";

export type BuyerDraft = { name: string; lastName: string; secondName: string; email: string; phone: string };
export type AddressDraft = { street: string; house: string; room: string; entrance: string; floor: string; message: string };
export type ChosenPoint = { id: string; name: string; address: string };

/** One attempt to order: the same body is sent again with the same key, so that a lost answer makes no second order. */
export type Attempt = { key: string; body: string };

/**
 * The "new" variants of the choices: a choice in place of a confirmed delivery. It has no effect until it is confirmed; cancelling it
 * leaves the confirmed choice unchanged.
 */
export type NewDelivery = { city: CityView; choice: DeliveryChoice; point: ChosenPoint | null; address: AddressDraft };

/** Everything that the buyer has entered. It survives reloads, signing in and errors. */
export type CheckoutDraft = {
  user: BuyerDraft;
  city: CityView;
  choice: DeliveryChoice;
  point: ChosenPoint | null;
  anew: NewDelivery | null;
  address: AddressDraft;
  /** Addresses in other cities by their codes: a street belongs to its city, and choosing that city again shows it again. */
  addresses: Readonly<Record<string, AddressDraft>>;
  closed: { contacts: boolean; delivery: boolean };
  agreed: { terms: boolean; privacy: boolean };
  /** Never ticked by the shop. */
  wantsNewsletter: boolean;
  /** The phone of the account whose profile filled the form in; null for a guest's. */
  account: string | null;
  quote: (LockedQuote & { madeFor: string }) | null;
  attempt: Attempt | null;
};

export const moscow: CityView = {
  code: moscowCode,
  name: "Москва",
  lastName: "Россия",
  fullName: "Москва, Россия",
  coords: [55.754047, 37.620405],
};
export const emptyBuyer: BuyerDraft = { name: "", lastName: "", secondName: "", email: "", phone: "" };
export const emptyAddress: AddressDraft = { street: "", house: "", room: "", entrance: "", floor: "", message: "" };

export const emptyDraft: CheckoutDraft = {
  user: emptyBuyer,
  city: moscow,
  choice: firstChoice,
  point: null,
  anew: null,
  address: emptyAddress,
  addresses: {},
  closed: { contacts: false, delivery: false },
  agreed: { terms: false, privacy: false },
  wantsNewsletter: false,
  account: null,
  quote: null,
  attempt: null,
};

/** The name as the passport has it; empty until surname and first name are there. */
export function recipientOf({ lastName, name, secondName }: BuyerDraft): string {
  const parts = [lastName, name, secondName].map((part) => part.trim());
  return parts[0] && parts[1] ? parts.filter(Boolean).join(" ") : "";
}

/** The draft that this tab stored, or null. Missing parts, stored by an older page, are taken from the empty draft. */
export function storedDraft(): CheckoutDraft | null {
  const stored = readDraft();
  if (typeof stored !== "object" || stored === null) return null;
  const draft = { ...emptyDraft, ...(stored as Partial<CheckoutDraft>) };
  return { ...draft, anew: draft.anew && { ...draft.anew, address: (draft.anew as Partial<NewDelivery>).address ?? draft.address } };
}
