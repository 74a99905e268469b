import { callApi } from "#contract/client.ts";

/** Address of an order's call; a guest's carries the key of his link. */
export const orderCall = (orderId: string, key: string | null, verb: "pay" | "cancel"): `/api/${string}` =>
  `/api/orders/${encodeURIComponent(orderId)}/${verb}${key ? `?key=${encodeURIComponent(key)}` : ""}`;

/** Opens the provider's page for an order; answers with the reason in words when that cannot be done. */
export async function askToPay({ orderId, orderKey, paymentId }: { orderId: string; orderKey: string | null; paymentId?: number }): Promise<string | null> {
  const answer = await callApi<{ confirmationUrl: string }>(orderCall(orderId, orderKey, "pay"), { method: "POST", body: paymentId ? { paymentId } : {} });
  if (!answer.ok) return answer.error.message;
  location.assign(answer.value.confirmationUrl);
  return null;
}
