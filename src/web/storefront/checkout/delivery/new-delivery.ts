import { confirmed } from "./delivery-choice.ts";
import type { CheckoutDraft } from "../draft.ts";

/** Starts a new choice in place of a confirmed delivery. */
export const reopenDelivery = (draft: CheckoutDraft): CheckoutDraft => ({
  ...draft,
  anew: { city: draft.city, choice: draft.choice, point: draft.point },
  closed: { ...draft.closed, delivery: false },
});

/** Confirms the choice, whether new or the first one. */
export const confirmDelivery = (draft: CheckoutDraft): CheckoutDraft => ({
  ...draft,
  ...(draft.anew && { city: draft.anew.city, point: draft.anew.point, choice: confirmed(draft.choice, draft.anew.choice) }),
  anew: null,
  closed: { ...draft.closed, delivery: true },
});

/** Drops the new choice; the old one stays. */
export const cancelNewDelivery = (draft: CheckoutDraft): CheckoutDraft => ({
  ...draft,
  anew: null,
  closed: { ...draft.closed, delivery: true },
});
