import { useId, useState } from "react";
import { useFetcher } from "react-router";
import { number } from "#kit/format.ts";
import { consentHrefs, privacyHref } from "../shared/document-links.ts";
import { Icon } from "../../ui/icon.tsx";
import { Field } from "../../ui/fields/field.tsx";
import type { AlertAnswer, RefusedAlert } from "./alert-form.server.ts";
import "../../styles/fields.css";
import "../../styles/alerts.css";

type AlertFormProps = {
  /** One of the two: a coin's id, or the wire's code of a rate. */
  coinId?: number;
  course?: string;
  /** What it costs now, in the unit of the mark; shown where the mark is typed. */
  now: number | null;
  unit: string;
  hasStock: boolean;
  /** What was wrong with it when it was sent without scripts: the form stands open and filled in. */
  again?: RefusedAlert;
};

/** «Напишите мне, когда…»: works as a plain form, and without leaving the page once scripts are there. */
export function AlertForm({ coinId, course, now, unit, hasStock, again }: AlertFormProps) {
  const fetcher = useFetcher<AlertAnswer>();
  const id = useId();
  const [wish, setWish] = useState(again?.was.wish || (hasStock ? "below" : "inStock"));
  const answer = fetcher.data ?? again;
  if (answer?.kind === "sent")
    return (
      <p className="alert" role="status">
        <b>Проверьте почту {answer.email}.</b> Мы отправили письмо: подтвердите в нём, что просили вы, и будем следить за ценой.
      </p>
    );
  const wrong = answer?.kind === "refused" ? answer : null;
  return (
    <details className="alert" open={again !== undefined}>
      <summary>
        <Icon name="bell" />
        {hasStock ? "Напишите мне, когда цена изменится" : "Напишите мне, когда появится"}
      </summary>
      <fetcher.Form method="post" action="/alerts" className="alert__form" noValidate>
        {coinId !== undefined && <input type="hidden" name="productId" value={coinId} />}
        {course !== undefined && <input type="hidden" name="course" value={course} />}
        <div className="field">
          <label htmlFor={`${id}wish`}>Когда</label>
          <select id={`${id}wish`} name="wish" value={wish} onChange={(event) => setWish(event.target.value)}>
            <option value="below">станет не дороже</option>
            <option value="above">станет не дешевле</option>
            {coinId !== undefined && <option value="inStock">снова появится в продаже</option>}
          </select>
        </div>
        {wish !== "inStock" && (
          <Field
            label={`Цена, ${unit}`}
            name="mark"
            inputMode="decimal"
            autoComplete="off"
            defaultValue={again?.was.mark}
            placeholder={now === null ? "" : `сейчас ${number(now, Number.isInteger(now) ? 0 : 2)}`}
            error={wrong?.fields.mark}
          />
        )}
        <Field
          label="Электронная почта"
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={again?.was.email}
          error={wrong?.fields.email}
        />
        <button className="button button--line" disabled={fetcher.state !== "idle"}>
          {fetcher.state === "idle" ? "Следить" : "Отправляем…"}
        </button>
        {wrong && (
          <p className="error" role="alert">
            {wrong.message}
          </p>
        )}
        <p className="alert__note">
          Пришлём письмо для подтверждения, потом по одному письму на каждое такое изменение. Отписаться можно из любого письма. Нажимая
          «Следить», вы даёте{" "}
          <a href={consentHrefs.newsletter} target="_blank" rel="noopener">
            согласие получать их
          </a>
          .{" "}
          <a href={privacyHref} target="_blank" rel="noopener">
            Как мы бережём данные
          </a>
        </p>
      </fetcher.Form>
    </details>
  );
}
