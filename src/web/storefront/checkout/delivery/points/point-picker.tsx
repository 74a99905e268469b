import { lazy, Suspense, useDeferredValue, useEffect, useId, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { CityView } from "#contract/public/locations.ts";
import { counted, nbsp, unbroken } from "#kit/format.ts";
import { kilometresBetween } from "#shop/delivery/delivery.ts";
import { Icon } from "../../../../ui/icon.tsx";
import type { ChosenPoint } from "../../draft.ts";
import type { LocationRequest } from "../buyer-location.ts";
import { fieldId } from "../../confirm/order-errors.ts";
import { distanceText, pickPoints, pointFilters, type FilterId, type NearPoint } from "./point-filters.ts";
import type { Points } from "./use-points.ts";

const PointMap = lazy(() => import("./point-map.tsx"));

type PointPickerProps = {
  points: Points;
  chosen: ChosenPoint | null;
  isLocker: boolean;
  city: CityView;
  error: string | undefined;
  /** Null: there is no map, only the list. */
  mapScriptUrl: string | null;
  myPlace: LocationRequest;
  /** Switches between lockers and staffed points; absent where the city has one kind. */
  onOtherKind: (() => void) | undefined;
  onPoint: (point: ChosenPoint) => void;
};

/** At more than this distance from the city, distances from the buyer are not shown. */
const nearKilometres = 150;
/** From this width list and map are side by side; below it the map is a tab and is loaded when it is opened. */
const wide = "(min-width: 48rem)";
const watchWidth = (changed: () => void) => {
  const query = matchMedia(wide);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
};

/**
 * The points of a city: search by street or metro, filters, a list for the arrow keys and a map of the same points. A choice in one shows
 * in the other.
 */
export function PointPicker({ points, chosen, isLocker, city, error, mapScriptUrl, myPlace, onOtherKind, onPoint }: PointPickerProps) {
  const id = useId();
  const [query, setQuery] = useState("");
  const [on, setOn] = useState<readonly FilterId[]>([]);
  const [now] = useState(() => new Date());
  const [tab, setTab] = useState<"list" | "map">("list");
  const [isMapOut, setMapOut] = useState(false);
  const isWide = useSyncExternalStore(
    watchWidth,
    () => matchMedia(wide).matches,
    () => false,
  );
  const box = useRef<HTMLFieldSetElement>(null);
  const searched = useDeferredValue(query.trim());
  const forms = isLocker ? (["постамат", "постамата", "постаматов"] as const) : (["пункт", "пункта", "пунктов"] as const);

  const centre = { lat: city.coords[0], lon: city.coords[1] };
  const isHere = myPlace.place !== null && kilometresBetween(myPlace.place, centre) < nearKilometres;
  const { lat, lon } = isHere && myPlace.place ? myPlace.place : centre;
  const shown = useMemo(
    () => pickPoints(points.list, { query: searched, on, now, from: { lat, lon } }),
    [points.list, searched, on, now, lat, lon],
  );

  // Scrolls the list, not the page, to the chosen point, also when it was chosen on the map.
  useEffect(() => {
    const list = box.current;
    const row = list?.querySelector("input:checked")?.closest("label");
    if (!list || !row) return;
    // Measured, because the list is the offset parent of its rows only beside the map.
    const top = row.getBoundingClientRect().top - list.getBoundingClientRect().top;
    if (top < 0 || top + row.offsetHeight > list.clientHeight) list.scrollTop += top - 12;
  }, [points.state, chosen?.id, tab]);

  if (points.state === "none") return null;
  if (points.state === "failed") {
    return (
      <p className="aside" role="alert">
        Список пунктов не загрузился.{" "}
        <button className="text-button text-button--inline" type="button" onClick={points.retry}>
          Попробовать ещё раз
        </button>
      </p>
    );
  }
  const take = ({ id: of, name, address }: Pick<NearPoint, "id" | "name" | "address">) => onPoint({ id: of, name, address });
  const hasMap = mapScriptUrl !== null && !isMapOut;
  const isMapShown = hasMap && points.state === "ready" && (isWide || tab === "map");
  const onMap = (of: string) => {
    const found = points.list.find((each) => each.id === of);
    if (found) take(found);
  };

  return (
    <div className="points">
      <div className="points__bar">
        <div className="field points__find">
          <label htmlFor={id}>{isLocker ? "Найти постамат" : "Найти пункт"}</label>
          <div className="field__box">
            <Icon name="search" className="icon icon--left" />
            <input
              id={id}
              type="search"
              autoComplete="off"
              placeholder="улица или метро"
              value={query}
              onChange={(event) => setQuery(event.target.value)}
            />
          </div>
        </div>
        <div className="pills pills--scroll" role="group" aria-label="Показывать только">
          <button
            className={`pill${isHere ? " is-on" : ""}`}
            type="button"
            aria-pressed={isHere}
            disabled={myPlace.isAsking}
            onClick={() => void myPlace.request()}
          >
            <Icon name="here" />
            Рядом со мной
          </button>
          {onOtherKind ? (
            <button className={`pill${isLocker ? " is-on" : ""}`} type="button" aria-pressed={isLocker} onClick={onOtherKind}>
              Постаматы
            </button>
          ) : null}
          {pointFilters.map((filter) => (
            <button
              key={filter.id}
              className={`pill${on.includes(filter.id) ? " is-on" : ""}`}
              type="button"
              aria-pressed={on.includes(filter.id)}
              onClick={() => setOn(on.includes(filter.id) ? on.filter((each) => each !== filter.id) : [...on, filter.id])}
            >
              {filter.name}
            </button>
          ))}
        </div>
      </div>
      {hasMap ? (
        <div className="points__tabs" role="group" aria-label="Как показать">
          {(
            [
              ["list", "Список"],
              ["map", "Карта"],
            ] as const
          ).map(([name, title]) => (
            <button
              key={name}
              type="button"
              className={`pill${tab === name ? " is-on" : ""}`}
              aria-pressed={tab === name}
              onClick={() => setTab(name)}
            >
              {title}
            </button>
          ))}
        </div>
      ) : null}
      <div className={hasMap ? `points__view--map points__view--${tab}` : undefined}>
        {points.state === "loading" ? (
          <div className="points__list" aria-busy="true">
            <p className="visually-hidden" role="status">
              Загружаем список
            </p>
            <div>
              {Array.from({ length: 5 }, (_, index) => (
                <div key={index} className="point point--wait" />
              ))}
            </div>
          </div>
        ) : (
          <fieldset
            className="points__list"
            ref={box}
            id={fieldId("pvzId")}
            tabIndex={-1}
            aria-describedby={error ? `${fieldId("pvzId")}-error` : undefined}
          >
            <legend className="visually-hidden">
              {isLocker ? "Постаматы" : "Пункты выдачи"}, {city.name}
            </legend>
            <div>
              {shown.map((point) => (
                <PointRow
                  key={point.id}
                  point={point}
                  isChosen={chosen?.id === point.id}
                  isLocker={isLocker}
                  onChoose={() => take(point)}
                />
              ))}
            </div>
            {shown.length === 0 ? (
              <p className="points__none">
                {points.list.length === 0 ? (
                  "В этом городе таких пунктов нет. Выберите другой способ."
                ) : (
                  <>
                    Ничего не нашлось.{" "}
                    <button
                      className="text-button text-button--inline"
                      type="button"
                      onClick={() => {
                        setQuery("");
                        setOn([]);
                      }}
                    >
                      Показать все
                    </button>
                  </>
                )}
              </p>
            ) : null}
          </fieldset>
        )}
        {hasMap ? (
          <div className="point-map">
            {isMapShown ? (
              <Suspense fallback={<div className="point-map__box point-map__box--wait" />}>
                <PointMap
                  key={city.code}
                  scriptUrl={mapScriptUrl}
                  points={shown}
                  chosenId={chosen?.id ?? null}
                  centre={city.coords}
                  city={city.name}
                  onPoint={onMap}
                  onFail={() => {
                    setMapOut(true);
                    setTab("list");
                  }}
                />
              </Suspense>
            ) : (
              <div className="point-map__box point-map__box--wait" />
            )}
          </div>
        ) : null}
      </div>
      <p className="eyebrow points__note" role="status">
        {points.state === "ready"
          ? `${counted(shown.length, forms)}${shown.length < points.list.length ? ` из ${points.list.length}` : ""}, ` +
            `${city.name}; ближе ${isHere ? "к вам" : "к центру"} — выше`
          : ""}
      </p>
      {myPlace.isRefused ? (
        <p className="points__message" role="status">
          Браузер не сказал, где вы. Найдите пункт по улице или метро.
        </p>
      ) : null}
      {myPlace.place && !isHere ? (
        <p className="points__message" role="status">
          Вы сейчас далеко от этого города, считаем от его центра.
        </p>
      ) : null}
      {isMapOut || mapScriptUrl === null ? (
        <p className="points__message">Карта сейчас недоступна. В списке есть всё то же самое.</p>
      ) : null}
      {error ? (
        <p className="error" id={`${fieldId("pvzId")}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  );
}

/** The number of a house stays on the line of its street. */
const withHouseUnbroken = (address: string): string => address.replaceAll(/, (?=\d)/g, `,${nbsp}`);

function PointRow({
  point,
  isChosen,
  isLocker,
  onChoose,
}: {
  point: NearPoint;
  isChosen: boolean;
  isLocker: boolean;
  onChoose: () => void;
}) {
  return (
    <label className="point">
      <input className="radio" type="radio" name="point" value={point.id} checked={isChosen} onChange={onChoose} />
      <span>
        <b>
          {withHouseUnbroken(point.address)}
          <span className="visually-hidden">; </span>
          <span className="digits">{distanceText(point.kilometres)}</span>
        </b>
        {point.nearestMetro ? <small className="metro">{point.nearestMetro}</small> : null}
        <small>{unbroken(point.workTime)}</small>
        {isChosen ? (
          <small className="point__more">
            {unbroken([point.note, isLocker ? "" : "Выдадут по паспорту.", point.phone].filter(Boolean).join(" "))}
          </small>
        ) : null}
      </span>
    </label>
  );
}
