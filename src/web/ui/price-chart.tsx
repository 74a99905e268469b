import { type PointerEvent, useEffect, useState } from "react";
import { chartScale, merged, round, tickPlaces, type ChartFrame, type ChartPoint } from "./chart-scale.ts";
import { number } from "./format.ts";
import "../styles/chart.css";

export type PriceChartProps = {
  points: readonly ChartPoint[];
  /** Another series beside it, one value per point; `null` where there is none. */
  beside?: readonly (number | null)[];
  besideName?: string;
  kind: "candles" | "line";
  /** What is drawn, for readers. */
  label: string;
  unit: string;
  decimals: number;
  /** Full text of a point's time, and the short one of its tick. */
  timeText: (at: number) => string;
  tickText: (at: number) => string;
  /** Low, for a place among other things. */
  isSmall?: boolean;
};

const wide: ChartFrame = { width: 1220, height: 460, left: 56, right: 1030, top: 20, bottom: 420 };
const low: ChartFrame = { width: 1220, height: 280, left: 56, right: 1060, top: 20, bottom: 240 };
const narrow: ChartFrame = { width: 328, height: 300, left: 48, right: 328, top: 20, bottom: 260 };
/** More candles than this are only a smear on a phone: neighbours become one there. */
const mostNarrowCandles = 64;

/**
 * A chart drawn on the server as plain SVG, so it is there without scripts. With them each point can be read: by pointer, or with
 * the arrow keys on a slider that tells its values to screen readers.
 */
export function PriceChart(props: PriceChartProps) {
  const { points, beside = [], label, unit, decimals, timeText, isSmall = false } = props;
  const [index, setIndex] = useState<number | null>(null);
  const [isAwake, setAwake] = useState(false);
  useEffect(() => setAwake(true), []);
  const last = points.at(-1);
  if (!last) return <p className="pch__none">Истории за это время ещё нет.</p>;

  const at = index === null ? points.length - 1 : Math.min(index, points.length - 1);
  const point = points[at] ?? last;
  const say = (value: number): string => number(value, decimals);
  const besideNow = beside[at];
  const words = props.kind === "candles"
    ? `открытие ${say(point.open)}, максимум ${say(point.high)}, минимум ${say(point.low)}, закрытие ${say(point.close)} ${unit}`
    : `${say(point.close)} ${unit}`;
  const readout = `${timeText(point.at)}: ${words}${besideNow === null || besideNow === undefined || !props.besideName ? "" : `; ${props.besideName} ${say(besideNow)}`}`;

  function follow(event: PointerEvent<HTMLDivElement>) {
    const drawing = [...event.currentTarget.querySelectorAll("svg")].find((each) => each.getBoundingClientRect().width > 0);
    if (!drawing) return;
    const { left, width } = drawing.getBoundingClientRect();
    const frame = drawing.classList.contains("pch__n") ? narrow : isSmall ? low : wide;
    const share = (((event.clientX - left) / width) * frame.width - frame.left) / (frame.right - frame.left);
    setIndex(Math.min(points.length - 1, Math.max(0, Math.floor(share * points.length))));
  }

  return (
    <figure className={`pch${isSmall ? " pch--small" : ""}`}>
      <p className="pch__read num" aria-hidden="true">{readout}</p>
      <div className="pch__plot" onPointerMove={follow} onPointerDown={follow} onPointerLeave={() => setIndex(null)}>
        <Drawing {...props} beside={beside} frame={isSmall ? low : wide} className="pch__w" mark={index === null ? null : at} kind={props.kind} ticks={7} />
        <Drawing {...props} beside={beside} frame={narrow} className="pch__n" mark={index === null ? null : at} kind={props.kind} most={mostNarrowCandles} ticks={4} />
        {isAwake && (
          <input type="range" className="pch__keys" min={0} max={points.length - 1} value={at} aria-label={`${label}: значения по порядку`} aria-valuetext={readout}
            onChange={(event) => setIndex(Number(event.target.value))} onBlur={() => setIndex(null)} />
        )}
      </div>
    </figure>
  );
}

type DrawingProps = PriceChartProps & { beside: readonly (number | null)[]; frame: ChartFrame; className: string; mark: number | null; ticks: number; most?: number };

