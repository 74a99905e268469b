import { type FormEvent, useEffect, useState } from "react";
import {
  data,
  Form,
  Link,
  redirect,
  useActionData,
  useLoaderData,
  useLocation,
  useNavigation,
  useRevalidator,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "react-router";
import { problems } from "#contract/problems.ts";
import { deadline } from "#kit/format.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import { pageContext } from "#web/context.server.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Price } from "../../../ui/price.tsx";
import { OrderDetails } from "../../my/order/order-details.tsx";
import { orderPageView } from "../../my/order/order-view.server.ts";
import { startPayment, isPaidByPhone } from "../../my/order/pay-order.ts";
import { payTexts } from "../../shared/order-texts.ts";
import { personalHeaders, personalMeta } from "../../page/personal-page.ts";
import { refreshState } from "../../shared/visitor-state.ts";
import { useActionAnswer } from "../../page/use-action-answer.ts";
import { outcomeOf, type OrderOutcome } from "./order-outcome.ts";
import { payAgain, returnedOrder } from "./paid-order.server.ts";
import type { PageHandle } from "../../page/page-handle.ts";
import type { Route } from "./+types/thanks-page.ts";
import "../checkout.css";
import "../../../styles/fields.css";
import "../../shared/order-summary.css";
import "../../my/my.css";

export const handle: PageHandle = { isPublic: false, changesCart: true };

export const meta = ({ loaderData: found }: Route.MetaArgs) => [
  ...personalMeta(found ? titleOf(found.outcome) : "Здесь нет заказа"),
  { name: "referrer", content: "no-referrer" },
];

/** The address contains the order's key, so it is not sent as a referrer. */
export const headers = () => ({ ...personalHeaders(), "Referrer-Policy": "no-referrer" });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  const found = await returnedOrder(ctx, visitor, request.url);
  if (!found) return null;
  const { order, key, isCertain } = found;
  const view = await orderPageView(ctx, order, key);
  return {
    outcome: outcomeOf({
      state: order.state,
      methodId: order.payment.methodId,
      status: order.payment.status,
      isPaid: order.paid === order.total,
      // Money that came after the cancellation is not the order's: `paid` stays zero.
      isRefunded: order.payment.status === "refunded" || (order.refunded > 0 && order.refunded === order.paid),
      isRefunding: view.goingBack > 0 || order.paid > order.refunded,
      isCertain,
    }),
    order: view,
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, visitor } = context.get(pageContext);
  const chosen = Number((await request.formData()).get("payment"));
  const paying = await payAgain(ctx, visitor, request.url, Number.isInteger(chosen) && chosen > 0 ? chosen : null);
  if (!paying.ok) return data({ refusal: problems[paying.error.code].message }, problems[paying.error.code].status);
  if (!paying.value.confirmationUrl) return data({ refusal: problems["payment.unavailable"].message }, 503);
  throw redirect(paying.value.confirmationUrl);
}

/** For this many answers the page says «проверяем» to a buyer who has just returned from the provider: the payment may be on its way. */
const answersToWaitFor = 5;

/** Polling intervals: short at first, then longer. Most payments settle within seconds, a lost message within a minute. */
const pauses = [2000, 2000, 2000, 3000, 3000, 5000, 5000, 10_000];

const headings: Record<OrderOutcome, string> = {
  paid: "Спасибо, заказ оплачен",
  checking: "Проверяем оплату",
  waiting: "Ждёт оплаты",
  declined: "Платёж не прошёл",
  invoice: "Спасибо, счёт отправлен",
  on_collection: "Спасибо, монеты отложены",
  cancelled: "Заказ отменён",
  refunding: "Заказ отменён, деньги возвращаем",
  refunded: "Заказ отменён, деньги возвращены",
  returned: "Заказ вернулся в магазин",
  cancelling: "Отмена запрошена",
  coming_back: "Заказ возвращается в магазин",
};

/** The heading changes while the page waits for the provider, the title does not. */
const titleOf = (outcome: OrderOutcome): string => (outcome === "checking" || outcome === "waiting" ? "Оплата заказа" : headings[outcome]);

