import { type PointerEvent, useEffect, useState } from "react";
import { nbsp, number } from "#kit/format.ts";
import { chartScale, merged, round, tickPlaces, type ChartFrame, type ChartPoint } from "./chart-scale.ts";
import "./price-chart.css";

export type PriceChartProps = {
  points: readonly ChartPoint[];
  /** A second series, one value per point; `null` where it has none. */
  secondSeries?: readonly (number | null)[];
  secondSeriesName?: string;
  /** `steps`: a value that holds until the next one is set, such as an official rate. */
  kind: "candles" | "line" | "steps";
  /** Description for screen readers. */
  label: string;
  unit: string;
  decimals: number;
  /** Full text of a point's time, and the short text of its tick. */
  timeText: (at: number) => string;
  tickText: (at: number) => string;
  /** A low variant, for use among other content. */
  isSmall?: boolean;
};

/**
 * The chart is drawn for desktop, tablet and phone, each at about its real size so that the text is legible; CSS shows one of them. More
 * candles than `most` would be unreadable: neighbours are merged.
 */
const frames: Record<string, { frame: ChartFrame; small: ChartFrame; ticks: number; most: number }> = {
  "price-chart__wide": {
    frame: { width: 1220, height: 460, left: 60, right: 1040, top: 20, bottom: 420 },
    small: { width: 1220, height: 280, left: 60, right: 1070, top: 20, bottom: 240 },
    ticks: 7,
    most: 140,
  },
  "price-chart__medium": {
    frame: { width: 720, height: 400, left: 60, right: 562, top: 20, bottom: 360 },
    small: { width: 720, height: 260, left: 60, right: 590, top: 20, bottom: 220 },
    ticks: 5,
    most: 100,
  },
  "price-chart__narrow": {
    frame: { width: 328, height: 300, left: 52, right: 328, top: 20, bottom: 260 },
    small: { width: 328, height: 240, left: 52, right: 328, top: 20, bottom: 200 },
    ticks: 4,
    most: 64,
  },
};

/**
 * A chart drawn on the server as SVG, so it works without scripts. With scripts each point can be read by pointer, or with the arrow keys
 * on a slider that announces its values to screen readers.
 */
export function PriceChart(props: PriceChartProps) {
  const { points, secondSeries = [], label, unit, decimals, timeText, isSmall = false } = props;
  const [index, setIndex] = useState<number | null>(null);
  const [isAwake, setAwake] = useState(false);
  useEffect(() => setAwake(true), []);
  const last = points.at(-1);
  if (!last) return <p className="price-chart__none">Истории за это время ещё нет.</p>;

  const at = index === null ? points.length - 1 : Math.min(index, points.length - 1);
  const point = points[at] ?? last;
  const say = (value: number): string => number(value, decimals);
  const secondNow = secondSeries[at];
  const hasSecond = secondSeries.some((value) => value !== null) && props.secondSeriesName !== undefined;
  const words =
    props.kind === "candles"
      ? `открытие ${say(point.open)}, максимум ${say(point.high)}, минимум ${say(point.low)}, закрытие ${say(point.close)} ${unit}`
      : `${say(point.close)} ${unit}`;
  const secondText =
    secondNow === null || secondNow === undefined || !props.secondSeriesName ? "" : `; ${props.secondSeriesName} ${say(secondNow)}`;
  const readout = `${timeText(point.at)}: ${words}${secondText}`;

  function follow(event: PointerEvent<HTMLDivElement>) {
    const drawing = [...event.currentTarget.querySelectorAll("svg")].find((each) => each.getBoundingClientRect().width > 0);
    const shown = drawing && frames[drawing.classList.value];
    if (!shown) return;
    const frame = isSmall ? shown.small : shown.frame;
    const { left, width } = drawing.getBoundingClientRect();
    const share = (((event.clientX - left) / width) * frame.width - frame.left) / (frame.right - frame.left);
    setIndex(Math.min(points.length - 1, Math.max(0, Math.floor(share * points.length))));
  }

  /** A lifted finger keeps its point selected; a mouse that leaves does not. */
  const leave = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.pointerType === "mouse") setIndex(null);
  };

  return (
    <figure className={`price-chart${isSmall ? " price-chart--small" : ""}`}>
      <p className="price-chart__readout digits" aria-hidden="true">
        <b>{timeText(point.at)}</b>
        {props.kind === "candles" && (
          <>
            <span>
              <i>Открытие</i> {say(point.open)}
            </span>
            <span>
              <i>Максимум</i> {say(point.high)}
            </span>
            <span>
              <i>Минимум</i> {say(point.low)}
            </span>
          </>
        )}
        <span>
          {props.kind === "candles" && <i>Закрытие </i>}
          {say(point.close)}
          {nbsp}
          {unit}
        </span>
        {hasSecond && (
          <span>
            <i>{props.secondSeriesName}</i> {secondNow === null || secondNow === undefined ? "—" : say(secondNow)}
          </span>
        )}
      </p>
      <div
        className="price-chart__plot"
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={leave}
        onPointerCancel={() => setIndex(null)}
      >
        {Object.entries(frames).map(([className, { frame, small, ticks, most }]) => (
          <Drawing
            key={className}
            {...props}
            secondSeries={secondSeries}
            frame={isSmall ? small : frame}
            className={className}
            mark={index === null ? null : at}
            most={most}
            ticks={ticks}
          />
        ))}
        {isAwake && (
          <input
            type="range"
            className="price-chart__keys"
            min={0}
            max={points.length - 1}
            value={at}
            aria-label={`${label}: значения по порядку`}
            aria-valuetext={readout}
            onChange={(event) => setIndex(Number(event.target.value))}
            onBlur={() => setIndex(null)}
          />
        )}
      </div>
    </figure>
  );
}

