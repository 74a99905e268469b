import type { ComponentProps, MouseEvent } from "react";
import { Link, useNavigate } from "react-router";
import { number } from "#kit/format.ts";
import { latestLocation } from "#web/router-state.ts";
import { Icon } from "../../../ui/icon.tsx";
import { goToChoice } from "./list-history.ts";
import { addressOf, type ListChoice, choiceFrom, facetNames, isNarrowed, type ListUrl, type Sort, withoutValue } from "./listing-query.ts";
import type { ListingView, Preset } from "./listing-view.ts";

/** What is chosen by now, which may be more than is drawn: a press that changes one part of it leaves what was pressed just before. */
export function newestChoice({ path }: ListUrl, drawn: ListChoice): ListChoice {
  const at = latestLocation();
  return at && (at.pathname === path || at.pathname.startsWith(`${path}/page/`)) ? choiceFrom(new URLSearchParams(at.search)) : drawn;
}

type Change = (chosen: ListChoice) => ListChoice;

/** A link to the list with one part of the choice changed; pressed, it changes the newest choice. */
function ChoiceLink({
  list,
  chosen,
  change,
  ...rest
}: { list: ListUrl; chosen: ListChoice; change: Change } & Omit<ComponentProps<typeof Link>, "to">) {
  const navigate = useNavigate();
  function onClick(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    goToChoice(navigate, list, change(newestChoice(list, chosen)));
  }
  return <Link {...rest} to={addressOf(list, change(chosen))} onClick={onClick} />;
}

type Tools = { list: ListUrl; chosen: ListChoice };

/** Ranges of price and masses above the list; the one that is on is taken back by a second press. */
export function Presets({ list, chosen, presets }: Tools & { presets: readonly Preset[] }) {
  if (presets.length < 2) return null;
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
              {...{ list, chosen, change }}
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
export const ViewSwitch = ({ list, chosen }: Tools) => (
  <ChoiceLink className="bar__view" rel="nofollow" {...{ list, chosen }} change={(each) => ({ ...each, isRows: !chosen.isRows })}>
    {chosen.isRows ? "Карточки" : "Строки"}
  </ChoiceLink>
);

type Chip = { key: string; text: string; name: string; less: Change };

/** What is chosen, each a link to the list without it. */
export function Chips({ list, chosen, facets }: Tools & { facets: ListingView["facets"] }) {
  if (!isNarrowed(chosen)) return null;
  const chips = facetNames.flatMap((name) =>
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
  const nothing = (each: ListChoice): ListChoice => ({ ...choiceFrom(new URLSearchParams()), sort: each.sort, isRows: each.isRows });
  return (
    <div className="bar__chips">
      {chips.map(({ key, text, name, less }) => (
        <ChoiceLink key={key} className="chip" {...{ list, chosen }} change={less} aria-label={`Убрать фильтр: ${name}, ${text}`}>
          {text} <Icon name="close" />
        </ChoiceLink>
      ))}
      <ChoiceLink className="chip chip--clear" {...{ list, chosen }} change={nothing}>
        Сбросить
      </ChoiceLink>
    </div>
  );
}

/** The order of the list: a form of its own, so that it works before scripts; it carries the filters along. */
export function SortBox({ list, chosen, sorts }: Tools & { sorts: ListingView["sorts"] }) {
  const navigate = useNavigate();
  const kept = new URL(addressOf(list, { ...chosen, sort: "popular" }), "http://a").searchParams;
  return (
    <form action={list.path} className="sort-form">
      {[...kept].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label className="sort">
        <span className="visually-hidden">Порядок</span>
        <select
          key={chosen.sort}
          name="sort"
          defaultValue={chosen.sort}
          onChange={(event) => goToChoice(navigate, list, { ...newestChoice(list, chosen), sort: event.target.value as Sort })}
        >
          {sorts.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </label>
      <noscript>
        <button className="button button--line button--small" type="submit">
          Упорядочить
        </button>
      </noscript>
    </form>
  );
}
