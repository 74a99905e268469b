import { Marked, type Token, type Tokens } from "marked";
import { faint, hairline, ink, millimetre, numberPages, openSheet, tagged, type Sheet } from "#kit/documents/pdf-sheet.ts";

/**
 * A text to be rendered as a PDF of A4 pages. `markdown` has headings, paragraphs, lists and tables; its placeholders are already filled.
 */
export type PdfText = { title: string; markdown: string; author: string; editedOn: string | null; publicUrl: string };

/** The same text gives the same bytes, so that browsers can cache it. */
export async function documentPdf({ title, markdown, author, editedOn, publicUrl }: PdfText): Promise<Buffer> {
  const { pdf, bytes } = openSheet({ title, author, madeAt: new Date(`${editedOn ?? "2026-01-01"}T00:00:00Z`) });
  tagged(pdf, "H1", () => pdf.font("medium").fontSize(20).fillColor(ink).text(title, { lineGap: 2 }));
  if (editedOn)
    tagged(pdf, "P", () =>
      pdf
        .moveDown(0.4)
        .font("regular")
        .fontSize(9)
        .fillColor(faint)
        .text(`${author}. Редакция от ${editedOn.split("-").toReversed().join(".")}`),
    );
  pdf.moveDown(0.8);
  for (const token of new Marked({ gfm: true }).lexer(markdown)) block(pdf, token, publicUrl);
  numberPages(pdf, [{ name: title, from: 0 }]);
  pdf.end();
  return bytes;
}

function block(pdf: Sheet, token: Token, publicUrl: string): void {
  switch (token.type) {
    case "heading":
      if (pdf.y > pdf.page.height - (60 * millimetre) / 2) pdf.addPage(); // a heading is not separated from its text
      return tagged(pdf, "H2", () =>
        pdf
          .moveDown(0.8)
          .font("medium")
          .fontSize(13)
          .fillColor(ink)
          .text(plain((token as Tokens.Heading).tokens))
          .moveDown(0.35),
      );
    case "paragraph":
      return tagged(pdf, "P", () => {
        line(pdf, (token as Tokens.Paragraph).tokens, publicUrl);
        pdf.moveDown(0.55);
      });
    case "list":
      for (const item of (token as Tokens.List).items) {
        tagged(pdf, "P", () => {
          const { x, y } = pdf;
          pdf.font("regular").fontSize(10).fillColor(ink).text("—", x, y, { lineBreak: false });
          pdf.x = x + 14;
          pdf.y = y;
          line(
            pdf,
            item.tokens.flatMap((each) => ("tokens" in each && each.tokens ? each.tokens : [each])),
            publicUrl,
            pdf.page.width - pdf.page.margins.right - x - 14,
          );
          pdf.x = x;
          pdf.moveDown(0.25);
        });
      }
      return void pdf.moveDown(0.3);
    case "table":
      return table(pdf, token as Tokens.Table);
    default:
      return undefined;
  }
}

type Run = { text: string; isStrong: boolean; link: string | null };

function runsOf(tokens: readonly Token[], publicUrl: string, isStrong = false): Run[] {
  return tokens
    .flatMap((token): Run[] => {
      if (token.type === "strong") return runsOf((token as Tokens.Strong).tokens, publicUrl, true);
      if (token.type === "link")
        return [{ text: plain((token as Tokens.Link).tokens), isStrong, link: new URL((token as Tokens.Link).href, publicUrl).href }];
      if ("tokens" in token && token.tokens) return runsOf(token.tokens, publicUrl, isStrong);
      return [{ text: "text" in token ? String(token.text).replaceAll("\n", " ") : "", isStrong, link: null }];
    })
    .filter(({ text }) => text !== "");
}

const plain = (tokens: readonly Token[]): string =>
  runsOf(tokens, "https://shop.example")
    .map(({ text }) => text)
    .join("");

function line(pdf: Sheet, tokens: readonly Token[], publicUrl: string, width?: number): void {
  const runs = runsOf(tokens, publicUrl);
  runs.forEach(({ text, isStrong, link }, index) => {
    pdf
      .font(isStrong ? "medium" : "regular")
      .fontSize(10)
      .fillColor(ink)
      .text(text, {
        continued: index < runs.length - 1,
        lineGap: 2.5,
        link,
        underline: link !== null,
        ...(width === undefined ? {} : { width }),
      });
  });
}

/** Columns of equal width; each row is as high as its highest cell and stays on one page. */
function table(pdf: Sheet, { header, rows }: Tokens.Table): void {
  const left = pdf.page.margins.left;
  const whole = pdf.page.width - left - pdf.page.margins.right;
  const gap = 10;
  const width = (whole - gap * (header.length - 1)) / header.length;
  const options = { width, lineGap: 1.5 };
  const draw = (cells: readonly Tokens.TableCell[], isHead: boolean) => {
    pdf.font(isHead ? "medium" : "regular").fontSize(9);
    const texts = cells.map((cell) => plain(cell.tokens));
    const height = Math.max(...texts.map((text) => pdf.heightOfString(text, options)));
    if (pdf.y + height > pdf.page.height - pdf.page.margins.bottom) pdf.addPage();
    const top = pdf.y;
    texts.forEach((text, column) =>
      tagged(pdf, "P", () => pdf.fillColor(isHead ? faint : ink).text(text, left + column * (width + gap), top, options)),
    );
    pdf.x = left;
    pdf.y = top + height + 4;
    hairline(pdf, left, left + whole, pdf.y);
    pdf.y += 5;
  };
  draw(header, true);
  for (const row of rows) draw(row, false);
  pdf.moveDown(0.5);
}
