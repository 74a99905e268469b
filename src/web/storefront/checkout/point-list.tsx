import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import type { PointView } from "#contract/locations.ts";
import { counted } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import type { ChosenPoint } from "./draft.ts";
import { fieldId } from "./order-errors.ts";
import type { Points } from "./use-points.ts";
import { isEveryDay, isOpenAt, isOpenLate, weekOf, type Week } from "./work-time.ts";

type PointListProps = {
  points: Points;
  chosen: ChosenPoint | null;
  isLocker: boolean;
  city: string;
  error: string | undefined;
  onPoint: (point: ChosenPoint) => void;
};

const filters = [
  { id: "now", name: "Открыт сейчас", fits: (_: PointView, week: Week | null, now: Date) => week !== null && isOpenAt(week, now) },
  { id: "late", name: "До 22:00", fits: (_: PointView, week: Week | null) => week !== null && isOpenLate(week) },
  { id: "daily", name: "Без выходных", fits: (_: PointView, week: Week | null) => week !== null && isEveryDay(week) },
  { id: "metro", name: "У метро", fits: (point: PointView) => point.nearestMetro !== "" },
] as const;
type FilterId = (typeof filters)[number]["id"];

const plain = (text: string) => text.toLowerCase().replaceAll("ё", "е");

/** Points of a city: search by street or metro first, a few filters, then a list that arrows walk through. */
export function PointList({ points, chosen, isLocker, city, error, onPoint }: PointListProps) {
  const id = useId();
  const [query, setQuery] = useState("");
  const [on, setOn] = useState<readonly FilterId[]>([]);
  const [now] = useState(() => new Date());
  const box = useRef<HTMLDivElement>(null);
  const searched = useDeferredValue(plain(query.trim()));
  const forms = isLocker ? (["постамат", "постамата", "постаматов"] as const) : (["пункт", "пункта", "пунктов"] as const);

  const weeks = useMemo(() => new Map(points.list.map((point) => [point.id, weekOf(point.workTime)])), [points.list]);
  const words = searched.split(/\s+/).filter(Boolean);
  const shown = points.list.filter((point) => {
    const text = plain(`${point.address} ${point.name} ${point.nearestMetro}`);
    return words.every((word) => text.includes(word)) && filters.every((filter) => !on.includes(filter.id) || filter.fits(point, weeks.get(point.id) ?? null, now));
  });

  // Come back to a chosen point that lies far down.
  useEffect(() => {
    if (points.state === "ready") box.current?.querySelector("input:checked")?.closest("label")?.scrollIntoView({ block: "nearest" });
  }, [points.state]);

  if (points.state === "none") return null;
  if (points.state === "failed") {
    return <p className="aside" role="alert">Список пунктов не загрузился. <button className="txt txt--in" type="button" onClick={points.retry}>Попробовать ещё раз</button></p>;
  }
  return (
    <div className="pvz">
      <div className="pvz__bar">
        <div className="fl pvz__find">
          <label htmlFor={id}>{isLocker ? "Найти постамат" : "Найти пункт"}</label>
          <div className="fl__in">
            <Icon name="search" className="ic ic--l" />
            <input id={id} type="search" autoComplete="off" placeholder="улица или метро" value={query} onChange={(event) => setQuery(event.target.value)} />
          </div>
        </div>
        <div className="pills pills--x" role="group" aria-label="Показывать только">
          {filters.map((filter) => (
            <button
              key={filter.id} className={`pill${on.includes(filter.id) ? " is-on" : ""}`} type="button" aria-pressed={on.includes(filter.id)}
              onClick={() => setOn(on.includes(filter.id) ? on.filter((each) => each !== filter.id) : [...on, filter.id])}
            >{filter.name}</button>
          ))}
        </div>
      </div>
      {points.state === "loading" ? (
        <div className="pvz__list" aria-busy="true"><p className="vh" role="status">Загружаем список</p>{Array.from({ length: 5 }, (_, index) => <div key={index} className="pt pt--wait" />)}</div>
      ) : (
        <fieldset className="pvz__list" id={fieldId("pvzId")} tabIndex={-1} aria-describedby={error ? `${fieldId("pvzId")}-error` : undefined}>
          <legend className="vh">{isLocker ? "Постаматы" : "Пункты выдачи"}, {city}</legend>
          <div ref={box}>
            {shown.map((point) => (
              <label key={point.id} className="pt">
                <input className="rad" type="radio" name="point" value={point.id} checked={chosen?.id === point.id} onChange={() => onPoint({ id: point.id, name: point.name, address: point.address })} />
                <span>
                  <b>{point.address}</b>
                  {point.nearestMetro ? <small className="mt">{point.nearestMetro}</small> : null}
                  <small>{point.workTime}</small>
                  {chosen?.id === point.id ? <small className="pt__more">{[point.note, isLocker ? "" : "Выдадут по паспорту, посылку можно вскрыть и пересчитать на месте.", point.phone].filter(Boolean).join(" ")}</small> : null}
                </span>
              </label>
            ))}
          </div>
          {shown.length === 0 ? <p className="pvz__nil">{points.list.length === 0 ? "В этом городе таких пунктов нет. Выберите другой способ." : <>Ничего не нашлось. <button className="txt txt--in" type="button" onClick={() => { setQuery(""); setOn([]); }}>Показать все</button></>}</p> : null}
        </fieldset>
      )}
      <p className="eyebrow pvz__n" role="status">{points.state === "ready" ? `${counted(shown.length, forms)}${shown.length < points.list.length ? ` из ${points.list.length}` : ""}, ${city}` : ""}</p>
      {error ? <p className="err" id={`${fieldId("pvzId")}-error`}>{error}</p> : null}
    </div>
  );
}
