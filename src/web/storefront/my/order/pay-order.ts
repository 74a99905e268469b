import * as contract from "#contract/calls.ts";
import { callApi, type RefusalOf } from "#contract/client.ts";
import type { payOrder } from "#contract/public/orders.ts";
import { methodById } from "#shop/payment/payment.ts";
import { openDialog } from "../../dialogs/dialogs.tsx";

export type PayRefusal = RefusalOf<typeof payOrder>;

/**
 * Whether this method is completed on another device. SBP ends in a bank's app, so a desktop shows a code for the phone's camera. Phones,
 * and windows as narrow as one, open the provider's page.
 */
export const isPaidByPhone = (paymentId: number | undefined): boolean =>
  paymentId !== undefined &&
  methodById(paymentId)?.name === "sbp" &&
  matchMedia("(hover: hover) and (pointer: fine) and (min-width: 64rem)").matches;

/**
 * The message when the order cannot be paid any more, because another tab, staff or the deadline came first. Null: it can be tried again.
 */
export function notPayableText(refusal: PayRefusal, orderNumber: number): string | null {
  if (refusal.code !== "order.not_payable") return null;
  const status = refusal.data?.status;
  if (status === "cancelled") return `Заказ ${orderNumber} уже отменён, деньги не списаны`;
  return status === "awaiting_payment" || status === undefined ? refusal.message : `Заказ ${orderNumber} уже оплачен`;
}

/** Opens the provider's page for an order; returns the refusal when that is not possible. */
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
