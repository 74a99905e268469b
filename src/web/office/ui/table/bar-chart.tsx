import { number } from "#kit/format.ts";
import "../../styles/screens/metal.css";

export type Bar = {
  label: string;
  /** Stacked on each other, in the order of the series; null: not known. */
  values: readonly (number | null)[];
};

const [width, height, left, right, bottom] = [700, 180, 10, 96, 20];
/** The least distance between two grid lines with a number, pixels. */
const minGap = 16;
/** The average width of a letter of a label, pixels. */
const letterWidth = 6;

/** Stacked bars by day or kind. The table below has the same numbers; `summary` is the text for screen readers. */
export function BarChart({ bars, series, summary }: { bars: readonly Bar[]; series: readonly string[]; summary: string }) {
  const sums = bars.map(({ values }) => values.reduce<number>((sum, each) => sum + Math.max(0, each ?? 0), 0));
  const negative = bars.map(({ values }) => values.reduce<number>((sum, each) => sum + Math.min(0, each ?? 0), 0));
  const top = niceAbove(Math.max(...sums, 0));
  const low = Math.min(...negative, 0) < 0 ? -niceAbove(-Math.min(...negative)) : 0;
  const range = top - low || 1;
  const y = (value: number): number => 10 + ((top - value) / range) * (height - 10);
  const step = (width - left - right) / Math.max(bars.length, 1);
  const every = Math.max(1, Math.ceil(bars.length / 12));
  const longest = Math.max(4, Math.floor((step * every) / letterWidth));
  // Lines too close to another one are left out; zero comes first and stays.
  const lines = [0, top, low, top / 2].reduce<number[]>(
    (drawn, value) => (drawn.every((each) => Math.abs(y(each) - y(value)) >= minGap) ? [...drawn, value] : drawn),
    [],
  );
  return (
    <figure>
      <Legend series={series} />
      <svg className="bar-chart" viewBox={`0 0 ${width} ${height + bottom + 6}`} role="img" aria-label={summary}>
        {lines.map((value) => (
          <g key={value}>
            <path className={value === 0 ? "axis" : "grid"} d={`M${left} ${y(value)}H${width - right + 4}`} />
            <text x={width} y={y(value) + 4} textAnchor="end">
              {number(value)}
            </text>
          </g>
        ))}
        {bars.map(({ label, values }, index) => {
          const x = left + index * step + step * 0.2;
          let [up, down] = [0, 0];
          return (
            <g key={`${label} ${index}`}>
              {values.map((value, place) => {
                if (value === null || value === 0) return null;
                const from = value > 0 ? up : down;
                if (value > 0) up += value;
                else down += value;
                const [high, floor] = [y(Math.max(from, from + value)), y(Math.min(from, from + value))];
                return (
                  <path
                    key={series[place]}
                    className={value < 0 ? "bar--negative" : `bar${place + 1}`}
                    d={`M${x} ${high}h${step * 0.6}V${floor}H${x}z`}
                  />
                );
              })}
              {index % every === 0 ? (
                <text x={x + step * 0.3} y={height + bottom} textAnchor="middle">
                  {label.length > longest ? `${label.slice(0, longest - 1)}…` : label}
                </text>
              ) : null}
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

/**
 * Horizontal bars with their names beside them, for long names and small screens; stacked like those of `BarChart`; negative values in a
 * colour of their own.
 */
export function NamedBars({ bars, series, summary }: { bars: readonly Bar[]; series: readonly string[]; summary: string }) {
  const sums = bars.map(({ values }) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0));
  const longest = Math.max(...bars.map(({ values }) => values.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0)), 1);
  return (
    <figure>
      <Legend series={series} />
      <div className="named-bars" role="img" aria-label={summary}>
        {bars.map(({ label, values }, index) => (
          <div key={`${label} ${index}`} className="named-bars__row">
            <span>{label}</span>
            <svg className="bar-chart" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
              {values.map((value, place) => {
                const from = values.slice(0, place).reduce<number>((sum, each) => sum + Math.abs(each ?? 0), 0);
                return value ? (
                  <rect
                    key={series[place]}
                    className={value < 0 ? "bar--negative" : `bar${place + 1}`}
                    x={(from / longest) * 100}
                    width={(Math.abs(value) / longest) * 100}
                    height="10"
                  />
                ) : null;
              })}
            </svg>
            <span className="number">{number(sums[index] ?? 0)}</span>
          </div>
        ))}
      </div>
    </figure>
  );
}

function Legend({ series }: { series: readonly string[] }) {
  const named = series.filter((name) => name !== "");
  if (named.length === 0) return null;
  return (
    <p className="chart-legend">
      {named.map((name, index) => (
        <span key={name}>
          <svg className="bar-chart" viewBox="0 0 14 8" aria-hidden="true">
            <path className={`bar${index + 1}`} d="M0 0h14v8H0z" />
          </svg>
          {name}
        </span>
      ))}
    </p>
  );
}

/** The next round number: 1, 2, 2.5 or 5 times a power of ten. */
function niceAbove(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5, 10].find((each) => each * power >= value) ?? 10) * power;
}
