import { Link } from "react-router";
import { clock, dayOfYear } from "#kit/format.ts";
import { OpeningAlert } from "../alerts/opening-alert.tsx";
import type { CartPageView } from "./cart-view.ts";

type MarketNoteProps = Pick<CartPageView, "market" | "isStale" | "isDead"> & { hasBullion: boolean };

/** Says in advance what prevents the price lock: a closed market or stale rates. Memorable coins have fixed prices and are not affected. */
export function MarketNote({ market, isStale, isDead, hasBullion }: MarketNoteProps) {
  if (!hasBullion) return null;
  if (!market.isOpen) {
    const until = market.until ? new Date(market.until) : null;
    return (
      <div className="aside">
        <p role="status">
          <b>Биржа закрыта.</b> Цены инвестиционных монет зафиксируем, когда откроются торги
          {until ? (
            <>
              : {dayOfYear(until)} в <span className="digits">{clock(until)}</span>
            </>
          ) : null}
          .{market.note ? ` ${market.note}` : ""} Корзина сохранится.
        </p>
        <p>
          {market.offer.before} <Link to={market.offer.link.href}>{market.offer.link.text}</Link>
          {market.offer.after}
        </p>
        <OpeningAlert />
      </div>
    );
  }
  if (isDead)
    return (
      <p className="aside" role="status">
        <b>Котировки обновляются.</b> Оформление скоро станет доступно, корзина сохранена.
      </p>
    );
  if (isStale)
    return (
      <p className="aside" role="status">
        <b>Котировки задерживаются.</b> Цены ниже — по последним известным курсам.
      </p>
    );
  return null;
}
