import { useState } from "react";
import type { DeliveryGroupView } from "#contract/public/checkout.ts";
import type { CityView } from "#contract/public/locations.ts";
import { fromRoubles } from "#kit/money.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Price } from "../../../ui/price.tsx";
import { AddressFields } from "./address-fields.tsx";
import { CityField } from "./city-field.tsx";
import { otherKind } from "./delivery-choice.ts";
import { daysText, placeText, textsOfDelivery } from "./delivery-texts.ts";
import type { AddressDraft } from "../draft.ts";
import { useBuyerLocation } from "./buyer-location.ts";
import { deliveryMistakes, fieldId, type FieldName } from "../confirm/order-errors.ts";
import { PointPicker } from "./points/point-picker.tsx";
import { goToStep, Step } from "../step.tsx";
import type { Checkout } from "../checkout-store.ts";

type Item = DeliveryGroupView["items"][number];

type DeliveryStepProps = { checkout: Checkout; bigCities: CityView[]; mapScriptUrl: string | null; now: Date };

/**
 * City, way of delivery, and the point or address that the way needs. Changing a confirmed delivery is a new choice that can be cancelled.
 */
export function DeliveryStep({ checkout, bigCities, mapScriptUrl, now }: DeliveryStepProps) {
  const { dispatch } = checkout;
  const { draft, errors } = checkout.state;
  const { current, deliveries, points, locked } = checkout.facts;
  const { choice, point, city } = current;
  const isAnew = draft.anew !== null;
  const [isChecked, setChecked] = useState(false);
  const myPlace = useBuyerLocation();
  const way = deliveryById(choice.deliveryId);
  const counting = deliveryById(draft.choice.deliveryId);
  const mistakes = deliveryMistakes(current);
  const needsPoint = way?.hasPoint ?? false;
  const offered = deliveries.groups.flatMap((group) => group.items.map(({ id }) => id));
  const other = otherKind(choice.deliveryId, offered);
  const errorOf = (name: FieldName) => errors[name] ?? (isChecked ? mistakes[name] : undefined);
  const where = draft.choice.isCourier || draft.choice.type === "special" ? placeText(draft.address) : draft.point?.address;

  function next() {
    setChecked(true);
    const [wrong] = Object.keys(mistakes) as FieldName[];
    if (wrong) return document.getElementById(fieldId(wrong))?.focus();
    dispatch({ type: "delivery.confirmed" });
    goToStep(3);
  }
  const address = (name: keyof AddressDraft) => ({
    id: fieldId(name),
    name,
    value: current.address[name],
    error: errorOf(name),
    onChange: (event: { target: { value: string } }) => dispatch({ type: "address.changed", patch: { [name]: event.target.value } }),
  });

  return (
    <Step
      number={2}
      title="Доставка"
      isDone={draft.closed.delivery}
      isOpen={!draft.closed.delivery && draft.closed.contacts}
      onEdit={() => dispatch({ type: "delivery.reopened" })}
      summary={
        <>
          <span>{draft.city.name}</span>
          <span>{counting ? textsOfDelivery(counting.name).name : ""}</span>
          {where ? <span>{where}</span> : null}
        </>
      }
    >
      <CityField city={city} bigCities={bigCities} myPlace={myPlace} onCity={(city) => dispatch({ type: "city.chosen", city })} />
      <h3 id="ways-title">Как получить</h3>
      {deliveries.state === "failed" ? (
        <p className="aside" role="alert">
          Способы доставки не загрузились.{" "}
          <button className="text-button text-button--inline" type="button" onClick={() => dispatch({ type: "deliveries.retried" })}>
            Попробовать ещё раз
          </button>
        </p>
      ) : deliveries.state === "loading" ? (
        <div className="pick" aria-busy="true">
          <p className="visually-hidden" role="status">
            Считаем доставку
          </p>
          {[1, 2, 3].map((each) => (
            <div key={each} className="pick__row pick__row--wait" />
          ))}
        </div>
      ) : (
        <fieldset className="pick" aria-labelledby="ways-title">
          {deliveries.groups
            .flatMap((group) => group.items)
            .map((item) => (
              <WayRow
                key={item.id}
                item={item}
                now={now}
                isChosen={item.id === choice.deliveryId}
                onChoose={() => dispatch({ type: "delivery.chosen", deliveryId: item.id })}
              />
            ))}
        </fieldset>
      )}
      {choice.type === "carrier" && !choice.isCourier ? (
        <PointPicker
          key={`${city.code}${way?.pointType}`}
          points={{ ...points, retry: () => dispatch({ type: "points.retried" }) }}
          chosen={point}
          isLocker={way?.pointType === "POSTAMAT"}
          city={city}
          error={errorOf("pvzId")}
          mapScriptUrl={mapScriptUrl}
          myPlace={myPlace}
          onOtherKind={other === null ? undefined : () => dispatch({ type: "delivery.chosen", deliveryId: other })}
          onPoint={(chosen) => dispatch({ type: "point.chosen", point: chosen })}
        />
      ) : null}
      {choice.isCourier || choice.type === "special" ? <AddressFields isCourier={choice.isCourier} field={address} /> : null}
      <div className="checkout-step__actions">
        <button className="button button--line" type="button" id={fieldId("delivery")} onClick={next}>
          {point && needsPoint ? "Получу здесь" : isAnew ? "Подтвердить" : "Дальше: оплата"}
        </button>
        {isAnew ? (
          <button className="text-button" type="button" onClick={() => dispatch({ type: "delivery.cancelled" })}>
            Оставить прежний выбор
          </button>
        ) : null}
        <p>
          {needsPoint
            ? point
              ? point.address
              : "Выберите точку в списке, и мы зафиксируем цену."
            : locked
              ? "Цена зафиксирована, этот шаг можно поправить и позже."
              : "Этот шаг можно поправить и позже."}
        </p>
      </div>
      {errors.delivery ? <p className="error">{errors.delivery}</p> : null}
    </Step>
  );
}

function WayRow({ item, now, isChosen, onChoose }: { item: Item; now: Date; isChosen: boolean; onChoose: () => void }) {
  const way = deliveryById(item.id);
  if (!way) return null;
  const words = textsOfDelivery(way.name);
  const days = daysText(now, item.minDays, item.maxDays);
  return (
    <label className="pick__row">
      <input className="radio" type="radio" name="delivery" value={item.id} checked={isChosen} onChange={onChoose} />
      <Icon name={words.icon} />
      <span>
        {words.name}
        <small>{[days, words.note].filter(Boolean).join("; ")}</small>
      </span>
      <b>
        <span className="visually-hidden">; </span>
        {item.note !== "" ? "по тарифу" : item.price === 0 ? "бесплатно" : <Price amount={fromRoubles(item.price)} />}
      </b>
    </label>
  );
}