type DrawingProps = PriceChartProps & {
  secondSeries: readonly (number | null)[];
  frame: ChartFrame;
  className: string;
  mark: number | null;
  ticks: number;
  most: number;
};

function Drawing({
  points,
  secondSeries,
  secondSeriesName,
  kind,
  label,
  unit,
  decimals,
  tickText,
  frame,
  className,
  mark,
  ticks,
  most,
}: DrawingProps) {
  const { x, y, step, rows } = chartScale(points, secondSeries, frame);
  const candles = merged(points, most);
  const texts = points.map(({ at }) => tickText(at));
  const rowDecimals = rows.some((row) => !Number.isInteger(row)) ? decimals : 0;
  const last = points.at(-1);
  const lastSecond = secondSeries.findLast((value) => value !== null) ?? null;
  const isWide = frame.right < frame.width;
  const nowY = last ? y(last.close) : 0;
  const secondY = lastSecond === null ? 0 : apart(y(lastSecond), nowY);
  return (
    <svg
      className={className}
      viewBox={`0 0 ${frame.width} ${frame.height}`}
      role="img"
      aria-label={`${label}. Сейчас ${last ? number(last.close, decimals) : ""} ${unit}`}
    >
      {rows.map((row, index) => (
        <g key={row}>
          <line className={index === 0 ? "baseline" : "gridline"} x1={0} x2={frame.right} y1={y(row)} y2={y(row)} />
          <text x={0} y={y(row) - 6}>
            {number(row, rowDecimals)}
            {index === rows.length - 1 && `${nbsp}${unit}`}
          </text>
        </g>
      ))}
      {tickPlaces(texts, ticks)
        .filter((index) => x(index) < frame.right - 44)
        .map((index) => (
          <text key={index} x={round(x(index) - step / 2)} y={frame.height - 14}>
            {texts[index]}
          </text>
        ))}
      {secondSeries.length > 0 && <path className="beside-line" d={stairs(secondSeries, frame, step, y)} />}
      {kind === "line" && <path className="line" d={`M${points.map(({ close }, index) => `${x(index)} ${y(close)}`).join("L")}`} />}
      {kind === "steps" && (
        <path
          className="line"
          d={stairs(
            points.map(({ close }) => close),
            frame,
            step,
            y,
          )}
        />
      )}
      {kind === "candles" && <Candles points={candles.points} x={(nth) => x(candles.places[nth] ?? 0)} y={y} step={step * candles.size} />}
      {mark !== null && <line className="pointer" x1={x(mark)} x2={x(mark)} y1={frame.top} y2={frame.bottom} />}
      {isWide && last && (
        <>
          <line className="now-tick" x1={frame.right} x2={frame.right + 8} y1={nowY} y2={nowY} />
          <text className="now-label" x={frame.right + 14} y={nowY + 4}>
            Сейчас {number(last.close, decimals)} {unit}
          </text>
          {lastSecond !== null && secondSeriesName && (
            <text className="beside-label" x={frame.right + 14} y={secondY + 4}>
              {secondSeriesName} {number(lastSecond, decimals)}
            </text>
          )}
        </>
      )}
    </svg>
  );
}

/** All wicks, rising bodies and falling bodies are one path each: a year of candles is four elements. */
function Candles({
  points,
  x,
  y,
  step,
}: {
  points: readonly ChartPoint[];
  x: (index: number) => number;
  y: (value: number) => number;
  step: number;
}) {
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
      <path className="wick" d={path(wick, (_, index) => index < last)} />
      <path className="rise" d={path(body, ({ open, close }, index) => index < last && close >= open)} />
      <path className="fall" d={path(body, ({ open, close }, index) => index < last && close < open)} />
      <path className="latest" d={path(wick, (_, index) => index === last) + path(body, (_, index) => index === last)} />
    </>
  );
}

/** A line of steps: each value holds until the next one. */
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
