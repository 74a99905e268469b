import { useEffect } from "react";
import { useLoaderData, useNavigate, type LoaderFunctionArgs } from "react-router";
import { deadline } from "#kit/format.ts";
import { pageContext } from "#web/context.server.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { EmptyCart } from "../cart/empty-cart.tsx";
import { MarketNote } from "../cart/market-note.tsx";
import { useFreshCart } from "../cart/use-fresh-cart.ts";
import type { PageHandle } from "../page/page-handle.ts";
import { payTexts } from "../shared/order-texts.ts";
import { personalHeaders, personalMeta } from "../page/personal-page.ts";
import { useSessionEnd } from "../sign-in/session/use-session-end.ts";
import { useVisitorState } from "../shared/visitor-state.ts";
import { checkoutView } from "./checkout-view.server.ts";
import { ConfirmStep } from "./confirm/confirm-step.tsx";
import { ContactsStep } from "./contacts/contacts-step.tsx";
import { DeliveryStep } from "./delivery/delivery-step.tsx";
import { ErrorSummary } from "./confirm/error-summary.tsx";
import { OrderSide } from "./lock/order-side.tsx";
import { PaymentStep } from "./payment/payment-step.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useCheckoutStore } from "./checkout-store.ts";
import type { Placed } from "./checkout-state.ts";
import "../shared/order-summary.css";
import "../cart/cart.css";
import "./checkout.css";

export const meta = () => personalMeta("Оформление");
export const headers = personalHeaders;
export const handle: PageHandle = {
  isPublic: false,
  showsLists: true,
  changesCart: true,
  hasMap: true,
  hasLivePrices: true,
  isBuying: true,
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  const city = /(?:^|;\s*)city=(\d{10})(?:;|$)/.exec(request.headers.get("cookie") ?? "")?.[1] ?? null;
  return checkoutView(ctx, visitor, city);
}

export default function CheckoutPage() {
  const view = useLoaderData<typeof loader>();
  const checkout = useCheckoutStore(view);
  const { state, dispatch } = checkout;
  const { cart } = view;
  const navigate = useNavigate();
  // The data of the profile, and the account's cart, go with the session.
  useSessionEnd(view.buyer !== null, () => {
    dispatch({ type: "session.ended" });
    showToast("Вы вышли из кабинета. Войдите снова, чтобы оформить заказ");
  });

  const isPlaced = state.placed !== null;
  const submit = () => dispatch({ type: "order.submitted", now: Date.now() });
  const isCartGone = useVisitorState((known) => known.isKnown && !known.isCartUpdating && known.totalCoins === 0);
  // A form being filled in stays when another tab changed the cart, because the order call reports what changed, and goes when another tab
  // ordered the cart. While this page's own order is sent, its answer says what to show.
  const follows = !isPlaced && state.placing === null && (cart.count === 0 || isCartGone);
  useFreshCart(follows ? cart.count : null);
  useEffect(() => {
    if (isPlaced) scrollTo(0, 0);
  }, [isPlaced]);
  // Decided here and not by the server: a coin added just before may reach the cart after the page was requested. An unpaid order is shown
  // on this page: navigating to the cart would remove the page during a press on its link.
  const isEmpty = isCartGone && cart.lines.length === 0 && cart.unpaid === null;
  useEffect(() => {
    if (isEmpty && !isPlaced) void navigate("/cart", { replace: true });
  }, [isEmpty, isPlaced, navigate]);

  if (state.placed) return <PlacedOrder placed={state.placed} onPay={() => dispatch({ type: "payment.reopened" })} />;
  return (
    <main id="main" tabIndex={-1}>
      <div className="wrap">
        <Breadcrumbs trail={[{ title: "Корзина", href: "/cart" }]} here="Оформление" />
        <div className="flow__head">
          <h1>Оформление</h1>
          {cart.lines.length > 0 ? <p>Все шаги на одной странице. Любой можно поправить до конца.</p> : null}
        </div>
        {cart.lines.length === 0 ? (
          <EmptyCart text={cart.emptyText} wishlistCount={cart.wishlistCount} unpaid={cart.unpaid} />
        ) : (
          <>
            <noscript>
              <meta httpEquiv="refresh" content="0; url=/checkout/steps" />
              <p className="aside">
                Этой странице нужен JavaScript. <a href="/checkout/steps">Оформить заказ по шагам, без него</a>
              </p>
            </noscript>
            <ErrorSummary errors={state.errors} tries={state.refusals} />
            <MarketNote
              market={cart.market}
              isStale={cart.isStale}
              isDead={cart.isDead}
              hasBullion={cart.lines.some((line) => line.isBullion)}
            />
            <div className="flow">
              <div>
                <ContactsStep checkout={checkout} isSignedIn={view.buyer !== null} />
                <DeliveryStep checkout={checkout} bigCities={view.bigCities} mapScriptUrl={view.mapScriptUrl} now={new Date(view.now)} />
                <PaymentStep checkout={checkout} limits={view.limits} receiptLinesMax={view.receiptLinesMax} lines={cart.lines} />
                <ConfirmStep checkout={checkout} onSubmit={submit} />
              </div>
              <OrderSide checkout={checkout} cart={cart} lifeSeconds={view.quoteLifeSeconds} onSubmit={submit} />
            </div>
          </>
        )}
      </div>
    </main>
  );
}

/** The order is placed: it waits for its payment, or the next page is loading. */
function PlacedOrder({ placed: { number, href, toPay }, onPay }: { placed: Placed; onPay: () => void }) {
  const until = toPay?.until ? new Date(toPay.until) : null;
  return (
    <main id="main" tabIndex={-1}>
      <div className="wrap nothing">
        <div role="status">
          <h1>
            {toPay ? (
              <>
                Заказ <span className="digits">{number}</span> ждёт оплаты
              </>
            ) : (
              <>
                Заказ <span className="digits">{number}</span> оформлен
              </>
            )}
          </h1>
          {toPay ? (
            <p>
              Монеты отложены
              {until ? ` ${deadline(until)} по Москве` : null}. Оплатить можно здесь и со страницы заказа.
            </p>
          ) : (
            <p>Монеты отложены. Сейчас откроется следующая страница.</p>
          )}
        </div>
        <p className="nothing__actions">
          {toPay ? <Button onClick={onPay}>{payTexts[toPay.paymentId]}</Button> : null}
          <ButtonLink variant={toPay ? "line" : "gold"} to={href}>
            К заказу
          </ButtonLink>
        </p>
      </div>
    </main>
  );
}
