import { Form, useNavigation } from "react-router";
import { coinForms, counted, day } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";
import { Price } from "../../../ui/price.tsx";

export const claimIntent = "claim";

export type FoundOrder = { number: number; createdAt: Date; status: string; count: number; total: Kopecks };

/** `phone` is masked. */
export type OtherPhonesOrder = FoundOrder & { phone: string };

const Facts = ({ order: { number, createdAt, status, count, total } }: { order: FoundOrder }) => (
  <>
    <b>
      Заказ <span className="digits">{number}</span>
    </b>{" "}
    от {day(createdAt)}, {counted(count, coinForms)}, <Price amount={total} />. {status}
  </>
);

/** Orders made in this browser without sign-in, with another phone: why they are not in this account, and how to add them to one. */
export function OtherPhonesOrders({ orders }: { orders: readonly OtherPhonesOrder[] }) {
  if (orders.length === 0) return null;
  return (
    <section className="found" aria-labelledby="other-phones">
      <h2 id="other-phones">Заказы на другой номер</h2>
      <p>
        Их оформили в этом браузере без входа. Заказ принадлежит тому, чей телефон в нём указан: чтобы добавить его в кабинет, войдите с
        этим номером. Состояние заказа видно и по ссылке из письма.
      </p>
      <ul>
        {orders.map((order) => (
          <li key={order.number}>
            <Facts order={order} />, телефон <span className="digits">{order.phone}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Orders made without sign-in with the account's phone: one press adds them to the account. Works without scripts. */
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
        {found.map((order) => (
          <li key={order.number}>
            <Facts order={order} />
          </li>
        ))}
      </ul>
      <Form method="post" action="/my/orders">
        <input type="hidden" name="intent" value={claimIntent} />
        <button className="button button--gold" disabled={isBusy}>
          {isBusy ? "Добавляем…" : found.length === 1 ? "Добавить в мои заказы" : "Добавить все в мои заказы"}
        </button>
      </Form>
      <p className="muted">Если заказ сделан в другом браузере и на другую почту, имя и адрес получателя останутся скрыты.</p>
    </section>
  );
}
