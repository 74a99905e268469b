/** One point of a chart; values in the displayed unit, `at` in milliseconds. */
export type ChartPoint = { at: number; open: number; high: number; low: number; close: number };
/** The drawing area, in units of the SVG's viewBox. */
export type ChartFrame = { width: number; height: number; left: number; right: number; top: number; bottom: number };
/** Height of the drawing per grid row, in viewBox units. */
const unitsPerRow = 55;

export type ChartScale = { x: (index: number) => number; y: (value: number) => number; step: number; rows: number[] };

/** Spaces points evenly by index (nights and weekends take no room) and scales values between round numbers. */
export function chartScale(points: readonly ChartPoint[], beside: readonly (number | null)[], frame: ChartFrame): ChartScale {
  const others = beside.filter((value) => value !== null);
  const low = Math.min(...points.map((point) => point.low), ...others);
  const high = Math.max(...points.map((point) => point.high), ...others);
  const rows = roundRows(low, high, Math.min(6, Math.floor((frame.bottom - frame.top) / unitsPerRow)));
  const [bottom = low, top = high] = [rows[0], rows.at(-1)];
  const step = (frame.right - frame.left) / Math.max(1, points.length);
  return {
    rows,
    step,
    x: (index) => round(frame.left + (index + 0.5) * step),
    y: (value) =>
      round(
        top === bottom ? (frame.top + frame.bottom) / 2 : frame.bottom - ((value - bottom) / (top - bottom)) * (frame.bottom - frame.top),
      ),
  };
}

/**
 * Merges neighbours so that at most `most` candles remain. `places` are the middles of the groups as indexes of the original points,
 * halves included.
 */
export function merged(points: readonly ChartPoint[], most: number): { points: ChartPoint[]; places: number[]; size: number } {
  const size = Math.max(1, Math.ceil(points.length / most));
  const groups = Array.from({ length: Math.ceil(points.length / size) }, (_, nth) => points.slice(nth * size, (nth + 1) * size));
  return {
    size,
    points: groups.map((group) => ({
      at: group[0]?.at ?? 0,
      open: group[0]?.open ?? 0,
      close: group.at(-1)?.close ?? 0,
      high: Math.max(...group.map(({ high }) => high)),
      low: Math.min(...group.map(({ low }) => low)),
    })),
    places: groups.map((group, nth) => nth * size + (group.length - 1) / 2),
  };
}

/** Round numbers that cover the range, about `steps` intervals and at most two more. */
export function roundRows(low: number, high: number, steps = 6): number[] {
  const span = high > low ? high - low : Math.max(Math.abs(high) * 0.01, 0.01);
  const rough = span / Math.max(1, steps);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10) * power;
  const from = Math.floor(low / step);
  const to = Math.max(Math.ceil(high / step), from + 1);
  return Array.from({ length: to - from + 1 }, (_, index) => Number(((from + index) * step).toPrecision(12)));
}

/**
 * Indexes at which the text differs from the one before, thinned to at most `most`. The first point is left out, because its interval may
 * have begun earlier.
 */
export function tickPlaces(texts: readonly string[], most: number): number[] {
  const changes = texts.flatMap((text, index) => (index > 0 && text !== texts[index - 1] ? [index] : []));
  const every = Math.ceil(changes.length / most);
  return changes.filter((_, index) => index % Math.max(1, every) === 0);
}

export const round = (value: number): number => Math.round(value * 10) / 10;
