import type { ReactNode } from "react";
import { Modal } from "../modal.tsx";

/** A field that differs: its value here, and the stored one. */
export type StaleField = { label: string; yours: ReactNode; current: ReactNode };

/** After `staff.stale`: both versions side by side. Nothing is overwritten without a press. */
export function StaleDialog({
  fields,
  changedBy,
  note,
  onKeepYours,
  onTakeCurrent,
  onClose,
}: {
  fields: readonly StaleField[] | null;
  /** Who changed it meanwhile. */
  changedBy?: string | null;
  /** What the person can do with entries that cannot be saved any more. */
  note?: string;
  /** Overwrites the newer version; absent where the record accepts no more changes. */
  onKeepYours?: () => void;
  /** Discards the entries. */
  onTakeCurrent: () => void;
  onClose: () => void;
}) {
  return (
    <Modal title="Запись тем временем изменили" isOpen={fields !== null} onClose={onClose} isWide>
      {changedBy ? <p>Изменил: {changedBy}</p> : null}
      {fields?.length === 0 ? (
        <p>Изменили другое: эти поля на сервере такие же, как у вас.</p>
      ) : (
        <table className="table">
          <caption className="visually-hidden">Чем отличаются версии</caption>
          <thead>
            <tr>
              <th scope="col">Поле</th>
              <th scope="col">Сейчас на сервере</th>
              <th scope="col">У вас</th>
            </tr>
          </thead>
          <tbody>
            {(fields ?? []).map(({ label, yours, current }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td className="from">{current}</td>
                <td className="after-value">{yours}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {note ? <p className="hint">{note}</p> : null}
      <div className="modal__foot">
        {onKeepYours ? (
          <button className="button button--gold" type="button" onClick={onKeepYours}>
            Сохранить моё
          </button>
        ) : null}
        <button className="button" type="button" onClick={onTakeCurrent}>
          Взять с сервера
        </button>
      </div>
    </Modal>
  );
}
