import { roublesAndKopecks } from "#kit/format.ts";
import { faint, hairline, ink, millimetre, numberPages, openSheet, tagged, type Sheet } from "#kit/documents/pdf-sheet.ts";
import { qrRuns } from "#kit/documents/qr.ts";
import { invoiceWords as words, sumInWords } from "./invoice-texts.ru.ts";
import type { Invoice } from "./invoice.ts";

/** Widths of the table's columns, millimetres; the name takes the rest. */
const columns = [8, 78, 16, 26, 16, 26] as const;
const qrSide = 38 * millimetre;

/** An invoice as a PDF of A4. The same invoice gives the same bytes; `madeAt` is the order's own time. */
export function invoicePdf(invoice: Invoice, madeAt: Date): Promise<Buffer> {
  const title = words.title(invoice.number, invoice.day);
  const { pdf, bytes } = openSheet({ title, author: invoice.seller.name, madeAt });
  bankBox(pdf, invoice);
  tagged(pdf, "H1", () => pdf.font("medium").fontSize(17).fillColor(ink).text(title, { lineGap: 2 }));
  pdf.moveDown(0.5);
  if (invoice.payUntil) paragraph(pdf, words.deadline(invoice.payUntil));
  if (invoice.missing === 0) paragraph(pdf, words.paid);
  const { seller } = invoice;
  const facts = [seller.name, `${words.inn} ${seller.inn}`, seller.kpp && `${words.kpp} ${seller.kpp}`, seller.address];
  paragraph(pdf, `${words.seller}: ${facts.filter(Boolean).join(", ")}`);
  paragraph(pdf, `${words.buyer}: ${invoice.buyer}`);
  pdf.moveDown(0.4);
  table(pdf, invoice);
  sums(pdf, invoice);
  numberPages(pdf, [{ name: title, from: 0 }]);
  pdf.end();
  return bytes;
}

function paragraph(pdf: Sheet, text: string): void {
  tagged(pdf, "P", () => pdf.font("regular").fontSize(9.5).fillColor(ink).text(text, { lineGap: 2 }).moveDown(0.35));
}

/** The bank details in the order used by banks, with the QR code beside them. */
function bankBox(pdf: Sheet, { seller, purpose, qrText }: Invoice): void {
  const { left, right } = pdf.page.margins;
  const top = pdf.y;
  const end = pdf.page.width - right;
  const width = end - left - (qrText ? qrSide + 8 * millimetre : 0);
  const rows: [string, string][] = [
    [words.payee, seller.name],
    [words.inn, seller.inn],
    ...(seller.kpp ? [[words.kpp, seller.kpp] as [string, string]] : []),
    [words.account, seller.account],
    [words.bank, seller.bank],
    [words.bic, seller.bic],
    [words.corrAccount, seller.corrAccount],
    [words.purpose, purpose],
  ];
  for (const [name, value] of rows) {
    const y = pdf.y;
    tagged(pdf, "P", () => {
      pdf
        .font("regular")
        .fontSize(8.5)
        .fillColor(faint)
        .text(name, left, y, { width: 34 * millimetre });
      pdf
        .font("medium")
        .fontSize(9.5)
        .fillColor(ink)
        .text(value, left + 36 * millimetre, y - 0.5, { width: width - 36 * millimetre, lineGap: 1 });
    });
    pdf.y += 3;
    hairline(pdf, left, left + width, pdf.y);
    pdf.y += 4;
  }
  const below = pdf.y;
  if (qrText) {
    drawQr(pdf, qrText, end - qrSide, top);
    tagged(pdf, "P", () =>
      pdf
        .font("regular")
        .fontSize(7.5)
        .fillColor(faint)
        .text(words.scan, end - qrSide, top + qrSide + 3, { width: qrSide, lineGap: 1 }),
    );
  }
  pdf.x = left;
  pdf.y = Math.max(below, pdf.y) + 6 * millimetre;
}

