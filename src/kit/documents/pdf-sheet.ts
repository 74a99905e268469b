import type * as Fontkit from "fontkit";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type Pdf from "pdfkit";

/** pdfkit and the fonts, read once for all documents: reading a font takes as long as drawing an invoice. */
type Tools = { Pdf: typeof Pdf; regular: Fontkit.Font; medium: Fontkit.Font };
let tools: Tools | undefined;

/** Loaded with the first document: it takes a tenth of a second and several megabytes, and most processes print nothing for hours. */
function loadTools(): Tools {
  const load = createRequire(import.meta.url);
  const fontkit = load("fontkit") as typeof Fontkit;
  const open = (name: string): Fontkit.Font => {
    const font = fontkit.create(readFileSync(join(import.meta.dirname, "fonts", name)));
    // A glyph keeps the characters for which it was read first. It may be read without any, as a part of another glyph; in later
    // documents text with such a glyph could not be searched. So each is read for its own character before anything else.
    for (const character of font.characterSet) font.glyphForCodePoint(character);
    return font;
  };
  return { Pdf: load("pdfkit") as typeof Pdf, regular: open("golos-text-regular.ttf"), medium: open("golos-text-medium.ttf") };
}

/** Colours of a printed sheet. */
export const ink = "#1a1713";
export const faint = "#6d655a";
export const rule = "#d8cfc0";
export const millimetre = 72 / 25.4;

export type Sheet = InstanceType<typeof Pdf>;

type SheetOptions = { title: string; author: string; madeAt: Date; size?: "A4" | "A5" | "A6" };

/** A document in the shop's typeface, fonts `regular` and `medium`. `madeAt` is its date, so that equal content gives equal bytes. */
export function openSheet({ title, author, madeAt, size = "A4" }: SheetOptions): { pdf: Sheet; bytes: Promise<Buffer> } {
  const margin = size === "A4" ? 22 : 10;
  tools ??= loadTools();
  const pdf = new tools.Pdf({
    size,
    font: "", // otherwise pdfkit reads Helvetica for each document
    margins: {
      top: margin * millimetre,
      bottom: margin * millimetre,
      left: (size === "A4" ? 20 : margin) * millimetre,
      right: (size === "A4" ? 20 : margin) * millimetre,
    },
    lang: "ru-RU",
    tagged: true,
    displayTitle: true,
    pdfVersion: "1.7",
    bufferPages: true,
    info: { Title: title, Author: author, CreationDate: madeAt },
  });
  pdf.registerFont("regular", tools.regular).registerFont("medium", tools.medium);
  const chunks: Buffer[] = [];
  const bytes = new Promise<Buffer>((resolve, reject) => {
    pdf
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => resolve(Buffer.concat(chunks)))
      .on("error", reject);
  });
  return { pdf, bytes };
}

/** Draws content tagged for screen readers: `H1`, `P`. */
export function tagged(pdf: Sheet, tag: string, draw: () => void): void {
  pdf.addStructure(pdf.struct(tag, {}, draw));
}

/** A line of text with its name in a column before it, `nameWidth` millimetres wide. `fontSize`: of the text, points. */
export function fact(pdf: Sheet, name: string, value: string, { nameWidth, fontSize }: { nameWidth: number; fontSize: number }): void {
  const { left, right } = pdf.page.margins;
  const start = left + nameWidth * millimetre;
  const y = pdf.y;
  tagged(pdf, "P", () => {
    pdf
      .font("regular")
      .fontSize(9)
      .fillColor(faint)
      .text(name, left, y + 1, { width: start - left });
    pdf
      .font("medium")
      .fontSize(fontSize)
      .fillColor(ink)
      .text(value, start, y, { width: pdf.page.width - start - right, lineGap: 1 });
  });
  pdf.x = left;
  pdf.y += 4;
}

/** A hairline across the column; marked as decoration for screen readers. */
export function hairline(pdf: Sheet, from: number, to: number, y: number, colour = rule): void {
  pdf.markContent("Artifact").moveTo(from, y).lineTo(to, y).lineWidth(0.5).stroke(colour).endMarkedContent();
}

/** A document inside of a file: its name, and the index of its first page. */
export type SheetPart = { name: string; from: number };

/**
 * Writes «Счёт 10001 · 1 / 3» below every page, so that a loose page is found again; must be called last, before `pdf.end()`. Each of the
 * parts is counted by itself.
 */
export function numberPages(pdf: Sheet, parts: readonly SheetPart[]): void {
  const { count } = pdf.bufferedPageRange();
  parts.forEach(({ name, from }, index) => {
    const till = parts[index + 1]?.from ?? count;
    for (let page = from; page < till; page += 1) writeBelow(pdf, page, `${name} · ${page - from + 1} / ${till - from}`);
  });
}

function writeBelow(pdf: Sheet, page: number, text: string): void {
  pdf.switchToPage(page);
  const { margins, height, width } = pdf.page;
  const bottom = margins.bottom;
  margins.bottom = 0; // otherwise writing below the margin starts a new page
  pdf
    .markContent("Artifact")
    .font("regular")
    .fontSize(8)
    .fillColor(faint)
    .text(text, margins.left, height - Math.min(14 * millimetre, bottom - 2 * millimetre), {
      width: width - margins.left - margins.right,
      align: "right",
      lineBreak: false,
    })
    .endMarkedContent();
  margins.bottom = bottom;
}
