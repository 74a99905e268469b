import { useCallback, useEffect, useState, type ReactNode } from "react";
import { unbroken } from "#kit/format.ts";
import * as contract from "#contract/staff/calls.ts";
import type { OrderCardView } from "#contract/staff/orders/orders.ts";
import { callStaff, type RefusalOf } from "../../client.ts";
import { Field } from "../../ui/form/field.tsx";
import { Notice } from "../../ui/marks.tsx";
import { Panel } from "../../ui/panel.tsx";
import { StaleDialog, type StaleField } from "../../ui/form/stale-dialog.tsx";
import { useRead } from "../../ui/send/use-read.ts";
import { useSend } from "../../ui/send/use-send.ts";
import { addressLabels, differing, noAddress, personLabels, type Address, type Contacts, type Person } from "./contacts.ts";
import { refusalText } from "../refusal-text.ts";

type EditProps = {
  card: OrderCardView;
  onClose: () => void;
  onSaved: (text: string) => Promise<void>;
  onReload: () => Promise<void>;
};

type Current = {
  stateText: string;
  buyer: { name: string; lastName: string; phone: string };
  place: string;
  assignee: string | null;
  seal: string | null;
  changedBy: string | null;
};
type EditRefusal = RefusalOf<
  | typeof contract.changeRecipient
  | typeof contract.changePoint
  | typeof contract.changeAddress
  | typeof contract.resendParcel
  | typeof contract.packOrder
  | typeof contract.enterPayment
  | typeof contract.moveOrder
>;
const staleOf = (refusal: EditRefusal | null): { current: Current; revision: number } | null =>
  refusal?.code === "staff.stale" ? refusal.data : null;

/** A panel that saves one change: it shows a refusal, a stale save shows both versions, nothing typed is lost. */
export function EditPanel({
  title,
  action,
  refusal,
  isBusy,
  isReady = true,
  compare,
  save,
  forget,
  onClose,
  onReload,
  children,
}: {
  title: string;
  action: string;
  refusal: EditRefusal | null;
  isBusy: boolean;
  isReady?: boolean;
  /** What differs from the order as it is now; null: it is being read. */
  compare: (current: Current) => StaleField[] | null;
  /** Without a revision: the one of the card. */
  save: (revision?: number) => Promise<void>;
  forget: () => void;
  onClose: () => void;
  onReload: () => Promise<void>;
  children: ReactNode;
}) {
  const stale = staleOf(refusal);
  const hasFields = refusal !== null && Object.keys(refusal.fields).length > 0;
  return (
    <Panel
      title={title}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <button className="button button--gold button--wide" type="submit" disabled={isBusy || !isReady}>
          {action} <kbd>Ctrl Enter</kbd>
        </button>
      }
    >
      {refusal && !stale && !hasFields ? (
        <Notice tone="warn">
          <p>{refusalText(refusal)}</p>
        </Notice>
      ) : null}
      {children}
      <StaleDialog
        fields={stale ? compare(stale.current) : null}
        changedBy={stale?.current.changedBy ?? null}
        onKeepYours={() => void save(stale?.revision)}
        onTakeCurrent={() => {
          forget();
          onClose();
          void onReload();
        }}
        onClose={forget}
      />
    </Panel>
  );
}

const packedHint = "Заказ собран: посылку отзовём у СДЭК и отправим снова с новыми данными.";

/**
 * Reads contacts and address of an order in full, which is recorded: the fields of a panel begin with them, and a save that came late is
 * compared with them, because its refusal has them masked.
 */
function useContacts(id: string) {
  const [problem, setProblem] = useState("");
  const read = useCallback(async (): Promise<Contacts | null> => {
    const answer = await callStaff(contract.openContacts, { params: { id } });
    setProblem(answer.ok ? "" : (answer.error?.message ?? ""));
    return answer.ok ? answer.value : null;
  }, [id]);
  return { read, problem };
}

