import { useState } from "react";
import { dayOfYear } from "#kit/format.ts";
import { fromMoscow, moscow } from "#kit/moscow-time.ts";
import type { SettingField } from "#shop/settings/forms.ts";
import { DateInput } from "../ui/form/date-input.tsx";
import { Check, Field, Select, TextArea } from "../ui/form/field.tsx";
import { WarnMark } from "../ui/marks.tsx";
import { inWords, numberInField, parseNumber, weekdayNames, type Values } from "./values.ts";

type InputOf<Kind extends SettingField["kind"]> = {
  field: Extract<SettingField, { kind: Kind }>;
  value: unknown;
  /** The path of the value in the group, `phones.1.display`: the messages of the server are by path. */
  path: string;
  errors: Readonly<Record<string, string>>;
  onChange: (value: unknown) => void;
};

/** One field of a settings form, whatever its kind. */
export function SettingInput(props: InputOf<SettingField["kind"]> & { isFixed?: boolean; usual?: unknown }) {
  const { field, value, path, errors, onChange, isFixed = false, usual } = props;
  const error = errors[path];
  switch (field.kind) {
    case "number":
      return <NumberInput {...{ field, value, path, errors, onChange, isFixed, usual }} />;
    case "choice":
      return (
        <Select
          label={field.label}
          hint={field.hint}
          error={error}
          value={JSON.stringify(value)}
          options={field.options.map(([option, text]) => [JSON.stringify(option), text])}
          onChange={(event) => onChange(JSON.parse(event.target.value))}
        />
      );
    case "flag":
      return (
        <div className="field">
          <Check checked={value === true} onChange={(event) => onChange(event.target.checked)}>
            {field.label}
          </Check>
          {field.hint ? <p className="hint">{field.hint}</p> : null}
        </div>
      );
    case "time":
      return (
        <Field label={field.label} type="time" error={error} value={value as string} onChange={(event) => onChange(event.target.value)} />
      );
    case "weekdays":
      return <WeekdaysInput {...{ field, value, path, errors, onChange }} />;
    case "lines":
      return <LinesInput {...{ field, value, path, errors, onChange }} />;
    case "dates":
      return <DatesInput {...{ field, value, path, errors, onChange }} />;
    case "rows":
      return <RowsInput {...{ field, value, path, errors, onChange }} />;
    default: {
      const frame = { label: field.label, hint: field.hint, error, value: value as string, autoComplete: "off" };
      return field.isLong ? (
        <TextArea {...frame} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <Field {...frame} onChange={(event) => onChange(event.target.value)} />
      );
    }
  }
}

