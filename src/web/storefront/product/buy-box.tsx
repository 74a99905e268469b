import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { pieceForms, counted, number } from "#kit/format.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Price } from "../../ui/price.tsx";
import { AddToCartForm } from "../cart/add-to-cart-form.tsx";
import { ListButton } from "../catalog/cards/card-buttons.tsx";
import type { ShownCard } from "../catalog/cards/card-view.ts";
import { addToCart, setCartQuantity, useVisitorState } from "../shared/visitor-state.ts";
import { showToast } from "../../ui/toasts.tsx";

/** Quantity, «В корзину», wishlist and comparison. Once the coin is in the cart, the quantity is that of the cart. */
export function BuyBox({ card, most }: { card: ShownCard; most: number }) {
  const inCart = useVisitorState((state) => state.quantities[card.id] ?? 0);
  const [wanted, setWanted] = useState(1);
  const box = useRef<HTMLDivElement>(null);
  const canBuy = card.price !== null && most > 0;
  const least = inCart > 0 ? 0 : 1;

  function choose(next: number) {
    if (next > most) showToast(`Больше ${counted(most, pieceForms)} заказать нельзя`, "refusal");
    const bounded = Math.min(Math.max(next, least), most);
    if (inCart > 0) void setCartQuantity(card.id, bounded);
    else setWanted(bounded);
  }
  const add = () => addToCart(card.id, wanted);
  const button = (mark?: ReactNode) =>
    inCart > 0 ? (
      // The link takes the place of «В корзину»: the second click of a double click meets it, and must not leave the page.
      <Link className="button button--gold" to="/cart" onClick={(event) => event.detail > 1 && event.preventDefault()}>
        {mark}В корзине {number(inCart)}
      </Link>
    ) : (
      <AddToCartForm id={card.id} quantity={wanted} onAdd={add}>
        <Button type="submit">В корзину</Button>
      </AddToCartForm>
    );

  return (
    <>
      <div className="order" ref={box}>
        {canBuy && <Stepper quantity={inCart || wanted} least={least} most={most} onChange={choose} />}
        {!canBuy ? <Button disabled>{card.price === null ? "Цена по запросу" : "Нет в наличии"}</Button> : button(<Icon name="check" />)}
        {(["wishlist", "compare"] as const).map((list) => (
          <ListButton key={list} className="square-button" list={list} id={card.id} title={card.title} />
        ))}
      </div>
      {canBuy && card.price !== null && (
        <StickyBar watched={box}>
          <span>
            <b>
              <Price amount={card.price} />
            </b>
            <small>{card.name}</small>
          </span>
          {button()}
        </StickyBar>
      )}
    </>
  );
}

function Stepper({ quantity, least, most, onChange }: { quantity: number; least: number; most: number; onChange: (next: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const finish = () => {
    const next = Number((typed ?? "").replace(/\D/g, ""));
    if (next > 0) onChange(next);
    setTyped(null);
  };
  return (
    <div className="stepper" role="group" aria-label="Количество">
      <button
        type="button"
        data-each="-1"
        aria-label={quantity === 1 && least === 0 ? "Убрать из корзины" : "Меньше"}
        disabled={quantity <= least}
        onClick={() => onChange(quantity - 1)}
      >
        <Icon name="minus" />
      </button>
      <input
        inputMode="numeric"
        autoComplete="off"
        aria-label="Количество"
        value={typed ?? String(quantity)}
        maxLength={3}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === "Enter") finish();
        }}
      />
      <button type="button" data-each="1" aria-label="Больше" aria-disabled={quantity >= most} onClick={() => onChange(quantity + 1)}>
        <Icon name="plus" />
      </button>
    </div>
  );
}

/** The bar at the bottom of a narrow screen; hidden while the main button is visible. */
function StickyBar({ watched, children }: { watched: { current: HTMLElement | null }; children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const node = watched.current;
    if (!node) return undefined;
    const observer = new IntersectionObserver(([entry]) => setShown(entry?.isIntersecting === false));
    observer.observe(node);
    return () => observer.disconnect();
  }, [watched]);
  return (
    <div className={`sticky${isShown ? " is-shown" : ""}`} inert={!isShown}>
      {children}
    </div>
  );
}
