import { Link, useLoaderData, type LoaderFunctionArgs } from "react-router";
import { coinForms, counted } from "#kit/format.ts";
import { fullNameOf } from "#shop/customers/customer.ts";
import * as customers from "#shop/customers/service.ts";
import * as lists from "#shop/lists/service.ts";
import * as orders from "#shop/orders/service.ts";
import { pageContext } from "#web/context.server.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { maskedPhone, phoneDigits } from "../../ui/fields/phone.ts";
import { personalHeaders, personalMeta } from "../page/personal-page.ts";
import { ClaimOffer } from "./orders/claim-offer.tsx";
import { foundOrders } from "./orders/claim-offer.server.ts";
import { OrderList } from "./orders/order-list.tsx";
import { orderRows } from "./orders/order-rows.server.ts";

export const meta = () => personalMeta("Кабинет");
export const headers = personalHeaders;

/** Number of newest orders on the overview. */
const newest = 3;

export async function loader({ context }: LoaderFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  if (!visitor.customerId) return null;
  const [customer, { items, total }, wishlist, found] = await Promise.all([
    customers.byId(ctx, visitor.customerId),
    orders.numberedPage(ctx, visitor.customerId, 1, newest),
    lists.ids(ctx, visitor.owner, "wishlist"),
    foundOrders(ctx, visitor),
  ]);
  if (!customer) return null;
  return {
    me: { fullName: fullNameOf(customer), name: customer.name, email: customer.email, phone: customer.phone },
    rows: orderRows(items),
    count: total,
    found,
    wishlistCount: wishlist.length,
  };
}

export default function OverviewPage() {
  const loaded = useLoaderData<typeof loader>();
  if (!loaded) return null;
  const { me, rows, count, wishlistCount } = loaded;
  return (
    <>
      <div className="flow__head">
        <h1>{me.name ? `Здравствуйте, ${me.name}` : "Кабинет"}</h1>
      </div>
      <ClaimOffer found={loaded.found} />
      <div className="sections">
        <section>
          <h2>Последние заказы</h2>
          {rows.length > 0 ? (
            <OrderList rows={rows} />
          ) : (
            <p className="muted">Заказов пока нет. Здесь будет виден путь каждого: от оплаты до выдачи.</p>
          )}
          {count > rows.length ? (
            <p>
              <Link className="more" to="/my/orders">
                {`Все заказы, ${count}`} <Icon name="right" />
              </Link>
            </p>
          ) : null}
          {rows.length === 0 ? (
            <p className="nothing__actions">
              <ButtonLink to="/catalog">Выбрать монету</ButtonLink>
            </p>
          ) : null}
        </section>
        <aside className="bill" aria-label="О вас">
          <div className="lock">
            <h2 className="lock__head">Личные данные</h2>
          </div>
          <dl className="totals">
            <div>
              <dt>Имя</dt>
              <dd>{me.fullName || "не указано"}</dd>
            </div>
            <div>
              <dt>Телефон</dt>
              <dd className="digits">{maskedPhone(phoneDigits(me.phone))}</dd>
            </div>
            <div>
              <dt>Почта</dt>
              <dd>{me.email || "не указана"}</dd>
            </div>
          </dl>
          <p>
            <Link className="more" to="/my/profile/edit">
              {me.fullName && me.email ? "Изменить" : "Заполнить"} <Icon name="right" />
            </Link>
          </p>
          <p>
            <Link className="more" to="/wishlist">
              Избранное{wishlistCount > 0 ? `, ${counted(wishlistCount, coinForms)}` : ""} <Icon name="right" />
            </Link>
          </p>
        </aside>
      </div>
    </>
  );
}
