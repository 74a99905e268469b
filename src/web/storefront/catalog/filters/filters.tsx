import { type FormEvent, useEffect, useEffectEvent, useRef } from "react";
import { NavigationType, useLocation, useNavigate, useNavigationType } from "react-router";
import { coinForms, counted, number } from "#kit/format.ts";
import { CachedFragment } from "../../../fragments/cached-fragment.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { routerState } from "#web/client/router-state.ts";
import { whenIdle } from "#web/client/when-idle.ts";
import { PriceRange, type PriceSpan } from "./price-range.tsx";
import { goToChoice, isSheetOnTop } from "../listing/list-history.ts";
import {
  type ListChoice,
  choiceFrom,
  type FilterName,
  filterNames,
  type ListUrl,
  searchOf,
  withChanges,
} from "../listing/listing-query.ts";

export type FilterFacets = Record<FilterName, { title: string; choices: FacetOption[] }>;
type FacetOption = { value: string; label: string; count: number };

/** The form's values at a request; the number goes into the location's state, so that the answer can be matched with its request. */
type FilterRequest = { number: number; entered: ListChoice };

/** The number of values that are visible at first; the others are behind «Ещё». */
const shownFirst = 6;

/**
 * The filter panel: a GET form; with scripts each change updates the list at once. On narrow screens it is a sheet over the page.
 * `newest` returns the latest choice, also when its list is not rendered yet.
 */
