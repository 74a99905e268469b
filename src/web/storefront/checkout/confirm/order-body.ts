import { normalisePhone } from "#shop/customers/customer.ts";
import type { CheckoutDraft } from "../draft.ts";

/** The body of the call that makes an order. */
export const orderBody = (draft: CheckoutDraft, quoteId: string, pvzId: string | null) => ({
  quoteId,
  user: { ...trimmed(draft.user), phone: normalisePhone(draft.user.phone) ?? draft.user.phone },
  delivery: { id: draft.choice.deliveryId, pvzId },
  address: draft.choice.isCourier || draft.choice.type === "special" ? { city: draft.city.name, ...trimmed(draft.address) } : null,
  paymentId: draft.choice.paymentId,
  consent: true as const,
  ...(draft.wantsNewsletter ? { newsletter: true } : {}),
});
export type OrderBody = ReturnType<typeof orderBody>;

const trimmed = <T extends Record<string, string>>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.trim()])) as T;
