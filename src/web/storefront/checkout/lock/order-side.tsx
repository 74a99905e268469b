import { clock, coinForms, counted, minuteForms, nbsp, priceText, trimmed } from "#kit/format.ts";
import { add, zero, type Kopecks } from "#kit/money.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import { Price } from "../../../ui/price.tsx";
import { CountdownBar } from "../../../ui/countdown-bar.tsx";
import type { CartPageView } from "../../cart/cart-view.ts";
import { pricesText } from "../../cart/prices-text.ts";
import { DeliveryRows, OrderSummary, PromoRow, SummaryRow, TotalBar } from "../../shared/order-summary.tsx";
import { minutesAndSeconds, useCountdown } from "../../../ui/use-countdown.ts";
import { textsOfDelivery } from "../delivery/delivery-texts.ts";
import { orderVerb } from "../payment/payment-texts.ts";
import type { LockedQuote } from "./locked-quote.ts";
import type { Checkout } from "../checkout-store.ts";

type OrderSideProps = { checkout: Checkout; cart: CartPageView; lifeSeconds: number; onSubmit: () => void };

/** The locked price with its countdown, the coins and the total; on a phone the total and the button stay visible at the bottom. */
export function OrderSide({ checkout, cart, lifeSeconds, onSubmit }: OrderSideProps) {
  const { state, facts, dispatch } = checkout;
  const { draft } = state;
  const { problem, movedFrom } = state.lock;
  const { total, option, deliveryPrice, isLocking, locked } = facts;
  const isOrdering = state.placing !== null;
  const lifeMinutes = counted(Math.round(lifeSeconds / 60), minuteForms);
  const left = useCountdown(locked?.endsAt ?? null);
  const way = deliveryById(draft.choice.deliveryId);
  const prices = new Map(locked?.lines.map((line) => [line.id, line.price]));
  const lines = cart.lines.map((line) => ({ ...line, price: prices.get(line.id) ?? line.price }));
  const isPricedByManager = deliveryPrice === 0 && Boolean(option?.note);
  const promo = locked ? locked.promo : cart.promo;
  const goods = locked ? add(...locked.lines.map((line) => line.sum)) : cart.total;
  return (
    <>
      <OrderSummary
        label="Ваш заказ"
        lines={lines}
        total={total}
        lock={
          <>
            {locked && left > 0 ? (
              <>
                <p className="lock__head">
                  <span>Цена зафиксирована ещё </span>
                  <b className="digits" role="timer">
                    {lasting(left)}
                  </b>
                </p>
                <CountdownBar left={left / lifeSeconds} />
                <div className="lock__scale" aria-hidden="true">
                  <span>0</span>
                  <span className="digits">
                    {Math.round(lifeSeconds / 60)}
                    {nbsp}минут
                  </span>
                </div>
                {movedFrom ? (
                  <p className="lock__message">
                    <b>Цены обновились вместе с вашим выбором.</b> Монеты стоили <Price amount={goodsOf(movedFrom, locked)} />, теперь{" "}
                    <Price amount={goodsOf(locked, movedFrom)} />.
                  </p>
                ) : null}
                <p>
                  До <span className="digits">{clock(new Date(locked.expiresAt))}</span> сумма не изменится. Потом покажем новые цены и
                  спросим, подходят ли они.
                </p>
              </>
            ) : (
              <>
                <p className="lock__head">
                  {isLocking
                    ? "Фиксируем цену…"
                    : problem
                      ? "Цена пока не зафиксирована"
                      : locked
                        ? "Время вышло, обновляем цены…"
                        : pricesText(cart)}
                </p>
                {problem ? (
                  <p className="error" role="alert">
                    {problem.message}
                  </p>
                ) : (
                  <p>
                    {facts.needsPoint && !draft.point
                      ? `Зафиксируем их на ${lifeMinutes}, как только выберете, где получить заказ.`
                      : `Зафиксируем их на ${lifeMinutes}.`}
                  </p>
                )}
                {problem ? (
                  <button className="text-button" type="button" onClick={() => dispatch({ type: "lock.requested" })}>
                    Проверить ещё раз
                  </button>
                ) : null}
              </>
            )}
            <p className="visually-hidden" role="status">
              {locked && left > 0
                ? `${movedFrom ? "Цены обновились. " : ""}Цена зафиксирована до ${clock(new Date(locked.expiresAt))}, ` +
                  `итого ${priceText(total)}`
                : ""}
            </p>
          </>
        }
        rows={
          <>
            <SummaryRow name={counted(cart.count, coinForms)}>
              <Price amount={add(goods, promo?.discount ?? zero)} />
            </SummaryRow>
            <PromoRow promo={promo} />
            <DeliveryRows name={way ? textsOfDelivery(way.name).pay : "Доставка"} price={isPricedByManager ? null : deliveryPrice} />
          </>
        }
      >
        <button className="button button--gold button--wide" type="button" disabled={isOrdering} onClick={onSubmit}>
          {isOrdering ? "Оформляем…" : orderVerb(draft.choice.paymentId)}
        </button>
        <p className="bill__note">
          {massText(cart)}
          {cart.buyback !== null ? (
            <>
              {" "}
              Сегодня выкупили бы всё за <Price amount={cart.buyback} />.
            </>
          ) : null}
        </p>
      </OrderSummary>
      <TotalBar
        total={total}
        countdown={locked && left > 0 ? <CountdownBar left={left / lifeSeconds} /> : null}
        note={
          locked && left > 0 ? (
            <>
              цены те же ещё <span className="digits">{lasting(left)}</span>
            </>
          ) : (
            barNote(facts, problem !== null, pricesText(cart))
          )
        }
      >
        <button className="button button--gold" type="button" disabled={isOrdering} onClick={onSubmit}>
          {isOrdering ? "Оформляем…" : orderVerb(draft.choice.paymentId)}
        </button>
      </TotalBar>
    </>
  );
}

/** The remark of the bar while no price is locked: the sum of an ended lock is neither the current price nor promised. */
function barNote({ isLocking, locked }: Checkout["facts"], hasProblem: boolean, prices: string): string {
  if (isLocking) return "фиксируем цену…";
  if (hasProblem) return "цена не зафиксирована";
  return locked ? "обновляем цены…" : prices.toLowerCase();
}

/** `9:58`; with a leading zero it would look like a time of day. */
const lasting = (seconds: number): string => minutesAndSeconds(seconds).replace(/^0/, "");

/** The sum of the coins that both quotes contain. */
const goodsOf = (quote: LockedQuote, other: LockedQuote): Kopecks =>
  add(...quote.lines.filter((line) => other.lines.some((each) => each.id === line.id)).map((line) => line.sum));

const metalNames = { gold: "Золота", silver: "серебра" } as const;
function massText({ metals }: CartPageView): string {
  const parts = metals.map(({ metal, massMg }) => `${metalNames[metal]} ${trimmed(massMg / 1000, 2)}${nbsp}г`);
  const text = parts.join(", ");
  return text ? `${text[0]?.toUpperCase()}${text.slice(1)}.` : "";
}
