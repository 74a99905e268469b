import type { ReactNode } from "react";
import { add, zero, type Kopecks } from "#kit/money.ts";
import { Breadcrumbs } from "../../../ui/breadcrumbs.tsx";
import { coinForms, counted, minuteForms, nbsp } from "#kit/format.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Price } from "../../../ui/price.tsx";
import type { CartPageView } from "../../cart/cart-view.ts";
import { MarketNote } from "../../cart/market-note.tsx";
import { pricesText } from "../../cart/prices-text.ts";
import { DeliveryRows, OrderSummary, PromoRow, SummaryRow } from "../../shared/order-summary.tsx";
import { refusedTitle } from "../../page/meta.ts";
import { personalMeta } from "../../page/personal-page.ts";
import { fieldId, fieldTitles, listed, type FieldErrors } from "../confirm/order-errors.ts";
import { stepPath, type StepName } from "./step-names.ts";
import "../../shared/order-summary.css";
import "../../cart/cart.css";
import "../checkout.css";
import "../../../styles/fields.css";

export type StepsFrameView = {
  step: StepName;
  market: Pick<CartPageView, "market" | "isStale" | "isDead"> & { hasBullion: boolean };
  /** What was entered in the finished steps; null: not finished. */
  summaries: Record<SectionName, string[] | null>;
  /** Why the last request was refused. */
  refusal: { message: string; short: { title: string; available: number }[] } | null;
  lines: { id: number; title: string; image: string; metal: "gold" | "silver"; quantity: number; price: Kopecks | null }[];
  count: number;
  /** The chosen way of delivery; `price` null: the manager names it. */
  delivery: { words: string; price: Kopecks | null } | null;
  goods: Kopecks;
  /** The promo code in the prices of the lines. */
  promo: { code: string; discount: Kopecks } | null;
  total: Kopecks;
  /** The locked price: until when, and how many whole minutes are left; null: not locked. */
  lock: { until: string; minutes: number } | null;
  lockMinutes: number;
};

type SectionName = "contacts" | "delivery" | "payment";
const sections = [
  { name: "contacts", title: "Контакты", first: "contacts", steps: ["contacts"] },
  { name: "delivery", title: "Доставка", first: "city", steps: ["city", "delivery", "point"] },
  { name: "payment", title: "Оплата", first: "payment", steps: ["payment"] },
  { name: "confirm", title: "Подтверждение", first: "confirm", steps: ["confirm"] },
] as const satisfies readonly { name: SectionName | "confirm"; title: string; first: StepName; steps: readonly StepName[] }[];

const titles: Record<StepName, string> = {
  contacts: "Контакты",
  city: "Город доставки",
  delivery: "Способ доставки",
  point: "Куда доставить",
  payment: "Оплата",
  confirm: "Подтверждение",
};

export type StepMetaArgs = { loaderData?: { errors?: FieldErrors; frame: Pick<StepsFrameView, "refusal"> } };

/** Title of a step's page. Mistakes and refusals come first, because screen readers read the title first. */
export function stepMeta(step: StepName, { loaderData }: StepMetaArgs) {
  const isWrong = loaderData && (Object.keys(loaderData.errors ?? {}).length > 0 || loaderData.frame.refusal !== null);
  return personalMeta(refusedTitle(`${titles[step]}, оформление заказа`, isWrong));
}

/** A page of the checkout without scripts: all sections, the current one with its form, and the order beside them. */
export function StepsFrame({ view, errors = {}, children }: { view: StepsFrameView; errors?: FieldErrors; children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1}>
      <div className="wrap">
        <Breadcrumbs trail={[{ title: "Корзина", href: "/cart" }]} here="Оформление" />
        <div className="flow__head">
          <h1>Оформление</h1>
          <p>Шаг за шагом, без JavaScript. Любой шаг можно поправить до конца.</p>
        </div>
        <Problems errors={errors} refusal={view.refusal} />
        <MarketNote {...view.market} />
        <div className="flow">
          <div>
            {sections.map(({ name, title, first, steps }, index) => {
              const isOpen = (steps as readonly StepName[]).includes(view.step);
              const summary = name === "confirm" ? null : view.summaries[name];
              const id = `section-${name}`;
              return (
                <section
                  key={name}
                  className={`checkout-step${!isOpen && summary ? " is-done" : ""}${isOpen ? " is-open" : ""}`}
                  aria-labelledby={id}
                  aria-current={isOpen ? "step" : undefined}
                >
                  <span className="checkout-step__number" aria-hidden="true">
                    {!isOpen && summary ? <Icon name="check" /> : index + 1}
                  </span>
                  <div className="checkout-step__body">
                    <div className="checkout-step__head">
                      <h2 id={id}>{title}</h2>
                      {!isOpen && summary ? (
                        <a className="text-button" href={stepPath(first)} aria-label={`Изменить: ${title}`}>
                          Изменить
                        </a>
                      ) : null}
                    </div>
                    {isOpen ? (
                      children
                    ) : summary ? (
                      <p className="checkout-step__summary">
                        {summary.map((each) => (
                          <span key={each}>{each}</span>
                        ))}
                      </p>
                    ) : null}
                  </div>
                </section>
              );
            })}
          </div>
          <OrderAside view={view} />
        </div>
      </div>
    </main>
  );
}

/** All mistakes of the step at the top of the page. The redirect after a refused form points to it. */
function Problems({ errors, refusal }: { errors: FieldErrors; refusal: StepsFrameView["refusal"] }) {
  const all = listed(errors);
  if (all.length === 0 && !refusal) return null;
  return (
    <div className="error-list" id="errors" role="alert" aria-labelledby="errors-title">
      <h2 id="errors-title">{refusal ? `${refusal.message}.` : "Осталось поправить"}</h2>
      <ul>
        {all.map(([name, text]) => (
          <li key={name}>
            <a href={`#${fieldId(name)}`}>{fieldTitles[name]}</a>: {text}
          </li>
        ))}
        {refusal?.short.map(({ title, available }) => (
          <li key={title}>
            {title}: {available > 0 ? `осталось ${available}` : "закончилась"}. <a href="/cart">Изменить корзину</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function OrderAside({ view }: { view: StepsFrameView }) {
  const { lock, lines, delivery } = view;
  return (
    <OrderSummary
      label="Ваш заказ"
      lines={lines}
      total={view.total}
      lock={
        lock ? (
          <>
            <p className="lock__head">
              <span>Цена зафиксирована ещё </span>
              <b className="digits">
                {lock.minutes}
                {nbsp}мин
              </b>
            </p>
            <p>
              До <span className="digits">{lock.until}</span> по московскому времени сумма не изменится. Потом покажем новые цены и спросим,
              подходят ли они.
            </p>
          </>
        ) : (
          <>
            <p className="lock__head">{pricesText(view.market)}</p>
            <p>Зафиксируем их на {counted(view.lockMinutes, minuteForms)} перед последним шагом.</p>
          </>
        )
      }
      rows={
        <>
          <SummaryRow name={counted(view.count, coinForms)}>
            <Price amount={add(view.goods, view.promo?.discount ?? zero)} />
          </SummaryRow>
          <PromoRow promo={view.promo} />
          <DeliveryRows name={delivery?.words ?? null} price={delivery?.price ?? null} />
        </>
      }
    />
  );
}
