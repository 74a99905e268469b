import { useId, type ComponentProps, type ReactNode, type Ref } from "react";
import "../../styles/fields.css";

export type FieldProps = Omit<ComponentProps<"input">, "ref"> & {
  label: ReactNode;
  /** The error text; it is tied to the input and turns it red. */
  error?: string | null | undefined;
  hint?: ReactNode;
  /** Screen readers announce the error as soon as it appears. For a field whose button is disabled until the value is valid. */
  isErrorAnnounced?: boolean;
  ref?: Ref<HTMLInputElement>;
};

/** A labelled text input with its hint and error. */
export function Field({ label, error, hint, isErrorAnnounced = false, id, className = "", ...input }: FieldProps) {
  const made = useId();
  const inputId = id ?? made;
  const described = [hint ? `${inputId}-hint` : null, error ? `${inputId}-error` : null].filter(Boolean).join(" ");
  return (
    <div className={`field ${error ? "field--invalid" : ""} ${className}`}>
      <label htmlFor={inputId}>{label}</label>
      <input {...input} id={inputId} aria-invalid={error ? true : undefined} aria-describedby={described || undefined} />
      {hint ? (
        <p className="field__hint" id={`${inputId}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p className="error" id={`${inputId}-error`} role={isErrorAnnounced ? "alert" : undefined}>
          {error}
        </p>
      ) : null}
    </div>
  );
}
