import { counted, dayAndTime, roublesAndKopecks } from "#kit/format.ts";
import { faint, ink, numberPages, openSheet, tagged } from "#kit/documents/pdf-sheet.ts";
import { pdfTable } from "#kit/documents/pdf-table.ts";
import type { DeliveryType } from "#shop/delivery/delivery.ts";
import type { OrderToPack } from "#shop/orders/parcel/order-to-pack.ts";
import { handOverTexts, packingWords as words } from "./texts.ru.ts";

/** The list that the courier signs. The declared value is on it only for a role that may see sums; the courier has it in the waybill. */
export function handOverPdf(
  orders: readonly OrderToPack[],
  { type, author, madeAt, showsValue }: { type: DeliveryType; author: string; madeAt: Date; showsValue: boolean },
): Promise<Buffer> {
  const title = words.handOver(handOverTexts[type]);
  const { pdf, bytes } = openSheet({ title, author, madeAt });
  tagged(pdf, "P", () => pdf.font("regular").fontSize(9).fillColor(faint).text(author));
  tagged(pdf, "H1", () => pdf.font("medium").fontSize(17).fillColor(ink).text(title));
  tagged(pdf, "P", () =>
    pdf
      .font("regular")
      .fontSize(9.5)
      .fillColor(faint)
      .text(`${dayAndTime(madeAt)} · ${words.handOverSummary(counted(orders.length, words.orderForms))}`)
      .moveDown(0.8),
  );
  pdfTable(
    pdf,
    [
      { head: words.number, width: 10, isRight: true },
      { head: words.order, width: 24 },
      { head: words.tracking, width: 40 },
      { head: words.seal, width: 40 },
      { head: words.pieces, width: 16, isRight: true },
      ...(showsValue ? [{ head: words.declared, width: 40, isRight: true }] : []),
    ],
    orders.map((order, index) => [
      String(index + 1),
      String(order.number),
      order.parcel?.trackingNumber ?? words.noValue,
      order.sealNumber ?? words.noValue,
      String(order.lines.reduce((sum, { quantity }) => sum + quantity, 0)),
      ...(showsValue ? [order.declaredValue === null ? words.noValue : roublesAndKopecks(order.declaredValue)] : []),
    ]),
    10,
  );
  pdf.moveDown(2);
  for (const side of [words.given, words.received])
    tagged(pdf, "P", () =>
      pdf.font("regular").fontSize(10).fillColor(ink).text(`${side} ${words.blank}${words.blank} ${words.signature}`).moveDown(1.4),
    );
  numberPages(pdf, [{ name: title, from: 0 }]);
  pdf.end();
  return bytes;
}
