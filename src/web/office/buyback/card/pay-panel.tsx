import { useState } from "react";
import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { moscow } from "#kit/moscow-time.ts";
import { useStaff } from "../../session.ts";
import { DateInput } from "../../ui/form/date-input.tsx";
import { Field } from "../../ui/form/field.tsx";
import { Notice } from "../../ui/marks.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useSend } from "../../ui/send/use-send.ts";
import { money } from "../words.ts";
import type { PanelProps } from "./check-panel.tsx";
import { PanelStaleDialog, staleOf, type DealStale } from "./deal-stale.tsx";

/** Records the transfer to the seller: the exact sum of the check. */
export function PayPanel({ card, onClose, onSaved, onReload }: PanelProps) {
  const { may } = useStaff();
  const { send, isBusy, refusal, fields, forget } = useSend(contract.payDeal);
  const [typed, setTyped] = useState(() => ({ account: "", bik: "", number: "", date: moscow(new Date()).date }));
  const [stale, setStale] = useState<DealStale | null>(null);
  const save = async (revision = card.revision) => {
    setStale(null);
    const answer = await send({ params: { id: card.id }, body: { revision, sum: card.sum, ...typed } });
    if (answer?.ok) return onSaved(`Выплачено ${money(answer.value.sum)}`);
    // The request for a second person is announced, and shown on the card.
    if (answer && answer.error === null) return onClose();
    if (answer?.error?.code === "staff.stale") setStale(staleOf(card, answer.error.data, "pay"));
    else if (answer?.error?.code === "buyback.other_sum") await onReload();
  };
  const digits = (name: "account" | "bik", label: string, hint: string) => (
    <Field
      label={label}
      hint={hint}
      inputMode="numeric"
      autoComplete="off"
      value={typed[name]}
      error={fields[name]}
      onChange={({ target }) => setTyped({ ...typed, [name]: target.value.replaceAll(/\s/g, "") })}
    />
  );
  const approval = card.payoutApproval ?? (may("payout") === "asks" ? "Выплату согласует второй человек" : null);
  return (
    <Panel
      title="Выплатить"
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <>
          <button className="button button--gold button--wide" type="submit" disabled={isBusy}>
            Выплачено {money(card.sum)} <kbd>Ctrl Enter</kbd>
          </button>
          {approval ? <p className="hint">{approval}</p> : null}
        </>
      }
    >
      {approval ? (
        <p>Подготовьте перевод в банк-клиенте и внесите платёжное поручение. Не подписывайте его, пока выплату не согласовали.</p>
      ) : (
        <p>Переведите сумму продавцу из банк-клиента на его счёт и внесите платёжное поручение.</p>
      )}
      <dl className="rows">
        <div className="total">
          <dt>К выплате</dt>
          <dd className="number">{money(card.sum)}</dd>
        </div>
        {card.sum === card.offerSum ? null : (
          <div>
            <dt>Предлагали</dt>
            <dd className="number">{money(card.offerSum)}</dd>
          </div>
        )}
        {card.identity ? (
          <div>
            <dt>Этому человеку за 12 месяцев до этого</dt>
            <dd className="number">{money(card.identity.paidInYear)}</dd>
          </div>
        ) : null}
      </dl>
      {card.identity?.isUnderControl ? (
        <Notice tone="warn">
          <p>
            Вместе с этой сделкой выплаты одному человеку доходят до {money(card.identity.controlSum)}: обязательный контроль по 115-ФЗ.
          </p>
        </Notice>
      ) : null}
      {refusal && !stale && Object.keys(fields).length === 0 ? (
        <Notice tone="warn">
          <p>
            {refusal.message}
            {refusal.code === "buyback.order_known" ? (
              <>
                {": "}
                <Link to={`/buyback/${refusal.data.dealId}`}>сделка № {refusal.data.dealId}</Link>
              </>
            ) : null}
          </p>
        </Notice>
      ) : null}
      {digits("account", "Счёт продавца", "20 цифр")}
      {digits("bik", "БИК банка", "9 цифр")}
      <Field
        label="Номер платёжного поручения"
        inputMode="numeric"
        autoComplete="off"
        value={typed.number}
        error={fields["number"]}
        onChange={({ target }) => setTyped({ ...typed, number: target.value })}
      />
      <DateInput
        label="Дата поручения"
        value={typed.date || null}
        error={fields["date"] ?? null}
        onChange={(day) => setTyped({ ...typed, date: day ?? "" })}
      />
      <PanelStaleDialog
        stale={stale}
        onAgain={(revision) => void save(revision)}
        onForget={() => {
          setStale(null);
          forget();
        }}
        onLeave={onClose}
        onReload={onReload}
      />
    </Panel>
  );
}
