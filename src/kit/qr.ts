import makeQr from "qrcode-generator";

/** A QR code as a drawing: `path` fills the dark squares of a field of `size` × `size` units, SVG path syntax, the quiet zone of four units included. */
export type Qr = { size: number; path: string };

const quiet = 4;

/** Text in UTF-8 as a QR code that survives 15 % of damage. The path is digits and letters of path syntax only, whatever the text is. Throws above about 2,300 bytes. */
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

/** Dark squares side by side are drawn as one: a path of a third of the length. */
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
