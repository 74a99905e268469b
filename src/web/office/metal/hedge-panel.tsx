import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import type { Kopecks } from "#kit/money.ts";
import { moscow } from "#kit/moscow-time.ts";
import { DateInput } from "../ui/form/date-input.tsx";
import { Field, Select } from "../ui/form/field.tsx";
import { Notice } from "../ui/marks.tsx";
import { MoneyInput } from "../ui/form/money-input.tsx";
import { Panel } from "../ui/panel.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useSend } from "../ui/send/use-send.ts";

/** Grams as typed, `1 000,5`, in milligrams; NaN when they are none. */
function milligrams(text: string): number {
  const plain = text.replaceAll(/[\s\u00A0]/g, "").replace(",", ".");
  return /^\d{1,7}(\.\d{0,3})?$/.test(plain) ? Math.round(Number(plain) * 1_000) : Number.NaN;
}

export function HedgePanel({ onClose, onSaved }: { onClose: () => void; onSaved: () => Promise<void> }) {
  const add = useSend(contract.addHedge);
  const [metal, setMetal] = useState<"gold" | "silver">("gold");
  const [side, setSide] = useState<"sell" | "buy">("sell");
  const [mass, setMass] = useState("");
  const [price, setPrice] = useState<Kopecks | null>(null);
  const [counterparty, setCounterparty] = useState("");
  const [agreedOn, setAgreedOn] = useState<string | null>(() => moscow(new Date()).date);
  const [note, setNote] = useState("");
  const [wrongMass, setWrongMass] = useState("");
  const save = async () => {
    const massMg = milligrams(mass);
    setWrongMass(Number.isNaN(massMg) ? "Граммы, например 1 000 или 31,1" : "");
    if (Number.isNaN(massMg)) return;
    const body = { metal, side, massMg, price: (price ?? 0) / 100, counterparty, agreedOn: agreedOn ?? "", note };
    const answer = await add.send({ body });
    if (!answer?.ok) return;
    showToast("Хедж записан");
    await onSaved();
  };
  const isFieldless = add.refusal !== null && Object.keys(add.fields).length === 0;
  return (
    <Panel
      title="Новый хедж"
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <button className="button button--gold button--wide" type="submit" disabled={add.isBusy}>
          Записать <kbd>Ctrl Enter</kbd>
        </button>
      }
    >
      {isFieldless ? (
        <Notice tone="warn">
          <p>{add.refusal?.message}</p>
        </Notice>
      ) : null}
      <Select
        label="Металл"
        value={metal}
        options={[
          ["gold", "золото"],
          ["silver", "серебро"],
        ]}
        onChange={(event) => setMetal(event.target.value === "silver" ? "silver" : "gold")}
      />
      <Select
        label="Что сделано"
        value={side}
        options={[
          ["sell", "продано вперёд: закрывает"],
          ["buy", "куплено вперёд: открывает"],
        ]}
        onChange={(event) => setSide(event.target.value === "buy" ? "buy" : "sell")}
      />
      <Field
        label="Граммы чистого металла"
        inputMode="decimal"
        autoComplete="off"
        value={mass}
        error={wrongMass || (add.fields["massMg"] ?? null)}
        onChange={(event) => setMass(event.target.value)}
      />
      <MoneyInput label="Цена грамма" value={price} error={add.fields["price"] ?? null} onChange={setPrice} />
      <Field
        label="С кем"
        maxLength={200}
        value={counterparty}
        error={add.fields["counterparty"] ?? null}
        onChange={(event) => setCounterparty(event.target.value)}
      />
      <DateInput label="Дата сделки" value={agreedOn} error={add.fields["agreedOn"] ?? null} onChange={setAgreedOn} />
      <Field label="Примечание" maxLength={500} value={note} onChange={(event) => setNote(event.target.value)} />
    </Panel>
  );
}
