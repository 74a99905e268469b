import { useId, type ComponentProps, type ReactNode, type Ref } from "react";
import "../../styles/fields.css";

type CheckboxProps = Omit<ComponentProps<"input">, "type" | "ref"> & {
  children: ReactNode;
  note?: ReactNode;
  error?: string | null | undefined;
  ref?: Ref<HTMLInputElement>;
};

/** A checkbox with its label; the whole line can be pressed. */
export function Checkbox({ children, note, error, id, ...input }: CheckboxProps) {
  const made = useId();
  const inputId = id ?? made;
  const described = [note ? `${inputId}-note` : null, error ? `${inputId}-error` : null].filter(Boolean).join(" ");
  return (
    <div className={`tick-box ${error ? "tick-box--invalid" : ""}`}>
      <label className="tick">
        <input {...input} id={inputId} type="checkbox" aria-invalid={error ? true : undefined} aria-describedby={described || undefined} />
        <span>{children}</span>
      </label>
      {note ? (
        <p className="tick-box__note" id={`${inputId}-note`}>
          {note}
        </p>
      ) : null}
      {error ? (
        <p className="error" id={`${inputId}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  );
}