const stateDiffers = ({ stateText }: OrderCardView, current: Current): StaleField[] =>
  differing({ state: "Состояние" }, { state: stateText }, { state: current.stateText });

const personParts = Object.keys(personLabels) as (keyof Person)[];

export function RecipientPanel({ card, onClose, onSaved, onReload }: EditProps) {
  const change = useSend(contract.changeRecipient);
  const { read, problem } = useContacts(card.id);
  const [user, setUser] = useState<Person | null>(null);
  /** What a colleague saved meanwhile. */
  const [theirs, setTheirs] = useState<Person | null>(null);
  useEffect(() => {
    void read().then((contacts) => contacts && setUser(contacts.user));
  }, [read]);
  const save = async (revision = card.revision) => {
    if (!user) return;
    setTheirs(null);
    const answer = await change.send({ params: { id: card.id }, body: { revision, ...user } });
    if (answer?.ok) return onSaved("Получатель изменён");
    if (answer?.error?.code === "staff.stale") setTheirs((await read())?.user ?? null);
  };
  return (
    <EditPanel
      title="Получатель"
      action="Сохранить"
      refusal={change.refusal}
      isBusy={change.isBusy}
      isReady={user !== null}
      compare={(current) => user && theirs && [...stateDiffers(card, current), ...differing(personLabels, user, theirs)]}
      save={save}
      forget={change.forget}
      onClose={onClose}
      onReload={onReload}
    >
      {problem ? <p className="hint hint--bad">{problem}</p> : null}
      {user
        ? personParts.map((part) => (
            <Field
              key={part}
              label={personLabels[part]}
              value={user[part]}
              autoComplete="off"
              error={change.fields[part] ?? null}
              onChange={(event) => setUser({ ...user, [part]: event.target.value })}
            />
          ))
        : null}
      {card.state === "assembled" ? <p className="hint">{packedHint}</p> : null}
    </EditPanel>
  );
}

/** Chooses another point of the same city; with `isResend` the refused parcel goes there, or again to the same one. */
export function PointPanel({ card, onClose, onSaved, onReload, isResend }: EditProps & { isResend: boolean }) {
  const change = useSend(contract.changePoint);
  const resend = useSend(contract.resendParcel);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(card.delivery.point?.id ?? "");
  const { data: points, refusal } = useRead(contract.readPoints, { params: { id: card.id }, query: { text } });
  const used = isResend ? resend : change;
  const save = async (revision = card.revision) => {
    const params = { id: card.id };
    const isSame = chosen === "" || chosen === card.delivery.point?.id;
    const answer = isResend
      ? await resend.send({ params, body: { revision, ...(isSame ? {} : { pointId: chosen }) } })
      : await change.send({ params, body: { revision, pointId: chosen } });
    if (answer?.ok) await onSaved(isResend ? "Посылка отправлена снова" : "Пункт изменён");
  };
  return (
    <EditPanel
      title={isResend ? "Отправить посылку снова" : "Пункт выдачи"}
      action={isResend ? "Отправить снова" : "Сохранить"}
      refusal={used.refusal}
      isBusy={used.isBusy}
      isReady={isResend || chosen !== ""}
      compare={({ place, stateText }) => [
        { label: "Состояние", yours: card.stateText, current: stateText },
        ...(card.delivery.point
          ? [{ label: "Куда", yours: points?.find(({ id }) => id === chosen)?.address ?? chosen, current: place }]
          : []),
      ]}
      save={save}
      forget={used.forget}
      onClose={onClose}
      onReload={onReload}
    >
      {card.delivery.point ? (
        <>
          <Field label="Улица или номер пункта" type="search" value={text} onChange={(event) => setText(event.target.value)} />
          <fieldset>
            <legend className="visually-hidden">Пункт выдачи</legend>
            {points?.map(({ id, name, address, workTime }) => (
              <label className="option" key={id}>
                <input type="radio" className="check" name="point" checked={chosen === id} onChange={() => setChosen(id)} />
                <span>
                  {address} <span className="muted">{[name, unbroken(workTime)].filter(Boolean).join(", ")}</span>
                </span>
              </label>
            ))}
          </fieldset>
          {points?.length === 0 ? <p className="hint">Таких пунктов нет</p> : null}
          {refusal ? <p className="hint hint--bad">{refusal.message}</p> : null}
        </>
      ) : (
        <p>{card.delivery.place}</p>
      )}
      {card.state === "assembled" && !isResend ? <p className="hint">{packedHint}</p> : null}
    </EditPanel>
  );
}

