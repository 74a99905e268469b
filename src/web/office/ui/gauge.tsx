/**
 * A price on a line between buyback and a ceiling: the tick is the metal, the ring what it was, the dot what it becomes.
 * Values are in one unit, kopecks or grams; `label` says them in words.
 */
export function Gauge({
  from,
  to,
  metal,
  before,
  after,
  isBad = false,
  label,
}: {
  from: number;
  to: number;
  metal?: number;
  before?: number;
  after: number;
  isBad?: boolean;
  label: string;
}) {
  const at = (value: number) => Math.round((2 + (128 * (Math.min(Math.max(value, from), to) - from)) / Math.max(to - from, 1)) * 10) / 10;
  return (
    <svg className="gauge" viewBox="0 0 132 16" role="img" aria-label={label}>
      <path className="line" d="M2 8H130" />
      <path className="back" d="M2 4V12" />
      {metal === undefined ? null : <path className="met" d={`M${at(metal)} 2V14`} />}
      {before === undefined ? null : <circle className="was" cx={at(before)} cy="8" r="3" />}
      <circle className={isBad ? "now now--bad" : "now"} cx={at(after)} cy="8" r="3.5" />
    </svg>
  );
}
