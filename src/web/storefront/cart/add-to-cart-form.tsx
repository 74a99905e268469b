import type { ReactNode } from "react";
import { useLocation } from "react-router";

/** Names the part of the cart page's action that adds pieces. */
export const addIntent = "add";

/**
 * A button that puts pieces into the cart. With scripts it answers at once (`onAdd`); before they have arrived, or without them,
 * it is an ordinary form that the cart's action answers and sends back here.
 */
export function AddToCartForm({ id, quantity, onAdd, children }: { id: number; quantity: number; onAdd: () => void; children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <form
      className="bare"
      method="post"
      action="/cart"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd();
      }}
    >
      <input type="hidden" name="intent" value={addIntent} />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="quantity" value={quantity} />
      <input type="hidden" name="back" value={pathname} />
      {children}
    </form>
  );
}