const addressParts = Object.keys(addressLabels) as (keyof Address)[];
function partsOf({ address }: Contacts): Address {
  if (!address) return noAddress;
  const { city: _, ...parts } = address;
  return parts;
}

export function AddressPanel({ card, onClose, onSaved, onReload }: EditProps) {
  const change = useSend(contract.changeAddress);
  const { read, problem } = useContacts(card.id);
  const [address, setAddress] = useState<Address | null>(null);
  /** What a colleague saved meanwhile. */
  const [theirs, setTheirs] = useState<Address | null>(null);
  useEffect(() => {
    void read().then((contacts) => contacts && setAddress(partsOf(contacts)));
  }, [read]);
  const save = async (revision = card.revision) => {
    if (!address) return;
    setTheirs(null);
    const answer = await change.send({ params: { id: card.id }, body: { revision, ...address } });
    if (answer?.ok) return onSaved("Адрес изменён");
    if (answer?.error?.code === "staff.stale") {
      const now = await read();
      setTheirs(now && partsOf(now));
    }
  };
  return (
    <EditPanel
      title={`Адрес, ${card.delivery.city}`}
      action="Сохранить"
      refusal={change.refusal}
      isBusy={change.isBusy}
      isReady={address !== null}
      compare={(current) => address && theirs && [...stateDiffers(card, current), ...differing(addressLabels, address, theirs)]}
      save={save}
      forget={change.forget}
      onClose={onClose}
      onReload={onReload}
    >
      {problem ? <p className="hint hint--bad">{problem}</p> : null}
      {address
        ? addressParts.map((part) => (
            <Field
              key={part}
              label={addressLabels[part]}
              value={address[part]}
              autoComplete="off"
              error={change.fields[part] ?? null}
              onChange={(event) => setAddress({ ...address, [part]: event.target.value })}
            />
          ))
        : null}
      {card.state === "assembled" ? <p className="hint">{packedHint}</p> : null}
    </EditPanel>
  );
}

/** Packs the order with its seal, or corrects the number of the seal. */
export function SealPanel({ card, onClose, onSaved, onReload, event }: EditProps & { event: "assemble" | "seal" }) {
  const pack = useSend(contract.packOrder);
  const [seal, setSeal] = useState(card.seal ?? "");
  const save = async (revision = card.revision) => {
    const number = seal.trim();
    const answer = await pack.send({ params: { id: card.id }, body: { event, revision, ...(number ? { seal: number } : {}) } });
    if (answer?.ok) await onSaved(event === "assemble" ? "Заказ собран" : "Номер пломбы записан");
  };
  return (
    <EditPanel
      title={event === "assemble" ? "Собрать" : "Номер пломбы"}
      action={event === "assemble" ? "Собран" : "Сохранить"}
      refusal={pack.refusal}
      isBusy={pack.isBusy}
      compare={({ seal: current, stateText }) => [
        { label: "Состояние", yours: card.stateText, current: stateText },
        { label: "Пломба", yours: seal, current: current ?? "нет" },
      ]}
      save={save}
      forget={pack.forget}
      onClose={onClose}
      onReload={onReload}
    >
      <Field
        label="Номер пломбы"
        value={seal}
        autoComplete="off"
        error={pack.fields["seal"] ?? null}
        onChange={(change) => setSeal(change.target.value)}
      />
    </EditPanel>
  );
}
