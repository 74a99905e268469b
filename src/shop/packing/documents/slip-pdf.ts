import { fact, faint, ink, numberPages, openSheet, tagged, type Sheet, type SheetPart } from "#kit/documents/pdf-sheet.ts";
import { pdfTable } from "#kit/documents/pdf-table.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import type { OrderToPack } from "#shop/orders/parcel/order-to-pack.ts";
import { destinationOf } from "../packing.ts";
import { metalTexts, packingWords as words } from "./texts.ru.ts";

/** Columns of the facts around the table. */
const facts = { nameWidth: 28, fontSize: 10 };

/** Packing slips, each order on a sheet of A5 of its own. They go into the parcel: no sums, no phone, no street. */
export function slipsPdf(
  orders: readonly OrderToPack[],
  coins: ReadonlyMap<number, Coin>,
  { author, madeAt }: { author: string; madeAt: Date },
): Promise<Buffer> {
  const [first] = orders;
  const { pdf, bytes } = openSheet({ title: words.slip(first?.number ?? 0), author, madeAt, size: "A5" });
  const parts: SheetPart[] = [];
  for (const order of orders) {
    if (parts.length > 0) pdf.addPage();
    parts.push({ name: words.slip(order.number), from: pdf.bufferedPageRange().count - 1 });
    slip(pdf, order, coins, author);
  }
  numberPages(pdf, parts);
  pdf.end();
  return bytes;
}

function slip(pdf: Sheet, order: OrderToPack, coins: ReadonlyMap<number, Coin>, author: string): void {
  tagged(pdf, "P", () => pdf.font("regular").fontSize(9).fillColor(faint).text(author));
  tagged(pdf, "H1", () => pdf.font("medium").fontSize(14).fillColor(ink).text(words.slip(order.number)).moveDown(0.6));
  fact(pdf, words.recipient, order.recipient, facts);
  fact(pdf, words.delivery, destinationOf(order), facts);
  pdf.moveDown(0.6);
  pdfTable(
    pdf,
    [
      { head: words.catalogueNumber, width: 26 },
      { head: words.title, width: 54 },
      { head: words.year, width: 14 },
      { head: words.metal, width: 20 },
      { head: words.pieces, width: 14, isRight: true },
    ],
    order.lines.map(({ coinId, title, quantity }) => {
      const coin = coins.get(coinId);
      const metal = coin ? metalTexts[coin.metal] : "";
      return [coin?.catalogueNumber ?? `${words.article} ${coinId}`, title, coin ? String(coin.year) : "", metal, String(quantity)];
    }),
  );
  const pieces = order.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  tagged(pdf, "P", () => pdf.font("medium").fontSize(10).fillColor(ink).text(words.total(pieces)).moveDown(1));
  if (order.needsSeal) fact(pdf, words.seal, order.sealNumber ?? words.blank, facts);
  fact(pdf, words.packedBy, words.blank, facts);
}
