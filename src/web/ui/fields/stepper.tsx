import { useState, type MouseEvent } from "react";
import { Icon } from "../icon.tsx";

type StepperProps = {
  /** What is counted, for screen readers: «Количество: Георгий Победоносец». */
  label: string;
  name: string;
  value: number;
  max: number;
  isBad?: boolean;
  onValue: (value: number) => void;
  /** One more or one less than the last requested quantity, which may not be rendered yet. */
  onStep: (by: 1 | -1) => void;
};

/**
 * Minus, number and plus inside a form. The buttons submit the new number, so they work before hydration. For presses while the form is
 * being sent, `data-each` lets `early-input.ts` raise the number that the button submits.
 */
export function Stepper({ label, name, value, max, isBad = false, onValue, onStep }: StepperProps) {
  /** The text being typed; an answer to an earlier press does not replace it. */
  const [draft, setDraft] = useState<string | null>(null);

  const commit = () => {
    const wanted = Number.parseInt(draft ?? "", 10);
    setDraft(null);
    if (Number.isInteger(wanted) && wanted !== value) onValue(wanted);
  };

  const press = (event: MouseEvent<HTMLButtonElement>) => {
    event.preventDefault();
    onStep(event.currentTarget.dataset.each === "1" ? 1 : -1);
  };

  return (
    <>
      {/* Enter in a field presses the form's first button: this one, which submits the typed number, and not «Меньше». */}
      <button className="visually-hidden" tabIndex={-1} aria-hidden="true" name="intent" value="typed">
        Изменить
      </button>
      <div className={`quantity ${isBad ? "is-invalid" : ""}`} role="group" aria-label={label}>
        <button
          type="submit"
          name={name}
          value={Math.max(1, value - 1)}
          data-each="-1"
          aria-label="Меньше"
          disabled={value <= 1}
          onClick={press}
        >
          <Icon name="minus" />
        </button>
        <input
          inputMode="numeric"
          pattern="[0-9]*"
          autoComplete="off"
          maxLength={3}
          aria-label="Количество"
          aria-invalid={isBad || undefined}
          name={`${name}Typed`}
          value={draft ?? String(value)}
          onChange={(event) => setDraft(event.target.value.replace(/\D/g, ""))}
          onBlur={commit}
          onFocus={(event) => event.target.select()}
          onKeyDown={(event) => {
            if (event.key === "Enter") {
              event.preventDefault();
              commit();
            }
            if (event.key === "ArrowUp" && value < max) {
              event.preventDefault();
              setDraft(null);
              onStep(1);
            }
            if (event.key === "ArrowDown" && value > 1) {
              event.preventDefault();
              setDraft(null);
              onStep(-1);
            }
          }}
        />
        <button type="submit" name={name} value={value + 1} data-each="1" aria-label="Больше" disabled={value >= max} onClick={press}>
          <Icon name="plus" />
        </button>
      </div>
    </>
  );
}
