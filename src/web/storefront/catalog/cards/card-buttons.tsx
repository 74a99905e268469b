import { counted, pieceForms } from "#kit/format.ts";
import { Icon } from "../../../ui/icon.tsx";
import { cardFormId } from "../../cart/add-to-cart-form.tsx";
import { addToCart, toggleCompare, toggleWishlist, useVisitorState } from "../../shared/visitor-state.ts";
import { showToast } from "../../../ui/toasts.tsx";

const lists = {
  wishlist: { icon: "heart", verb: "В избранное", toggle: toggleWishlist },
  compare: { icon: "scales", verb: "Сравнить", toggle: toggleCompare },
} as const;

/** The heart or the scales of a coin: pressed when the coin is in the list. */
export function ListButton({
  list,
  id,
  title,
  className = "mini",
}: {
  list: keyof typeof lists;
  id: number;
  title: string;
  className?: string;
}) {
  const isIn = useVisitorState((state) => state[list].includes(id));
  const { icon, verb, toggle } = lists[list];
  return (
    <button
      className={`${className} ${className}--${icon}${isIn ? " is-on" : ""}`}
      type="button"
      aria-pressed={isIn}
      aria-label={`${verb}: ${title}`}
      onClick={() => void toggle(id)}
    >
      <Icon name={icon} />
    </button>
  );
}

/**
 * Adds one piece to the cart (without scripts by the form of `CardForm`) and shows how many are in it; a message says when there are no
 * more in stock.
 */
export function CartButton({ id, title, available }: { id: number; title: string; available: number }) {
  const quantity = useVisitorState((state) => state.quantities[id] ?? 0);
  const isAll = quantity >= available;
  const label = quantity > 0 ? `В корзине ${quantity}. ${isAll ? "Больше нет" : "Добавить ещё"}: ${title}` : `В корзину: ${title}`;
  const add = () => (isAll ? showToast(`Больше нет: в наличии ${counted(available, pieceForms)}`, "refusal") : void addToCart(id, 1));
  return (
    <button
      className={`card-button${quantity > 0 ? " is-on" : ""}`}
      type="submit"
      form={cardFormId}
      name="id"
      value={id}
      aria-label={label}
      aria-disabled={isAll || undefined}
      onClick={(event) => {
        event.preventDefault();
        add();
      }}
    >
      {quantity > 0 ? <span className="digits">{quantity}</span> : <Icon name="bag" />}
    </button>
  );
}
