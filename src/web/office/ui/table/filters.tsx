import { useEffect, useId, useState, type ReactNode } from "react";
import { setOrDelete, useAddressParams } from "./address-params.ts";

/** A filter of a list as a native select. The first option means any value and removes the parameter from the address. */
type SelectFilter = { name: string; label: string; options: readonly (readonly [value: string, text: string])[] };

/** The filters of a list. Their state is in the address, so it survives a reload and can be shared. A change returns to the first page. */
export function Filters({
  label,
  find,
  selects = [],
  days = [],
  sums = [],
  end,
}: {
  label: string;
  /** A text filter with its parameter; it is applied on Enter or when the field loses the focus. */
  find?: { name: string; label: string };
  selects?: readonly SelectFilter[];
  /** Calendar days by parameter. */
  days?: readonly { name: string; label: string }[];
  /** Sums in roubles by parameter. */
  sums?: readonly { name: string; label: string }[];
  end?: ReactNode;
}) {
  const [params, changeParams] = useAddressParams();
  const change = (name: string, value: string) =>
    changeParams((next) => {
      next.delete("cursor");
      setOrDelete(next, name, value);
    });
  const names = [...(find ? [find.name] : []), ...selects.map(({ name }) => name), ...[...days, ...sums].map(({ name }) => name)];
  const isSet = names.some((name) => params.has(name));
  return (
    <search className="filters" aria-label={label}>
      {find ? (
        <FindField key={find.name} label={find.label} value={params.get(find.name) ?? ""} onFind={(text) => change(find.name, text)} />
      ) : null}
      {days.map(({ name, label }) => (
        <label key={name} className={params.has(name) ? "filter filter--on" : "filter"}>
          <span>{label}:</span>
          <input type="date" value={params.get(name) ?? ""} onChange={(event) => change(name, event.target.value)} />
        </label>
      ))}
      {selects.map(({ name, label, options }) => (
        <label key={name} className={params.has(name) ? "filter filter--on" : "filter"}>
          <span>{label}:</span>
          <select value={params.get(name) ?? ""} onChange={(event) => change(name, event.target.value)}>
            {options.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      ))}
      {sums.map(({ name, label }) => (
        <SumField key={name} label={label} value={params.get(name) ?? ""} onChange={(sum) => change(name, sum)} />
      ))}
      <div className="filters__end">
        {isSet ? (
          <button
            className="button button--quiet"
            type="button"
            onClick={() =>
              changeParams((next) => {
                for (const name of [...names, "cursor"]) next.delete(name);
              })
            }
          >
            Сбросить
          </button>
        ) : null}
        {end}
      </div>
    </search>
  );
}

/** Whole roubles, or with two digits after the comma: as the server reads them. */
const sumFormat = /^\d{1,9}([.,]\d{1,2})?$/;

/** A filter by a sum in roubles; it is applied on Enter or when the field loses the focus. */
function SumField({ label, value, onChange }: { label: string; value: string; onChange: (sum: string) => void }) {
  const id = useId();
  const [text, setText] = useState(value);
  const [isWrong, setWrong] = useState(false);
  useEffect(() => {
    setText(value);
    setWrong(false);
  }, [value]);
  const take = () => {
    const sum = text.replaceAll(/\s/g, "");
    setWrong(sum !== "" && !sumFormat.test(sum));
    if (sum !== value && (sum === "" || sumFormat.test(sum))) onChange(sum);
  };
  return (
    <form
      className={value ? "filter filter--on" : "filter"}
      onSubmit={(event) => {
        event.preventDefault();
        take();
      }}
    >
      <label htmlFor={id}>{label}:</label>
      <input
        id={id}
        className="filter__sum"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : undefined}
        onChange={(event) => setText(event.target.value)}
        onBlur={take}
      />
      {isWrong ? (
        <span className="warn" id={`${id}-error`} role="alert">
          например 100000
        </span>
      ) : null}
    </form>
  );
}

function FindField({ label, value, onFind }: { label: string; value: string; onFind: (text: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const find = () => {
    if (text.trim() !== value) onFind(text.trim());
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        find();
      }}
    >
      <input
        className="input input--find"
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={find}
      />
    </form>
  );
}
