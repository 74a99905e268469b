import type { ApiRefusal } from "#contract/client.ts";
import type { OrderErrorProps } from "../../dialogs/dialog-props.ts";

/** The dialog's text when an order was not made. All entries stay, and so does the key of the attempt. */
export type RefusalText = Pick<OrderErrorProps, "title" | "message" | "way" | "phoneToConfirm">;

/** `phoneToConfirm`: signing in with this phone solves it. */
export function refusalText(refusal: ApiRefusal, phoneToConfirm?: string): RefusalText {
  const isLost = refusal.code === "network.failed" || refusal.status >= 500;
  const orderId =
    typeof refusal.data === "object" && refusal.data !== null && "orderId" in refusal.data ? String(refusal.data.orderId) : null;
  return {
    // Without an answer the page cannot know whether the order was made.
    title: refusal.code === "quote.used" ? "Заказ уже оформлен" : isLost ? "Магазин пока не ответил" : "Заказ пока не оформлен",
    message: isLost
      ? `${refusal.message}. Всё, что вы ввели, сохранено. Нажмите кнопку ещё раз: второго заказа не будет.`
      : `${refusal.message}.`,
    ...(isLost || refusal.code === "order.reserve_limit" ? { way: { href: "/contacts", name: "Контакты" } } : {}),
    ...(phoneToConfirm === undefined ? {} : { phoneToConfirm }),
    ...(refusal.code === "order.too_many_unpaid" || orderId
      ? { way: { href: orderId ? `/my/orders/${orderId}` : "/my/orders", name: "К моим заказам" } }
      : {}),
  };
}
