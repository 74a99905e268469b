import { useId, useState } from "react";
import { number } from "#kit/format.ts";
import { consentPages } from "#shop/customers/consent-pages.ts";
import { Icon } from "../../ui/icon.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { privacyHref } from "../shared/document-links.ts";
import { AlertBox } from "./alert-box.tsx";
import type { RefusedAlert } from "./alert-form.server.ts";

type AlertFormProps = {
  /** Either a coin's id or the contract's code of a rate. */
  coinId?: number;
  course?: string;
  /** The present price in the unit of the limit; shown as the placeholder of the limit. */
  now: number | null;
  unit: string;
  hasStock: boolean;
  /** The answer to a submission without scripts: the form is open and filled in. */
  refused?: RefusedAlert;
};

/** «Напишите мне, когда…»: an alert on the price of a coin or a rate, or on a coin that is available again. */
export function AlertForm({ coinId, course, now, unit, hasStock, refused }: AlertFormProps) {
  const id = useId();
  const [condition, setCondition] = useState(refused?.was.condition || (hasStock ? "below" : "inStock"));
  const next = condition === "inStock" ? "напишем, когда монета появится" : "будем следить за ценой";
  return (
    <AlertBox
      summary={
        <>
          <Icon name="bell" />
          {hasStock ? "Напишите мне, когда цена изменится" : "Напишите мне, когда появится"}
        </>
      }
      button="Следить"
      accepted={`Мы отправили письмо: подтвердите в нём, что просили вы, и ${next}.`}
      refused={refused}
      note={
        <>
          Пришлём письмо для подтверждения, потом по одному письму на каждое такое изменение. Отписаться можно из любого письма. Нажимая
          «Следить», вы даёте{" "}
          <a href={consentPages.newsletter} target="_blank" rel="noopener">
            согласие получать их
          </a>
          .{" "}
          <a href={privacyHref} target="_blank" rel="noopener">
            Как мы бережём данные
          </a>
        </>
      }
    >
      {(errors) => (
        <>
          {coinId !== undefined && <input type="hidden" name="productId" value={coinId} />}
          {course !== undefined && <input type="hidden" name="course" value={course} />}
          <div className="field">
            <label htmlFor={`${id}condition`}>Когда</label>
            <select id={`${id}condition`} name="condition" value={condition} onChange={(event) => setCondition(event.target.value)}>
              <option value="below">станет не дороже</option>
              <option value="above">станет не дешевле</option>
              {coinId !== undefined && <option value="inStock">снова появится в продаже</option>}
            </select>
          </div>
          {condition !== "inStock" && (
            <Field
              label={`Цена, ${unit}`}
              name="mark"
              inputMode="decimal"
              autoComplete="off"
              defaultValue={refused?.was.mark}
              placeholder={now === null ? "" : `сейчас ${number(now, Number.isInteger(now) ? 0 : 2)}`}
              error={errors.mark}
            />
          )}
        </>
      )}
    </AlertBox>
  );
}
