import type { ReactNode, SubmitEvent } from "react";
import { useLocation } from "react-router";

/** Value of `intent` for which the cart page's action adds pieces. */
export const addIntent = "add";

/** The id of the form that all cards of a page share. */
export const cardFormId = "add-to-cart";

/**
 * The form of the buttons in coin cards, which name the coin: one for a page, because each card's own would be a tenth of its elements.
 * With scripts the buttons do not send it.
 */
export function CardForm() {
  const { pathname } = useLocation();
  return (
    <form id={cardFormId} method="post" action="/cart" hidden>
      <AddFields quantity={1} back={pathname} />
    </form>
  );
}

const AddFields = ({ quantity, back }: { quantity: number; back: string }) => (
  <>
    <input type="hidden" name="intent" value={addIntent} />
    <input type="hidden" name="quantity" value={quantity} />
    <input type="hidden" name="back" value={back} />
  </>
);

type AddToCartFormProps = { id: number; quantity: number; onAdd: () => Promise<void>; children: ReactNode };

/**
 * A button that adds pieces to the cart. With scripts it calls `onAdd`; without them, or before hydration, it is a form that the cart
 * page's action answers with a redirect back. The focus goes to what takes the button's place.
 */
export function AddToCartForm({ id, quantity, onAdd, children }: AddToCartFormProps) {
  const { pathname } = useLocation();
  async function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const place = event.currentTarget.parentElement;
    await onAdd();
    if (document.activeElement === document.body) place?.querySelector<HTMLElement>("a, [type=submit]")?.focus();
  }
  return (
    <form className="bare" method="post" action="/cart" onSubmit={(event) => void onSubmit(event)}>
      <AddFields quantity={quantity} back={pathname} />
      <input type="hidden" name="id" value={id} />
      {children}
    </form>
  );
}
