import { useEffect, useState } from "react";
import * as contract from "#contract/calls.ts";
import type { DeliveryGroupView } from "#contract/public/checkout.ts";
import { callApi } from "#contract/client.ts";
import type { CityView } from "#contract/public/locations.ts";
import { moscow, storedDraft } from "../checkout/draft.ts";
import { daysText } from "../checkout/delivery/delivery-texts.ts";

/** The pressed button is gone, so the field that replaces it takes the focus. */
const focusOnce = (select: HTMLSelectElement | null) => select?.focus();

type Answer = { code: string; groups: DeliveryGroupView[] | null };

/**
 * The delivery time to the visitor's city: that of an earlier checkout, else Moscow; another one can be chosen. The carrier is queried only
 * on request, because most visitors do not need it.
 */
export function DeliveryEstimate() {
  const [city, setCity] = useState<CityView | null>(null);
  const [cities, setCities] = useState<CityView[]>([]);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const code = city?.code;

  useEffect(() => {
    if (code === undefined) return undefined;
    const stop = new AbortController();
    void callApi(contract.findDeliveries, { body: { code }, signal: stop.signal }).then((found) => {
      if (!stop.signal.aborted) setAnswer({ code, groups: found.ok ? found.value : null });
    });
    return () => stop.abort();
  }, [code]);

  function open() {
    setCity(storedDraft()?.city ?? moscow);
    void callApi(contract.findCities).then((found) => {
      if (found.ok) setCities(found.value);
    });
  }

  if (!city)
    return (
      <p className="when">
        <button className="text-button" type="button" onClick={open}>
          Когда привезут в мой город?
        </button>
      </p>
    );
  const all = cities.some((each) => each.code === city.code) ? cities : [city, ...cities];
  const groups = answer?.code === city.code ? answer.groups : undefined;
  const lines = groups
    ?.flatMap(({ items }) => items)
    .flatMap(({ id, name, minDays, maxDays }) => {
      const days = daysText(new Date(), minDays, maxDays);
      return days === null ? [] : [{ id, name, days }];
    });
  return (
    <div className="when">
      <label className="when__city">
        <span>Город</span>
        <select
          value={city.code}
          ref={focusOnce}
          onChange={(event) => setCity(all.find((each) => each.code === event.target.value) ?? city)}
        >
          {all.map((each) => (
            <option key={each.code} value={each.code}>
              {each.name}
            </option>
          ))}
        </select>
      </label>
      <div role="status">
        {groups === undefined ? (
          <p>Спрашиваем перевозчика…</p>
        ) : !lines || lines.length === 0 ? (
          <p>Срок скажем на оформлении: перевозчик сейчас не ответил.</p>
        ) : (
          <dl>
            {lines.map(({ id, name, days }) => (
              <div key={id}>
                <dt>{name}</dt>
                <dd className="digits">{days}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <small>Если заказать и оплатить сегодня. Остальные города — на оформлении.</small>
    </div>
  );
}
