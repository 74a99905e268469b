import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from "react";
import { useRevalidator } from "react-router";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import { fieldMessages, maxLengths } from "#contract/fields.ts";
import { hasLetter, isEmail } from "#shop/customers/customer.ts";
import { consentPages } from "#shop/customers/consent-pages.ts";
import { Checkbox } from "../../ui/fields/checkbox.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { privacyHref } from "../shared/document-links.ts";
import { refreshState } from "../shared/visitor-state.ts";

/** The entries of the third step; the dialog stores them while the visitor goes back to the code. */
export type ProfileDraft = { name: string; email: string; isAgreed: boolean };
export const emptyProfile: ProfileDraft = { name: "", email: "", isAgreed: false };

type ProfileStepProps = { draft: ProfileDraft; onDraft: (draft: ProfileDraft) => void; onDone: () => void; onBack: () => void };
type TextName = "name" | "email";

/** Step 3, for a new customer who is signed in already: name and e-mail; it can be skipped. */
export function ProfileStep({ draft, onDraft, onDone, onBack }: ProfileStepProps) {
  const [left, setLeft] = useState<Partial<Record<keyof ProfileDraft, boolean>>>({});
  const [refusal, setRefusal] = useState<Partial<Record<TextName | "form", string>>>({});
  const [isBusy, setBusy] = useState(false);
  const { revalidate } = useRevalidator();
  const first = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => first.current?.focus(), []);
  useEffect(() => {
    // The pressed button was disabled meanwhile.
    if (refusal.form) form.current?.querySelector<HTMLElement>("[aria-invalid], button[type=submit]")?.focus();
  }, [refusal]);

  const mistakes = { name: nameMistake(draft.name), email: emailMistake(draft.email) };
  const isValid = !mistakes.name && !mistakes.email && draft.isAgreed;
  const set = (patch: Partial<ProfileDraft>) => {
    onDraft({ ...draft, ...patch });
    setRefusal({});
  };

  /** The button is disabled until the form is complete, so Enter sends no form: it shows what is missing and moves the focus there. */
  function explain(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key !== "Enter" || isValid || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    setLeft({ name: true, email: true, isAgreed: true });
    const missing = mistakes.name ? "name" : mistakes.email ? "email" : "consent";
    event.currentTarget.querySelector<HTMLInputElement>(`input[name=${missing}]`)?.focus();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!isValid || isBusy) return;
    setBusy(true);
    const answer = await callApi(contract.completeMe, { body: { name: draft.name.trim(), email: draft.email.trim() } });
    setBusy(false);
    if (!answer.ok) return setRefusal({ ...answer.error.fields, form: answer.error.message });
    await refreshState();
    void revalidate();
    onDone();
  }

  return (
    <form ref={form} noValidate onSubmit={submit} onKeyDown={explain}>
      <p>
        Имя нужно для выдачи заказа по паспорту, почта — для чеков.{" "}
        <button className="text-button text-button--inline" type="button" onClick={onBack}>
          Назад к коду
        </button>
      </p>
      <Field
        ref={first}
        label="Фамилия и имя"
        name="name"
        autoComplete="name"
        required
        isErrorAnnounced
        maxLength={maxLengths.fullName}
        value={draft.name}
        error={refusal.name ?? (left.name ? mistakes.name : null)}
        onChange={(event) => set({ name: event.target.value })}
        onBlur={() => setLeft({ ...left, name: true })}
      />
      <Field
        label="Электронная почта"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        isErrorAnnounced
        maxLength={maxLengths.email}
        placeholder="anna@example.ru"
        value={draft.email}
        error={refusal.email ?? (left.email ? mistakes.email : null)}
        onChange={(event) => set({ email: event.target.value })}
        onBlur={() => setLeft({ ...left, email: true })}
      />
      <Checkbox
        name="consent"
        required
        checked={draft.isAgreed}
        error={left.isAgreed && !draft.isAgreed ? fieldMessages.consent : null}
        onChange={(event) => set({ isAgreed: event.target.checked })}
      >
        Разрешаю{" "}
        <a href={consentPages.account} target="_blank" rel="noopener">
          обработку персональных данных
        </a>{" "}
        для ведения кабинета,{" "}
        <a href={privacyHref} target="_blank" rel="noopener">
          политика
        </a>
      </Checkbox>
      {refusal.form && !refusal.name && !refusal.email ? (
        <p className="error" role="alert">
          {refusal.form}
        </p>
      ) : null}
      <button className="button button--gold button--wide" type="submit" disabled={!isValid || isBusy}>
        {isBusy ? "Сохраняем…" : "Завершить"}
      </button>
      <button className="text-button" type="button" onClick={onDone}>
        Пропустить, заполню при заказе
      </button>
    </form>
  );
}

const nameMistake = (name: string): string | null =>
  name.trim() === "" ? fieldMessages.required : hasLetter(name) ? null : fieldMessages.name;

const emailMistake = (email: string): string | null =>
  email.trim() === "" ? fieldMessages.required : isEmail(email.trim()) ? null : fieldMessages.email;
