import { useFetcher } from "react-router";
import { consentHrefs } from "../shared/document-links.ts";
import { Field } from "../../ui/fields/field.tsx";
import type { AlertAnswer, RefusedAlert } from "./alert-form.server.ts";
import "../../styles/fields.css";
import "../../styles/alerts.css";

/** While the exchange is closed: one letter when it opens, so that the cart can be ordered then. Works as a plain form, too. */
export function OpeningAlert({ again }: { again?: RefusedAlert }) {
  const fetcher = useFetcher<AlertAnswer>();
  const answer = fetcher.data ?? again;
  if (answer?.kind === "sent") {
    return (
      <p className="alert" role="status">
        <b>Проверьте почту {answer.email}.</b> Подтвердите в письме, что просили вы. Когда торги откроются, пришлём ссылку на корзину.
      </p>
    );
  }
  return (
    <details className="alert" open={again !== undefined}>
      <summary>Написать, когда торги откроются</summary>
      <fetcher.Form method="post" action="/alerts" className="alert__form" noValidate>
        <input type="hidden" name="course" value="XAU_RUB" />
        <input type="hidden" name="wish" value="marketOpen" />
        <Field
          label="Электронная почта"
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={again?.was.email}
          error={answer?.fields.email}
        />
        <button className="button button--line" disabled={fetcher.state !== "idle"}>
          {fetcher.state === "idle" ? "Написать мне" : "Отправляем…"}
        </button>
        {answer ? (
          <p className="error" role="alert">
            {answer.message}
          </p>
        ) : null}
        <p className="alert__note">
          Пришлём письмо для подтверждения и одно письмо при открытии, корзина останется. Нажимая кнопку, вы даёте{" "}
          <a href={consentHrefs.newsletter}>согласие на эти письма</a>.
        </p>
      </fetcher.Form>
    </details>
  );
}
