import { useEffect, useEffectEvent } from "react";
import {
  href,
  Link,
  redirect,
  useActionData,
  useLoaderData,
  useLocation,
  useSubmit,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "react-router";
import * as orders from "#shop/orders/service.ts";
import { pageContext } from "#web/context.server.ts";
import { Icon } from "../../ui/icon.tsx";
import { maskedPhone, phoneDigits } from "../../ui/fields/phone.ts";
import { openDialog, preloadDialog } from "../dialogs/dialogs.tsx";
import type { PageHandle } from "../page/page-handle.ts";
import { personalHeaders, personalMeta } from "../page/personal-page.ts";
import { storeAuthPhone } from "../sign-in/auth-phone.ts";
import "../shared/order-summary.css";
import "./my.css";

export const handle: PageHandle = { isPublic: false, changesCart: true, isBlank: true };
export const meta = () => [...personalMeta("Создать кабинет"), { name: "referrer", content: "no-referrer" }];
/** The address may contain an order's key, so it is not sent as a referrer. */
export const headers = () => ({ ...personalHeaders(), "Referrer-Policy": "no-referrer" });

/**
 * The order whose message led here, and its phone in the browser that made the order. With a wrong, expired or missing key the page is just
 * a sign-in.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  const query = new URL(request.url).searchParams;
  const orderId = query.get("order") ?? "";
  const guestKey = query.get("key") ?? "";
  const order = await orders.find(ctx, orderId, { guestKey });
  const phone = await orders.phoneToSignIn(ctx, { orderId, guestKey, browser: visitor.browser });
  return { order: order && { number: order.number, phone }, isSignedIn: visitor.customerId !== null };
}

/** After sign-in: adds the order of the link to the account if the phones match. Otherwise says so and links to the order. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  const query = new URL(request.url).searchParams;
  const orderId = query.get("order") ?? "";
  const guestKey = query.get("key") ?? "";
  if (visitor.customerId && !(await orders.claim(ctx, { orderId, guestKey, customerId: visitor.customerId }))) {
    const order = await orders.find(ctx, orderId, { guestKey });
    if (order) return { orderNumber: order.number, orderHref: `/order/${order.id}?key=${encodeURIComponent(guestKey)}` };
  }
  throw redirect(href("/my"));
}

export default function CreateAccountPage() {
  const { order, isSignedIn } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const submit = useSubmit();
  const { pathname, search } = useLocation();
  const phone = order?.phone ?? null;

  const enter = () => void submit(null, { method: "post", action: `${pathname}${search}`, replace: true });
  function begin() {
    if (phone) storeAuthPhone(maskedPhone(phoneDigits(phone)));
    openDialog("auth", { onSignedIn: enter });
  }
  // Once, on arrival: a customer who signs in here still has the last step of the dialog open.
  const arrive = useEffectEvent(() => {
    if (isSignedIn) enter();
    else begin();
  });
  useEffect(() => arrive(), []);

  return (
    <main id="main" className="blank" tabIndex={-1}>
      <div className="sign-in-prompt">
        <Link className="logo" to={href("/")} aria-label="Чекан, на главную">
          <Icon name="mark" className="logo__mark" />
          <span>Чекан</span>
        </Link>
        {refused ? (
          <OfAnotherPhone {...refused} />
        ) : (
          <>
            <h1>Создать кабинет</h1>
            <p className="lead">
              {order ? (
                <>
                  В нём будут ваши заказы и сохранённый адрес. Код придёт на телефон, указанный в заказе{" "}
                  <span className="digits">№{order.number}</span>.
                </>
              ) : (
                "В нём будут ваши заказы и сохранённый адрес. Пароль не нужен: пришлём код в SMS."
              )}
            </p>
            <div className="sign-in-prompt__actions">
              <button
                className="button button--gold"
                type="button"
                aria-haspopup="dialog"
                onPointerEnter={() => preloadDialog("auth")}
                onFocus={() => preloadDialog("auth")}
                onClick={begin}
              >
                Продолжить
              </button>
              <Link className="more" to={href("/catalog")}>
                В каталог <Icon name="right" />
              </Link>
            </div>
            <noscript>
              <p className="aside">Для входа по коду из SMS включите в браузере JavaScript.</p>
            </noscript>
          </>
        )}
      </div>
    </main>
  );
}

function OfAnotherPhone({ orderNumber, orderHref }: { orderNumber: number; orderHref: string }) {
  return (
    <div role="status">
      <h1>Заказ на другой телефон</h1>
      <p className="lead">
        Вы уже вошли в свой кабинет, а заказ <span className="digits">№{orderNumber}</span> оформлен на другой телефон. Он остаётся доступен
        по ссылке из письма. Чтобы держать его в кабинете, выйдите и войдите с телефоном заказа.
      </p>
      <div className="sign-in-prompt__actions">
        <Link className="button button--gold" to={orderHref}>
          Открыть заказ
        </Link>
        <Link className="more" to={href("/my")}>
          В кабинет <Icon name="right" />
        </Link>
      </div>
    </div>
  );
}
