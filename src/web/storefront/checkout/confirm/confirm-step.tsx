import { Link } from "react-router";
import { nbsp } from "#kit/format.ts";
import { paymentIds } from "#shop/method-ids.ts";
import { consentPages } from "#shop/customers/consent-pages.ts";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { Price } from "../../../ui/price.tsx";
import { privacyHref, saleTermsHref } from "../../shared/document-links.ts";
import { recipientOf } from "../draft.ts";
import { fieldId } from "./order-errors.ts";
import { orderVerb } from "../payment/payment-texts.ts";
import { Step } from "../step.tsx";
import type { Checkout } from "../checkout-store.ts";

/** What happens after the button, by payment method. */
const after: Readonly<Record<number, string>> = {
  [paymentIds.card]: "Дальше откроется страница оплаты. До оплаты заказ можно отменить без объяснений.",
  [paymentIds.sbp]: "Дальше СБП: на компьютере покажем код для телефона. До оплаты заказ можно отменить без объяснений.",
  [paymentIds.invoice]: "Счёт с реквизитами придёт на почту. До какого часа отложены монеты, написано в нём.",
  [paymentIds.on_collection]: "Отложим монеты в офисе, оплатите после осмотра.",
};

/** Two separate consents, the newsletter for a buyer who does not have it, and the button that orders. */
export function ConfirmStep({ checkout, onSubmit }: { checkout: Checkout; onSubmit: () => void }) {
  const { state, facts, dispatch } = checkout;
  const { draft, errors } = state;
  const { buyer } = state.view;
  const isOrdering = state.placing !== null;
  const recipient = recipientOf(draft.user);
  const agree = (patch: Partial<typeof draft.agreed>) => dispatch({ type: "agreement.changed", patch });
  return (
    <Step number={4} title="Подтверждение">
      {buyer && recipient ? <p className="checkout-step__hint">Получит: {recipient}</p> : null}
      <div className="agree">
        <Checkbox
          id={fieldId("terms")}
          name="terms"
          required
          checked={draft.agreed.terms}
          error={errors.terms}
          onChange={(event) => agree({ terms: event.target.checked })}
        >
          Принимаю{" "}
          <Link to={saleTermsHref} target="_blank">
            условия продажи
          </Link>
          : монеты возвращаем по правилам раздела «Обмен и{nbsp}возврат»
        </Checkbox>
        <Checkbox
          id={fieldId("consent")}
          name="consent"
          required
          checked={draft.agreed.privacy}
          error={errors.consent}
          onChange={(event) => agree({ privacy: event.target.checked })}
        >
          Разрешаю{" "}
          <a href={consentPages.order} target="_blank" rel="noopener">
            обработку персональных данных
          </a>{" "}
          для исполнения заказа,{" "}
          <a href={privacyHref} target="_blank" rel="noopener">
            политика
          </a>
        </Checkbox>
        {!buyer?.isSubscribed && (
          <Checkbox
            name="newsletter"
            checked={draft.wantsNewsletter}
            onChange={(event) => dispatch({ type: "newsletter.changed", isWanted: event.target.checked })}
          >
            Получать письма о новых монетах и акциях:{" "}
            <a href={consentPages.newsletter} target="_blank" rel="noopener">
              согласие на рассылку
            </a>
            . По желанию, отписаться можно в любой день
          </Checkbox>
        )}
      </div>
      <div className="checkout-step__actions">
        <button className="button button--gold" type="button" disabled={isOrdering} onClick={onSubmit}>
          {isOrdering ? (
            "Оформляем…"
          ) : (
            <span>
              {orderVerb(draft.choice.paymentId)}
              {orderVerb(draft.choice.paymentId) === "Заказать" ? " на" : ""} <Price amount={facts.total} />
            </span>
          )}
        </button>
        <p>{after[draft.choice.paymentId]}</p>
      </div>
    </Step>
  );
}
