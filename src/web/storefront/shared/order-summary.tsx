import type { ReactNode } from "react";
import { nbsp } from "#kit/format.ts";
import { subtract, times, zero, type Kopecks } from "#kit/money.ts";
import { Live, Price } from "../../ui/price.tsx";
import { splitTitle } from "./coin-title.ts";

type SummaryLine = { id: number; title: string; image: string; metal: "gold" | "silver"; quantity: number; price: Kopecks | null };

type OrderSummaryProps = {
  label: string;
  /** Until when the prices are locked, or only a heading. */
  lock: ReactNode;
  /** The coins; absent beside a list that shows them. */
  lines?: readonly SummaryLine[];
  /** What the total is made of: `SummaryRow`s. */
  rows: ReactNode;
  total: Kopecks;
  /** Buttons and notes below the total. */
  children?: ReactNode;
};

/** An order in short: price lock, coins, total. Beside the cart and at checkout. */
export function OrderSummary({ label, lock, lines, rows, total, children }: OrderSummaryProps) {
  return (
    <aside className="bill" aria-label={label}>
      <div className="lock">{lock}</div>
      {lines ? <SummaryLines lines={lines} /> : null}
      <dl className="totals">
        {rows}
        <div className="total">
          <dt>Итого</dt>
          <dd>
            <Live value={total}>
              <Price amount={total} />
            </Live>
          </dd>
        </div>
      </dl>
      {children}
    </aside>
  );
}

export function SummaryRow({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What a promo code takes off the prices above; nothing without one. */
export function PromoRow({ promo }: { promo: { code: string; discount: Kopecks } | null | undefined }) {
  if (!promo || promo.discount === 0) return null;
  return (
    <SummaryRow name={`Промокод ${promo.code}`}>
      <Price amount={subtract(zero, promo.discount)} />
    </SummaryRow>
  );
}

/** Delivery and insurance of an order. `price` null: the manager names it. */
export function DeliveryRows({ name, price }: { name: string | null; price: Kopecks | null }) {
  return (
    <>
      {name !== null ? (
        <SummaryRow name={name}>{price === null ? "назовёт менеджер" : price === 0 ? "бесплатно" : <Price amount={price} />}</SummaryRow>
      ) : null}
      <SummaryRow name="Страховка на полную цену">включена</SummaryRow>
    </>
  );
}

function SummaryLines({ lines }: { lines: readonly SummaryLine[] }) {
  return (
    <ul className="lines">
      {lines.map((line) => {
        const { name, issue } = splitTitle(line.title);
        return (
          <li key={line.id}>
            <img className={`small-coin coin--${line.metal}`} src={line.image} width="48" height="48" alt="" loading="lazy" />
            <span>
              <b>{name}</b>
              <small>
                {issue}
                {issue ? <br /> : null}
                {line.quantity}
                {nbsp}×{nbsp}
                {line.price !== null ? <Price amount={line.price} /> : "нет цены"}
              </small>
            </span>
            <span>
              {line.price !== null ? (
                <Live value={line.price}>
                  <Price amount={times(line.price, line.quantity)} />
                </Live>
              ) : null}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

type TotalBarProps = { total: Kopecks; note: ReactNode; countdown?: ReactNode; children: ReactNode };

/** The bar at the bottom of a phone's screen: the total with a remark, and the button. */
export function TotalBar({ total, note, countdown, children }: TotalBarProps) {
  return (
    <div className="till">
      {countdown}
      <span>
        <b>
          <Price amount={total} />
        </b>
        <small>{note}</small>
      </span>
      {children}
    </div>
  );
}
