import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { Field } from "../../ui/form/field.tsx";
import { Notice } from "../../ui/marks.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useSend } from "../../ui/send/use-send.ts";
import { money, type DealCard } from "../words.ts";
import type { PanelProps } from "./check-panel.tsx";
import { PanelStaleDialog, staleOf, type DealStale } from "./deal-stale.tsx";

type Numbers = NonNullable<DealCard["receipt"]>;
const numbers = [
  ["storageNumber", "ФН", "16 цифр"],
  ["documentNumber", "ФД", "номер документа"],
  ["attribute", "ФПД", "фискальный признак, до 10 цифр"],
] as const satisfies readonly (readonly [keyof Numbers, string, string])[];

/** Records the receipt of expense that the office's register has printed. */
export function ReceiptPanel({ card, onClose, onSaved, onReload }: PanelProps) {
  const { send, isBusy, refusal, fields, forget } = useSend(contract.recordDealReceipt);
  const [typed, setTyped] = useState<Numbers>(card.receipt ?? { storageNumber: "", documentNumber: "", attribute: "" });
  const [stale, setStale] = useState<DealStale | null>(null);
  const save = async (revision = card.revision) => {
    setStale(null);
    const answer = await send({ params: { id: card.id }, body: { revision, ...typed } });
    if (answer?.ok) return onSaved(card.receipt ? "Номера чека исправлены" : "Чек расхода записан");
    if (answer?.error?.code !== "staff.stale") return;
    const { receipt } = answer.error.data.current;
    const differing = numbers
      .map(([name, label]) => ({ label, yours: typed[name], current: receipt?.[name] ?? "нет" }))
      .filter(({ yours, current }) => yours !== current);
    setStale(staleOf(card, answer.error.data, "receipt", differing));
  };
  return (
    <Panel
      title="Чек расхода"
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <button className="button button--gold button--wide" type="submit" disabled={isBusy}>
          {card.receipt ? "Исправить номера" : "Чек пробит"} <kbd>Ctrl Enter</kbd>
        </button>
      }
    >
      <p>Пробейте на кассе в офисе чек с признаком расчёта «Расход» и внесите его номера.</p>
      <dl className="rows">
        <div className="total">
          <dt>Расход</dt>
          <dd className="number">{money(card.sum)}</dd>
        </div>
        {card.lines.map(({ coin, checked }) =>
          checked && checked.quantity > 0 ? (
            <div key={coin.id}>
              <dt>{coin.title}</dt>
              <dd className="number">
                {checked.quantity} × {money(checked.unitPrice)}
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      {numbers.map(([name, label, hint]) => (
        <Field
          key={name}
          label={label}
          hint={hint}
          inputMode="numeric"
          autoComplete="off"
          value={typed[name]}
          error={fields[name]}
          onChange={({ target }) => setTyped({ ...typed, [name]: target.value.replaceAll(/\s/g, "") })}
        />
      ))}
      {refusal && !stale && Object.keys(fields).length === 0 ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
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
