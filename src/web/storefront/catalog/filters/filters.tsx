import { type FormEvent, useEffect, useEffectEvent, useRef } from "react";
import { NavigationType, useLocation, useNavigate, useNavigationType } from "react-router";
import { coinForms, counted, number } from "#kit/format.ts";
import { Icon } from "../../../ui/icon.tsx";
import { routerState } from "#web/router-state.ts";
import { PriceRange, type PriceSpan } from "./price-range.tsx";
import { goToChoice, isSheetOnTop } from "../listing/list-history.ts";
import { type ListChoice, choiceFrom, type FacetName, facetNames, type ListUrl, searchOf, withChanges } from "../listing/listing-query.ts";

export type Facets = Record<FacetName, { title: string; choices: FacetOption[] }>;
type FacetOption = { value: string; label: string; count: number };

/** What stood in the form when it asked the server; the number travels with the address, so that the answer tells which question it is to. */
type FilterRequest = { number: number; entered: ListChoice };

/** So many values are in sight; the rest stand behind «Ещё». */
const shownFirst = 6;

/**
 * The filter panel: a GET form that works by itself; with scripts every tick narrows the list at once.
 * On narrow screens it is a sheet that opens over the page. `newest` is what was chosen last, drawn or not.
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
  facets: Facets;
  price: PriceSpan;
  years: { min: number; max: number };
  total: number;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();

  /** What the form asked for and is not drawn yet. */
  const asked = useRef<FilterRequest | null>(null);
  const questions = useRef(0);
  const location = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  /** The question that this address answers, if the form asked it. An entry of history keeps the number of a question long answered. */
  const answered = isBack ? undefined : (location.state as Pick<FilterRequest, "number"> | null)?.number;

  /** What stood in the fields when they last were asked with or filled from the address; what differs is still being typed. */
  const settled = useRef<ReadonlyMap<string, string> | null>(null);

  // Back, chips and «Сбросить» change the choice past the form, whose fields keep their own state. The answer to an earlier tick
  // than the last leaves them alone, and no answer takes away what is being typed. Back does: all fields are as they were.
  useEffect(() => {
    if (!form.current || (answered !== undefined && asked.current !== null && answered !== asked.current.number)) return;
    asked.current = null;
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
    const before = asked.current?.entered ?? chosen;
    if (searchOf(withChanges(now, before, entered)) === searchOf(now)) return;
    asked.current = { number: ++questions.current, entered };
    goToChoice(navigate, list, withChanges(now, before, entered), { number: asked.current.number });
  }

  function onChange(event: FormEvent<HTMLFormElement>) {
    // A price is applied when it is finished (Enter, leaving the field, letting the handle go), not on each digit or step.
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
      {facetNames.slice(0, 3).map((name) => (
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
      {facetNames.slice(3).map((name) => (
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

function Facet({ name, title, choices, chosen }: Facets[FacetName] & { name: FacetName; chosen: string[] }) {
  // Nothing to choose from, but a value that came with the address must not get lost when another filter is ticked.
  if (choices.length === 0) return chosen.map((value) => <input key={value} type="hidden" name={name} value={value} />);
  if (choices.length === 1 && chosen.length === 0) return null; // what is ticked stays in sight, even when it is all there is
  return (
    <fieldset className="filter-group">
      <legend>{title}</legend>
      {name === "weight" ? (
        <Weights choices={choices} chosen={chosen} />
      ) : (
        <Options name={name} choices={choices} chosen={chosen} near={shownFirst} />
      )}
    </fieldset>
  );
}

function Options({ name, choices, chosen, near }: { name: FacetName; choices: FacetOption[]; chosen: string[]; near: number }) {
  const seen = choices.filter((choice, index) => index < near || chosen.includes(choice.value));
  const rest = choices.filter((choice) => !seen.includes(choice));
  const option = ({ value, label, count }: FacetOption) => (
    <label key={value} className={`option${count === 0 ? " is-unavailable" : ""}`}>
      <input type="checkbox" name={name} value={value} defaultChecked={chosen.includes(value)} />
      <span>{label}</span>
      <small className="digits">{number(count)}</small>
    </label>
  );
  return (
    <div>
      {seen.map(option)}
      {rest.length > 0 && (
        <details className="options">
          <summary className="more-options">Ещё {number(rest.length)}</summary>
          {rest.map(option)}
        </details>
      )}
    </div>
  );
}

/** The masses everybody asks for, in parts of an ounce, as a row of squares; the others in grams under it. */
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
      {others.length > 0 && <Options name="weight" choices={others} chosen={chosen} near={2} />}
    </>
  );
}

/** While the sheet is open the page behind it stands still, Escape and Back close it, and focus stays inside and returns. Gives what closes it. */
function useSheet(form: { current: HTMLFormElement | null }, isOpen: boolean, setOpen: (isOpen: boolean) => void): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  /** A choice under way takes the place of the sheet's entry by itself; going back meanwhile could take the choice along. */
  function close(): void {
    if (isSheetOnTop() && !routerState()?.navigation.location) history.back();
    else setOpen(false);
  }
  const onClose = useEffectEvent(close);
  useEffect(() => {
    if (matchMedia("(max-width: 1023px)").matches) void sheetCode();
  }, []);
  useEffect(() => {
    const sheet = form.current;
    if (!isOpen || !sheet) return undefined;
    const opener = document.activeElement;
    const held = sheetCode().then(
      (code) => code && [code.lockPage(sheet, opener, () => onClose()), code.closeOnBack(navigate, () => setOpen(false))],
    );
    return () => void held.then((release) => release?.forEach((each) => each()));
  }, [form, isOpen, navigate, setOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    let isGone = false;
    void sheetCode().then((code) => {
      if (!isGone) code?.pushSheetEntry();
    });
    return () => {
      isGone = true;
    };
  }, [isOpen, key]);
  return close;
}

/** Loaded on narrow screens only. Without it, when the line has broken, the sheet opens and closes by its buttons all the same. */
const sheetCode = () => import("./filter-sheet.ts").catch(() => undefined);
