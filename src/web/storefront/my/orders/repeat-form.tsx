import { Form } from "react-router";

/** Value of `intent` for which the cart page's action repeats an order. */
export const repeatIntent = "repeat";

/** A button that puts the coins of an order into the cart again and opens it. An ordinary form, so it works without scripts. */
export function RepeatForm({ orderId, orderKey, className }: { orderId: string; orderKey: string | null; className: string }) {
  return (
    <Form method="post" action="/cart" className="bare">
      <input type="hidden" name="intent" value={repeatIntent} />
      <input type="hidden" name="order" value={orderId} />
      {orderKey ? <input type="hidden" name="key" value={orderKey} /> : null}
      <button className={className} type="submit">
        Повторить заказ
      </button>
    </Form>
  );
}
