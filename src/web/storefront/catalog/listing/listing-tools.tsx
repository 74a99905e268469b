import type { ComponentProps, FormEvent, MouseEvent } from "react";
import type { NavigateFunction } from "react-router";
import { number } from "#kit/format.ts";
import { latestLocation } from "#web/client/router-state.ts";
import { CachedFragment } from "../../../fragments/cached-fragment.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Link } from "../../../ui/link.tsx";
import { goToChoice } from "./list-history.ts";
import { addressOf, type ListChoice, choiceFrom, filterNames, isNarrowed, type ListUrl, type Sort, withoutValue } from "./listing-query.ts";
import type { ShownListing, Preset } from "./listing-view.ts";

/** The latest choice, which may not be rendered yet: a change of one part must not undo a change made a moment before. */
export function newestChoice({ path }: ListUrl, drawn: ListChoice): ListChoice {
  const at = latestLocation();
  return at && (at.pathname === path || at.pathname.startsWith(`${path}/page/`)) ? choiceFrom(new URLSearchParams(at.search)) : drawn;
}

type Change = (chosen: ListChoice) => ListChoice;

/** A link to the list with one part of the choice changed; a click applies the change to the latest choice. */
function ChoiceLink({ list, chosen, navigate, change, ...rest }: Tools & { change: Change } & Omit<ComponentProps<typeof Link>, "to">) {
  function onClick(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    goToChoice(navigate, list, change(newestChoice(list, chosen)));
  }
  return <Link {...rest} to={addressOf(list, change(chosen))} onClick={onClick} />;
}

/** `navigate` is the router's, read once for all tools: a listing has two dozen of them. */
type Tools = { list: ListUrl; chosen: ListChoice; navigate: NavigateFunction };

/** Price ranges and masses above the list; a second click removes the one that is on. */
export function Presets({ presets, ...tools }: Tools & { presets: readonly Preset[] }) {
  if (presets.length < 2) return null;
  const { chosen } = tools;
  return (
    <ul className="presets" aria-label="Цена и масса">
      {presets.map(({ text, count, weight, from = "", to = "" }) => {
        const isOn = weight === undefined ? chosen.priceFrom === from && chosen.priceTo === to : chosen.values.weight.includes(weight);
        const change: Change =
          weight === undefined
            ? (each) => ({ ...each, priceFrom: isOn ? "" : from, priceTo: isOn ? "" : to })
            : (each) =>
                isOn
                  ? withoutValue(each, "weight", weight)
                  : { ...each, values: { ...each.values, weight: [...each.values.weight, weight] } };
        return (
          <li key={text}>
            <ChoiceLink
              className={`chip${isOn ? " is-on" : ""}`}
              aria-current={isOn || undefined}
              rel="nofollow"
              {...tools}
              change={change}
            >
              {text} <span className="digits">{number(count)}</span>
            </ChoiceLink>
          </li>
        );
      })}
    </ul>
  );
}

/** Cards with pictures, or dense rows. */
export const ViewSwitch = (tools: Tools) => (
  <ChoiceLink className="list-bar__view" rel="nofollow" {...tools} change={(each) => ({ ...each, isRows: !tools.chosen.isRows })}>
    {tools.chosen.isRows ? "Карточки" : "Строки"}
  </ChoiceLink>
);

type Chip = { key: string; text: string; name: string; less: Change };

/** The chosen filters, each a link to the list without it. */
export function Chips({ facets, ...tools }: Tools & { facets: ShownListing["facets"] }) {
  const { chosen } = tools;
  if (!isNarrowed(chosen)) return null;
  const chips = filterNames.flatMap((name) =>
    chosen.values[name].map((value): Chip => {
      const { title, choices } = facets[name];
      const text = choices.find((each) => each.value === value)?.label ?? value;
      return {
        key: `${name}:${value}`,
        text: name === "spreadTo" ? `спред ${text}` : text,
        name: title,
        less: (from) => withoutValue(from, name, value),
      };
    }),
  );
  if (chosen.priceFrom || chosen.priceTo) {
    const from = chosen.priceFrom && `от ${number(Number(chosen.priceFrom))}`;
    const to = chosen.priceTo && `до ${number(Number(chosen.priceTo))}`;
    chips.push({
      key: "price",
      text: `${[from, to].filter(Boolean).join(" ")} ₽`,
      name: "Цена",
      less: (each) => ({ ...each, priceFrom: "", priceTo: "" }),
    });
  }
  if (chosen.yearFrom || chosen.yearTo) {
    const text = [chosen.yearFrom && `с ${chosen.yearFrom}`, chosen.yearTo && `по ${chosen.yearTo}`].filter(Boolean).join(" ");
    chips.push({ key: "years", text: `${text} год`, name: "Год", less: (each) => ({ ...each, yearFrom: "", yearTo: "" }) });
  }
  if (chosen.inStock) chips.push({ key: "stock", text: "Есть сейчас", name: "Наличие", less: (each) => ({ ...each, inStock: false }) });
  const cleared = (each: ListChoice): ListChoice => ({ ...choiceFrom(new URLSearchParams()), sort: each.sort, isRows: each.isRows });
  return (
    <div className="list-bar__chips">
      {chips.map(({ key, text, name, less }) => (
        <ChoiceLink key={key} className="chip" {...tools} change={less} aria-label={`Убрать фильтр: ${name}, ${text}`}>
          {text} <Icon name="close" />
        </ChoiceLink>
      ))}
      <ChoiceLink className="chip chip--clear" {...tools} change={cleared}>
        Сбросить
      </ChoiceLink>
    </div>
  );
}

/** The order of the list: a separate form with the filters as hidden fields, so that it works without scripts. */
export function SortBox({ list, chosen, navigate, sorts }: Tools & { sorts: ShownListing["sorts"] }) {
  const hidden = new URL(addressOf(list, { ...chosen, sort: "popular" }), "http://a").searchParams;
  return (
    <form action={list.path} className="sort-form">
      {[...hidden].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <CachedFragment
        as="label"
        className="sort"
        onChange={({ target }: FormEvent) =>
          goToChoice(navigate, list, { ...newestChoice(list, chosen), sort: (target as HTMLSelectElement).value as Sort })
        }
        of={SortSelect}
        props={{ sort: chosen.sort, sorts }}
      />
      <noscript>
        <button className="button button--line button--small" type="submit">
          Упорядочить
        </button>
      </noscript>
    </form>
  );
}

const SortSelect = ({ sort, sorts }: { sort: Sort; sorts: ShownListing["sorts"] }) => (
  <>
    <span className="visually-hidden">Порядок</span>
    <select key={sort} name="sort" defaultValue={sort}>
      {sorts.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
    <Icon name="down" />
  </>
);