export default function ThanksPage() {
  const found = useLoaderData<typeof loader>();
  const [opening, setOpening] = useState<string | null>(null);
  const refused = useActionAnswer(useActionData<typeof action>());
  const isBusy = useNavigation().state !== "idle";
  const { revalidate, state } = useRevalidator();
  const [reloads, setReloads] = useState(0);
  const { pathname, search } = useLocation();
  const isOpen = found?.outcome === "checking" || found?.outcome === "waiting";

  useEffect(() => {
    void refreshState();
  }, []);
  useEffect(() => {
    if (!isOpen || state !== "idle") return;
    const timer = setTimeout(
      () => {
        setReloads((count) => count + 1);
        void revalidate();
      },
      pauses[Math.min(reloads, pauses.length - 1)],
    );
    return () => clearTimeout(timer);
  }, [isOpen, state, reloads, revalidate]);

  if (!found) {
    return (
      <main id="main" tabIndex={-1}>
        <div className="wrap nothing">
          <h1>Здесь нет заказа</h1>
          <p>
            Ссылка на ваш заказ — в письме о нём. Заказы, сделанные после входа, видны в кабинете. Если письма нет, позвоните или напишите
            нам.
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
  const { order } = found;
  const query = new URLSearchParams(search);
  const isBack = query.has("returned") && reloads < answersToWaitFor;
  const outcome = found.outcome === "waiting" && isBack ? "checking" : found.outcome;
  query.delete("returned");
  /** On a desktop SBP starts with a code for the phone's camera; every other method submits the form. */
  async function payByPhone(event: FormEvent<HTMLFormElement>): Promise<void> {
    const button = (event.nativeEvent as SubmitEvent).submitter;
    const paymentId = button instanceof HTMLButtonElement ? Number(button.value) : 0;
    if (!isPaidByPhone(paymentId)) return;
    event.preventDefault();
    const refusal = await startPayment({ orderId: order.id, orderNumber: order.number, orderKey: order.key, paymentId });
    setOpening(refusal?.message ?? null);
    if (refusal) await revalidate();
  }

  const canPay =
    (outcome === "checking" || outcome === "waiting" || outcome === "declined") && order.pay?.canStart === true && !order.pay.isLate;
  return (
    <main id="main" tabIndex={-1}>
      <div className="wrap">
        <div className="flow__head flow__head--result">
          <div role="status">
            <h1>{headings[outcome]}</h1>
            <p>
              Заказ <span className="digits">{order.number}</span> на <Price amount={order.total} />. {tale(outcome, order)}
              {outcome === "checking" ? <span className="with-scripts"> Страница обновится сама.</span> : null}
            </p>
          </div>
          {outcome === "checking" ? <span className="wait" aria-hidden="true" /> : null}
        </div>
        {canPay ? (
          <Form method="post" className="pay-again" onSubmit={(event) => void payByPhone(event)}>
            {outcome === "checking" ? (
              <p>Не успели оплатить или закрыли страницу оплаты? Она откроется снова, второго платежа не будет.</p>
            ) : outcome === "waiting" ? (
              <p>
                Если вы уже заплатили, второго платежа не будет<span className="with-scripts">: страница обновится сама</span>.
              </p>
            ) : (
              <p>Деньги не списаны, монеты за вами. Попробуйте ещё раз или выберите другой способ.</p>
            )}
            <div className="pay-again__actions">
              {order.pay?.methods
                .filter((method) => !method.isOver)
                .map((method) => (
                  <button
                    key={method.id}
                    className={`button ${method.id === order.payment.methodId ? "button--gold" : "button--line"}`}
                    name="payment"
                    value={method.id}
                    disabled={isBusy}
                  >
                    {payTexts[method.id]}
                  </button>
                ))}
              <Link className="text-button" to={`${pathname}?${query}`} reloadDocument>
                Обновить
              </Link>
            </div>
            <p className="error" role="alert">
              {opening ?? refused?.refusal ?? ""}
            </p>
          </Form>
        ) : null}
        <OrderDetails order={order} withPay={!canPay} />
        <p className="thanks__more">
          <Link className="more" to={order.key ? `/order/${order.id}?key=${order.key}` : `/my/orders/${order.id}`}>
            Страница заказа: путь, оплата, отмена <Icon name="right" />
          </Link>
        </p>
      </div>
    </main>
  );
}

function tale(
  outcome: OrderOutcome,
  order: {
    collectUntil: Date | null;
    refunded: number;
    delivery: { id: number; arrival: string | null };
    pay: { heldUntil: Date | null; isLate: boolean } | null;
    key: string | null;
  },
): string {
  const reservedUntil = order.pay?.heldUntil ? ` Монеты отложены ${deadline(order.pay.heldUntil)} по Москве.` : "";
  const collectUntil = order.collectUntil ? ` Монеты отложены ${deadline(order.collectUntil)} по Москве.` : "";
  const isCollected = deliveryById(order.delivery.id)?.type === "office";
  switch (outcome) {
    case "paid":
      if (isCollected) return "Подготовим монеты и напишем, когда их можно забрать. Чек придёт на почту.";
      return (
        "Соберём, опечатаем и напишем, когда отправим." +
        `${order.delivery.arrival ? ` Ожидаем доставку ${order.delivery.arrival}.` : ""} Чек придёт на почту.`
      );
    case "waiting":
      return order.pay?.isLate ? `Время для новых попыток оплаты вышло.${reservedUntil}` : reservedUntil.trim();
    case "checking":
      return `Спрашиваем платёжную систему, обычно это несколько секунд.${reservedUntil}`;
    case "declined":
      return order.pay?.isLate ? "Время для новых попыток вышло, деньги не списаны." : `Так ответила платёжная система.${reservedUntil}`;
    case "invoice":
      return `Реквизиты — в письме. ${isCollected ? "Подготовим" : "Отправим"} монеты, когда деньги придут.${reservedUntil}`;
    case "on_collection":
      return `Ждём вас в офисе с паспортом: осмотрите монеты и оплатите картой или наличными.${collectUntil}`;
    case "cancelled":
      return "Монеты вернулись в продажу. Если деньги придут позже, мы их вернём.";
    case "cancelling":
      return "Посылку уже собрали, и мы попросили СДЭК её не везти. Напишем, когда он ответит.";
    case "coming_back":
      return order.refunded > 0
        ? "Деньги мы вернули, обычно они приходят в течение трёх дней."
        : "Деньги вернём, когда монеты будут у нас.";
    case "refunding":
    case "refunded":
      return "Деньги придут тем же способом, каким вы платили, обычно в течение трёх дней.";
    case "returned":
      return order.refunded > 0
        ? "Деньги мы вернули, обычно они приходят в течение трёх дней."
        : "Деньги вернём тем же способом, каким вы платили.";
  }
}
