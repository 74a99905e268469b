import { confirmed } from "./delivery-choice.ts";
import type { CheckoutDraft } from "../draft.ts";

/** Opens a confirmed delivery: from here on everything is chosen anew. */
export const reopenDelivery = (draft: CheckoutDraft): CheckoutDraft => ({
  ...draft,
  anew: { city: draft.city, choice: draft.choice, point: draft.point },
  closed: { ...draft.closed, delivery: false },
});

/** Takes what was chosen, anew or for the first time. */
export const confirmDelivery = (draft: CheckoutDraft): CheckoutDraft => ({
  ...draft,
  ...(draft.anew && { city: draft.anew.city, point: draft.anew.point, choice: confirmed(draft.choice, draft.anew.choice) }),
  anew: null,
  closed: { ...draft.closed, delivery: true },
});

/** Leaves the old choice as it was. */
export const cancelNewDelivery = (draft: CheckoutDraft): CheckoutDraft => ({
  ...draft,
  anew: null,
  closed: { ...draft.closed, delivery: true },
});
