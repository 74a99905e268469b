import { useState } from "react";
import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { refusalText } from "../../orders/refusal-text.ts";
import { stateLabels } from "../../orders/words.ts";
import { useKeys } from "../../shell/keys.ts";
import { Check, Field } from "../../ui/form/field.tsx";
import { Good, Notice, Trouble } from "../../ui/marks.tsx";
import { Section } from "../../ui/page-head.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useSend } from "../../ui/send/use-send.ts";
import { OrderChoice, type ChosenOrder } from "../order-choice.tsx";
import { settlingOf } from "./settling.ts";
import { dayText, suggestionTexts, sum, type LeftEntry } from "../words.ts";

type Act = "settle" | "to_return" | "not_ours";

/** One entry beside the list: the orders that it may belong to, and what to do with it. */
export function EntryPane({ entry, onDone, onSkip }: { entry: LeftEntry; onDone: () => Promise<void>; onSkip: () => void }) {
  const [chosen, setChosen] = useState<string | null>(entry.suggestions[0]?.id ?? null);
  const [other, setOther] = useState<ChosenOrder | null>(null);
  /** Changes when an order of the list is chosen: the number that was typed, and its answer on the way, no longer count. */
  const [typing, setTyping] = useState(0);
  const [act, setAct] = useState<Act>(entry.isOutgoing || entry.suggestions.length === 0 ? "not_ours" : "settle");
  const [note, setNote] = useState("");
  const [evenIfEntered, setEven] = useState(false);
  const settle = useSend(contract.settleEntry);
  const mark = useSend(contract.markEntry);
  const order = other ?? entry.suggestions.find(({ id }) => id === chosen) ?? null;
  const isReady = act === "settle" ? order !== null : note.trim() !== "";
  const refusal = act === "settle" ? settle.refusal : mark.refusal;
  const settling = order && settlingOf(order, entry.amount);

  /** One order at a time: a number that is typed and not found leaves none. */
  const choose = (next: { suggestion: string } | { other: ChosenOrder | null }) => {
    setChosen("suggestion" in next ? next.suggestion : null);
    setOther("other" in next ? next.other : null);
    // Said of the order before.
    setEven(false);
    settle.forget();
    if ("suggestion" in next) setTyping(typing + 1);
    if ("suggestion" in next || next.other) setAct("settle");
  };
  const submit = async () => {
    if (!isReady) return;
    const params = { id: entry.id };
    const answer =
      act === "settle" && order
        ? await settle.send({ params, body: { orderId: order.id, evenIfEntered } })
        : await mark.send({ params, body: { mark: act === "to_return" ? "to_return" : "not_ours", note: note.trim() } });
    if (!answer?.ok) return;
    showToast(act === "settle" ? `Зачтено в заказ ${order?.number}` : "Строка отмечена");
    await onDone();
  };
  useKeys([{ code: "Ctrl+Enter", label: "Разнести строку", run: () => void submit() }]);
  return (
    <aside className="two-panes__right" aria-label="Строка выписки">
      <div className="head">
        <h2>{entry.payer || "Без имени"}</h2>
        <span className="muted number">
          № {entry.number} от {dayText(entry.date)}
        </span>
      </div>
      <dl className="rows">
        <div className="total">
          <dt>{entry.isOutgoing ? "Ушло" : "Пришло"}</dt>
          <dd className="number">{sum(entry.amount)} ₽</dd>
        </div>
        <div>
          <dt>Назначение</dt>
          <dd>{entry.purpose || "пусто"}</dd>
        </div>
        <div>
          <dt>Счёт</dt>
          <dd className="number">{entry.payerAccount ?? "банк не назвал"}</dd>
        </div>
      </dl>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {entry.isOutgoing ? null : (
          <Section title="На что похоже">
            <fieldset>
              <legend className="visually-hidden">Выберите заказ</legend>
              {entry.suggestions.map((each) => (
                <label key={each.id} className="candidate">
                  <input
                    className="check"
                    type="radio"
                    name="order"
                    checked={!other && chosen === each.id}
                    onChange={() => choose({ suggestion: each.id })}
                  />
                  <span>
                    <b className="strong number">{each.number}</b> {each.buyer}, {stateLabels[each.state]}
                  </span>
                  <b className="number strong">{sum(each.total)} ₽</b>
                  <ul>
                    {each.reasons.map((reason) => (
                      <li key={reason}>
                        <Good>{suggestionTexts[reason]}</Good>
                      </li>
                    ))}
                  </ul>
                </label>
              ))}
              {entry.suggestions.length === 0 ? <p className="soft">Похожих заказов нет</p> : null}
            </fieldset>
            <OrderChoice key={typing} chosen={other} onChoose={(found) => choose({ other: found })} />
          </Section>
        )}
        <Section title="Что сделать">
          <fieldset>
            <legend className="visually-hidden">Действие</legend>
            {entry.isOutgoing ? null : (
              <>
                <label className="option">
                  <input className="check" type="radio" name="act" checked={act === "settle"} onChange={() => setAct("settle")} />
                  Зачесть в заказ
                </label>
                <label className="option">
                  <input className="check" type="radio" name="act" checked={act === "to_return"} onChange={() => setAct("to_return")} />
                  Вернуть отправителю
                </label>
              </>
            )}
            <label className="option">
              <input className="check" type="radio" name="act" checked={act === "not_ours"} onChange={() => setAct("not_ours")} />
              Не заказ: расход, комиссия, прочее
            </label>
          </fieldset>
          {act === "settle" && order && settling ? (
            <dl className="rows">
              <div>
                <dt>
                  <Link to={`/orders/${order.id}`}>Заказ {order.number}</Link>
                </dt>
                <dd>{settling.isExact ? <Good>{settling.text}</Good> : <Trouble>{settling.text}</Trouble>}</dd>
              </div>
            </dl>
          ) : null}
          {act === "settle" ? null : (
            <Field
              label="Заметка"
              value={note}
              error={mark.fields["note"] ?? null}
              hint="Что это за деньги: останется в журнале"
              maxLength={500}
              onChange={(event) => setNote(event.target.value)}
            />
          )}
          {refusal ? (
            <Notice tone="warn">
              <p>{refusalText(refusal)}</p>
            </Notice>
          ) : null}
          {settle.refusal?.code === "staff.entered_before" ? (
            <Check checked={evenIfEntered} onChange={(event) => setEven(event.target.checked)}>
              Это другая оплата, зачесть ещё раз
            </Check>
          ) : null}
        </Section>
        <div className="actions section">
          <button className="button button--gold" type="submit" disabled={!isReady || settle.isBusy || mark.isBusy}>
            {act === "settle" ? `Зачесть ${sum(entry.amount)} ₽` : act === "to_return" ? "Отметить к возврату" : "Отметить «не заказ»"}{" "}
            <kbd>Ctrl Enter</kbd>
          </button>
          <button className="button button--quiet" type="button" onClick={onSkip}>
            Пропустить <kbd>J</kbd>
          </button>
        </div>
      </form>
    </aside>
  );
}
