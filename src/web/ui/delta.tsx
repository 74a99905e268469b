import { nbsp, number } from "#kit/format.ts";

/** A small triangle that points up; styles turn and colour it. */
export function Triangle({ className = "triangle" }: { className?: string }) {
  return (
    <svg className={className} viewBox="0 0 8 7" aria-hidden="true">
      <path d="M4 0l4 7H0z" />
    </svg>
  );
}

/**
 * A change in percent: arrow, colour and a word for screen readers. `isNeutral` omits the colour, for prices whose rise is no good news.
 * Always two decimals, so that the neighbouring text does not move when the number changes.
 */
export function Delta({ percent, isNeutral = false }: { percent: number; isNeutral?: boolean }) {
  const isUp = percent >= 0;
  return (
    <span className={`delta delta--${isUp ? "up" : "down"}${isNeutral ? " delta--plain" : ""}`}>
      <Triangle />
      <span>
        <span className="visually-hidden">{isUp ? "выросло на " : "снизилось на "}</span>
        <span className="digits">{number(Math.abs(percent), 2)}</span>
        {nbsp}%
      </span>
    </span>
  );
}
