import { confirmed } from "./delivery-choice.ts";
import type { CityView } from "#contract/public/locations.ts";
import { emptyAddress, type CheckoutDraft } from "../draft.ts";

/** Another city: the point stays in its city, and so does the address, which is kept for choosing that city again. */
export function chooseCity(draft: CheckoutDraft, city: CityView): CheckoutDraft {
  const current = draft.anew ?? draft;
  if (city.code === current.city.code) return draft.anew ? { ...draft, anew: { ...draft.anew, city } } : { ...draft, city };
  const moved = { city, point: null, address: draft.addresses[city.code] ?? emptyAddress };
  const addresses = { ...draft.addresses, [current.city.code]: current.address };
  return draft.anew ? { ...draft, anew: { ...draft.anew, ...moved }, addresses } : { ...draft, ...moved, addresses };
}

/** Starts a new choice in place of a confirmed delivery. */
export const reopenDelivery = (draft: CheckoutDraft): CheckoutDraft => ({
  ...draft,
  anew: { city: draft.city, choice: draft.choice, point: draft.point, address: draft.address },
  closed: { ...draft.closed, delivery: false },
});

/** Confirms the choice, whether new or the first one. */
export const confirmDelivery = (draft: CheckoutDraft): CheckoutDraft => ({
  ...draft,
  ...(draft.anew && { ...draft.anew, choice: confirmed(draft.choice, draft.anew.choice) }),
  anew: null,
  closed: { ...draft.closed, delivery: true },
});

/** Drops the new choice; the old one stays. */
export const cancelNewDelivery = (draft: CheckoutDraft): CheckoutDraft => ({
  ...draft,
  anew: null,
  closed: { ...draft.closed, delivery: true },
});
