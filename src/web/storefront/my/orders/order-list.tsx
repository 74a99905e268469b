import { Link } from "react-router";
import { coinForms, counted, day } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";
import type { OrderState } from "#shop/orders/order.ts";
import { Price } from "../../../ui/price.tsx";
import { RepeatForm } from "./repeat-form.tsx";

export type MyOrderRow = {
  id: string;
  number: number;
  createdAt: Date;
  state: OrderState;
  status: string;
  total: Kopecks;
  count: number;
  titles: string[];
  images: string[];
};

const waits = (state: OrderState): boolean => state === "awaiting_payment" || state === "ready";

const kindForms = ["вид", "вида", "видов"] as const;

export function OrderList({ rows }: { rows: MyOrderRow[] }) {
  return (
    <ul className="orders">
      {rows.map((row) => (
        <li key={row.id}>
          <Link to={`/my/orders/${row.id}`}>
            <span className="orders__number">
              <b>
                Заказ <span className="digits">{row.number}</span>
              </b>
              <small>{day(row.createdAt)}</small>
            </span>
            <span className="orders__coins">
              <span className="orders__images" aria-hidden="true">
                {row.images.map((src) => (
                  <img key={src} className="small-coin" src={src} width="40" height="40" alt="" loading="lazy" />
                ))}
              </span>
              <small>
                {row.titles[0]}
                {row.titles.length > 1 ? ` и ещё ${counted(row.titles.length - 1, kindForms)}` : ""}, {counted(row.count, coinForms)}
              </small>
            </span>
            <span className={`orders__status${waits(row.state) ? " is-waiting" : ""}`}>{row.status}</span>
            <strong>
              <Price amount={row.total} />
            </strong>
          </Link>
          {waits(row.state) ? null : <RepeatForm orderId={row.id} orderKey={null} className="text-button" />}
        </li>
      ))}
    </ul>
  );
}
