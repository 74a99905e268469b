import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import type { CityView } from "#contract/public/locations.ts";
import type { LocationRequest } from "./buyer-location.ts";
import { Icon } from "../../../ui/icon.tsx";

/** Pauses in typing shorter than this send no request. */
const pauseMs = 200;

type CityFieldProps = { city: CityView; bigCities: CityView[]; myPlace: LocationRequest; onCity: (city: CityView) => void };

/** A city by the beginning of its name (arrow keys and Enter choose), by the buyer's location, or one of the large ones. */
export function CityField({ city, bigCities, myPlace, onCity }: CityFieldProps) {
  const id = useId();
  const [text, setText] = useState(city.name);
  const [found, setFound] = useState<CityView[] | null>(null);
  const [isLost, setLost] = useState(false);
  const [at, setAt] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const lastQuery = useRef("");
  /** Counts choices and searches: a location counts only if neither happened while it was requested. */
  const changes = useRef(0);
  /** The query that the list belongs to, and whether Enter was pressed before the list arrived. */
  const [of, setOf] = useState("");
  const isTakenFirst = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(city.name), [city]);

  const close = () => {
    setOpen(false);
    setFound(null);
    setOf("");
    setAt(-1);
  };
  const take = (chosen: CityView) => {
    changes.current += 1;
    setLost(false);
    onCity(chosen);
    setText(chosen.name);
    close();
  };
  const query = text === city.name ? "" : text.trim();
  const takeFirst = useEffectEvent((first: CityView) => take(first));
  useEffect(() => {
    if (!isOpen) return;
    lastQuery.current = query;
    isTakenFirst.current = false;
    const timer = setTimeout(async () => {
      const answer = await callApi(contract.findCities, { query: { q: query } });
      if (lastQuery.current !== query) return;
      setLost(!answer.ok);
      setFound(answer.ok ? answer.value : []);
      setOf(query);
      const [first] = answer.ok ? answer.value : [];
      if (first && isTakenFirst.current) return takeFirst(first);
      setAt(answer.ok && answer.value.length > 0 && query !== "" ? 0 : -1);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [query, isOpen]);

  const list = isOpen ? found : null;

  async function takeNearest() {
    const before = changes.current;
    const place = await myPlace.request();
    const answer = place && (await callApi(contract.findCities, { query: { lat: place.lat.toFixed(3), lon: place.lon.toFixed(3) } }));
    setLost(answer?.ok === false);
    const [nearest] = answer?.ok ? answer.value : [];
    if (nearest && changes.current === before) take(nearest);
  }

  return (
    <div className="city">
      <div className="field">
        <label htmlFor={id}>Город</label>
        <div className="field__box">
          <Icon name="search" className="icon icon--left" />
          <input
            ref={input}
            id={id}
            role="combobox"
            type="text"
            autoComplete="off"
            spellCheck={false}
            aria-autocomplete="list"
            aria-expanded={list !== null}
            aria-controls={`${id}-list`}
            aria-activedescendant={list && at >= 0 ? `${id}-${at}` : undefined}
            value={text}
            onFocus={(event) => event.target.select()}
            onClick={() => setOpen(true)}
            onChange={(event) => {
              changes.current += 1;
              setText(event.target.value);
              setOpen(true);
            }}
            onBlur={() => {
              close();
              setText(city.name);
            }}
            onKeyDown={(event) => {
              if (event.key === "Escape" && isOpen) {
                event.preventDefault();
                isTakenFirst.current = false;
                setText(city.name);
                close();
              }
              if (event.key === "ArrowDown" && !isOpen) {
                event.preventDefault();
                setOpen(true);
              }
              // The list may still belong to the previous query.
              if (event.key === "Enter" && isOpen && query !== "" && of !== query) {
                event.preventDefault();
                isTakenFirst.current = true;
                return;
              }
              if (!list || list.length === 0) return;
              if (event.key === "ArrowDown") {
                event.preventDefault();
                setAt((at + 1) % list.length);
              }
              if (event.key === "ArrowUp") {
                event.preventDefault();
                setAt((at - 1 + list.length) % list.length);
              }
              const chosen = list[at];
              if (event.key === "Enter" && chosen) {
                event.preventDefault();
                take(chosen);
              }
            }}
          />
          {text !== "" ? (
            <button
              className="tool"
              type="button"
              aria-label="Очистить город"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                setText("");
                setOpen(true);
                input.current?.focus();
              }}
            >
              <Icon name="close" />
            </button>
          ) : null}
          <div className="city__list" role="listbox" id={`${id}-list`} aria-label="Города" hidden={!list || list.length === 0}>
            {list?.map((each, index) => (
              <div
                key={each.code}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                onMouseDown={(event) => {
                  event.preventDefault();
                  take(each);
                }}
                onMouseEnter={() => setAt(index)}
              >
                {each.name}
                <small>{each.lastName}</small>
              </div>
            ))}
          </div>
        </div>
        <p className="city__message" role="status">
          {isLost
            ? "Города не загрузились. Проверьте связь и попробуйте ещё раз."
            : list && list.length === 0
              ? "Такого города не нашли. Проверьте название или выберите ближайший крупный."
              : myPlace.isRefused
                ? "Браузер не сказал, где вы. Найдите город по названию."
                : ""}
        </p>
      </div>
      <ul className="pills pills--scroll" aria-label="Другой город">
        <li>
          <button className="pill" type="button" disabled={myPlace.isAsking} onClick={() => void takeNearest()}>
            <Icon name="here" />
            {myPlace.isAsking ? "Узнаём…" : "По моему местоположению"}
          </button>
        </li>
        {bigCities
          .filter((each) => each.code !== city.code)
          .slice(0, 3)
          .map((each) => (
            <li key={each.code}>
              <button className="pill" type="button" onClick={() => take(each)}>
                {each.name}
              </button>
            </li>
          ))}
      </ul>
    </div>
  );
}
