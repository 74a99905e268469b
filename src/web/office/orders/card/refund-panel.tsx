import { useRef, useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import type { OrderCardView } from "#contract/staff/orders/orders.ts";
import { priceText, roublesAndKopecks } from "#kit/format.ts";
import { fromRoubles, toRoubles, type Kopecks } from "#kit/money.ts";
import { callStaff, newKey } from "../../client.ts";
import { Check, Field } from "../../ui/form/field.tsx";
import { Notice } from "../../ui/marks.tsx";
import { MoneyInput } from "../../ui/form/money-input.tsx";
import { Panel } from "../../ui/panel.tsx";
import { StaleDialog, type StaleField } from "../../ui/form/stale-dialog.tsx";
import { useRead } from "../../ui/send/use-read.ts";
import { useSend } from "../../ui/send/use-send.ts";
import { shipsUnpaid } from "./refund-warning.ts";
import { refusalText } from "../refusal-text.ts";
import { chosenPieces, PieceCounts, type Counts } from "./piece-counts.tsx";
import { piecesToRefund } from "./pieces.ts";

type How = "pieces" | "sum" | "rest";
const ways: readonly (readonly [How, string])[] = [
  ["pieces", "По монетам"],
  ["sum", "Суммой"],
  ["rest", "Всё, что осталось"],
];
const channels = { card: "на карту", sbp: "по СБП, на тот же счёт", transfer: "переводом вручную", desk: "в офисе" } as const;
const money = (sum: number): string => priceText(fromRoubles(sum));

/** Refunds a part of an order. What goes back, where to and with which receipt is shown by the server before it is confirmed. */
export function RefundPanel({
  card,
  onClose,
  onSaved,
  onReload,
}: {
  card: OrderCardView;
  onClose: () => void;
  onSaved: (text: string) => Promise<void>;
  onReload: () => Promise<void>;
}) {
  const [how, setHow] = useState<How>("pieces");
  const [counts, setCounts] = useState<Counts>({});
  const [withDelivery, setWithDelivery] = useState(false);
  const [sum, setSum] = useState<Kopecks | null>(null);
  const [reason, setReason] = useState("");
  const key = useRef(newKey());
  const refund = useSend(contract.refundOrder);

  const pieces = chosenPieces(counts);
  const isReady = how === "rest" || (how === "sum" ? sum !== null && sum > 0 : pieces.length > 0 || withDelivery);
  const query =
    how === "rest"
      ? {}
      : how === "sum"
        ? { sum: `${toRoubles(sum ?? fromRoubles(0))}` }
        : {
            ...(pieces.length > 0 ? { pieces: pieces.map(({ id, count }) => `${id}:${count}`).join(",") } : {}),
            ...(withDelivery ? { delivery: "1" as const } : {}),
          };
  const { data: preview, refusal, isCurrent, reload } = useRead(contract.previewRefund, { params: { id: card.id }, query });
  const shown = isReady && !refusal ? preview : undefined;
  /** Money goes back only as it is shown: while another choice is being counted, nothing can be confirmed. */
  const mayConfirm = shown !== undefined && isCurrent && !refund.isBusy;

  const [stale, setStale] = useState<{ fields: StaleField[]; revision: number; isPossible: boolean } | null>(null);
  /** Both versions: the order's state, and what the same refund comes to now. */
  const compare = async ({ current, revision }: { current: { stateText: string }; revision: number }) => {
    const now = await callStaff(contract.previewRefund, { params: { id: card.id }, query });
    setStale({
      revision,
      isPossible: now.ok,
      fields: [
        { label: "Состояние", yours: card.stateText, current: current.stateText },
        {
          label: "Осталось у нас",
          yours: shown ? money(shown.left) : "",
          current: now.ok ? money(now.value.left) : refusalText(now.error),
        },
        { label: "Возвращаем", yours: shown ? money(shown.amount) : "", current: now.ok ? money(now.value.amount) : "" },
        { label: "Причина", yours: reason, current: "" },
      ],
    });
    await reload();
  };
  const send = async (revision: number) => {
    setStale(null);
    const part =
      how === "rest"
        ? {}
        : how === "sum"
          ? { sum: toRoubles(sum ?? fromRoubles(0)) }
          : { ...(pieces.length > 0 ? { pieces } : {}), delivery: withDelivery };
    const answer = await refund.send({ params: { id: card.id }, body: { revision, key: key.current, reason, ...part } });
    if (answer?.ok) await onSaved(shown ? `Возвращаем ${money(shown.amount)}` : "Возвращаем деньги");
    else if (answer && answer.error === null) onClose();
    else if (answer?.error?.code === "staff.stale") await compare(answer.error.data);
  };
  const submit = () => {
    if (mayConfirm) void send(card.revision);
  };
  const failure = refund.refusal
    ? refund.refusal.code === "staff.stale"
      ? "Заказ тем временем изменили. Введённое сохранено"
      : refusalText(refund.refusal)
    : isReady && refusal
      ? refusalText(refusal)
      : undefined;
  return (
    <Panel
      title="Вернуть деньги"
      onClose={onClose}
      onSubmit={submit}
      foot={
        <>
          <button className="button button--gold button--wide" type="submit" disabled={!mayConfirm}>
            {shown && isCurrent ? `Вернуть ${money(shown.amount)}` : "Вернуть"} <kbd>Ctrl Enter</kbd>
          </button>
          {shown?.approval ? <p className="hint">{shown.approval}</p> : null}
        </>
      }
    >
      <fieldset>
        <legend className="visually-hidden">Как считать</legend>
        <div className="segments">
          {ways.map(([value, text]) => (
            <label key={value}>
              <input type="radio" name="how" checked={how === value} onChange={() => setHow(value)} />
              {text}
            </label>
          ))}
        </div>
      </fieldset>
      {how === "pieces" ? (
        <>
          <PieceCounts caption="Сколько монет вернуть" lines={card.lines} maxOf={piecesToRefund} counts={counts} onChange={setCounts} />
          {card.money && card.money.delivery > 0 ? (
            <Check checked={withDelivery} onChange={(event) => setWithDelivery(event.target.checked)}>
              Вернуть доставку, {money(card.money.delivery)}
            </Check>
          ) : null}
        </>
      ) : null}
      {how === "sum" ? <MoneyInput label="Сколько вернуть" value={sum} onChange={setSum} /> : null}
      <Field
        label="Причина, попадёт в журнал"
        value={reason}
        error={refund.fields["reason"] ?? null}
        onChange={(event) => setReason(event.target.value)}
      />
      {failure ? (
        <Notice tone="warn">
          <p>{failure}</p>
        </Notice>
      ) : null}
      {shown ? (
        <>
          <dl className="rows" aria-busy={!isCurrent}>
            <div>
              <dt>Осталось у нас</dt>
              <dd className="number">{money(shown.left)}</dd>
            </div>
            <div className="total">
              <dt>Возвращаем</dt>
              <dd className="number">{money(shown.amount)}</dd>
            </div>
            <div>
              <dt>Останется</dt>
              <dd className="number">{money(shown.leftAfter)}</dd>
            </div>
            {shown.shares.map(({ channel }, index) => (
              <div key={index}>
                <dt>Куда</dt>
                <dd>{channels[channel]}</dd>
              </div>
            ))}
          </dl>
          {shipsUnpaid(card.state, shown) ? (
            <Notice tone="warn">
              <p>Вернутся все деньги, а заказ останется в работе, и монеты уйдут покупателю. Если их не отдавать, отмените заказ.</p>
            </Notice>
          ) : null}
          {shown.shares.some(({ channel }) => channel === "transfer") ? (
            <p className="hint">Перевод ждёт в разделе «Платежи, Возвраты», пока его не отправят и не отметят.</p>
          ) : null}
          {shown.isDropped ? <p className="hint">Монеты выйдут из заказа и снова будут в продаже.</p> : null}
          {shown.shares.map(({ lines, amount, registrar }, index) => (
            <div className="receipt-preview" key={index} aria-label="Как будет выглядеть чек">
              <div>
                <span className="strong">Чек: возврат прихода</span>
                <span className="muted">{registrar === "office" ? "касса в офисе" : "ещё не пробит"}</span>
              </div>
              <hr />
              {lines.map((line) => (
                <div key={line.title}>
                  <span>
                    {line.title}, {line.count} × {roublesAndKopecks(fromRoubles(line.price))}
                  </span>
                  <span className="number">{roublesAndKopecks(fromRoubles(line.price * line.count))}</span>
                </div>
              ))}
              <hr />
              <div className="strong">
                <span>Итог</span>
                <span className="number">{roublesAndKopecks(fromRoubles(amount))} ₽</span>
              </div>
            </div>
          ))}
        </>
      ) : null}
      <StaleDialog
        fields={stale?.fields ?? null}
        {...(stale?.isPossible ? { onKeepYours: () => void send(stale.revision) } : {})}
        onTakeCurrent={() => {
          onClose();
          void onReload();
        }}
        onClose={() => {
          // What was typed stays, and the next press sends it with the revision and the rest that are shown now.
          setStale(null);
          void Promise.all([onReload(), reload()]);
        }}
      />
    </Panel>
  );
}
