import { Link, redirect, type LoaderFunctionArgs } from "react-router";
import { pageContext } from "#web/context.server.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { personalHeaders, personalMeta } from "../../page/personal-page.ts";
import { returnedOrder } from "./paid-order.server.ts";
import type { PageHandle } from "../../page/page-handle.ts";
import "../../../styles/fields.css";
import "../../shared/order-summary.css";
import "../../my/my.css";

export const handle: PageHandle = { isPublic: false, changesCart: true };

export const meta = () => personalMeta("Оплата не завершена");
export const headers = () => ({ ...personalHeaders(), "Referrer-Policy": "no-referrer" });

/** An address with an order redirects to the page that reads its state: the provider's return address proves nothing. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  if (await returnedOrder(ctx, visitor, request.url)) throw redirect(`/thanks${new URL(request.url).search}`);
  return null;
}

export default function PaymentErrorPage() {
  return (
    <main id="main" tabIndex={-1}>
      <div className="wrap nothing">
        <h1>Оплата не завершена</h1>
        <p>
          Заказ сохранён, и монеты какое-то время отложены за вами. Откройте заказ по ссылке из письма или в кабинете: там видно, дошли ли
          деньги, и можно оплатить ещё раз.
        </p>
        <p className="nothing__actions">
          <ButtonLink to="/my/orders">Мои заказы</ButtonLink>{" "}
          <Link className="more" to="/contacts">
            Связаться с нами <Icon name="right" />
          </Link>
        </p>
      </div>
    </main>
  );
}
