import { useState, type ReactNode } from "react";
import { Notice } from "../../ui/marks.tsx";
import { Modal } from "../../ui/modal.tsx";
import { StaleDialog } from "../../ui/form/stale-dialog.tsx";

/** `stale`: a colleague has stored this meanwhile. */
type Sent<T> = { isSaved: boolean; stale: T | null };

type FormProps<T> = {
  title: string;
  /** The revision that the form was filled from. */
  revision: number;
  send: (revision: number) => Promise<Sent<T>>;
  sending: { isBusy: boolean; refusal?: { message: string } | null | undefined; fields: object };
  /** What a colleague has stored meanwhile beside what is typed. */
  compare: (current: T) => { label: string; current: string; yours: string }[];
  onTakeCurrent: (current: T) => void;
  onSaved: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** The form of a section or a series. A save over a newer revision shows both and lets the editor choose. */
export function SectionForm<T extends { revision: number }>(props: FormProps<T>) {
  const { title, send, sending, compare, onTakeCurrent, onSaved, onClose, children } = props;
  const [revision, setRevision] = useState(props.revision);
  const [stale, setStale] = useState<T | null>(null);

  async function submit(at: number): Promise<void> {
    const sent = await send(at);
    if (sent.isSaved) onSaved();
    else setStale(sent.stale);
  }
  return (
    <Modal title={title} isOpen onClose={onClose} isWide>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(revision);
        }}
      >
        {children}
        {sending.refusal && Object.keys(sending.fields).length === 0 && !stale ? (
          <Notice tone="warn">
            <p>{sending.refusal.message}</p>
          </Notice>
        ) : null}
        <div className="modal__foot">
          <button className="button button--gold" type="submit" disabled={sending.isBusy}>
            Сохранить
          </button>
        </div>
      </form>
      <StaleDialog
        fields={stale && compare(stale)}
        onClose={() => setStale(null)}
        onTakeCurrent={() => {
          if (stale) {
            onTakeCurrent(stale);
            setRevision(stale.revision);
          }
          setStale(null);
        }}
        onKeepYours={() => {
          const at = stale?.revision ?? revision;
          setStale(null);
          setRevision(at);
          void submit(at);
        }}
      />
    </Modal>
  );
}
