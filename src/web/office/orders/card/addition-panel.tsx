import { useState } from "react";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { OrderCardView, quoteAddition } from "#contract/staff/orders/orders.ts";
import { priceText, roubles } from "#kit/format.ts";
import { fromRoubles } from "#kit/money.ts";
import { paymentsAllowed } from "#shop/delivery/delivery.ts";
import { paymentIds } from "#shop/method-ids.ts";
import { minutesAndSeconds, useCountdown } from "#web/ui/use-countdown.ts";
import { callStaff, type RefusalOf } from "../../client.ts";
import { Select } from "../../ui/form/field.tsx";
import { SearchField } from "../../ui/form/search-field.tsx";
import { Notice } from "../../ui/marks.tsx";
import { Panel } from "../../ui/panel.tsx";
import { UnsavedMark } from "../../ui/form/unsaved-mark.tsx";
import { useNewest } from "../../ui/send/use-newest.ts";
import { useSend } from "../../ui/send/use-send.ts";
import { countIn, withCount } from "./pieces.ts";

const money = (sum: number): string => priceText(fromRoubles(sum));
const paymentNames: readonly (readonly [number, string])[] = [
  [paymentIds.card, "Картой по ссылке"],
  [paymentIds.sbp, "По СБП по ссылке"],
  [paymentIds.invoice, "По счёту"],
  [paymentIds.on_collection, "При получении в офисе"],
];

type Coin = { id: number; title: string; available: number; price: number | null };
type Quoted = z.output<(typeof quoteAddition)["answer"]>;
type AdditionProps = {
  card: OrderCardView;
  onClose: () => void;
  onSaved: (text: string) => Promise<void>;
  onReload: () => Promise<void>;
};

/**
 * Adds coins to an order by a new one beside it: its own prices, locked for some minutes, its own payment, the same recipient and place.
 */
