import { data, redirect, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import * as orders from "#shop/orders/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../../ui/breadcrumbs.tsx";
import { refusedTitle } from "../../page/meta.ts";
import type { PageHandle } from "../../page/page-handle.ts";
import { personalHeaders, personalMeta } from "../../page/personal-page.ts";
import { orderAction } from "./order-action.server.ts";
import { orderPageView } from "./order-view.server.ts";
import { momentText, OrderDetails } from "./order-details.tsx";

export const handle: PageHandle = { isPublic: false, countedPath: "/my/orders" };

export const meta = ({ loaderData }: { loaderData?: Awaited<ReturnType<typeof loader>> }) =>
  personalMeta(refusedTitle(loaderData ? `Заказ ${loaderData.number}` : "Заказ", loaderData?.isRefused));
export const headers = personalHeaders;

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { ctx, visitor, isRefused } = context.get(pageContext);
  if (!visitor.customerId) return null; // the layout shows the sign-in prompt
  const order = await orders.find(ctx, params.id ?? "", { customerId: visitor.customerId });
  if (!order) throw data(null, { status: 404 });
  return { ...(await orderPageView(ctx, order, null)), isRefused };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const page = context.get(pageContext);
  const { customerId } = page.visitor;
  if (!customerId) throw redirect(new URL(request.url).pathname);
  return orderAction(page, request, { orderId: params.id ?? "", viewer: { customerId } });
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
