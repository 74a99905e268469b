import { coinForms, counted, day, fineness, grams, priceText, roublesAndKopecks } from "#kit/format.ts";
import { times } from "#kit/money.ts";
import { fact, faint, ink, numberPages, openSheet, tagged } from "#kit/documents/pdf-sheet.ts";
import { pdfTable } from "#kit/documents/pdf-table.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import type { Seller } from "#shop/seller.ts";
import { checkedOf, currentSum, piecesOf, type DealWithLines, type Identity } from "../deal.ts";
import { conditionTexts, contractWords as words, identityTexts, metalTexts } from "./texts.ru.ts";

/** Columns of the facts above the table. */
const facts = { nameWidth: 36, fontSize: 9.5 };

type Parties = { buyer: Seller; identity: Identity; /** Null: to be written by hand. */ account: string | null };

/** Contract of sale and act of a checked deal: parties, coins, sum, place for signatures and, before the payout, for the account. */
export function contractPdf(
  deal: DealWithLines,
  coins: ReadonlyMap<number, Coin>,
  { buyer, identity, account }: Parties,
  madeAt: Date,
): Promise<Buffer> {
  const title = words.title(deal.id);
  const { pdf, bytes } = openSheet({ title, author: buyer.name, madeAt });
  tagged(pdf, "H1", () => pdf.font("medium").fontSize(15).fillColor(ink).text(title));
  tagged(pdf, "P", () =>
    pdf
      .font("regular")
      .fontSize(9)
      .fillColor(faint)
      .text(words.madeOn(day(madeAt)))
      .moveDown(0.8),
  );
  fact(pdf, words.buyer, `${buyer.name}, ${words.inn} ${buyer.inn}, ${buyer.address}`, facts);
  fact(pdf, words.seller, sellerText(identity), facts);
  fact(pdf, words.account, account === null ? words.blank + words.blank : account, facts);
  fact(pdf, words.bik, deal.payout?.bik || words.blank, facts);
  pdf.moveDown(0.6);
  const bought = deal.lines.flatMap(({ coinId, checked }) => (checked && checked.quantity > 0 ? [{ coinId, ...checked }] : []));
  pdfTable(
    pdf,
    [
      { head: words.number, width: 8, isRight: true },
      { head: words.coin, width: 35 },
      { head: words.metal, width: 18 },
      { head: words.mass, width: 16, isRight: true },
      { head: words.condition, width: 34 },
      { head: words.pieces, width: 11, isRight: true },
      { head: words.price, width: 22, isRight: true },
      { head: words.sum, width: 26, isRight: true },
    ],
    bought.map(({ coinId, quantity, condition, unitPrice }, index) => {
      const coin = coins.get(coinId);
      if (!coin) throw new Error(`coin ${coinId} is in a deal and not in the catalogue`);
      return [
        String(index + 1),
        coin.title,
        `${metalTexts[coin.metal]} ${fineness(coin.finenessTenths)}`,
        grams(coin.pureMassMg),
        conditionTexts[condition],
        String(quantity),
        roublesAndKopecks(unitPrice),
        roublesAndKopecks(times(unitPrice, quantity)),
      ];
    }),
    8.5,
  );
  const pieces = counted(piecesOf(checkedOf(deal.lines)), coinForms);
  tagged(pdf, "P", () =>
    pdf
      .font("medium")
      .fontSize(11)
      .fillColor(ink)
      .text(words.total(pieces, priceText(currentSum(deal))))
      .moveDown(0.8),
  );
  for (const text of words.terms)
    tagged(pdf, "P", () => pdf.font("regular").fontSize(9.5).fillColor(ink).text(text, { lineGap: 1.5 }).moveDown(0.4));
  pdf.moveDown(1.6);
  for (const side of [words.buyer, words.seller])
    tagged(pdf, "P", () =>
      pdf.font("regular").fontSize(10).fillColor(ink).text(`${side} ${words.blank}${words.blank} ${words.signature}`).moveDown(1.4),
    );
  numberPages(pdf, [{ name: title, from: 0 }]);
  pdf.end();
  return bytes;
}

function sellerText({ lastName, name, secondName, birthDate, kind, series, number, issuedBy, issuedOn, address }: Identity): string {
  const fullName = [lastName, name, secondName].filter(Boolean).join(" ");
  const document = [identityTexts[kind], series, number].filter(Boolean).join(" ");
  return `${fullName}, ${words.born} ${day(birthDate)}, ${document}, ${words.issued} ${issuedBy} ${day(issuedOn)}, ${words.address}: ${address}`;
}
