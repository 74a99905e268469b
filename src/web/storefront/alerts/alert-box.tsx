import { useEffect, useRef, type ReactNode } from "react";
import { useFetcher } from "react-router";
import { Field } from "../../ui/fields/field.tsx";
import type { AlertAnswer, RefusedAlert } from "./alert-form.server.ts";
import "../../styles/fields.css";
import "./alerts.css";

type AlertBoxProps = {
  summary: ReactNode;
  button: string;
  /** The consent below the button. */
  note: ReactNode;
  /** Follows «Проверьте почту …» once the request is accepted. */
  accepted: string;
  /** The answer to a submission without scripts: the form is open and filled in. */
  refused?: RefusedAlert | undefined;
  /** The fields that say what the alert is about. */
  children: (errors: Record<string, string>) => ReactNode;
};

/**
 * The folded form of an alert, with its e-mail field. It works as a plain form, and in place when scripts are loaded; then the first wrong
 * field receives the focus, or the text that takes the place of the sent form.
 */
export function AlertBox({ summary, button, note, accepted, refused, children }: AlertBoxProps) {
  const fetcher = useFetcher<AlertAnswer>();
  const answer = fetcher.data ?? refused;
  const box = useRef<HTMLDetailsElement>(null);
  const thanks = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (fetcher.data?.kind === "refused") box.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
    if (fetcher.data?.kind === "sent") thanks.current?.focus();
  }, [fetcher.data]);
  if (answer?.kind === "sent")
    return (
      <p className="alert" role="status" tabIndex={-1} ref={thanks}>
        <b>Проверьте почту {answer.email}.</b> {accepted}
      </p>
    );
  const errors = answer?.fields ?? {};
  return (
    <details className="alert" ref={box} open={refused !== undefined}>
      <summary>{summary}</summary>
      <fetcher.Form method="post" action="/alerts" className="alert__form" noValidate>
        {children(errors)}
        <Field
          label="Электронная почта"
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={refused?.was.email}
          error={errors.email}
        />
        <button className="button button--line" disabled={fetcher.state !== "idle"}>
          {fetcher.state === "idle" ? button : "Отправляем…"}
        </button>
        {answer && (
          <p className="error" role="alert">
            {answer.message}
          </p>
        )}
        <p className="alert__note">{note}</p>
      </fetcher.Form>
    </details>
  );
}
