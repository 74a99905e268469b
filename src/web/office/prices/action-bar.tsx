import { Field, Select } from "../ui/form/field.tsx";
import { targets, unitOf, waysOf, type PriceActionDraft, type ChangeWay } from "./words.ts";

/** What is changed, how, and by how much. */
export function ActionBar({
  draft,
  error,
  onChange,
}: {
  draft: PriceActionDraft;
  error: string | null;
  onChange: (draft: PriceActionDraft) => void;
}) {
  const ways = waysOf(draft.target);
  return (
    <div className="settings-bar" role="group" aria-label="Что изменить">
      <Segments
        title="Изменить"
        name="target"
        options={targets}
        value={draft.target}
        onChange={(target) => onChange({ ...draft, target, way: waysOf(target)[0]?.[0] ?? "set", typed: "" })}
      />
      <Segments
        title="Как"
        name="way"
        options={ways}
        value={draft.way}
        onChange={(way: ChangeWay) => onChange({ ...draft, way, typed: "" })}
      />
      <Field
        label="Величина"
        unit={unitOf(draft)}
        inputMode="text"
        autoComplete="off"
        className="input input--right"
        value={draft.typed}
        error={error}
        onChange={(event) => onChange({ ...draft, typed: event.target.value })}
      />
      {draft.way === "percent" ? (
        <Select
          label="Округлить до"
          value={String(draft.roundTo)}
          options={[
            ["1", "1 ₽"],
            ["10", "10 ₽"],
            ["50", "50 ₽"],
            ["100", "100 ₽"],
          ]}
          onChange={(event) => onChange({ ...draft, roundTo: Number(event.target.value) })}
        />
      ) : null}
      <p className="legend soft" aria-hidden="true">
        <span>
          <Mark>
            <path className="back" d="M7 4V12" />
          </Mark>
          выкуп
        </span>
        <span>
          <Mark>
            <path className="metal-mark" d="M7 1V15" />
          </Mark>
          металл
        </span>
        <span>
          <Mark>
            <circle className="former-mark" cx="7" cy="8" r="3" />
          </Mark>
          было
        </span>
        <span>
          <Mark>
            <circle className="current-mark" cx="7" cy="8" r="3.5" />
          </Mark>
          станет
        </span>
      </p>
    </div>
  );
}

const Mark = ({ children }: { children: React.ReactNode }) => (
  <svg className="gauge" viewBox="0 0 14 16">
    {children}
  </svg>
);

/** One of a few, as a row of buttons. */
export function Segments<Value extends string>({
  title,
  name,
  options,
  value,
  onChange,
  isTitleHidden = false,
}: {
  title: string;
  name: string;
  options: readonly (readonly [value: Value, text: string])[];
  value: Value;
  onChange: (value: Value) => void;
  isTitleHidden?: boolean;
}) {
  return (
    <fieldset>
      <legend className={isTitleHidden ? "visually-hidden" : "field__label"}>{title}</legend>
      <div className="segments">
        {options.map(([each, text]) => (
          <label key={each}>
            <input type="radio" name={name} checked={each === value} onChange={() => onChange(each)} />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
