import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { identityKinds, type Identity } from "#shop/buyback/deal.ts";
import { useStaff } from "../../session.ts";
import { DateInput } from "../../ui/form/date-input.tsx";
import { Field, Select } from "../../ui/form/field.tsx";
import { UnsavedMark } from "../../ui/form/unsaved-mark.tsx";
import { Notice } from "../../ui/marks.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useSend } from "../../ui/send/use-send.ts";
import { identityLabels } from "../words.ts";
import type { PanelProps } from "./check-panel.tsx";
import { PanelStaleDialog, staleOf, type DealStale } from "./deal-stale.tsx";

const empty: Identity = {
  lastName: "",
  name: "",
  secondName: "",
  birthDate: "",
  kind: "passport",
  series: "",
  number: "",
  issuedBy: "",
  issuedOn: "",
  address: "",
};

/** Records the seller's identity document before the payout. What is typed is sent once and is not kept in the browser. */
export function IdentityPanel({ card, onClose, onSaved, onReload }: PanelProps) {
  const { may, login } = useStaff();
  const { send, isBusy, refusal, fields, forget } = useSend(contract.saveIdentity);
  const open = useSend(contract.openIdentity, { stores: "nothing" });
  const [typed, setTyped] = useState<Identity>(empty);
  const [isFilled, setFilled] = useState(false);
  const [stale, setStale] = useState<DealStale | null>(null);
  const save = async (revision = card.revision) => {
    setStale(null);
    const answer = await send({ params: { id: card.id }, body: { revision, ...typed } });
    if (answer?.ok) return onSaved("Документ продавца записан");
    if (answer?.error?.code === "staff.stale") setStale(staleOf(card, answer.error.data, "identity"));
  };
  const fill = async () => {
    const answer = await open.send({ params: { id: card.id } });
    if (!answer?.ok) return;
    setTyped(answer.value);
    setFilled(true);
  };
  const field = (name: keyof Identity, label: string) => (
    <Field
      label={label}
      autoComplete="off"
      value={typed[name]}
      error={fields[name]}
      onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
    />
  );
  const date = (name: "birthDate" | "issuedOn", label: string) => (
    <DateInput
      label={label}
      value={typed[name] || null}
      error={fields[name] ?? null}
      onChange={(day) => setTyped({ ...typed, [name]: day ?? "" })}
    />
  );
  const failure = stale ? null : (open.refusal ?? (Object.keys(fields).length === 0 ? refusal : null));
  return (
    <Panel
      title="Документ продавца"
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <button className="button button--gold button--wide" type="submit" disabled={isBusy || open.isBusy}>
          Записать документ <kbd>Ctrl Enter</kbd>
        </button>
      }
    >
      {failure ? (
        <Notice tone="warn">
          <p>{failure.message}</p>
        </Notice>
      ) : null}
      {card.identity && !isFilled ? (
        <p className="hint">
          Документ уже записан. Новый заменит его целиком.{" "}
          {may("customers.open") !== null || card.assignee === login ? (
            <button className="text-button" type="button" disabled={open.isBusy} onClick={() => void fill()}>
              Подставить записанный
            </button>
          ) : null}
        </p>
      ) : null}
      {/* A document that was filled in by a press is not a typed entry yet, its fields are. */}
      <UnsavedMark value={typed.kind} stored={isFilled ? typed.kind : empty.kind} />
      <div className="identity-fields">
        {field("lastName", "Фамилия")}
        {field("name", "Имя")}
        {field("secondName", "Отчество, если есть")}
        {date("birthDate", "Дата рождения")}
      </div>
      <Select
        label="Документ"
        value={typed.kind}
        error={fields["kind"]}
        options={identityKinds.map((kind) => [kind, identityLabels[kind]] as const)}
        onChange={({ target }) => setTyped({ ...typed, kind: target.value as Identity["kind"] })}
      />
      <div className="identity-fields">
        {field("series", "Серия")}
        {field("number", "Номер")}
      </div>
      {field("issuedBy", "Кем выдан")}
      {date("issuedOn", "Когда выдан")}
      {field("address", "Адрес регистрации")}
      <p className="hint">Хранится зашифрованным до срока по 115-ФЗ. Кто и когда открыл документ, видно в журнале.</p>
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
