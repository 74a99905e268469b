import { useEffect, useRef, useState, type ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { privacyHref } from "../../shared/document-links.ts";
import { stampField, trapField, type FormAnswer } from "./form-answer.ts";
import { useActionAnswer } from "../../page/use-action-answer.ts";
import { useFormDraft } from "./use-form-draft.ts";
import "../../../styles/fields.css";
import "../../../styles/content-form.css";

/** What a field needs to know of the answer: the words that were typed and what is wrong with them; and how many fields of a name this tab keeps words for. */
export type FieldValues = {
  was(name: string): string;
  all(name: string): string[];
  wrong(name: string): string | undefined;
  kept(name: string): number;
};

type ContentFormProps = {
  /** Its anchor, so that without scripts the browser comes back to the form and not to the top of the page. */
  id: string;
  title: string;
  lead?: ReactNode;
  answer: FormAnswer | undefined;
  stamp: string;
  /** The page's own path; the anchor is added. */
  action: string;
  button: string;
  /** The sentence of the consent, with a link to its text. */
  consent: ReactNode;
  thanks: { title: string; text: string };
  children: (field: FieldValues) => ReactNode;
};

/** A form of a content page. It works without scripts; with them the first mistake gets the focus, and so do the thanks. */
export function ContentForm({ id, title, lead, answer: given, stamp, action, button, consent, thanks, children }: ContentFormProps) {
  const isBusy = useNavigation().formAction?.startsWith(action) ?? false;
  const answer = useActionAnswer(given);
  const box = useRef<HTMLElement>(null);
  // A page that reads itself again because prices moved was drawn when it came, not now: whoever fills it in is no robot.
  const [drawn] = useState(stamp);
  useEffect(() => {
    if (!answer || answer.kind === "more" || answer.kind === "count") return;
    const wrong = box.current?.querySelector<HTMLElement>("[aria-invalid]");
    const field = wrong?.matches("fieldset") ? wrong.querySelector("input") : wrong;
    (field ?? box.current?.querySelector<HTMLElement>("[role=alert]") ?? box.current)?.focus();
  }, [answer]);

  const { store: keep, draftCount: countOf } = useFormDraft(box, action, answer);

  if (answer?.kind === "sent") {
    return (
      <section className="request request--done" id={id} ref={box} tabIndex={-1} aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>{thanks.title}</h2>
        <p role="status">
          {thanks.text}
          {answer.said ? ` ${answer.said}` : ""}
        </p>
      </section>
    );
  }
  const refused = answer;
  const field: FieldValues = {
    was: (name) => refused?.typed[name]?.[0] ?? "",
    all: (name) => refused?.typed[name] ?? [],
    wrong: (name) => refused?.fields[name],
    kept: countOf,
  };
  return (
    <section className="request" id={id} ref={box} tabIndex={-1} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {lead && <p className="request__lead">{lead}</p>}
      <Form method="post" action={`${action}#${id}`} className="request__form" noValidate onInput={keep}>
        {refused?.kind === "refused" && (
          <p className="error" role="alert" tabIndex={-1}>
            {refused.message}
          </p>
        )}
        {children(field)}
        <p className="request__trap" aria-hidden="true">
          <label>
            Не заполняйте это поле <input name={trapField} tabIndex={-1} autoComplete="off" />
          </label>
        </p>
        <input type="hidden" name={stampField} value={refused?.stamp ?? drawn} />
        <Checkbox
          name="consent"
          value="yes"
          required
          defaultChecked={field.was("consent") !== ""}
          error={field.wrong("consent")}
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
