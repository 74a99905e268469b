import type { ReactNode } from "react";
import { useLocation } from "react-router";

/** Value of `intent` for which the cart page's action adds pieces. */
export const addIntent = "add";

/**
 * A button that adds pieces to the cart. With scripts it calls `onAdd`; without them, or before hydration, it is a form that the cart
 * page's action answers with a redirect back.
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