export function AdditionPanel({ card, onClose, onSaved, onReload }: AdditionProps) {
  const quote = useSend(contract.quoteAddition, { stores: "nothing" });
  const place = useSend(contract.placeAddition);
  const [text, setText] = useState("");
  const [found, setFound] = useState<readonly Coin[]>([]);
  /** Why the search has no answer, in words. */
  const [notFound, setNotFound] = useState<string | null>(null);
  const [chosen, setChosen] = useState<readonly (Coin & { count: number })[]>([]);
  const [quoted, setQuoted] = useState<(Quoted & { endsAt: number }) | null>(null);
  const allowed = paymentNames.filter(([id]) => paymentsAllowed(card.delivery.id).includes(id));
  const [paymentId, setPaymentId] = useState(
    allowed.some(([id]) => id === card.payment.id) ? card.payment.id : (allowed[0]?.[0] ?? card.payment.id),
  );
  const left = useCountdown(quoted?.endsAt ?? null);
  const isLocked = quoted !== null && left > 0;

  const begin = useNewest();
  const find = async (typed: string) => {
    const signal = begin();
    setText(typed);
    setNotFound(null);
    if (typed.trim().length < 2) return setFound([]);
    const answer = await callStaff(contract.findCoinsToAdd, { params: { id: card.id }, query: { text: typed }, signal });
    if (signal.aborted) return;
    setFound(answer.ok ? answer.value : []);
    if (!answer.ok) setNotFound(answer.error.message);
  };
  const setCount = (coin: Coin, count: number) => {
    setQuoted(null);
    setChosen(withCount(chosen, coin, count));
  };
  const submit = async () => {
    if (chosen.length === 0) return;
    if (!isLocked) {
      const pieces = chosen.map(({ id, count }) => ({ id, count }));
      const answer = await quote.send({ params: { id: card.id }, body: { pieces, paymentId } });
      if (answer?.ok) setQuoted({ ...answer.value, endsAt: Date.now() + answer.value.secondsLeft * 1000 });
      return;
    }
    const answer = await place.send({ params: { id: card.id }, body: { revision: quoted.revision, quoteId: quoted.quoteId } });
    if (answer?.ok) return onSaved(`Заказ ${answer.value.number} оформлен, покупателю ушла ссылка на оплату`);
    setQuoted(null);
    if (answer && !answer.ok && answer.error?.code === "staff.stale") await onReload();
  };
  const refusal = place.refusal ?? quote.refusal;
  return (
    <Panel
      title="Добавить монеты"
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <button className="button button--gold button--wide" type="submit" disabled={chosen.length === 0 || quote.isBusy || place.isBusy}>
          {isLocked ? `Оформить на ${money(quoted.total)}` : "Посчитать"} <kbd>Ctrl Enter</kbd>
        </button>
      }
    >
      <p className="hint">
        {card.state === "assembled"
          ? `Заказ ${card.number} уже собран: новый заказ поедет отдельно, доставка по тарифу.`
          : "Новый заказ со своей оплатой, своей посылкой и тем же получателем. " +
            `Доставка вместе с заказом ${card.number}, без доплаты, пока он не собран.`}
      </p>
      <SearchField
        label="Монета: номер или название"
        error={notFound}
        text={text}
        found={found}
        keyOf={({ id }) => id}
        nameOf={({ title }) => title}
        noteOf={({ id, available, price }) =>
          [
            chosen.some((coin) => coin.id === id) ? "добавлена" : available > 0 ? `есть ${available}` : "нет в наличии",
            price === null ? "" : money(price),
          ]
            .filter(Boolean)
            .join(", ")
        }
        isDisabled={({ id, available }) => available === 0 || chosen.some((coin) => coin.id === id)}
        onText={(typed) => void find(typed)}
        onChoose={(coin) => setCount(coin, 1)}
      />
      <UnsavedMark value={chosen.map(({ id, count }) => [id, count])} stored={[]} />
      {chosen.length > 0 ? (
        <table className="table">
          <caption className="visually-hidden">Что добавляем</caption>
          <tbody>
            {chosen.map((coin) => (
              <tr key={coin.id}>
                <th scope="row">{coin.title}</th>
                <td>
                  <span className="quantity">
                    <button type="button" aria-label={`Меньше: ${coin.title}`} onClick={() => setCount(coin, coin.count - 1)}>
                      −
                    </button>
                    <input
                      aria-label={`${coin.title}, штук`}
                      inputMode="numeric"
                      value={coin.count}
                      onChange={(event) => {
                        const typed = countIn(event.target.value, coin.available);
                        if (typed !== null) setCount(coin, typed || 1);
                      }}
                    />
                    <button type="button" aria-label={`Больше: ${coin.title}`} onClick={() => setCount(coin, coin.count + 1)}>
                      +
                    </button>
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      <Select
        label="Как оплатит"
        value={`${paymentId}`}
        options={allowed.map(([id, name]) => [`${id}`, name])}
        onChange={(event) => {
          setPaymentId(Number(event.target.value));
          setQuoted(null);
        }}
      />
      {refusal ? (
        <Notice tone="warn">
          <p>{refusalText(refusal, chosen)}</p>
        </Notice>
      ) : null}
      {quoted ? (
        <dl className="rows" aria-label="Расчёт">
          {quoted.lines.map(({ id, title, count, price, sum }) => (
            <div key={id}>
              <dt>
                {title}, {count} × {roubles(fromRoubles(price))}
              </dt>
              <dd className="number">{money(sum)}</dd>
            </div>
          ))}
          <div>
            <dt>{quoted.delivery.isTogether ? `${quoted.delivery.name}, вместе с заказом ${card.number}` : quoted.delivery.name}</dt>
            <dd className="number">{quoted.delivery.isTogether ? "без доплаты" : money(quoted.delivery.price)}</dd>
          </div>
          <div className="total">
            <dt>К оплате</dt>
            <dd className="number">{money(quoted.total)}</dd>
          </div>
          <div>
            <dt>Цена держится</dt>
            <dd className="number" role="timer">
              {left > 0 ? minutesAndSeconds(left) : "срок вышел, посчитайте ещё раз"}
            </dd>
          </div>
        </dl>
      ) : null}
    </Panel>
  );
}

/** Why not, in words: the coins that ran short by name. */
function refusalText(refusal: RefusalOf<typeof contract.quoteAddition | typeof contract.placeAddition>, chosen: readonly Coin[]): string {
  if (refusal.code === "staff.stale") return "Заказ тем временем изменили: посчитайте ещё раз";
  if (refusal.code === "staff.act_refused") return refusal.data.reason;
  if (refusal.code !== "cart.stock_short" && refusal.code !== "order.stock_short") return refusal.message;
  const { short } = refusal.data;
  const titleOf = (id: number) => chosen.find((coin) => coin.id === id)?.title ?? `${id}`;
  return `Не хватает монет: ${short.map(({ id, available }) => `${titleOf(id)} (есть ${available})`).join(", ")}`;
}
