import { useState } from "react";
import { Link } from "react-router";
import { coinForms, counted, deadline } from "#kit/format.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Price } from "../../ui/price.tsx";
import type { CartPageView } from "./cart-view.ts";

/** An empty cart with links to fill it; after clearing, also a button that restores it. */
export function EmptyCart({
  text,
  wishlistCount,
  unpaid,
  onRestore,
}: {
  text: string;
  wishlistCount: number;
  unpaid: CartPageView["unpaid"];
  onRestore?: (() => Promise<void>) | undefined;
}) {
  const [isBusy, setBusy] = useState(false);
  if (unpaid && !onRestore) return <UnpaidOrder order={unpaid} />;
  return (
    <div className="empty-cart">
      <svg viewBox="0 0 300 230" role="img" aria-label="Пустая капсула диаметром 22,6 мм">
        <circle cx="150" cy="96" r="92" />
        <circle cx="150" cy="96" r="78" strokeDasharray="2 4" />
        <circle cx="150" cy="96" r="88" strokeDasharray="1 3" />
        <path d="M72 200v14M228 200v14M72 207h48M180 207h48" />
        <text x="150" y="211">
          22,6 мм
        </text>
      </svg>
      <div>
        <h2>Здесь пока пусто</h2>
        <p>{text}</p>
        <div className="empty-cart__actions">
          <ButtonLink to="/catalog">Выбрать монету</ButtonLink>
          {onRestore ? (
            <button
              className="button button--line"
              type="button"
              disabled={isBusy}
              onClick={async () => {
                setBusy(true);
                await onRestore();
                setBusy(false);
              }}
            >
              Вернуть, что было
            </button>
          ) : null}
          {wishlistCount > 0 ? (
            <Link className="more" to="/wishlist">
              Избранное, {counted(wishlistCount, coinForms)} <Icon name="right" />
            </Link>
          ) : null}
        </div>
      </div>
    </div>
  );
}

/** The cart is empty because its coins are in an order that still has to be paid. */
function UnpaidOrder({ order: { number, total, heldUntil, href } }: { order: NonNullable<CartPageView["unpaid"]> }) {
  return (
    <div className="aside">
      <h2>Заказ {number} ждёт оплаты</h2>
      <p>
        Монеты из корзины уже в заказе на <Price amount={total} />.
        {heldUntil ? ` Они отложены для вас ${deadline(heldUntil)} по московскому времени.` : null}
      </p>
      <p className="empty-cart__actions">
        <ButtonLink to={href}>Оплатить заказ</ButtonLink>{" "}
        <Link className="more" to="/catalog">
          Выбрать ещё монеты <Icon name="right" />
        </Link>
      </p>
    </div>
  );
}
