import { nbsp, number } from "#kit/format.ts";

export function Triangle({ className = "triangle" }: { className?: string }) {
  return (
    <svg className={className} viewBox="0 0 8 7" aria-hidden="true">
      <path d="M4 0l4 7H0z" />
    </svg>
  );
}

/** A move in percent: arrow, colour and a word for those who see neither. `isNeutral` without a colour, for what a buyer pays: a rise is no good news there. Always two decimals: it changes in place, and what stands beside it must not move. */
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
