import { useState } from "react";
import type { DeliveryGroupView } from "#contract/checkout.ts";
import type { CityView } from "#contract/locations.ts";
import { longest } from "#contract/fields.ts";
import { fromRoubles } from "#kit/money.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Price } from "../../ui/price.tsx";
import { CityField } from "./city-field.tsx";
import { daysText, deliveryWords } from "./delivery-words.ts";
import type { AddressDraft } from "./draft.ts";
import { deliveryMistakes, fieldId, type FieldName } from "./order-errors.ts";
import { PointList } from "./point-list.tsx";
import { goToStep, Step } from "./step.tsx";
import type { Checkout } from "./use-checkout.ts";

type Item = DeliveryGroupView["items"][number];

/** City, way, and then the point or the address that the way needs. */
export function DeliveryStep({ checkout, bigCities, now }: { checkout: Checkout; bigCities: CityView[]; now: Date }) {
  const { draft, change, deliveries, points, errors, setErrors, chooseDelivery } = checkout;
  const [isTold, setTold] = useState(false);
  const way = deliveryById(draft.choice.deliveryId);
  const words = way ? deliveryWords(way.name) : null;
  const mistakes = deliveryMistakes(draft);
  const told = (name: FieldName) => errors[name] ?? (isTold ? mistakes[name] : undefined);
  const where = draft.choice.isCourier ? [draft.address.street, draft.address.house, draft.address.room && `кв. ${draft.address.room}`].filter(Boolean).join(", ") : draft.point?.address;

  function next() {
    setTold(true);
    const [wrong] = Object.keys(mistakes) as FieldName[];
    if (wrong) return document.getElementById(fieldId(wrong))?.focus();
    change({ closed: { ...draft.closed, delivery: true } });
    goToStep(3);
  }
  const setAddress = (patch: Partial<AddressDraft>) => {
    change({ address: { ...draft.address, ...patch } });
    setErrors({ ...errors, ...Object.fromEntries(Object.keys(patch).map((name) => [name, undefined])) });
  };
  const address = (name: keyof AddressDraft) => ({
    id: fieldId(name), name, value: draft.address[name], error: told(name), onChange: (event: { target: { value: string } }) => setAddress({ [name]: event.target.value }),
  });

  return (
    <Step
      number={2} title="Доставка" isDone={draft.closed.delivery} isOpen={!draft.closed.delivery && draft.closed.contacts} onEdit={() => change({ closed: { ...draft.closed, delivery: false } })}
      summary={<><span>{draft.city.name}</span><span>{words?.name}</span>{where ? <span>{where}</span> : null}</>}
    >
      <CityField city={draft.city} bigCities={bigCities} onCity={(city) => change({ city, point: city.code === draft.city.code ? draft.point : null })} />
      <h3 id="ways-title">Как получить</h3>
      {deliveries.state === "failed" ? (
        <p className="aside" role="alert">Способы доставки не загрузились. <button className="txt txt--in" type="button" onClick={deliveries.retry}>Попробовать ещё раз</button></p>
      ) : deliveries.state === "loading" ? (
        <div className="pick" aria-busy="true"><p className="vh" role="status">Считаем доставку</p>{[1, 2, 3].map((each) => <div key={each} className="pick__r pick__r--wait" />)}</div>
      ) : (
        <fieldset className="pick" aria-labelledby="ways-title">
          {deliveries.groups.flatMap((group) => group.items).map((item) => (
            <WayRow key={item.id} item={item} now={now} isChosen={item.id === draft.choice.deliveryId} onChoose={() => chooseDelivery(item.id)} />
          ))}
        </fieldset>
      )}
      {draft.choice.type === "sdek" && !draft.choice.isCourier ? (
        <PointList
          key={`${draft.city.code}${way?.pointType}`} points={points} chosen={draft.point} isLocker={way?.pointType === "POSTAMAT"} city={draft.city.name} error={told("pvzId")}
          onPoint={(point) => { change({ point }); setErrors({ ...errors, pvzId: undefined }); }}
        />
      ) : null}
      {draft.choice.isCourier || draft.choice.type === "specialcontact" ? (
        <>
          <h3>{draft.choice.isCourier ? "Куда привезти" : "Адрес, если знаете"}</h3>
          <div className="fields fields--address">
            <Field label="Улица" autoComplete="address-line1" required={draft.choice.isCourier} maxLength={longest.address} className="fl--wide" {...address("street")} />
            <Field label="Дом, корпус" autoComplete="off" required={draft.choice.isCourier} maxLength={longest.short} {...address("house")} />
            <Field label="Квартира" autoComplete="off" inputMode="numeric" maxLength={longest.short} {...address("room")} />
            <Field label="Подъезд" autoComplete="off" inputMode="numeric" maxLength={longest.short} {...address("entrance")} />
            <Field label="Этаж" autoComplete="off" inputMode="numeric" maxLength={longest.short} {...address("floor")} />
            <Field label="Комментарий курьеру" autoComplete="off" maxLength={longest.message} className="fl--wide" {...address("message")} />
          </div>
        </>
      ) : null}
      <div className="stp__go">
        <button className="btn btn--line" type="button" onClick={next}>{draft.point && checkout.needsPoint ? "Получу здесь" : "Дальше: оплата"}</button>
        <p>{checkout.needsPoint ? (draft.point ? draft.point.address : "Выберите точку в списке, и мы зафиксируем цену.") : checkout.prices.live ? "Цена зафиксирована, этот шаг можно поправить и позже." : "Этот шаг можно поправить и позже."}</p>
      </div>
    </Step>
  );
}

function WayRow({ item, now, isChosen, onChoose }: { item: Item; now: Date; isChosen: boolean; onChoose: () => void }) {
  const way = deliveryById(item.id);
  if (!way) return null;
  const words = deliveryWords(way.name);
  const days = daysText(now, item.minDays, item.maxDays);
  return (
    <label className="pick__r">
      <input className="rad" type="radio" name="delivery" value={item.id} checked={isChosen} onChange={onChoose} />
      <Icon name={words.icon} />
      <span>{words.name}<small>{[days, words.note].filter(Boolean).join("; ")}</small></span>
      <b>{item.note !== "" ? "по тарифу" : item.price === 0 ? "бесплатно" : <Price amount={fromRoubles(item.price)} />}</b>
    </label>
  );
}
