import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import * as orders from "#shop/orders/service.ts";
import { pageContext } from "#web/context.server.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { counted } from "../../ui/format.ts";
import { personalHeaders, personalMeta } from "../personal-page.ts";
import { OrderList } from "./order-list.tsx";
import { orderRows } from "./order-rows.server.ts";

export const meta = () => personalMeta("Заказы");
export const headers = personalHeaders;

export async function loader({ context }: LoaderFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  return visitor.customerId ? orderRows(await orders.list(ctx, visitor.customerId)) : [];
}

export default function OrdersPage() {
  const rows = useLoaderData<typeof loader>();
  return (
    <>
      <div className="flow__h"><h1>Заказы</h1>{rows.length > 0 ? <p>{counted(rows.length, ["заказ", "заказа", "заказов"])}, новые сверху</p> : null}</div>
      {rows.length > 0 ? <OrderList rows={rows} /> : (
        <div className="nil">
          <h2>Заказов пока нет</h2>
          <p>Здесь появится путь каждого заказа: от оплаты до выдачи.</p>
          <ButtonLink to="/catalog">Выбрать монету</ButtonLink>
        </div>
      )}
    </>
  );
}
