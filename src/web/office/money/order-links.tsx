import { Link } from "react-router";
import { paymentsOf } from "./words.ts";

/** The order of a row of money: its card, and its payments. */
export const OrderLinks = ({ order }: { order: { id: string; number: string } }) => (
  <>
    <Link className="number" to={`/orders/${order.id}`}>
      {order.number}
    </Link>{" "}
    <Link className="muted" to={paymentsOf(order.number)}>
      платежи
    </Link>
  </>
);
