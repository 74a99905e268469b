import { confirmed } from "./delivery-choice.ts";
import type { CityView } from "#contract/public/locations.ts";
import { emptyAddress, type AddressDraft, type CheckoutDraft, type NewDelivery } from "../draft.ts";

/** Another city: the point stays in its city, and so does the address, which is kept for choosing that city again. */
export function chooseCity(draft: CheckoutDraft, city: CityView): CheckoutDraft {
  const current = draft.anew ?? draft;
  if (city.code === current.city.code) return draft.anew ? { ...draft, anew: { ...draft.anew, city } } : { ...draft, city };
  const moved = { city, point: null, address: addressIn(draft, city) };
  const addresses = withAddress(draft.addresses, current);
  return draft.anew ? { ...draft, anew: { ...draft.anew, ...moved }, addresses } : { ...draft, ...moved, addresses };
}

/** The address of the confirmed delivery if it goes to this city, else what was entered for the city before. */
function addressIn({ city, address, addresses }: CheckoutDraft, wanted: CityView): AddressDraft {
  const isHere = wanted.code === city.code && !isEmpty(address);
  return isHere ? address : (addresses[wanted.code] ?? emptyAddress);
}

const withAddress = (addresses: CheckoutDraft["addresses"], { city, address }: Pick<NewDelivery, "city" | "address">) =>
  isEmpty(address) ? addresses : { ...addresses, [city.code]: address };
const isEmpty = (address: AddressDraft): boolean => Object.values(address).every((part) => part === "");

/** Starts a new choice in place of a confirmed delivery. */
export const reopenDelivery = (draft: CheckoutDraft): CheckoutDraft => ({
  ...draft,
  anew: { city: draft.city, choice: draft.choice, point: draft.point, address: addressIn(draft, draft.city) },
  closed: { ...draft.closed, delivery: false },
});

/** Confirms the choice, whether new or the first one. */
export const confirmDelivery = (draft: CheckoutDraft): CheckoutDraft => ({
  ...draft,
  ...(draft.anew && { ...draft.anew, choice: confirmed(draft.choice, draft.anew.choice) }),
  anew: null,
  closed: { ...draft.closed, delivery: true },
});

/** Drops the new choice; the old one stays. The entered address is kept for its city. */
export const cancelNewDelivery = (draft: CheckoutDraft): CheckoutDraft => ({
  ...draft,
  addresses: draft.anew ? withAddress(draft.addresses, draft.anew) : draft.addresses,
  anew: null,
  closed: { ...draft.closed, delivery: true },
});
