import { data, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import * as orders from "#shop/orders/service.ts";
import { pageContext } from "#web/context.server.ts";
import { refusedTitle } from "../../page/meta.ts";
import { personalHeaders, personalMeta } from "../../page/personal-page.ts";
import { missingOrder } from "../../shared/order-texts.ts";
import { orderAction } from "./order-action.server.ts";
import { orderPageView } from "./order-view.server.ts";
import { momentText, OrderDetails } from "./order-details.tsx";
import type { PageHandle } from "../../page/page-handle.ts";
import "../../../styles/fields.css";
import "../../shared/order-summary.css";
import "../my.css";

export const handle: PageHandle = { isPublic: false, hasSecretAddress: true, changesCart: true };

export const meta = ({ loaderData }: { loaderData?: Awaited<ReturnType<typeof loader>> }) => [
  ...personalMeta(refusedTitle("Ваш заказ", loaderData?.isRefused)),
  { name: "referrer", content: "no-referrer" },
];

/** The address contains the key, so it is not sent as a referrer. */
export const headers = () => ({ ...personalHeaders(), "Referrer-Policy": "no-referrer" });

/** A guest's order, by the key in its link. A wrong or expired key is answered like a missing order. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { ctx, isRefused } = context.get(pageContext);
  const key = new URL(request.url).searchParams.get("key") ?? "";
  const order = await orders.find(ctx, params.id ?? "", { guestKey: key });
  if (!order) throw data(missingOrder, { status: 404 });
  return { ...(await orderPageView(ctx, order, key)), isRefused };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const guestKey = new URL(request.url).searchParams.get("key") ?? "";
  return orderAction(context.get(pageContext), request, { orderId: params.id ?? "", viewer: { guestKey } });
}

export default function GuestOrderPage() {
  const order = useLoaderData<typeof loader>();
  return (
    <main id="main" tabIndex={-1}>
      <div className="wrap">
        <div className="flow__head">
          <h1>
            Заказ <span className="digits">{order.number}</span>
          </h1>
          <p>Оформлен {momentText(order.createdAt)}. Страница открывается по ссылке из письма 30 дней.</p>
        </div>
        <OrderDetails order={order} />
      </div>
    </main>
  );
}
