import { data, redirect, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import * as orders from "#shop/orders/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../../ui/breadcrumbs.tsx";
import type { PageHandle } from "../../page/page-handle.ts";
import { personalHeaders, personalMeta } from "../../page/personal-page.ts";
import { orderAction } from "./order-action.server.ts";
import { orderPageView } from "./order-view.server.ts";
import { momentText, OrderDetails } from "./order-details.tsx";

export const handle: PageHandle = { isPublic: false, countedPath: "/my/orders" };

export const meta = ({ loaderData }: { loaderData?: { number: number } | null }) =>
  personalMeta(loaderData ? `Заказ ${loaderData.number}` : "Заказ");
export const headers = personalHeaders;

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  if (!visitor.customerId) return null; // the layout shows the sign-in prompt
  const order = await orders.find(ctx, params.id ?? "", { customerId: visitor.customerId });
  if (!order) throw data(null, { status: 404 });
  return orderPageView(ctx, order, null);
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const {
    ctx,
    visitor: { customerId },
  } = context.get(pageContext);
  if (!customerId) throw redirect(new URL(request.url).pathname);
  return orderAction(ctx, request, { orderId: params.id ?? "", viewer: { customerId } });
}

export default function OrderPage() {
  const order = useLoaderData<typeof loader>();
  if (!order) return null;
  return (
    <>
      <Breadcrumbs
        trail={[
          { title: "Кабинет", href: "/my" },
          { title: "Заказы", href: "/my/orders" },
        ]}
        here={`Заказ ${order.number}`}
      />
      <div className="flow__head">
        <h1>
          Заказ <span className="digits">{order.number}</span>
        </h1>
        <p>Оформлен {momentText(order.createdAt)}</p>
      </div>
      <OrderDetails order={order} />
    </>
  );
}
