import * as contract from "#contract/calls.ts";
import { callApi, type RefusalOf } from "#contract/client.ts";
import type { payOrder } from "#contract/orders.ts";
import { methodById } from "#shop/payment/payment.ts";
import { openDialog } from "../../dialogs/dialogs.tsx";

export type PayRefusal = RefusalOf<typeof payOrder>;

/**
 * Whether this way to pay is finished on another device: SBP ends in a bank's app, so who sits at a desktop is shown a code for the phone's camera.
 * A phone, and a window as narrow as one, goes to the provider's page at once.
 */
export const isPaidByPhone = (paymentId: number | undefined): boolean =>
  paymentId !== undefined &&
  methodById(paymentId)?.name === "sbp" &&
  matchMedia("(hover: hover) and (pointer: fine) and (min-width: 1024px)").matches;

/** Why an order cannot be paid any more, as a page that knew it otherwise tells it: another tab, the office or its time was first. Null: it may still be tried. */
export function notPayableText(refusal: PayRefusal, orderNumber: number): string | null {
  if (refusal.code !== "order.not_payable") return null;
  const status = refusal.data?.status;
  if (status === "cancelled") return `Заказ ${orderNumber} уже отменён, деньги не списаны`;
  return status === "awaiting_payment" || status === undefined ? refusal.message : `Заказ ${orderNumber} уже оплачен`;
}

/** Opens the provider's page for an order; answers with the refusal when that cannot be done. */
export async function startPayment({
  orderId,
  orderNumber,
  orderKey,
  paymentId,
}: {
  orderId: string;
  orderNumber?: number;
  orderKey: string | null;
  paymentId?: number;
}): Promise<PayRefusal | null> {
  const answer = await callApi(contract.payOrder, {
    params: { id: orderId },
    query: { key: orderKey ?? undefined },
    body: paymentId ? { paymentId } : {},
  });
  if (!answer.ok) return answer.error;
  const pageUrl = answer.value.confirmationUrl;
  if (orderNumber !== undefined && isPaidByPhone(paymentId)) {
    openDialog("payment", {
      orderId,
      orderNumber,
      orderKey,
      pageUrl,
      thanksHref: `/thanks?order=${encodeURIComponent(orderId)}${orderKey ? `&key=${encodeURIComponent(orderKey)}` : ""}`,
    });
  } else location.assign(pageUrl);
  return null;
}
