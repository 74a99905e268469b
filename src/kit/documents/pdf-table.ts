import { faint, hairline, ink, millimetre, tagged, type Sheet } from "./pdf-sheet.ts";

/** A column of a printed table: its head, its width in millimetres, and whether it is aligned to the right. */
export type PdfColumn = { head: string; width: number; isRight?: boolean };

/**
 * Draws a table from the present height on, with a new page and the head again where a row does not fit. Throws when the columns are wider
 * than the page between its margins: printers cut off what stands beyond them.
 */
export function pdfTable(pdf: Sheet, columns: readonly PdfColumn[], rows: readonly (readonly string[])[], size = 9): void {
  const { left, right } = pdf.page.margins;
  const gap = 6;
  const whole = columns.reduce((sum, { width }) => sum + width * millimetre, 0);
  const room = pdf.page.width - left - right;
  if (whole > room + 1) throw new Error(`the columns need ${Math.ceil(whole / millimetre)} mm of ${Math.floor(room / millimetre)}`);
  const draw = (cells: readonly string[], isHead: boolean) => {
    pdf.font(isHead ? "medium" : "regular").fontSize(isHead ? 8 : size);
    const options = columns.map(({ width, isRight }) => ({
      width: width * millimetre - gap,
      lineGap: 1.5,
      align: isRight ? ("right" as const) : ("left" as const),
    }));
    const height = Math.max(...cells.map((text, column) => pdf.heightOfString(text, options[column])));
    if (pdf.y + height > pdf.page.height - pdf.page.margins.bottom) {
      pdf.addPage();
      if (!isHead) draw(heads, true);
      pdf.font("regular").fontSize(size);
    }
    const top = pdf.y;
    let x = left;
    cells.forEach((text, column) => {
      tagged(pdf, "P", () => pdf.fillColor(isHead ? faint : ink).text(text, x, top, options[column] ?? {}));
      x += (columns[column]?.width ?? 0) * millimetre;
    });
    pdf.x = left;
    pdf.y = top + height + 4;
    hairline(pdf, left, left + whole, pdf.y, isHead ? ink : undefined);
    pdf.y += 5;
  };
  const heads = columns.map(({ head }) => head);
  draw(heads, true);
  for (const cells of rows) draw(cells, false);
}
