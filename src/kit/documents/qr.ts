import { encodeQR } from "qr";

/** A QR code as an SVG path that fills the dark squares of `size` × `size` units, including the quiet zone of four units. */
export type Qr = { size: number; path: string };

/** Adjacent dark squares of a row, from the left upper corner (`x`, `y`), one unit high. */
type Run = { x: number; y: number; length: number };

const quietZone = 4;

/** Encodes text as UTF-8 with 15 % error correction. The path contains only path syntax, for any text. Throws above about 2,300 bytes. */
export function qrOf(text: string): Qr {
  const { size, runs } = qrRuns(text);
  return { size, path: runs.map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`).join("") };
}

/** The same as rectangles: adjacent dark squares are drawn as one, which is three times shorter. */
export function qrRuns(text: string): { size: number; runs: Run[] } {
  const rows = encodeQR(text, "raw", { ecc: "medium", encoding: "byte", border: quietZone });
  return { size: rows.length, runs: rows.flatMap(runsOf) };
}

function runsOf(row: readonly boolean[], y: number): Run[] {
  const runs: Run[] = [];
  row.forEach((isDark, x) => {
    if (!isDark) return;
    const last = runs.at(-1);
    if (last && last.x + last.length === x) last.length += 1;
    else runs.push({ x, y, length: 1 });
  });
  return runs;
}
