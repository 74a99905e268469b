import { useState, type ReactNode } from "react";
import type { Kopecks } from "#kit/money.ts";
import { Field } from "./field.tsx";
import { moneyInField, parseMoney } from "./money.ts";

/** A field for a sum in roubles. `onChange` gets kopecks, or null while what is typed is not a sum. */
export function MoneyInput({
  label,
  value,
  error,
  hint,
  onChange,
}: {
  label: ReactNode;
  value: Kopecks | null;
  error?: string | null;
  hint?: ReactNode;
  onChange: (amount: Kopecks | null) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && typed.trim() !== "" && parseMoney(typed) === null;
  return (
    <Field
      label={label}
      unit="₽"
      inputMode="decimal"
      autoComplete="off"
      className="input input--right"
      hint={hint}
      error={isWrong ? "Сумма в рублях, например 1 234,50" : error}
      value={typed ?? moneyInField(value)}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(parseMoney(event.target.value));
      }}
      onBlur={() => {
        if (!isWrong) setTyped(null);
      }}
    />
  );
}