export function Filters({
  list,
  chosen,
  newest,
  facets,
  price,
  years,
  total,
  isOpen,
  setOpen,
}: {
  list: ListUrl;
  chosen: ListChoice;
  newest: () => ListChoice;
  facets: FilterFacets;
  price: PriceSpan;
  years: { min: number; max: number };
  total: number;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();

  /** The request whose list is not rendered yet. */
  const pending = useRef<FilterRequest | null>(null);
  const requestCount = useRef(0);
  const location = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  /** The number of the request that this location answers. Ignored after Back: a history entry keeps an old number. */
  const answered = isBack ? undefined : (location.state as Pick<FilterRequest, "number"> | null)?.number;

  /** The text fields' values at the last request or reset; a different value is still being typed. */
  const settled = useRef<ReadonlyMap<string, string> | null>(null);

  // Back, chips and «Сбросить» change the choice without the form, whose fields have their own state, so the form is reset to the address.
  // It is not reset by the answer to an earlier request than the last, and text that is being typed stays, except after Back.
  useEffect(() => {
    if (!form.current || (answered !== undefined && pending.current !== null && answered !== pending.current.number)) return;
    pending.current = null;
    const isAsBefore = isBack && settled.current !== null;
    const unfinished = (isAsBefore ? [] : textInputs(form.current))
      .filter(({ name, value }) => settled.current?.get(name) !== value)
      .map((field) => [field, field.value] as const);
    form.current.reset();
    settled.current = valuesOf(form.current);
    for (const [field, value] of unfinished) field.value = value;
  }, [location.key, isBack, answered]);
  const close = useSheet(form, isOpen, setOpen);

  function apply() {
    if (!form.current) return;
    settled.current = valuesOf(form.current);
    const entered = choiceFrom(
      new URLSearchParams([...new FormData(form.current)].map(([name, value]) => [name, typeof value === "string" ? value : ""])),
    );
    const now = newest();
    const before = pending.current?.entered ?? chosen;
    if (searchOf(withChanges(now, before, entered)) === searchOf(now)) return;
    pending.current = { number: ++requestCount.current, entered };
    goToChoice(navigate, list, withChanges(now, before, entered), { number: pending.current.number });
  }

  function onChange(event: FormEvent<HTMLFormElement>) {
    // A price is applied when it is complete (Enter, blur, handle released), not on each digit or step.
    if (!(event.target instanceof HTMLInputElement) || !["text", "range"].includes(event.target.type)) apply();
  }

  return (
    <form
      ref={form}
      className={`filters${isOpen ? " is-open" : ""}`}
      id="filters"
      action={list.path}
      aria-label="Фильтры"
      onChange={onChange}
      onBlur={(event) => {
        if (event.target instanceof HTMLInputElement && event.target.type === "text") apply();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
        close();
      }}
    >
      <div className="filters__top">
        <span>Фильтры</span>
        <a
          className="tool"
          href="#catalog"
          role="button"
          aria-label="Закрыть фильтры"
          onClick={(event) => {
            event.preventDefault();
            close();
          }}
        >
          <Icon name="close" />
        </a>
      </div>
      {[...new URLSearchParams(list.base)].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {filterNames.slice(0, 3).map((name) => (
        <Facet key={name} name={name} {...facets[name]} chosen={chosen.values[name]} />
      ))}
      <fieldset className="filter-group">
        <legend>Цена, ₽</legend>
        <PriceRange price={price} from={chosen.priceFrom} to={chosen.priceTo} onCommit={apply} />
      </fieldset>
      <fieldset className="filter-group">
        <legend>Наличие</legend>
        <div>
          <label className="option">
            <input type="checkbox" name="inStock" value="1" defaultChecked={chosen.inStock} />
            <span>Есть сейчас</span>
          </label>
        </div>
      </fieldset>
      {filterNames.slice(3).map((name) => (
        <Facet key={name} name={name} {...facets[name]} chosen={chosen.values[name]} />
      ))}
      <fieldset className="filter-group">
        <legend>Год чеканки</legend>
        <div className="range">
          <YearField name="yearFrom" label="от" value={chosen.yearFrom} hint={years.min} />
          <YearField name="yearTo" label="до" value={chosen.yearTo} hint={years.max} />
        </div>
      </fieldset>
      <input type="hidden" name="sort" value={chosen.sort} />
      {chosen.isRows && <input type="hidden" name="view" value="rows" />}
      <div className="filters__actions">
        <button className="button button--gold" type="submit">
          Показать {number(total)}
        </button>
      </div>
      <noscript>
        <button className="button button--gold button--small" type="submit">
          Применить
        </button>
      </noscript>
    </form>
  );
}

const textInputs = (form: HTMLFormElement): HTMLInputElement[] => [...form.querySelectorAll<HTMLInputElement>('input[type="text"]')];
const valuesOf = (form: HTMLFormElement): ReadonlyMap<string, string> => new Map(textInputs(form).map(({ name, value }) => [name, value]));

function YearField({ name, label, value, hint }: { name: string; label: string; value: string; hint: number }) {
  return (
    <label className="filter-field">
      <span>{label}</span>
      <input
        name={name}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        aria-label={`Год ${label}`}
        defaultValue={value}
        placeholder={hint > 0 ? String(hint) : ""}
      />
    </label>
  );
}

function Facet({ name, title, choices, chosen }: FilterFacets[FilterName] & { name: FilterName; chosen: string[] }) {
  // There is nothing to choose from, but a value from the address must survive a change of another filter.
  if (choices.length === 0) return chosen.map((value) => <input key={value} type="hidden" name={name} value={value} />);
  if (choices.length === 1 && chosen.length === 0) return null; // a chosen value stays visible, even if it is the only one
  // Equal on the pages of a listing, in its orders and views. Its options are fragments too: of most only some counts differ.
  return <CachedFragment as="fieldset" className="filter-group" of={FacetContent} props={{ name, title, choices, chosen }} />;
}

const FacetContent = ({ name, title, choices, chosen }: FilterFacets[FilterName] & { name: FilterName; chosen: string[] }) => (
  <>
    <legend>{title}</legend>
    {name === "weight" ? (
      <Weights choices={choices} chosen={chosen} />
    ) : (
      <Options name={name} choices={choices} chosen={chosen} visible={shownFirst} />
    )}
  </>
);

function Options({ name, choices, chosen, visible }: { name: FilterName; choices: FacetOption[]; chosen: string[]; visible: number }) {
  const shown = choices.filter((choice, index) => index < visible || chosen.includes(choice.value));
  const rest = choices.filter((choice) => !shown.includes(choice));
  const option = ({ value, label, count }: FacetOption) => (
    <CachedFragment
      as="label"
      key={value}
      className={`option${count === 0 ? " is-unavailable" : ""}`}
      of={OptionContent}
      props={{ name, value, label, count, isChosen: chosen.includes(value) }}
    />
  );
  return (
    <div>
      {shown.map(option)}
      {rest.length > 0 && (
        <details className="options">
          <summary className="more-options">Ещё {number(rest.length)}</summary>
          {rest.map(option)}
        </details>
      )}
    </div>
  );
}

const OptionContent = ({ name, value, label, count, isChosen }: FacetOption & { name: FilterName; isChosen: boolean }) => (
  <>
    <input type="checkbox" name={name} value={value} defaultChecked={isChosen} />
    <span>{label}</span>
    <small className="digits">{number(count)}</small>
  </>
);

/** The usual masses, in parts of an ounce, are a row of squares; the others are a list in grams below it. */
const ounces: Readonly<Record<string, string>> = { "3.11": "1/10", "7.78": "1/4", "15.55": "1/2", "31.1": "1" };

function Weights({ choices, chosen }: { choices: FacetOption[]; chosen: string[] }) {
  const others = choices.filter(({ value }) => !(value in ounces)).toSorted((a, b) => b.count - a.count);
  return (
    <>
      <div className="weights">
        {choices
          .filter(({ value }) => value in ounces)
          .map(({ value, count }) => (
            <label key={value}>
              <input
                type="checkbox"
                name="weight"
                value={value}
                defaultChecked={chosen.includes(value)}
                aria-label={`${ounces[value]} унции, ${counted(count, coinForms)}`}
              />
              <span aria-hidden="true">
                {ounces[value]}
                <small className="digits">{number(count)}</small>
              </span>
            </label>
          ))}
      </div>
      {others.length > 0 && <Options name="weight" choices={others} chosen={chosen} visible={2} />}
    </>
  );
}

/**
 * While the sheet is open, the page behind it does not scroll, Escape and Back close the sheet, and the focus stays inside and returns
 * afterwards. Returns the function that closes it.
 */
function useSheet(form: { current: HTMLFormElement | null }, isOpen: boolean, setOpen: (isOpen: boolean) => void): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  /** A pending navigation replaces the sheet's history entry itself; going back at that moment could undo the choice. */
  function close(): void {
    if (isSheetOnTop() && !routerState()?.navigation.location) history.back();
    else setOpen(false);
  }
  const onClose = useEffectEvent(close);
  useEffect(() => (matchMedia("(max-width: 63.99rem)").matches ? whenIdle(() => void sheetCode()) : undefined), []);
  useEffect(() => {
    const sheet = form.current;
    if (!isOpen || !sheet) return undefined;
    const opener = document.activeElement;
    const setup = sheetCode().then(
      (code) => code && [code.lockPage(sheet, opener, () => onClose()), code.closeOnBack(navigate, () => setOpen(false))],
    );
    return () => void setup.then((cleanups) => cleanups?.forEach((cleanup) => cleanup()));
  }, [form, isOpen, navigate, setOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    let isCancelled = false;
    void sheetCode().then((code) => {
      if (!isCancelled) code?.pushSheetEntry();
    });
    return () => {
      isCancelled = true;
    };
  }, [isOpen, key]);
  return close;
}

/** Loaded on narrow screens only. If loading fails, the sheet still opens and closes with its buttons. */
const sheetCode = () => import("./filter-sheet.ts").catch(() => undefined);
