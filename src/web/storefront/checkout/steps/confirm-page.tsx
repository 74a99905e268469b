import { redirect, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { placeOrder } from "#contract/public/orders.ts";
import { nbsp } from "#kit/format.ts";
import { kopecks } from "#kit/money.ts";
import { sha256 } from "#kit/security/secrets.ts";
import { noAddress } from "#shop/checkout/entries/entries.ts";
import * as entered from "#shop/checkout/entries/entries.service.ts";
import * as checkout from "#shop/checkout/service.ts";
import type { CheckoutError } from "#shop/checkout/quote.ts";
import * as customers from "#shop/customers/service.ts";
import * as orders from "#shop/orders/service.ts";
import { consentPages } from "#shop/customers/consent-pages.ts";
import { pageContext, type PageContext } from "#web/context.server.ts";
import type { PageHandle } from "../../page/page-handle.ts";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { Price } from "../../../ui/price.tsx";
import { privacyHref, saleTermsHref } from "../../shared/document-links.ts";
import { personalHeaders } from "../../page/personal-page.ts";
import { contactFields, fieldId } from "../confirm/order-errors.ts";
import { orderVerb } from "../payment/payment-texts.ts";
import { hasAddress, stepPath } from "./step-names.ts";
import { agreementMistakes, firstOpenStep } from "./step-rules.server.ts";
import { StepsFrame, stepMeta, type StepMetaArgs } from "./steps-frame.tsx";
import {
  cityNow,
  frameView,
  isChecked,
  lockPrices,
  openAny,
  openStep,
  readForm,
  saveAndGo,
  withErrors,
  type StepRequest,
} from "./steps.server.ts";

export const handle: PageHandle = { isPublic: false, changesCart: true, isBuying: true };

export const meta = (page: StepMetaArgs) => stepMeta("confirm", page);
export const headers = personalHeaders;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const stepRequest = await openStep(context.get(pageContext), "confirm");
  const { ctx, owner, visitor, entries } = stepRequest;
  const quote = await checkout.findQuote(ctx, owner, entries.quoteId ?? "");
  const isSubscribed = visitor.customerId !== null && (await customers.newsletter(ctx, visitor.customerId)) !== null;
  return {
    frame: await frameView(stepRequest, "confirm", { quote }),
    errors: isChecked(request.url) ? agreementMistakes(entries) : {},
    quoteId: quote?.isLive ? quote.quote.id : null,
    totalBefore: entries.totalBefore == null ? null : kopecks(entries.totalBefore),
    paymentId: entries.paymentId ?? 0,
    agreed: entries.agreed ?? { terms: false, privacy: false, newsletter: false },
    isSubscribed,
  };
}

/** `lock` locks new prices; every other intent orders at the prices that the page showed. */
export async function action({ request, context }: ActionFunctionArgs) {
  const page = context.get(pageContext);
  const text = await readForm(request);
  const toOrder = async (): Promise<Response | null> => {
    const made = await orderOf(page, text("quoteId"));
    return made ? redirect(made, 303) : null;
  };
  const before = await toOrder();
  if (before) return before; // pressed twice, or again after Back
  // An equal press at the same moment may order, and so empty the cart and the entries, after the check above.
  const stepRequest = await openAny(page).catch(async (error: unknown) => {
    throw (await toOrder()) ?? error;
  });
  const { ctx, owner, entries } = stepRequest;
  const { paymentId = 0 } = entries;
  if (text("intent") === "lock") {
    const locked = await checkout.findQuote(ctx, owner, entries.quoteId ?? "");
    return lockPrices(stepRequest, paymentId, { totalBefore: locked?.quote.total ?? null });
  }

  const agreed = { terms: text("terms") !== "", privacy: text("consent") !== "", newsletter: text("newsletter") !== "" };
  const open = firstOpenStep(entries);
  if (open !== "confirm") return (await toOrder()) ?? saveAndGo(stepRequest, { agreed }, stepPath(open));
  if (Object.keys(agreementMistakes({ agreed })).length > 0) return saveAndGo(stepRequest, { agreed }, withErrors("confirm"));
  return order(stepRequest, { quoteId: text("quoteId"), agreed });
}

async function order(stepRequest: StepRequest, { quoteId, agreed }: { quoteId: string; agreed: { newsletter: boolean } & Agreed }) {
  const { ctx, visitor, owner, entries } = stepRequest;
  const { buyer, deliveryId = 0, pointId = "", address = noAddress, paymentId = 0 } = entries;
  const city = await cityNow(ctx, entries);
  const form = placeOrder.body.safeParse({
    quoteId,
    user: buyer,
    delivery: { id: deliveryId, pvzId: pointId || null },
    address: hasAddress(deliveryId) ? { city: city.name, ...address } : null,
    paymentId,
    consent: true,
    ...(agreed.newsletter ? { newsletter: true } : {}),
  });
  if (!form.success) {
    const isContact = form.error.issues.some(({ path }) => (contactFields as readonly unknown[]).includes(path.at(-1)));
    return saveAndGo(stepRequest, { agreed }, withErrors(isContact ? "contacts" : "point"));
  }
  const { user, delivery, address: to } = form.data;
  const placed = await checkout.placeOrder(ctx, owner, {
    idempotencyKey: `steps-${quoteId}`, // one quote makes one order, so a second press returns it
    bodyHash: sha256(JSON.stringify(form.data)),
    quoteId,
    user,
    delivery: { id: delivery.id, pointId: delivery.pvzId ?? null },
    address: to ?? null,
    paymentId,
    customerId: visitor.customerId,
    wantsNewsletter: agreed.newsletter,
    clientAddress: visitor.address,
  });
  return placed.ok ? finish(stepRequest, placed.value) : refuse(stepRequest, agreed, quoteId, placed.error);
}

