import type { ReactNode } from "react";
import { Field } from "./field.tsx";

/** A calendar day, `2026-11-22`, in a native date field. Null: empty. */
export function DateInput({
  label,
  value,
  min,
  max,
  error,
  hint,
  onChange,
}: {
  label: ReactNode;
  value: string | null;
  min?: string;
  max?: string;
  error?: string | null;
  hint?: ReactNode;
  onChange: (day: string | null) => void;
}) {
  return (
    <Field
      label={label}
      type="date"
      value={value ?? ""}
      min={min}
      max={max}
      error={error}
      hint={hint}
      onChange={(event) => onChange(event.target.value || null)}
    />
  );
}
