import { useEffect, useRef, useState, type ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { consentPages } from "#shop/customers/consent-pages.ts";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { privacyHref } from "../../shared/document-links.ts";
import { stampField, trapField, type FormAnswer } from "./form-answer.ts";
import { useActionAnswer } from "../../page/use-action-answer.ts";
import { useFormDraft } from "./use-form-draft.ts";
import "../../../styles/fields.css";
import "./content-form.css";

/** Values and errors of the fields after a refusal. */
export type FieldValues = {
  /** The first submitted value of a field, `""` when there is none. */
  value(name: string): string;
  /** All submitted values of a repeated field. */
  values(name: string): string[];
  error(name: string): string | undefined;
  /** How many values of a repeated field the stored draft has. */
  draftCount(name: string): number;
  /** The attributes that every text field has. */
  input(name: string): { name: string; defaultValue: string; error: string | undefined };
};

type ContentFormProps = {
  /** The anchor of the form: without scripts the browser returns to it and not to the top of the page. */
  id: string;
  title: string;
  lead?: ReactNode;
  answer: FormAnswer | undefined;
  stamp: string;
  /** The path of the page, without the anchor. */
  action: string;
  button: string;
  /** The sentence of the consent, with a link to its text; by default the consent to answer an inquiry. */
  consent?: ReactNode;
  thanks: { title: string; text: string };
  children: (fields: FieldValues) => ReactNode;
};

const inquiryConsent = (
  <>
    Разрешаю{" "}
    <a href={consentPages.request} target="_blank" rel="noopener">
      обработку персональных данных
    </a>{" "}
    для ответа на заявку
  </>
);

/** A form of a content page. It works without scripts; with them the first invalid field gets the focus, and so do the thanks. */
export function ContentForm({
  id,
  title,
  lead,
  answer: given,
  stamp,
  action,
  button,
  consent = inquiryConsent,
  thanks,
  children,
}: ContentFormProps) {
  const isBusy = useNavigation().formAction?.startsWith(action) ?? false;
  const answer = useActionAnswer(given);
  const box = useRef<HTMLElement>(null);
  // When prices move, the page is revalidated and gets a new stamp; the time of filling counts from the first one.
  const [firstStamp] = useState(stamp);
  useEffect(() => {
    if (!answer || answer.kind === "more" || answer.kind === "count") return;
    const invalid = box.current?.querySelector<HTMLElement>("[aria-invalid]");
    const field = invalid?.matches("fieldset") ? invalid.querySelector("input") : invalid;
    (field ?? box.current?.querySelector<HTMLElement>("[role=alert]") ?? box.current)?.focus();
  }, [answer]);

  const { store, draftCount } = useFormDraft(box, action, answer);

  if (answer?.kind === "sent") {
    return (
      <section className="request request--done" id={id} ref={box} tabIndex={-1} aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>{thanks.title}</h2>
        <p role="status">
          {thanks.text}
          {answer.note ? ` ${answer.note}` : ""}
        </p>
      </section>
    );
  }
  const refused = answer;
  const value = (name: string) => refused?.typed[name]?.[0] ?? "";
  const error = (name: string) => refused?.fields[name];
  const fields: FieldValues = {
    value,
    values: (name) => refused?.typed[name] ?? [],
    error,
    draftCount,
    input: (name) => ({ name, defaultValue: value(name), error: error(name) }),
  };
  return (
    <section className="request" id={id} ref={box} tabIndex={-1} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {lead && <p className="request__lead">{lead}</p>}
      <Form method="post" action={`${action}#${id}`} className="request__form" noValidate onInput={store}>
        {refused?.kind === "refused" && (
          <p className="error" role="alert" tabIndex={-1}>
            {refused.message}
          </p>
        )}
        {children(fields)}
        <p className="request__trap" aria-hidden="true">
          <label>
            Не заполняйте это поле <input name={trapField} tabIndex={-1} autoComplete="off" />
          </label>
        </p>
        <input type="hidden" name={stampField} value={refused?.stamp ?? firstStamp} />
        <Checkbox
          name="consent"
          value="yes"
          required
          defaultChecked={value("consent") !== ""}
          error={error("consent")}
          note={
            <>
              Как мы бережём данные:{" "}
              <a href={privacyHref} target="_blank" rel="noopener">
                политика (PDF)
              </a>
            </>
          }
        >
          {consent}
        </Checkbox>
        <div className="request__actions">
          <button className="button button--gold" disabled={isBusy}>
            {isBusy ? "Отправляем…" : button}
          </button>
        </div>
      </Form>
    </section>
  );
}
