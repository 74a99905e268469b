import type { StaffRefusal } from "../client.ts";

type Facts = { reason?: string; orderNumber?: number } | undefined;

/** Why a change of an order was refused, with what the server says beside the code: its reason, or the number of the other order. */
export function refusalText({ code, message, data }: Pick<StaffRefusal, "code" | "message" | "data">): string {
  const { reason, orderNumber } = (data as Facts) ?? {};
  if (code === "order.seal_taken" && orderNumber) return `Эта пломба уже на заказе ${orderNumber}`;
  if (code === "order.transfer_known" && orderNumber)
    return `Уже учтено в заказе ${orderNumber}. Если такие же номер, дата и сумма у другого плательщика, назовите его счёт`;
  return reason ?? message;
}
