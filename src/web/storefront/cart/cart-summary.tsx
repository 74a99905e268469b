import { type MouseEvent, useEffect, useState } from "react";
import { Link, useFetchers } from "react-router";
import { coinForms, counted, minuteForms, nbsp, percent, priceText } from "#kit/format.ts";
import { add, subtract, zero } from "#kit/money.ts";
import { pendingForms, isCurrentData } from "#web/client/router-state.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Price } from "../../ui/price.tsx";
import { OrderSummary, PromoRow, SummaryRow, TotalBar } from "../shared/order-summary.tsx";
import { PriceRuler } from "../shared/price-ruler.tsx";
import type { CartPageView, RefusedPromo } from "./cart-view.ts";
import { PromoCodeForm } from "./promo-code-form.tsx";

type CartSummaryProps = { view: CartPageView; isBlocked: boolean; isWaiting: boolean; refusedPromo: RefusedPromo | undefined };

/** The total of the cart and how it is made up. On a phone the total and the button also stay visible below the list. */
export function CartSummary({ view, isBlocked, isWaiting, refusedPromo }: CartSummaryProps) {
  const order = useOrderButton(view);
  const { total, promo, worth, buyback, taken, limits } = view;
  const premium = worth !== null && worth > 0 ? subtract(total, worth) : null;
  const why = isBlocked ? "Сначала решите, как быть с монетами, которых не хватает: они отмечены в списке." : null;
  const go =
    why || total === 0 ? (
      <button className="button button--gold button--wide" type="button" disabled aria-describedby="cart-why">
        Оформить
      </button>
    ) : (
      <ButtonLink className="button--wide" to="/checkout" reloadDocument {...order}>
        Оформить
      </ButtonLink>
    );
  return (
    <>
      <OrderSummary
        label="Сумма заказа"
        lock={<h2 className="lock__head">Ваш заказ</h2>}
        total={total}
        rows={
          <>
            <SummaryRow name={counted(taken, coinForms)}>
              <Price amount={add(total, promo?.discount ?? zero)} />
            </SummaryRow>
            <PromoRow promo={promo} />
            {worth !== null && premium !== null && worth > 0 ? (
              <>
                <SummaryRow name="Металл в них">
                  <Price amount={worth} />
                </SummaryRow>
                <SummaryRow
                  name={
                    <>
                      {premium >= 0 ? "Премия" : "Ниже металла"},{" "}
                      <span className="digits">{percent(Math.abs(Math.round((premium / worth) * 10_000)))}</span>
                      {nbsp}%
                    </>
                  }
                >
                  <Price amount={premium} />
                </SummaryRow>
              </>
            ) : null}
            <SummaryRow name="Доставка до пункта СДЭК">{view.isPickupFree ? "бесплатно" : "на оформлении"}</SummaryRow>
          </>
        }
      >
        {buyback !== null && worth !== null && buyback < worth && worth < total ? (
          <PriceRuler
            share={(worth - buyback) / (total - buyback)}
            label={`Шкала: выкуп ${priceText(buyback)}, металл ${priceText(worth)}, цена ${priceText(total)}`}
            left={
              <>
                <em>Выкупаем за</em>
                <Price amount={buyback} />
              </>
            }
            middle={null}
            right={
              <>
                <em>Цена</em>
                <Price amount={total} />
              </>
            }
          />
        ) : null}
        <PromoCodeForm key={promo?.code} promo={promo} {...(refusedPromo ? { refused: refusedPromo } : {})} />
        {go}
        {why || total === 0 ? null : (
          <noscript>
            <p className="bill__note">
              JavaScript выключен? <a href="/checkout/steps">Оформить по шагам</a>
            </p>
          </noscript>
        )}
        <p className="bill__note" id="cart-why">
          {why ?? (
            <>
              {isWaiting ? "" : `Цену зафиксируем на ${counted(view.lockMinutes, minuteForms)}. `}
              {limitText(view)}
            </>
          )}
        </p>
        {limits.sbp < total ? (
          <p className="bill__note">
            Как оплатить крупный заказ — в разделе <Link to="/delivery">«Доставка и оплата»</Link>.
          </p>
        ) : null}
      </OrderSummary>
      <TotalBar
        total={total}
        note={
          buyback !== null ? (
            <>
              выкуп <Price amount={buyback} />
            </>
          ) : (
            counted(taken, coinForms)
          )
        }
      >
        {go}
      </TotalBar>
    </>
  );
}

/**
 * The checkout is loaded as a new document, which would abort changes that are still being sent. So the button waits for their answers and
 * continues only if the cart then contains what was requested.
 */
function useOrderButton(view: CartPageView) {
  const fetchers = useFetchers();
  const [awaited, setAwaited] = useState<FormData[] | null>(null);
  useEffect(() => {
    if (!awaited || pendingForms().length > 0 || !isCurrentData(view)) return;
    setAwaited(null);
    const isApplied = (change: FormData) =>
      (view.lines.find(({ id }) => id === Number(change.get("id")))?.quantity ?? 0) === Number(change.get("quantity"));
    if (awaited.every(isApplied)) location.assign("/checkout");
  }, [awaited, fetchers, view]);
  return {
    "aria-busy": awaited !== null || undefined,
    onClick(event: MouseEvent) {
      const changes = pendingForms();
      if (changes.length === 0) return;
      event.preventDefault();
      setAwaited(changes);
    },
  };
}

function limitText({ total, limits }: CartPageView): string {
  if (total > limits.sbp) return `По СБП можно до ${priceText(limits.sbp)}, этот заказ оплатите по счёту.`;
  if (total > limits.card) return `Картой можно до ${priceText(limits.card)}, этот заказ оплатите по СБП или счёту.`;
  return "Оплатить можно картой, по СБП или по счёту.";
}
