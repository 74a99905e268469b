import { useEffect, useState } from "react";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import type { CityView, PointView } from "#contract/public/locations.ts";
import { deliveryIds } from "#shop/method-ids.ts";
import { usePoints } from "../../checkout/delivery/points/use-points.ts";
import { showToast } from "../../../ui/toasts.tsx";

const kinds = [
  { deliveryId: deliveryIds.pickup_point, name: "Пункт выдачи" },
  { deliveryId: deliveryIds.locker, name: "Постамат" },
] as const;
/** Longer lists are searched by a word of the address. */
const shownAtOnce = 30;

const plain = (text: string) => text.toLowerCase().replaceAll("ё", "е");

/** The address of the profile: it is stored together with the way of delivery, so it is sent along unchanged. */
type SavedAddress = Record<"street" | "house" | "flat" | "entrance" | "floor" | "comment", string>;

/**
 * Chooses the point, and its way of delivery, with which the next checkout begins. The list comes from the carrier by a call, so the form
 * needs scripts.
 */
export default function PointForm({ city: saved, address: kept, onSaved }: { city: CityView; address: SavedAddress; onSaved: () => void }) {
  const [city, setCity] = useState(saved);
  const [cities, setCities] = useState<CityView[]>([]);
  const [deliveryId, setDeliveryId] = useState<number>(deliveryIds.pickup_point);
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState<PointView | null>(null);
  const [isBusy, setBusy] = useState(false);
  const points = usePoints(city.code, deliveryId);

  useEffect(() => {
    void callApi(contract.findCities).then((found) => {
      if (found.ok) setCities(found.value);
    });
  }, []);

  const all = cities.some((each) => each.code === city.code) ? cities : [city, ...cities];
  const words = plain(query.trim()).split(/\s+/);
  const found = points.list.filter((point) => words.every((word) => plain(`${point.address} ${point.nearestMetro}`).includes(word)));

  async function save() {
    if (!chosen) return;
    setBusy(true);
    const { id, type, name } = chosen;
    const { comment: usercomment, ...address } = kept;
    const answer = await callApi(contract.changeMe, {
      body: {
        buyprofile: {
          userinfo: { ...address, usercomment, select_dlv_service: deliveryId },
          pvzinfo: { id, dlvId: deliveryId, type, name, address: chosen.address },
          locinfo: { city },
        },
      },
    });
    setBusy(false);
    if (!answer.ok) return showToast(answer.error.message, "refusal");
    onSaved();
  }

  return (
    <div className="my-point">
      <div className="sheet-form__row">
        <div className="field">
          <label htmlFor="point-city">Город</label>
          <select
            id="point-city"
            value={city.code}
            onChange={(event) => {
              setCity(all.find((each) => each.code === event.target.value) ?? city);
              setChosen(null);
            }}
          >
            {all.map((each) => (
              <option key={each.code} value={each.code}>
                {each.name}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="point-kind">Куда</label>
          <select
            id="point-kind"
            value={deliveryId}
            onChange={(event) => {
              setDeliveryId(Number(event.target.value));
              setChosen(null);
            }}
          >
            {kinds.map((kind) => (
              <option key={kind.deliveryId} value={kind.deliveryId}>
                {kind.name}
              </option>
            ))}
          </select>
        </div>
      </div>
      <div className="field">
        <label htmlFor="point-query">Улица или метро</label>
        <input id="point-query" type="search" autoComplete="off" value={query} onChange={(event) => setQuery(event.target.value)} />
      </div>
      {points.state === "failed" ? (
        <p className="error" role="alert">
          Список не загрузился.{" "}
          <button className="text-button text-button--inline" type="button" onClick={points.retry}>
            Попробовать ещё раз
          </button>
        </p>
      ) : (
        <fieldset className="my-point__list" aria-busy={points.state === "loading"}>
          <legend className="visually-hidden">Пункты, {city.name}</legend>
          {points.state === "loading" ? (
            <p className="muted" role="status">
              Загружаем список…
            </p>
          ) : null}
          {points.state === "ready" && found.length === 0 ? (
            <p className="muted" role="status">
              Ничего не нашлось. Попробуйте другое слово или другой город.
            </p>
          ) : null}
          {found.slice(0, shownAtOnce).map((point) => (
            <label key={point.id} className="my-point__row">
              <input className="radio" type="radio" name="my-point" checked={chosen?.id === point.id} onChange={() => setChosen(point)} />
              <span>
                {point.address}
                <small>{[point.nearestMetro, point.workTime].filter(Boolean).join(" · ")}</small>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <div className="sheet-form__actions">
        <button className="button button--line" type="button" disabled={!chosen || isBusy} onClick={() => void save()}>
          {isBusy ? "Сохраняем…" : "Сохранить пункт"}
        </button>
      </div>
    </div>
  );
}
