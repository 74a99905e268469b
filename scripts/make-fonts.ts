import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import subsetFont from "subset-font";

/**
 * Cuts the fonts of the pages: `node scripts/make-fonts.ts <folder>` rewrites `src/web/fonts/*.woff2`. Run by hand when a font or its
 * characters change; the build uses the files as they are. The folder holds `GolosText[wght].ttf` (2.004,
 * github.com/googlefonts/golos-text, fonts/variable) and `Oranienbaum-Regular.ttf` (1.001, 400Regular of the package
 * @expo-google-fonts/oranienbaum 0.4.1).
 *
 * The first view needs the two files without a suffix. The ranges in `styles/tokens.css` are those of the characters here.
 */
const cyrillic = `Ё${range("А", "я")}ё№`;
const signs = ` !"%&'()+,-./0123456789:;?\u00a0«»·°×\u2009\u202f–—“„•…©₽−←↑→↓`;
const latin = `${range("A", "Z")}${range("a", "z")}#*<=>@[]_‘’”≈≤≥`;
const rare = `$\\^\`{|}~${range("¡", "ÿ")}${range("‐", "′")}`;
/** Signs that headings of first views do not have: without them the font of headings comes in one round trip (docs/decisions/0094). */
const rareInHeadings = `"&';°·©“„•…←↑→↓`;
const headingSigns = `${signs}=`.replaceAll(new RegExp(`[${rareInHeadings}]`, "g"), "");

/** Kerning and the figures of one width that prices use; without the alternate letters, which no style uses. */
const keepFeatures = ["kern", "tnum", "lnum", "ccmp", "mark", "locl"];

const golos = "GolosText[wght].ttf";
const oranienbaum = "Oranienbaum-Regular.ttf";
const files = [
  // With Latin letters, which each page has in its header and footer: one file of 16 KB arrives earlier than two of 11 and 7.
  { name: "golos-text", source: golos, text: cyrillic + signs + latin, weights: { min: 400, max: 500 } },
  { name: "golos-text-rare", source: golos, text: rare, weights: { min: 400, max: 500 } },
  { name: "golos-text-bold", source: golos, text: cyrillic + signs + latin, weights: { min: 600, max: 700 } },
  // Without the instructions for coarse screens, which are half of the file and change nothing at the sizes of headings.
  // With the sign of the price formula on the home page.
  { name: "oranienbaum", source: oranienbaum, text: cyrillic + headingSigns, noHinting: true },
  { name: "oranienbaum-latin", source: oranienbaum, text: latin, noHinting: true },
  { name: "oranienbaum-rare", source: oranienbaum, text: rare + rareInHeadings, noHinting: true },
] as const;

function range(first: string, last: string): string {
  const from = first.codePointAt(0) ?? 0;
  return Array.from({ length: (last.codePointAt(0) ?? 0) - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join("");
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("name the folder of the whole fonts");
for (const { name, source, text, ...options } of files) {
  const font = await subsetFont(await readFile(join(folder, source)), text, {
    targetFormat: "woff2",
    keepFeatures,
    ...("weights" in options ? { variationAxes: { wght: options.weights } } : {}),
    ...("noHinting" in options ? { noHinting: options.noHinting } : {}),
  });
  await writeFile(join(import.meta.dirname, `../src/web/fonts/${name}.woff2`), font);
  console.log(name, (font.length / 1024).toFixed(1), "KB");
}
