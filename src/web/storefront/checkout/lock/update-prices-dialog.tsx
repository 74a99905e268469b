import { Link } from "react-router";
import { clock, nbsp, priceText, roubles } from "#kit/format.ts";
import { subtract, zero, type Kopecks } from "#kit/money.ts";
import { Triangle } from "../../../ui/delta.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Price } from "../../../ui/price.tsx";
import { CountdownBar } from "../../../ui/countdown-bar.tsx";
import { splitTitle } from "../../shared/coin-title.ts";
import type { OpenDialogProps, UpdatePricesProps } from "../../dialogs/dialog-props.ts";
import { minutesAndSeconds, useCountdown } from "../../../ui/use-countdown.ts";
import { hasMoved, hasOtherContents } from "./locked-quote.ts";

/** Dialog with old and new prices. Nothing is ordered until the buyer accepts the new ones. */
export default function UpdatePricesDialog({ before, after, lifeSeconds, onAccept, isOpen, onClose }: UpdatePricesProps & OpenDialogProps) {
  const left = useCountdown(after.endsAt);
  const isPrice = hasMoved(before, after);
  const isOther = hasOtherContents(before, after);
  const old = new Map(before.lines.map((line) => [line.id, line]));
  const gone = before.lines.filter(({ id }) => !after.lines.some((line) => line.id === id));
  return (
    <Dialog title={isPrice && !isOther ? "Цены обновились" : "Заказ изменился"} isOpen={isOpen} onClose={onClose}>
      <p>
        {before.promo && before.promo.discount > 0 && !after.promo
          ? `Промокод ${before.promo.code} больше не действует: его отменили, или он уже использован.`
          : whyAsked(isPrice, isOther)}{" "}
        Ничего не списано.{" "}
        {left > 0 ? "Новые цены держим, пока идёт время внизу." : "Время этих цен вышло: если они изменились, спросим ещё раз."}
      </p>
      <table className="price-changes">
        <thead>
          <tr>
            <th scope="col">Монета</th>
            <th scope="col" className="price-changes__old">
              Было
            </th>
            <th scope="col">Стало</th>
            <th scope="col">За все</th>
          </tr>
        </thead>
        <tbody>
          {after.lines.map((line) => {
            const before = old.get(line.id);
            const was = before?.price ?? null;
            const { name, issue } = splitTitle(line.title);
            return (
              <tr key={line.id}>
                <td>
                  <b>{name}</b>
                  <small>
                    {issue ? `${issue}, ` : ""}
                    {line.count}
                    {nbsp}шт.{before && before.count !== line.count ? `, было ${before.count}` : ""}
                  </small>
                </td>
                <td className="price-changes__old">{was !== null ? <Was amount={was} /> : null}</td>
                <td className="price-changes__now">
                  <Price amount={line.price} />
                  {was !== null && was !== line.price ? (
                    <span className="price-changes__old-below">
                      <Was amount={was} />
                    </span>
                  ) : null}
                </td>
                <td>
                  <Change amount={before ? subtract(line.sum, before.sum) : null} />
                </td>
              </tr>
            );
          })}
          {gone.map((line) => {
            const { name, issue } = splitTitle(line.title);
            return (
              <tr key={line.id}>
                <td>
                  <b>{name}</b>
                  <small>
                    {issue ? `${issue}, ` : ""}нет в корзине, было {line.count}
                    {nbsp}шт.
                  </small>
                </td>
                <td className="price-changes__old">
                  <Was amount={line.price} />
                </td>
                <td className="price-changes__now">—</td>
                <td>
                  <Change amount={subtract(zero, line.sum)} />
                </td>
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Итого</th>
            <td className="price-changes__old">
              <Was amount={before.total} />
            </td>
            <td className="price-changes__now">
              <Price amount={after.total} />
              <span className="price-changes__old-below">
                <Was amount={before.total} />
              </span>
            </td>
            <td>
              <Change amount={subtract(after.total, before.total)} />
            </td>
          </tr>
        </tfoot>
      </table>
      <CountdownBar left={left / lifeSeconds} />
      <p className="lock__scale">
        <span>новые цены до {clock(new Date(after.expiresAt))}</span>
        <span className="digits" role="timer">
          {minutesAndSeconds(left)}
        </span>
      </p>
      <div className="dialog__actions">
        <Link className="button button--line" to="/cart">
          Вернуться в корзину
        </Link>
        <button
          className="button button--gold"
          type="button"
          data-autofocus
          onClick={() => {
            onAccept();
            onClose();
          }}
        >
          Принять {priceText(after.total)}
        </button>
      </div>
    </Dialog>
  );
}

function whyAsked(isPrice: boolean, isOther: boolean): string {
  if (isPrice && isOther) return "Пока вы оформляли заказ, изменились корзина и цены.";
  if (isOther) return "Пока вы оформляли заказ, корзина изменилась: например, в другой вкладке.";
  return isPrice ? "Пока вы оформляли заказ, цены пошли за металлом." : "Пока вы оформляли заказ, сумма изменилась.";
}

const Was = ({ amount }: { amount: Kopecks }) => (
  <s>
    <span className="visually-hidden">было </span>
    <Price amount={amount} />
  </s>
);

/** The change of a line's price: arrow, colour and sign. */
function Change({ amount }: { amount: Kopecks | null }) {
  if (amount === null) return <>новая</>;
  if (amount === 0) return <>без изменений</>;
  const isUp = amount > 0;
  return (
    <span className={`delta delta--${isUp ? "up" : "down"}`}>
      <Triangle />
      <span>
        <span className="digits">
          {isUp ? "+" : ""}
          {roubles(amount)}
        </span>
        {nbsp}₽
      </span>
    </span>
  );
}