type Agreed = { terms: boolean; privacy: boolean; newsletter: boolean };

/** After the order: deletes the entries and redirects to the payment, or to the page with the invoice. */
async function finish({ ctx, owner }: StepRequest, placed: orders.Placed) {
  await entered.deleteEntries(ctx, owner);
  const payAt = await orders.startPayment(ctx, placed);
  const { id } = placed.order;
  return redirect(payAt ?? thanksHref(id, orders.keyOf(ctx, id)), {
    status: 303,
    // As after an order by the API: the next checkout starts with the default city.
    headers: { "set-cookie": "city=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax" },
  });
}

const thanksHref = (id: string, key: string): string => `/thanks?${new URLSearchParams({ order: id, key }).toString()}`;

/** Nothing was ordered. The page shows the reason, and new prices when the lock is no longer valid. */
async function refuse(stepRequest: StepRequest, agreed: Agreed, quoteId: string, error: CheckoutError) {
  const { ctx, visitor, owner } = stepRequest;
  const made = error.code === "quote.used" || error.code === "order.key_reused" ? await orderOf({ ctx, visitor }, quoteId) : null;
  if (made) return redirect(made, 303);
  const before = await checkout.findQuote(ctx, owner, quoteId);
  const fresh = error.code === "order.prices_changed" ? error.quote : null;
  const patch = {
    agreed,
    refusal: { code: error.code, short: "short" in error ? error.short : [] },
    ...(fresh ? { quoteId: fresh.id, totalBefore: before && before.quote.total !== fresh.total ? before.quote.total : null } : {}),
  };
  return saveAndGo(stepRequest, patch, `${stepPath("confirm")}#errors`);
}

/** The address of the order that this browser placed with this quote; null if there is none. */
async function orderOf({ ctx, visitor }: Pick<PageContext, "ctx" | "visitor">, quoteId: string): Promise<string | null> {
  const found = visitor.owner && quoteId !== "" ? await checkout.findQuote(ctx, visitor.owner, quoteId) : null;
  return found?.orderId ? thanksHref(found.orderId, orders.keyOf(ctx, found.orderId)) : null;
}

/** What happens after the button, by payment method. */
const after: Readonly<Record<number, string>> = {
  4: "Дальше откроется страница оплаты. До оплаты заказ можно отменить без объяснений.",
  5: "Дальше откроется страница оплаты по СБП. До оплаты заказ можно отменить без объяснений.",
  6: "Счёт с реквизитами придёт на почту. До какого часа отложены монеты, написано в нём.",
  7: "Отложим монеты в офисе, оплатите после осмотра.",
};

export default function ConfirmPage() {
  const { frame, errors, quoteId, totalBefore, paymentId, agreed, isSubscribed } = useLoaderData<typeof loader>();
  if (quoteId === null) {
    return (
      <StepsFrame view={frame} errors={errors}>
        <form method="post">
          <p className="checkout-step__hint">
            <b>Цена больше не зафиксирована:</b> вышло время или изменилась корзина. Ничего не оформлено, всё введённое сохранено. Сейчас
            заказ стоит <Price amount={frame.total} />.
          </p>
          <div className="checkout-step__actions">
            <button className="button button--gold" name="intent" value="lock">
              Зафиксировать новую цену
            </button>
          </div>
        </form>
      </StepsFrame>
    );
  }
  return (
    <StepsFrame view={frame} errors={errors}>
      <form method="post" noValidate>
        <input type="hidden" name="quoteId" value={quoteId} />
        {totalBefore === null ? null : (
          <p className="checkout-step__hint" role="status">
            <b>Цены обновились.</b> Заказ стоил <Price amount={totalBefore} />, теперь <Price amount={frame.total} />.
          </p>
        )}
        <div className="agree">
          <Checkbox id={fieldId("terms")} name="terms" required defaultChecked={agreed.terms} error={errors.terms}>
            Принимаю <a href={saleTermsHref}>условия продажи</a>: монеты возвращаем по правилам раздела «Обмен и{nbsp}возврат»
          </Checkbox>
          <Checkbox id={fieldId("consent")} name="consent" required defaultChecked={agreed.privacy} error={errors.consent}>
            Разрешаю <a href={consentPages.order}>обработку персональных данных</a> для исполнения заказа,{" "}
            <a href={privacyHref}>политика</a>
          </Checkbox>
          {isSubscribed ? null : (
            <Checkbox name="newsletter" defaultChecked={agreed.newsletter}>
              Получать письма о новых монетах и акциях: <a href={consentPages.newsletter}>согласие на рассылку</a>. По желанию, отписаться
              можно в любой день
            </Checkbox>
          )}
        </div>
        <div className="checkout-step__actions">
          <button className="button button--gold">
            <span>
              {orderVerb(paymentId)}
              {orderVerb(paymentId) === "Заказать" ? " на" : ""} <Price amount={frame.total} />
            </span>
          </button>
          <p>{after[paymentId]}</p>
        </div>
      </form>
    </StepsFrame>
  );
}
