import { useEffect, useState } from "react";
import { Check } from "../ui/form/field.tsx";
import { setOrDelete, useAddressParams } from "../ui/table/address-params.ts";
import { parsePoints, points, type PriceFilters } from "./words.ts";

/** Parameters of the filter in the address, which are those of the call. */
const names = [
  "metals",
  "kinds",
  "series",
  "countries",
  "categories",
  "yearFrom",
  "yearTill",
  "massFromMg",
  "massTillMg",
  "premiumFromBp",
  "premiumTillBp",
  "inStock",
  "text",
  "ids",
] as const;
type Name = (typeof names)[number];
type FilterQuery = Partial<Record<Exclude<Name, "inStock">, string> & { inStock: "1" }>;

/** The filter in the address: it survives a reload and can be sent on. */
export function usePriceFilter() {
  const [params, changeParams] = useAddressParams();
  const query = Object.fromEntries(names.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : []))) as FilterQuery;
  const set = (name: Name, change: string | ((before: string) => string)) =>
    changeParams((next) => setOrDelete(next, name, typeof change === "string" ? change : change(next.get(name) ?? "")), { replace: true });
  const clear = () =>
    changeParams(
      (next) => {
        for (const name of names) next.delete(name);
      },
      { replace: true },
    );
  return { query, set, clear, isSet: Object.keys(query).length > 0 };
}
type PriceFilter = ReturnType<typeof usePriceFilter>;

const metalNames = { gold: "Золото", silver: "Серебро" } as const;
const kindNames = { bullion: "Инвестиционные", memorable: "Памятные" } as const;

/** What the change is selected by, in words, for its document. */
export function filterText({ query }: Pick<PriceFilter, "query">): string {
  const listOf = (name: Name): string[] => (query[name] ?? "").split(",").filter(Boolean);
  const decoded = (name: Name): string[] => listOf(name).map(decodeURIComponent);
  const range = (label: string, from: Name, till: Name, show = (value: string) => value): string[] =>
    query[from] || query[till] ? [`${label} ${query[from] ? show(query[from]) : "…"}–${query[till] ? show(query[till]) : "…"}`] : [];
  return [
    ...listOf("metals").map((name) => metalNames[name as "gold"]),
    ...listOf("kinds").map((name) => kindNames[name as "bullion"]),
    ...decoded("series"),
    ...decoded("countries"),
    ...listOf("categories"),
    ...range("год", "yearFrom", "yearTill"),
    ...range("масса, г", "massFromMg", "massTillMg", (mg) => String(Number(mg) / 1000)),
    ...range("премия, %", "premiumFromBp", "premiumTillBp", (bp) => points(Number(bp))),
    ...(query.inStock ? ["в наличии"] : []),
    ...(query.text ? [`«${query.text}»`] : []),
    ...(query.ids ? [`номера ${query.ids}`] : []),
  ]
    .join(", ")
    .slice(0, 300);
}

