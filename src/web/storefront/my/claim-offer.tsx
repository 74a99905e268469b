import { Form, useNavigation } from "react-router";
import { coinForms, counted, day } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";
import { Price } from "../../ui/price.tsx";

export const claimIntent = "claim";

export type FoundOrder = { number: number; createdAt: Date; status: string; count: number; total: Kopecks };

/** Orders made without sign-in on the account's phone: one press takes them all into the account. Works without scripts. */
export function ClaimOffer({ found }: { found: readonly FoundOrder[] }) {
  const isBusy = useNavigation().formData?.get("intent") === claimIntent;
  if (found.length === 0) return null;
  return (
    <section className="found" aria-labelledby="found">
      <h2 id="found">Найдены заказы на этот номер</h2>
      <p>
        Их оформили без входа. Номер вы подтвердили кодом, поэтому {found.length === 1 ? "заказ можно добавить" : "заказы можно добавить"} в
        кабинет.
      </p>
      <ul>
        {found.map(({ number, createdAt, status, count, total }) => (
          <li key={number}>
            <b>
              Заказ <span className="num">{number}</span>
            </b>{" "}
            от {day(createdAt)}, {counted(count, coinForms)}, <Price amount={total} />. {status}
          </li>
        ))}
      </ul>
      <Form method="post" action="/my/orders">
        <input type="hidden" name="intent" value={claimIntent} />
        <button className="btn btn--gold" disabled={isBusy}>
          {isBusy ? "Добавляем…" : found.length === 1 ? "Добавить в мои заказы" : "Добавить все в мои заказы"}
        </button>
      </Form>
      <p className="mute">Если заказ сделан в другом браузере и на другую почту, имя и адрес получателя останутся скрыты.</p>
    </section>
  );
}
