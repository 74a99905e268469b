import { useEffect, useRef, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";

type StepProps = {
  number: number;
  title: string;
  isDone?: boolean;
  isOpen?: boolean;
  /** What was entered, in one line, while the step is collapsed. */
  summary?: ReactNode;
  onEdit?: () => void;
  children: ReactNode;
};

/** One step of the checkout; a finished one is collapsed and can be opened again. */
export function Step({ number, title, isDone = false, isOpen = false, summary, onEdit, children }: StepProps) {
  const body = useRef<HTMLDivElement>(null);
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current && !isDone) body.current?.querySelector<HTMLElement>("input, button")?.focus();
    isAsked.current = false;
  }, [isDone]);
  const id = `step-${number}`;
  return (
    <section
      className={`checkout-step${isDone ? " is-done" : ""}${isOpen ? " is-open" : ""}`}
      aria-labelledby={id}
      aria-current={isOpen ? "step" : undefined}
    >
      <span className="checkout-step__number" aria-hidden="true">
        {isDone ? <Icon name="check" /> : number}
      </span>
      <div className="checkout-step__body">
        <div className="checkout-step__head">
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          {isDone && onEdit ? (
            <button
              className="text-button"
              type="button"
              aria-label={`Изменить: ${title}`}
              onClick={() => {
                isAsked.current = true;
                onEdit();
              }}
            >
              Изменить
            </button>
          ) : null}
        </div>
        {isDone ? <p className="checkout-step__summary">{summary}</p> : <div ref={body}>{children}</div>}
      </div>
    </section>
  );
}

/** Moves scroll position and focus to the next step after one was finished. */
export const goToStep = (number: number): void => {
  requestAnimationFrame(() => {
    const heading = document.getElementById(`step-${number}`);
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  });
};