/**
 * Draws the QR code as one filled path, so that there are no gaps between the squares. Of rectangles, which cost a fifth of drawn lines.
 */
function drawQr(pdf: Sheet, text: string, x: number, y: number): void {
  const { size, runs } = qrRuns(text);
  pdf.addStructure(
    pdf.struct("Figure", { alt: words.scan }, () => {
      pdf
        .save()
        .translate(x, y)
        .scale(qrSide / size);
      for (const run of runs) pdf.rect(run.x, run.y, run.length, 1);
      pdf.fill("#000000").restore();
    }),
  );
}

function table(pdf: Sheet, { lines }: Invoice): void {
  const left = pdf.page.margins.left;
  const widths = columns.map((each) => each * millimetre);
  const whole = widths.reduce((sum, each) => sum + each, 0);
  const gap = 6;
  const draw = (cells: readonly string[], isHead: boolean) => {
    pdf.font(isHead ? "medium" : "regular").fontSize(isHead ? 8 : 9);
    const optionsOf = (column: number) => ({
      width: (widths[column] ?? 0) - gap,
      lineGap: 1.5,
      align: column < 2 ? ("left" as const) : ("right" as const),
    });
    const height = Math.max(...cells.map((text, column) => pdf.heightOfString(text, optionsOf(column))));
    if (pdf.y + height > pdf.page.height - pdf.page.margins.bottom) {
      pdf.addPage();
      if (!isHead) draw(words.columns, true);
      pdf.font("regular").fontSize(9);
    }
    const top = pdf.y;
    let x = left;
    cells.forEach((text, column) => {
      tagged(pdf, "P", () => pdf.fillColor(isHead ? faint : ink).text(text, column < 2 ? x : x + gap, top, optionsOf(column)));
      x += widths[column] ?? 0;
    });
    pdf.x = left;
    pdf.y = top + height + 4;
    hairline(pdf, left, left + whole, pdf.y, isHead ? ink : undefined);
    pdf.y += 5;
  };
  draw(words.columns, true);
  lines.forEach((line, index) =>
    draw(
      [
        String(index + 1),
        line.title,
        String(line.quantity),
        roublesAndKopecks(line.price),
        line.vatRate === null ? words.noVat : words.vatRate(line.vatRate),
        roublesAndKopecks(line.sum),
      ],
      false,
    ),
  );
}

function sums(pdf: Sheet, { total, promo, vat, received, missing, dropped, isDeliveryPricedLater }: Invoice): void {
  const { left, right, bottom } = pdf.page.margins;
  const width = pdf.page.width - left - right;
  if (pdf.y + 40 * millimetre > pdf.page.height - bottom) pdf.addPage(); // keeps the block of sums on one page
  const row = (name: string, value: string, isStrong = false) => {
    const y = pdf.y;
    tagged(pdf, "P", () => {
      pdf
        .font(isStrong ? "medium" : "regular")
        .fontSize(isStrong ? 11 : 9.5)
        .fillColor(ink)
        .text(name, left, y, { width: width - 40 * millimetre, align: "right" })
        .text(value, left + width - 40 * millimetre, y, { width: 40 * millimetre, align: "right" });
    });
    pdf.y += 3;
  };
  if (promo) row(words.promo(promo.code), roublesAndKopecks(promo.discount));
  row(words.total, roublesAndKopecks(total), true);
  if (vat.length === 0) row(words.withoutVat, "—");
  for (const { rate, amount } of vat) row(words.vatTotal(rate), roublesAndKopecks(amount));
  if (received > 0) row(words.received, roublesAndKopecks(received));
  if (received > 0 && missing > 0) row(words.missing, roublesAndKopecks(missing), true);
  pdf.x = left;
  pdf.moveDown(0.6);
  paragraph(pdf, `${words.toPay}: ${sumInWords(missing > 0 ? missing : total)}.`);
  if (dropped.length > 0) paragraph(pdf, words.dropped(dropped));
  if (isDeliveryPricedLater) paragraph(pdf, words.deliveryLater);
}
