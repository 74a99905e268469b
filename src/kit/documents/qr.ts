import makeQr from "qrcode-generator";

/** A QR code as an SVG path that fills the dark squares of `size` × `size` units, including the quiet zone of four units. */
export type Qr = { size: number; path: string };

const quiet = 4;

/** Encodes text as UTF-8 with 15 % error correction. The path contains only path syntax, for any text. Throws above about 2,300 bytes. */
export function qrOf(text: string): Qr {
  const code = makeQr(0, "M");
  // The package encodes letters as Latin-1 unless it is given bytes: each byte becomes a character of its own.
  code.addData(String.fromCharCode(...new TextEncoder().encode(text)), "Byte");
  code.make();
  const count = code.getModuleCount();
  const rows = Array.from({ length: count }, (_, row) =>
    runsOf(count, (column) => code.isDark(row, column))
      .map(([from, length]) => `M${from + quiet} ${row + quiet}h${length}v1h-${length}z`)
      .join(""),
  );
  return { size: count + 2 * quiet, path: rows.join("") };
}

/** Adjacent dark squares are drawn as one, which makes the path three times shorter. */
function runsOf(count: number, isDark: (column: number) => boolean): [from: number, length: number][] {
  const runs: [number, number][] = [];
  for (let column = 0; column < count; column += 1) {
    if (!isDark(column)) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === column) last[1] += 1;
    else runs.push([column, 1]);
  }
  return runs;
}
