/** One step of a chart; values in the unit that is shown, `at` in milliseconds. */
export type ChartPoint = { at: number; open: number; high: number; low: number; close: number };
/** Where things are drawn, in the units of the drawing's viewBox. */
export type ChartFrame = { width: number; height: number; left: number; right: number; top: number; bottom: number };
/** As many rows as have room: one for each so many units of the drawing's height, eight at most. */
const unitsPerRow = 55;

export type ChartScale = { x: (index: number) => number; y: (value: number) => number; step: number; rows: number[] };

/** Places points evenly by their number (nights and weekends take no room) and values between round figures. */
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

/** At most `most` steps, each of as many neighbours: opened by the first, closed by the last. `places` are their numbers among the points, halves included. */
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

/** Round figures that hold the range between them, about `steps` steps apart and at most two more. */
export function roundRows(low: number, high: number, steps = 6): number[] {
  const span = high > low ? high - low : Math.max(Math.abs(high) * 0.01, 0.01);
  const rough = span / Math.max(1, steps);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10) * power;
  const from = Math.floor(low / step);
  const to = Math.max(Math.ceil(high / step), from + 1);
  return Array.from({ length: to - from + 1 }, (_, index) => Number(((from + index) * step).toPrecision(12)));
}

/** Indexes at which the text of a point differs from the one before, thinned to at most `most`; the first is left out, its step may have begun earlier. */
export function tickPlaces(texts: readonly string[], most: number): number[] {
  const changes = texts.flatMap((text, index) => (index > 0 && text !== texts[index - 1] ? [index] : []));
  const every = Math.ceil(changes.length / most);
  return changes.filter((_, index) => index % Math.max(1, every) === 0);
}

export const round = (value: number): number => Math.round(value * 10) / 10;