function NumberInput({ field, value, path, errors, onChange, isFixed, usual }: InputOf<"number"> & { isFixed: boolean; usual: unknown }) {
  const [typed, setTyped] = useState<string | null>(null);
  const isOwn = !isFixed && usual !== undefined && usual !== value;
  const hint = isFixed
    ? "Задано на сервере: здесь не меняется"
    : [field.hint, isOwn ? `Обычно ${inWords(field, usual)}` : ""].filter(Boolean).join(". ");
  return (
    <Field
      label={field.label}
      unit={field.unit}
      inputMode={field.isFraction ? "decimal" : "numeric"}
      autoComplete="off"
      className="input input--right"
      hint={hint}
      error={errors[path]}
      readOnly={isFixed}
      value={typed ?? numberInField(value)}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(parseNumber(event.target.value));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

function WeekdaysInput({ field, value, path, errors, onChange }: InputOf<"weekdays">) {
  const chosen = value as string[];
  const days = weekdayNames.map(([day]) => day);
  return (
    <fieldset className="field setting-days">
      <legend className="field__label">{field.label}</legend>
      <div className="setting-days__list">
        {weekdayNames.map(([day, name]) => (
          <Check
            key={day}
            checked={chosen.includes(day)}
            onChange={(event) => onChange(days.filter((each) => (each === day ? event.target.checked : chosen.includes(each))))}
          >
            {name}
          </Check>
        ))}
      </div>
      <Fault text={errors[path]} />
    </fieldset>
  );
}

const Fault = ({ text }: { text: string | undefined }) =>
  text ? (
    <p className="hint hint--bad with-mark" role="alert">
      <WarnMark />
      {text}
    </p>
  ) : null;

const without = (list: readonly unknown[], index: number): unknown[] => list.filter((_, each) => each !== index);
const replaced = (list: readonly unknown[], index: number, value: unknown): unknown[] =>
  list.map((old, each) => (each === index ? value : old));

function LinesInput({ field, value, path, errors, onChange }: InputOf<"lines">) {
  const lines = value as string[];
  return (
    <fieldset className="setting-list">
      <legend className="field__label">{field.label}</legend>
      {lines.map((line, index) => (
        // The position is the line's identity: it has no other.
        <div key={`${index}`} className="setting-list__row">
          <Field
            label={`${field.label}, строка ${index + 1}`}
            isLabelHidden
            error={errors[`${path}.${index}`]}
            value={line}
            onChange={(event) => onChange(replaced(lines, index, event.target.value))}
          />
          <RemoveButton name={`строку ${index + 1}`} onPress={() => onChange(without(lines, index))} />
        </div>
      ))}
      <Fault text={errors[path]} />
      {field.hint ? <p className="hint">{field.hint}</p> : null}
      {lines.length < field.max ? (
        <button className="text-button" type="button" onClick={() => onChange([...lines, ""])}>
          {field.add}
        </button>
      ) : null}
    </fieldset>
  );
}

const RemoveButton = ({ name, onPress }: { name: string; onPress: () => void }) => (
  <button className="text-button" type="button" aria-label={`Убрать ${name}`} onClick={onPress}>
    Убрать
  </button>
);

function RowsInput({ field, value, path, errors, onChange }: InputOf<"rows">) {
  const rows = value as Values[];
  return (
    <fieldset className="setting-list">
      <legend className="field__label">{field.label}</legend>
      {rows.map((row, index) => (
        <div key={`${index}`} className="setting-list__row" role="group" aria-label={`${field.label}, ${index + 1}`}>
          <div className="setting-list__fields">
            {Object.entries(field.fields).map(([name, each]) => (
              <SettingInput
                key={name}
                field={each}
                value={row[name]}
                path={`${path}.${index}.${name}`}
                errors={errors}
                onChange={(next) => onChange(replaced(rows, index, { ...row, [name]: next }))}
              />
            ))}
          </div>
          <RemoveButton name={`${index + 1}`} onPress={() => onChange(without(rows, index))} />
        </div>
      ))}
      <Fault text={errors[path]} />
      {field.hint ? <p className="hint">{field.hint}</p> : null}
      {rows.length < field.max ? (
        <button className="text-button" type="button" onClick={() => onChange([...rows, field.empty])}>
          {field.add}
        </button>
      ) : null}
    </fieldset>
  );
}

const thisYear = (): string => `${new Date().getFullYear()}`;
/** `пт, 1 января` */
const dayAndMonth = (day: string): string => {
  const { weekday } = moscow(fromMoscow(day));
  return `${Object.fromEntries(weekdayNames)[weekday] ?? ""}, ${dayOfYear(day)}`;
};

function DatesInput({ field, value, path, errors, onChange }: InputOf<"dates">) {
  const days = value as string[];
  const [year, setYear] = useState(thisYear);
  const [added, setAdded] = useState<string | null>(null);
  const years = [...new Set([thisYear(), `${Number(thisYear()) + 1}`, ...days.map((day) => day.slice(0, 4))])].toSorted();
  const shown = days.map((day, index) => ({ day, index })).filter(({ day }) => day.startsWith(year));
  const fault = errors[path] ?? Object.entries(errors).find(([name]) => name.startsWith(`${path}.`))?.[1];
  const add = () => {
    if (added === null) return;
    onChange([...new Set([...days, added])].toSorted());
    setYear(added.slice(0, 4));
    setAdded(null);
  };
  return (
    <fieldset className="setting-list">
      <legend className="field__label">{field.label}</legend>
      <Select
        label={`${field.label}: год`}
        isLabelHidden
        value={year}
        options={years.map((each) => [each, `${each}: ${days.filter((day) => day.startsWith(each)).length} дн.`])}
        onChange={(event) => setYear(event.target.value)}
      />
      <ul className="setting-dates">
        {shown.map(({ day, index }) => (
          <li key={day}>
            {dayAndMonth(day)} <RemoveButton name={dayAndMonth(day)} onPress={() => onChange(without(days, index))} />
          </li>
        ))}
      </ul>
      <Fault text={fault} />
      {field.hint ? <p className="hint">{field.hint}</p> : null}
      {days.length < field.max ? (
        <div className="setting-list__row">
          <DateInput label={`${field.label}: новый день`} value={added} onChange={setAdded} />
          <button className="button" type="button" disabled={added === null} onClick={add}>
            Добавить день
          </button>
        </div>
      ) : null}
    </fieldset>
  );
}
