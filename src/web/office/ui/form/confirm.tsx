import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useRef, useState, useSyncExternalStore, type ReactNode, type RefObject } from "react";
import { Field } from "./field.tsx";

type Question = {
  title: string;
  text?: ReactNode;
  /** The verb on the button: «Отключить». */
  action: string;
  /** The other button; «Не надо» unless given. */
  refusal?: string;
  /** The action discards something, so the other button has the focus: Enter is often pressed before the question is read. */
  isLoss?: boolean;
  /** A text field for a reason, which the answer contains. */
  note?: { label: string; isRequired?: boolean; value?: string; error?: string };
};

type OpenQuestion = Question & { answer: (given: { note: string } | null) => void };

let open: OpenQuestion | null = null;
const listeners = new Set<() => void>();
const changed = (): void => {
  for (const each of listeners) each();
};

/**
 * Opens a confirmation dialog. Resolves to the note (empty when `question` has no `note`), or to null when it is declined. A second call
 * declines the open dialog.
 */
export function confirm(question: Question): Promise<{ note: string } | null> {
  open?.answer(null);
  const { promise, resolve } = Promise.withResolvers<{ note: string } | null>();
  open = {
    ...question,
    answer: (given) => {
      open = null;
      changed();
      resolve(given);
    },
  };
  changed();
  return promise;
}

type Sent = { ok: boolean; error?: { message: string; fields: Readonly<Record<string, string>> } | null };

/**
 * Opens a confirmation dialog with a note and sends the note. After a refusal or a lost connection the dialog opens again with the note
 * and the error. Resolves to the answer of `send`, or to null when the dialog is declined.
 */
export async function confirmAndSend<S extends Sent>(
  question: Question & { note: NonNullable<Question["note"]> },
  send: (note: string) => Promise<S | null>,
): Promise<S | null> {
  let note = question.note;
  for (;;) {
    const given = await confirm({ ...question, note });
    const answer = given && (await send(given.note));
    if (!given || !answer?.error) return answer;
    note = { ...note, value: given.note, error: Object.values(answer.error.fields)[0] ?? answer.error.message };
  }
}

/** Renders the open confirmation dialog; mounted once, by the frame. */
export function ConfirmHost() {
  const question = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
  const refusal = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialog.Root open={question !== null} onOpenChange={(isOpen) => !isOpen && question?.answer(null)}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="veil" />
        <AlertDialog.Popup className="modal" initialFocus={question?.isLoss ? refusal : true}>
          {question ? <QuestionForm question={question} refusalRef={refusal} /> : null}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

type QuestionFormProps = { question: OpenQuestion; refusalRef: RefObject<HTMLButtonElement | null> };

function QuestionForm({ question: { title, text, action, refusal, note, answer }, refusalRef }: QuestionFormProps) {
  const [written, setWritten] = useState(note?.value ?? "");
  const [error, setError] = useState(note?.error ?? "");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (note?.isRequired && !written.trim()) setError("Заполните это поле");
        else answer({ note: written.trim() });
      }}
    >
      <div className="modal__head">
        <AlertDialog.Title>{title}</AlertDialog.Title>
      </div>
      {text ? <AlertDialog.Description render={<div />}>{text}</AlertDialog.Description> : null}
      {note ? <Field label={note.label} value={written} error={error} onChange={(event) => setWritten(event.target.value)} /> : null}
      <div className="modal__foot">
        <button className="button button--gold" type="submit">
          {action}
        </button>
        <AlertDialog.Close ref={refusalRef} className="button">
          {refusal ?? "Не надо"}
        </AlertDialog.Close>
      </div>
    </form>
  );
}
