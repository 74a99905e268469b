import { data, redirect, useLoaderData, useRevalidator, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { counted } from "#kit/format.ts";
import * as auth from "#shop/auth/service.ts";
import * as customers from "#shop/customers/service.ts";
import { ordersPageSize } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import { pageContext } from "#web/context.server.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Pagination } from "../../../ui/pagination.tsx";
import { openDialog, preloadDialog } from "../../dialogs/dialogs.tsx";
import { personalHeaders, personalMeta } from "../../page/personal-page.ts";
import { ClaimOffer, OtherPhonesOrders } from "./claim-offer.tsx";
import { foundOrders, ordersOfOtherPhones } from "./claim-offer.server.ts";
import { OrderList } from "./order-list.tsx";
import { orderRows } from "./order-rows.server.ts";

export const meta = ({ loaderData }: { loaderData?: Awaited<ReturnType<typeof loader>> }) =>
  personalMeta(loaderData && loaderData.page > 1 ? `Заказы, страница ${loaderData.page}` : "Заказы");
export const headers = personalHeaders;

export async function loader({ context, request }: LoaderFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  if (!visitor.customerId) return null;
  const pageParam = new URL(request.url).searchParams.get("page") ?? "1";
  if (!/^[1-9]\d{0,4}$/.test(pageParam)) throw data(null, { status: 404 });
  const page = Number(pageParam);
  const [own, found, others, me] = await Promise.all([
    orders.numberedPage(ctx, visitor.customerId, page),
    foundOrders(ctx, visitor),
    ordersOfOtherPhones(ctx, visitor),
    customers.byId(ctx, visitor.customerId),
  ]);
  const { items, total, pages } = own;
  if (page > 1 && page > pages) throw data(null, { status: 404 });
  const phoneToConfirm = auth.isFresh(ctx, visitor.signedInAt) ? null : (me?.phone ?? null);
  return { rows: orderRows(items), page, pages, total, found, others, phoneToConfirm };
}

/** Adds the orders that were made without sign-in to the account. */
export async function action({ context }: ActionFunctionArgs) {
  const {
    ctx,
    visitor: { customerId, signedInAt, browser },
  } = context.get(pageContext);
  if (customerId) await orders.claimAll(ctx, { customerId, signedInAt, browser });
  throw redirect("/my/orders");
}

export default function OrdersPage() {
  const loaded = useLoaderData<typeof loader>();
  if (!loaded) return null;
  const { rows, page, pages, total, found, others, phoneToConfirm } = loaded;
  return (
    <>
      <div className="flow__head">
        <h1>Заказы</h1>
        {rows.length > 0 ? <p>{counted(total, ["заказ", "заказа", "заказов"])}, новые сверху</p> : null}
      </div>
      <ClaimOffer found={found} />
      {rows.length > 0 ? (
        <>
          <OrderList rows={rows} />
          <Pagination
            page={page}
            pages={pages}
            total={total}
            pageSize={ordersPageSize}
            hrefOf={(n) => (n === 1 ? "/my/orders" : `/my/orders?page=${n}`)}
          />
        </>
      ) : found.length > 0 ? null : (
        <div className="nothing">
          <h2>Заказов пока нет</h2>
          <p>Здесь появится путь каждого заказа: от оплаты до выдачи.</p>
          <ButtonLink to="/catalog">Выбрать монету</ButtonLink>
        </div>
      )}
      <OtherPhonesOrders orders={others} />
      {phoneToConfirm === null ? null : <SearchByPhone phone={phoneToConfirm} />}
    </>
  );
}

/** Orders made after the last code are found only after the phone is confirmed again. */
function SearchByPhone({ phone }: { phone: string }) {
  const { revalidate } = useRevalidator();
  const open = () =>
    openDialog("confirmPhone", {
      phone,
      reason: "Найдём заказы, оформленные без входа на ваш номер.",
      onConfirmed: () => void revalidate(),
    });
  return (
    <p className="muted">
      Оформляли заказ без входа?{" "}
      <button
        className="text-button text-button--inline"
        type="button"
        aria-haspopup="dialog"
        onPointerEnter={() => preloadDialog("confirmPhone")}
        onFocus={() => preloadDialog("confirmPhone")}
        onClick={open}
      >
        Найти по номеру телефона
      </button>
    </p>
  );
}
