import { counted, dayAndTime } from "#kit/format.ts";
import { faint, ink, numberPages, openSheet, tagged } from "#kit/documents/pdf-sheet.ts";
import { pdfTable } from "#kit/documents/pdf-table.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import { destinationOf, pickList, type Batch } from "../packing.ts";
import { metalTexts, packingWords as words } from "./texts.ru.ts";

/** What to take from the shelves for a batch, summed by coin, with the places on the table the pieces go to; then what is on each place. */
export function pickListPdf(batch: Batch, coins: ReadonlyMap<number, Coin>, author: string): Promise<Buffer> {
  const title = words.pickList(batch.id);
  const { pdf, bytes } = openSheet({ title, author, madeAt: batch.createdAt });
  const picks = pickList(batch.orders);
  const active = batch.orders.filter(({ outcome, isGone }) => outcome !== "postponed" && !isGone);
  tagged(pdf, "H1", () => pdf.font("medium").fontSize(17).fillColor(ink).text(title));
  const pieces = picks.reduce((sum, pick) => sum + pick.pieces, 0);
  tagged(pdf, "P", () =>
    pdf
      .font("regular")
      .fontSize(9.5)
      .fillColor(faint)
      .text(`${dayAndTime(batch.createdAt)} · ${words.pickSummary(counted(active.length, words.orderForms), pieces)}`)
      .moveDown(0.8),
  );
  pdfTable(
    pdf,
    [
      { head: words.take, width: 14, isRight: true },
      { head: words.coin, width: 84 },
      { head: words.catalogueNumber, width: 28 },
      { head: words.places, width: 44 },
    ],
    picks.map(({ coinId, title: name, pieces: take, places }) => [
      String(take),
      [name, coinFacts(coins.get(coinId))].filter(Boolean).join("\n"),
      coins.get(coinId)?.catalogueNumber ?? `${words.article} ${coinId}`,
      places.map((each) => words.place(each.place, each.pieces)).join(", "),
    ]),
    10.5,
  );
  pdf.moveDown(1);
  tagged(pdf, "H2", () => pdf.font("medium").fontSize(12).fillColor(ink).text(words.placesTitle).moveDown(0.4));
  pdfTable(
    pdf,
    [
      { head: words.placeColumn, width: 16, isRight: true },
      { head: words.order, width: 24 },
      { head: words.pieces, width: 16, isRight: true },
      { head: words.where, width: 114 },
    ],
    active.map(({ order, place }) => [
      String(place),
      String(order.number),
      String(order.lines.reduce((sum, { quantity }) => sum + quantity, 0)),
      destinationOf(order),
    ]),
  );
  numberPages(pdf, [{ name: title, from: 0 }]);
  pdf.end();
  return bytes;
}

/** «2026, золото, ММД»: what distinguishes coins of one name. */
export const coinFacts = (coin: Coin | undefined): string =>
  coin ? [String(coin.year), metalTexts[coin.metal], coin.mint].filter(Boolean).join(", ") : "";
