import { useId, type ComponentProps, type ReactNode } from "react";
import "../../styles/fields.css";

type TextAreaProps = Omit<ComponentProps<"textarea">, "ref"> & { label: ReactNode; error?: string | null | undefined; hint?: ReactNode };

/** A labelled field of several lines with its hint and error. */
export function TextArea({ label, error, hint, id, ...area }: TextAreaProps) {
  const made = useId();
  const areaId = id ?? made;
  const described = [hint ? `${areaId}-hint` : null, error ? `${areaId}-error` : null].filter(Boolean).join(" ");
  return (
    <div className={`field ${error ? "field--invalid" : ""}`}>
      <label htmlFor={areaId}>{label}</label>
      <textarea rows={4} {...area} id={areaId} aria-invalid={error ? true : undefined} aria-describedby={described || undefined} />
      {hint ? (
        <p className="field__hint" id={`${areaId}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p className="error" id={`${areaId}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  );
}