/** The filter beside the table. */
export function FilterColumn({
  filter,
  facets,
  found,
}: {
  filter: PriceFilter;
  facets: PriceFilters | undefined;
  found: number | undefined;
}) {
  const { query, set } = filter;
  const series = facets?.series ?? [];
  return (
    <form className="filter-column" data-passing aria-label="Отбор монет" onSubmit={(event) => event.preventDefault()}>
      <Typed label="Название" value={query.text ?? ""} onEnter={(text) => set("text", text.trim())} isSearch />
      <Ticks
        title="Металл"
        name="metals"
        filter={filter}
        options={(["gold", "silver"] as const).map((value) => ({ value, label: metalNames[value], coins: facets?.metals[value] }))}
      />
      <Ticks
        title="Вид"
        name="kinds"
        filter={filter}
        options={(["bullion", "memorable"] as const).map((value) => ({ value, label: kindNames[value], coins: facets?.kinds[value] }))}
      />
      <Ticks
        title="Серия"
        name="series"
        filter={filter}
        options={series.map(({ name, coins }) => ({ value: encodeURIComponent(name), label: name, coins }))}
      />
      <Choice
        title="Страна"
        any="любая"
        value={query.countries ?? ""}
        onChange={(value) => set("countries", value)}
        options={(facets?.countries ?? []).map(({ name, coins }) => [encodeURIComponent(name), `${name}, ${coins}`])}
      />
      <Choice
        title="Раздел каталога"
        any="любой"
        value={query.categories ?? ""}
        onChange={(value) => set("categories", value)}
        options={(facets?.categories ?? []).map(({ slug, title, coins }) => [slug, `${title}, ${coins}`])}
      />
      <Range title="Год" filter={filter} from="yearFrom" till="yearTill" read={readWhole} show={(value) => value} />
      <Range
        title="Чистая масса, г"
        filter={filter}
        from="massFromMg"
        till="massTillMg"
        read={(text) => {
          const gramsTyped = Number(text.replace(",", "."));
          return gramsTyped > 0 ? String(Math.round(gramsTyped * 1000)) : "";
        }}
        show={(mg) => String(Number(mg) / 1000).replace(".", ",")}
      />
      <Range
        title="Премия сейчас, %"
        filter={filter}
        from="premiumFromBp"
        till="premiumTillBp"
        read={(text) => String(parsePoints(text) ?? "")}
        show={(bp) => points(Number(bp))}
      />
      <fieldset>
        <legend>На полке</legend>
        <Check checked={query.inStock === "1"} onChange={(event) => set("inStock", event.target.checked ? "1" : "")}>
          Только в наличии
        </Check>
      </fieldset>
      <p className="hint" role="status">
        {found === undefined ? "Загружаем…" : `Под отбор подошло ${found}.`}
      </p>
      {filter.isSet ? (
        <button className="text-button" type="button" onClick={filter.clear}>
          Сбросить отбор
        </button>
      ) : null}
    </form>
  );
}

const valuesOf = (list: string): string[] => list.split(",").filter(Boolean);

const readWhole = (text: string): string => (/^\d{1,4}$/.test(text.trim()) ? text.trim() : "");

function Ticks({
  title,
  name,
  filter,
  options,
}: {
  title: string;
  name: Name;
  filter: PriceFilter;
  options: readonly { value: string; label: string; coins: number | undefined }[];
}) {
  const chosen = valuesOf(filter.query[name] ?? "");
  const tick = (value: string, isOn: boolean) =>
    filter.set(name, (before) => [...valuesOf(before).filter((each) => each !== value), ...(isOn ? [value] : [])].join(","));
  return (
    <fieldset>
      <legend>{title}</legend>
      <div className="filter-column__options">
        {options.map(({ value, label, coins }) => (
          <label key={value} className="option">
            <input
              className="check"
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={(event) => tick(value, event.target.checked)}
            />
            <span>{label}</span>
            <span className="number">{coins}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Choice({
  title,
  any,
  value,
  options,
  onChange,
}: {
  title: string;
  /** What stands for no choice, in the gender of the title. */
  any: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}) {
  return (
    <fieldset>
      <legend>{title}</legend>
      <select className="input" aria-label={title} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{any}</option>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </fieldset>
  );
}

function Range({
  title,
  filter: { query, set },
  from,
  till,
  read,
  show,
}: {
  title: string;
  filter: PriceFilter;
  from: Name;
  till: Name;
  read: (text: string) => string;
  show: (value: string) => string;
}) {
  const field = (name: Name, word: string) => (
    <Typed
      label={`${title}, ${word}`}
      placeholder={word}
      value={query[name] ? show(query[name]) : ""}
      onEnter={(text) => set(name, read(text))}
    />
  );
  return (
    <fieldset>
      <legend>{title}</legend>
      <div className="pair">
        {field(from, "от")}
        {field(till, "до")}
      </div>
    </fieldset>
  );
}

/** A field whose value is taken over with Enter or when it is left. */
function Typed({
  label,
  placeholder,
  value,
  onEnter,
  isSearch = false,
}: {
  label: string;
  placeholder?: string;
  value: string;
  onEnter: (text: string) => void;
  isSearch?: boolean;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const enter = () => {
    if (text !== value) onEnter(text);
  };
  return (
    <input
      className="input"
      type={isSearch ? "search" : "text"}
      inputMode={isSearch ? undefined : "decimal"}
      aria-label={label}
      placeholder={placeholder ?? label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={enter}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.ctrlKey) enter();
      }}
    />
  );
}
