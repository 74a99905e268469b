import { nbsp, number } from "./format.ts";

export function Triangle({ className = "tri" }: { className?: string }) {
  return <svg className={className} viewBox="0 0 8 7" aria-hidden="true"><path d="M4 0l4 7H0z" /></svg>;
}

/** A move in percent: arrow, colour and a word for those who see neither. Always two decimals: it changes in place, and what stands beside it must not move. */
export function Delta({ percent }: { percent: number }) {
  const isUp = percent >= 0;
  return (
    <span className={`delta delta--${isUp ? "up" : "down"}`}>
      <Triangle />
      <span><span className="vh">{isUp ? "выросло на " : "снизилось на "}</span><span className="num">{number(Math.abs(percent), 2)}</span>{nbsp}%</span>
    </span>
  );
}