function Drawing({ points, beside, besideName, kind, label, unit, decimals, tickText, frame, className, mark, ticks, most = Infinity }: DrawingProps) {
  const { x, y, step, rows } = chartScale(points, beside, frame);
  const candles = merged(points, most);
  const texts = points.map(({ at }) => tickText(at));
  const rowDecimals = rows.some((row) => !Number.isInteger(row)) ? decimals : 0;
  const last = points.at(-1);
  const lastBeside = beside.findLast((value) => value !== null) ?? null;
  const isWide = frame.right < frame.width;
  const nowY = last ? y(last.close) : 0;
  const besideY = lastBeside === null ? 0 : apart(y(lastBeside), nowY);
  return (
    <svg className={className} viewBox={`0 0 ${frame.width} ${frame.height}`} role="img" aria-label={`${label}. Сейчас ${last ? number(last.close, decimals) : ""} ${unit}`}>
      {rows.map((row, index) => (
        <g key={row}>
          <line className={index === 0 ? "g0" : "g"} x1={0} x2={frame.right} y1={y(row)} y2={y(row)} />
          <text x={0} y={y(row) - 6}>{number(row, rowDecimals)}</text>
        </g>
      ))}
      {tickPlaces(texts, ticks).filter((index) => x(index) < frame.right - 44).map((index) => <text key={index} x={round(x(index) - step / 2)} y={frame.height - 14}>{texts[index]}</text>)}
      {beside.length > 0 && <path className="cb" d={stairs(beside, frame, step, y)} />}
      {kind === "line" ? <path className="ln" d={`M${points.map(({ close }, index) => `${x(index)} ${y(close)}`).join("L")}`} /> : <Candles points={candles.points} x={(nth) => x(candles.places[nth] ?? 0)} y={y} step={step * candles.size} />}
      {mark !== null && <line className="at" x1={x(mark)} x2={x(mark)} y1={frame.top} y2={frame.bottom} />}
      {isWide && last && <>
        <line className="now" x1={frame.right} x2={frame.right + 8} y1={nowY} y2={nowY} />
        <text className="k" x={frame.right + 14} y={nowY + 4}>Сейчас {number(last.close, decimals)} {unit}</text>
        {lastBeside !== null && besideName && <text className="kg" x={frame.right + 14} y={besideY + 4}>{besideName} {number(lastBeside, decimals)}</text>}
      </>}
    </svg>
  );
}

/** Wicks and bodies of a kind are one path each: a year of candles is four elements. */
function Candles({ points, x, y, step }: { points: readonly ChartPoint[]; x: (index: number) => number; y: (value: number) => number; step: number }) {
  const half = round(Math.min(4.4, Math.max(0.6, step * 0.28)));
  const body = ({ open, close }: ChartPoint, index: number): string => {
    const top = y(Math.max(open, close));
    return `M${round(x(index) - half)} ${top}h${2 * half}v${Math.max(1, round(y(Math.min(open, close)) - top))}h${-2 * half}z`;
  };
  const wick = ({ high, low: lowest }: ChartPoint, index: number): string => `M${x(index)} ${y(high)}V${y(lowest)}`;
  const last = points.length - 1;
  const path = (draw: (point: ChartPoint, index: number) => string, isDrawn: (point: ChartPoint, index: number) => boolean): string =>
    points.flatMap((point, index) => (isDrawn(point, index) ? [draw(point, index)] : [])).join("");
  return (
    <>
      <path className="w" d={path(wick, (_, index) => index < last)} />
      <path className="u" d={path(body, ({ open, close }, index) => index < last && close >= open)} />
      <path className="d" d={path(body, ({ open, close }, index) => index < last && close < open)} />
      <path className="t" d={path(wick, (_, index) => index === last) + path(body, (_, index) => index === last)} />
    </>
  );
}

/** A price that holds for its whole step and then changes at once. */
function stairs(values: readonly (number | null)[], frame: ChartFrame, step: number, y: (value: number) => number): string {
  let path = "";
  values.forEach((value, index) => {
    if (value === null) return;
    const from = round(frame.left + index * step);
    path += `${path === "" ? "M" : "L"}${from} ${y(value)}H${round(from + step)}`;
  });
  return path;
}

const apart = (at: number, other: number): number => (Math.abs(at - other) >= 20 ? at : at < other ? other - 20 : other + 20);
