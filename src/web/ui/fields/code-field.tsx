import { useId, useState, type Ref } from "react";
import "../../styles/fields.css";
import "./code-field.css";

type CodeFieldProps = {
  label: string;
  length: number;
  value: string;
  onValue: (digits: string) => void;
  error?: string | null | undefined;
  isBusy: boolean;
  ref?: Ref<HTMLInputElement>;
};

/** One input drawn as a row of cells, so that autofill, pasting «12 34», deleting and screen readers work as with any field. */
export function CodeField({ label, length, value, onValue, error, isBusy, ref }: CodeFieldProps) {
  const id = useId();
  const [isFocused, setFocused] = useState(false);
  return (
    <div className={`code ${error ? "is-invalid" : ""}`}>
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <div className="code__box">
        <input
          ref={ref}
          id={id}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9 ]*"
          spellCheck={false}
          readOnly={isBusy}
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          data-autofocus
          onChange={(event) => onValue(event.target.value.replace(/\D/g, "").slice(0, length))}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
        />
        <div className="code__cells" aria-hidden="true">
          {Array.from({ length }, (_, index) => (
            <span key={index} className={isFocused && index === Math.min(value.length, length - 1) ? "is-here" : undefined}>
              {value[index] ?? ""}
            </span>
          ))}
        </div>
      </div>
      <p className="error" id={`${id}-error`} role="alert">
        {error ?? ""}
      </p>
    </div>
  );
}
