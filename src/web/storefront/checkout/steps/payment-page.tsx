import { useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { add, zero } from "#kit/money.ts";
import { deliveryById, paymentsAllowed } from "#shop/delivery/delivery.ts";
import { limitOf, paymentMethods, receiptLineCount, receiptLinesMax } from "#shop/payment/payment.ts";
import { pageContext } from "#web/context.server.ts";
import type { PageHandle } from "../../page/page-handle.ts";
import { Price } from "../../../ui/price.tsx";
import { paymentNames } from "../../shared/order-texts.ts";
import { personalHeaders } from "../../page/personal-page.ts";
import { limitsText, limitExceeded } from "../payment/payment-texts.ts";
import { StepsFrame, stepMeta, type StepMetaArgs } from "./steps-frame.tsx";
import { cityNow, frameView, groupsOf, lockPrices, numberIn, openAny, openStep, optionOf, readForm } from "./steps.server.ts";

export const handle: PageHandle = { isPublic: false, changesCart: true, isBuying: true };

export const meta = (page: StepMetaArgs) => stepMeta("payment", page);
export const headers = personalHeaders;

export async function loader({ context }: LoaderFunctionArgs) {
  const stepRequest = await openStep(context.get(pageContext), "payment");
  const { ctx, entries, cart } = stepRequest;
  const { deliveryId = 0 } = entries;
  const city = await cityNow(ctx, entries);
  const option = optionOf(await groupsOf(stepRequest, city), deliveryId);
  const deliveryPrice = option?.price ?? zero;
  const allowed = paymentsAllowed(deliveryId);
  const order = {
    total: add(cart.total, deliveryPrice),
    limits: Object.fromEntries(paymentMethods.map((method) => [method.id, limitOf(method, ctx.settings.limits)])),
    receiptLines: receiptLineCount(cart.lines.length, deliveryPrice),
    receiptLinesMax,
  };
  const methods = allowed.map((id) => ({ id, limit: order.limits[id] ?? null, why: limitExceeded(id, order) }));
  const open = methods.filter(({ why }) => why === null);
  return {
    frame: await frameView(stepRequest, "payment", { city, option }),
    methods,
    checkedId: open.find(({ id }) => id === entries.paymentId)?.id ?? open[0]?.id ?? null,
    reasons: limitsText({ ...order, type: deliveryById(deliveryId)?.type ?? "carrier", allowed, lines: cart.lines }),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const [stepRequest, text] = await Promise.all([openAny(context.get(pageContext)), readForm(request)]);
  return lockPrices(stepRequest, numberIn(text("paymentId")) ?? 0);
}

const notes: Readonly<Record<number, string>> = {
  4: "Мир, Visa, Mastercard, сразу",
  5: "через приложение банка, сразу",
  6: "перевод по реквизитам, 1\u00A0банковский день",
  7: "картой или наличными, после осмотра",
};

export default function PaymentPage() {
  const { frame, methods, checkedId, reasons } = useLoaderData<typeof loader>();
  return (
    <StepsFrame view={frame}>
      <form method="post">
        <fieldset className="pick">
          <legend className="visually-hidden">Способ оплаты</legend>
          {methods.map(({ id, limit, why }) => (
            <label key={id} className={`pick__row pick__row--plain${why ? " is-unavailable" : ""}`}>
              <input className="radio" type="radio" name="paymentId" value={id} defaultChecked={id === checkedId} disabled={why !== null} />
              <span>
                {paymentNames[id]}
                <small>{why === null ? notes[id] : why === "sum" ? "не вмещает этот заказ" : "чек не вмещает столько позиций"}</small>
              </span>
              <b>
                {limit === null ? (
                  "без предела"
                ) : (
                  <>
                    до <Price amount={limit} />
                  </>
                )}
              </b>
            </label>
          ))}
        </fieldset>
        <p className="reason">{reasons}</p>
        <div className="checkout-step__actions">
          <button className="button button--gold">Зафиксировать цену</button>
          <p>На следующем шаге проверите заказ. Пока ничего не оформлено.</p>
        </div>
      </form>
    </StepsFrame>
  );
}
