import { redirect, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { deliveryGroupTexts } from "#contract/texts.ru.ts";
import { fromRoubles } from "#kit/money.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import { pageContext } from "#web/context.server.ts";
import type { PageHandle } from "../../page/page-handle.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Price } from "../../../ui/price.tsx";
import { personalHeaders } from "../../page/personal-page.ts";
import { firstChoice, fit, sharesPoints } from "../delivery/delivery-choice.ts";
import { daysText, textsOfDelivery } from "../delivery/delivery-texts.ts";
import { fieldId, type FieldErrors } from "../confirm/order-errors.ts";
import { isWithoutPoint, stepPath } from "./step-names.ts";
import { StepsFrame, stepMeta, type StepMetaArgs } from "./steps-frame.tsx";
import {
  cityNow,
  frameView,
  groupsOf,
  isChecked,
  numberIn,
  openAny,
  openStep,
  optionOf,
  readForm,
  saveAndGo,
  withErrors,
} from "./steps.server.ts";

export const handle: PageHandle = { isPublic: false, changesCart: true, isBuying: true };

export const meta = (page: StepMetaArgs) => stepMeta("delivery", page);
export const headers = personalHeaders;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const stepRequest = await openStep(context.get(pageContext), "delivery");
  const { ctx, entries, cart } = stepRequest;
  const city = await cityNow(ctx, entries);
  const groups = await groupsOf(stepRequest, city);
  const { deliveryId } = entries;
  const begun = deliveryId === undefined ? firstChoice : { ...firstChoice, deliveryId, isPreset: false };
  const chosen = fit(
    begun,
    groups.map(({ name, type, items }) => ({ name: deliveryGroupTexts[name], type, items })),
    { isValuable: cart.total >= fromRoubles(ctx.settings.limits.lockerPresetLimitRoubles) },
  );
  return {
    frame: await frameView(stepRequest, "delivery", { city, option: optionOf(groups, deliveryId) }),
    errors: (isChecked(request.url) ? { delivery: "Выберите способ из списка" } : {}) as FieldErrors,
    city: city.name,
    chosenId: chosen.deliveryId,
    ways: groups.flatMap(({ items }) =>
      items.map(({ id, name, price, note, minDays, maxDays }) => ({
        id,
        name,
        price: note === "" ? price : null,
        days: daysText(ctx.now(), minDays, maxDays),
      })),
    ),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const [stepRequest, text] = await Promise.all([openAny(context.get(pageContext)), readForm(request)]);
  const { ctx, entries } = stepRequest;
  const id = numberIn(text("deliveryId"));
  const option = id === null ? null : optionOf(await groupsOf(stepRequest, await cityNow(ctx, entries)), id);
  if (!option) return redirect(withErrors("delivery"), 303); // no longer offered
  const before = entries.deliveryId;
  const keepsPoint = before !== undefined && deliveryById(option.id)?.hasPoint && sharesPoints(before, option.id);
  return saveAndGo(
    stepRequest,
    { deliveryId: option.id, ...(keepsPoint ? {} : { pointId: "" }), ...(before === option.id ? {} : { quoteId: null }) },
    stepPath(isWithoutPoint(option.id) ? "payment" : "point"),
  );
}

export default function DeliveryPage() {
  const { frame, errors, city, chosenId, ways } = useLoaderData<typeof loader>();
  return (
    <StepsFrame view={frame} errors={errors}>
      <p className="checkout-step__hint">
        {city}.{" "}
        <a className="text-button text-button--inline" href={stepPath("city")}>
          Другой город
        </a>
      </p>
      <form method="post">
        <fieldset
          className="pick"
          id={fieldId("delivery")}
          tabIndex={-1}
          aria-describedby={errors.delivery ? `${fieldId("delivery")}-error` : undefined}
        >
          <legend className="visually-hidden">Способ доставки</legend>
          {ways.map((way) => {
            const words = textsOfDelivery(way.name);
            return (
              <label key={way.id} className="pick__row">
                <input className="radio" type="radio" name="deliveryId" value={way.id} defaultChecked={way.id === chosenId} />
                <Icon name={words.icon} />
                <span>
                  {words.name}
                  <small>{[way.days, words.note].filter(Boolean).join("; ")}</small>
                </span>
                <b>{way.price === null ? "по тарифу" : way.price === 0 ? "бесплатно" : <Price amount={way.price} />}</b>
              </label>
            );
          })}
        </fieldset>
        {errors.delivery ? (
          <p className="error" id={`${fieldId("delivery")}-error`}>
            {errors.delivery}
          </p>
        ) : null}
        <div className="checkout-step__actions">
          <button className="button button--gold">Дальше</button>
        </div>
      </form>
    </StepsFrame>
  );
}
