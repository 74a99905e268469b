import type { Query } from "../../request/query.ts";

export const formats = ["webp", "avif", "jpeg"] as const;
export type Format = (typeof formats)[number];
export const fits = ["cover", "contain", "fill", "inside", "outside"] as const;
type Fit = (typeof fits)[number];

/** The only widths, heights (pixels) and qualities that exist: requested values are rounded to the nearest one. */
export const sides = [64, 96, 160, 240, 320, 480, 640, 800, 960, 1200, 1600, 1920] as const;
export const qualities = [30, 45, 60, 76, 85, 95] as const;
/**
 * The named background colours. Any other becomes the nearest of these or of `steps` in each channel: sixteen million free colours would be
 * as many files.
 */
export const backgrounds = { transparent: null, white: "ffffff", black: "000000", paper: "f4f1ea", ink: "14110d" } as const;
const steps = [0x00, 0x55, 0xaa, 0xff] as const;

/** The modifiers of a variant in canonical form: equal requests give equal objects, key by key. */
export type Modifiers = {
  format: Format;
  width: number | null;
  height: number | null;
  fit: Fit;
  quality: number;
  background: string | null;
};

const defaultQuality: Record<Format, number> = { webp: 76, avif: 60, jpeg: 76 };
const knownParameters = new Set(["url", "format", "fit", "width", "height", "resize", "quality", "background"]);

/** AVIF must be named in the header: the wildcard that every browser sends does not imply it. */
export const takesAvif = (accept: string | undefined): boolean =>
  /(^|[\s,])image\/avif(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accept?.slice(0, 500) ?? "");

/**
 * The modifiers of a query, rounded to existing values; null if one is malformed or unknown. `resize=320x200` is width and height in one.
 * Without `format` the format depends on the Accept header, and only then does the answer vary (`isNegotiated`).
 */
export function readModifiers(query: Query, accept: string | undefined): { modifiers: Modifiers; isNegotiated: boolean } | null {
  if (Object.keys(query).some((name) => !knownParameters.has(name))) return null;
  const isNegotiated = query.format === undefined;
  const format = isNegotiated ? (takesAvif(accept) ? "avif" : "webp") : oneOf(formats, query.format === "jpg" ? "jpeg" : query.format);
  const box = readBox(query);
  const fit = query.fit === undefined ? "cover" : oneOf(fits, query.fit);
  const background = query.background === undefined ? null : readBackground(query.background);
  if (format === null || box === null || fit === null || background === undefined) return null;
  const quality = query.quality === undefined ? defaultQuality[format] : nearestOf(qualities, query.quality, 100);
  if (quality === null) return null;
  const isBoxed = box.width !== null && box.height !== null;
  return {
    isNegotiated,
    modifiers: {
      format,
      ...box,
      fit: isBoxed ? fit : "cover",
      quality,
      background: background ?? (format === "jpeg" ? backgrounds.white : null),
    },
  };
}

function readBox({ width, height, resize }: Query): { width: number | null; height: number | null } | null {
  if (resize !== undefined && (width !== undefined || height !== undefined)) return null;
  const pair = resize === undefined ? [width, height] : (/^(\d{1,5})x(\d{1,5})$/.exec(resize)?.slice(1) ?? null);
  if (!pair) return null;
  const [across, down] = pair.map((each) => (each === undefined ? undefined : nearestOf(sides, each, 10_000)));
  return across === null || down === null ? null : { width: across ?? null, height: down ?? null };
}

/** The nearest value of `list`; null unless the text is a whole number from 1 to `most`. */
function nearestOf(list: readonly number[], text: string, most: number): number | null {
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > most) return null;
  const wanted = Number(text);
  return list.reduce((best, each) => (Math.abs(each - wanted) < Math.abs(best - wanted) ? each : best));
}

const oneOf = <T extends string>(list: readonly T[], text: string | undefined): T | null => list.find((each) => each === text) ?? null;

/** A named colour, or `f4f1ea`, `#f4f1ea`, `#fff`; undefined if it is neither. */
function readBackground(text: string): string | null | undefined {
  const byName = Object.entries(backgrounds).find(([name]) => name === text);
  if (byName) return byName[1];
  const colour = text.replace(/^#/, "").toLowerCase();
  if (!/^([0-9a-f]{3}|[0-9a-f]{6})$/.test(colour)) return undefined;
  const wanted = channels(colour.length === 3 ? colour.replaceAll(/./g, "$&$&") : colour);
  const nearest = wanted.map((value) =>
    steps.reduce((best: number, each) => (Math.abs(each - value) < Math.abs(best - value) ? each : best), steps[0]),
  );
  return [
    ...Object.values(backgrounds).filter((each) => each !== null),
    nearest.map((value) => value.toString(16).padStart(2, "0")).join(""),
  ].reduce((best, each) => (colourDistance(channels(each), wanted) < colourDistance(channels(best), wanted) ? each : best));
}

const channels = (colour: string): number[] => [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
const colourDistance = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0);
