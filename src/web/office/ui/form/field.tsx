import { useId, type ComponentProps, type ReactNode } from "react";
import { WarnMark } from "../marks.tsx";

type FieldFrame = {
  label: ReactNode;
  /** The error text; it is tied to the field. */
  error?: string | null | undefined;
  hint?: ReactNode;
  /** Behind the value: «₽», «%». */
  unit?: string;
  isLabelHidden?: boolean;
};

/** The frame of a field: label, hint and error. `children` receives the attributes that tie them to the control. */
export function Framed({
  label,
  error,
  hint,
  unit,
  isLabelHidden,
  children,
}: FieldFrame & { children: (tie: { id: string; "aria-invalid"?: true; "aria-describedby"?: string }) => ReactNode }) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  const field = children({
    id,
    ...(error ? { "aria-invalid": true as const } : {}),
    ...(described ? { "aria-describedby": described } : {}),
  });
  return (
    <div className="field">
      <label className={isLabelHidden ? "visually-hidden" : "field__label"} htmlFor={id}>
        {label}
      </label>
      {unit ? (
        <span className={unit.length > 4 ? "input-unit input-unit--long" : "input-unit"}>
          {field}
          <i aria-hidden="true">{unit}</i>
        </span>
      ) : (
        field
      )}
      {hint ? (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p className="hint hint--bad with-mark" id={`${id}-error`} role="alert">
          <WarnMark />
          {error}
        </p>
      ) : null}
    </div>
  );
}

/** A labelled text field. */
export function Field({ label, error, hint, unit, isLabelHidden, className = "input", ...input }: FieldFrame & ComponentProps<"input">) {
  return <Framed {...{ label, error, hint, unit, isLabelHidden }}>{(tie) => <input {...input} {...tie} className={className} />}</Framed>;
}

export function TextArea({ label, error, hint, isLabelHidden, ...input }: FieldFrame & ComponentProps<"textarea">) {
  return <Framed {...{ label, error, hint, isLabelHidden }}>{(tie) => <textarea rows={4} {...input} {...tie} className="input" />}</Framed>;
}

/** A labelled native select. */
export function Select({
  label,
  error,
  hint,
  isLabelHidden,
  options,
  ...input
}: FieldFrame & ComponentProps<"select"> & { options: readonly (readonly [value: string, text: string])[] }) {
  return (
    <Framed {...{ label, error, hint, isLabelHidden }}>
      {(tie) => (
        <select {...input} {...tie} className="input">
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Framed>
  );
}

/** A checkbox with its label. */
export function Check({ children, ...input }: Omit<ComponentProps<"input">, "type"> & { children: ReactNode }) {
  return (
    <label className="option">
      <input {...input} className="check" type="checkbox" />
      <span>{children}</span>
    </label>
  );
}
