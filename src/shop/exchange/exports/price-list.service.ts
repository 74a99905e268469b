import { dayAndTime, fineness, grams, number, roubles } from "#kit/format.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { toRoubles, type Kopecks } from "#kit/money.ts";
import { faint, ink, numberPages, openSheet, tagged } from "#kit/documents/pdf-sheet.ts";
import { pdfTable } from "#kit/documents/pdf-table.ts";
import { writeTable } from "#kit/documents/spreadsheet/spreadsheet.ts";
import type { Coin, Metal } from "#shop/catalog/coin.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import { priceOf, type PriceList } from "#shop/pricing/price.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as stock from "#shop/stock/service.ts";
import { priceListWords as words } from "./texts.ru.ts";

type Line = { coin: Coin; price: Kopecks; buyback: Kopecks | null; available: number };
/** Partners need not know how much the shop has. */
const shownPieces = 50;

/** The coins in stock with their prices at the rates of one price list, which are printed on it. For partners. */
export async function partnerPriceList(ctx: Ctx, format: "pdf" | "xlsx"): Promise<{ name: string; bytes: Buffer }> {
  const list = await pricing.current(ctx);
  const lines = linesOf(await catalog.allCoins(ctx), await stock.available(ctx.db), list);
  const name = `${words.name} ${isoMoscow(ctx.now()).slice(0, 16).replace("T", " ").replace(":", "-")}.${format}`;
  const bytes = format === "pdf" ? await asPdf(ctx, list, lines) : await asTable(list, lines);
  return { name, bytes };
}

function linesOf(coins: readonly Coin[], free: ReadonlyMap<number, number>, list: PriceList): Line[] {
  const order: Record<Metal, number> = { gold: 0, silver: 1 };
  return coins
    .flatMap((coin) => {
      const { price, buyback } = priceOf(coin, list);
      const available = free.get(coin.id) ?? 0;
      return price === null || available <= 0 ? [] : [{ coin, price, buyback, available }];
    })
    .toSorted(
      (a, b) => order[a.coin.metal] - order[b.coin.metal] || a.coin.title.localeCompare(b.coin.title, "ru") || a.coin.id - b.coin.id,
    );
}

const pieces = (available: number): string => (available > shownPieces ? words.many(shownPieces) : String(available));
const ratesText = (list: PriceList): string =>
  list.version === 0
    ? words.fixed
    : words.rates(number(list.goldE4 / 10_000, 2), number(list.silverE4 / 10_000, 2), dayAndTime(list.ratesAt));

async function asPdf(ctx: Ctx, list: PriceList, lines: readonly Line[]): Promise<Buffer> {
  const { shop, seller } = ctx.settings;
  const { pdf, bytes } = openSheet({ title: words.title, author: seller.name, madeAt: ctx.now() });
  tagged(pdf, "H1", () => pdf.font("medium").fontSize(17).fillColor(ink).text(words.title));
  const phone = shop.phones[0]?.display ?? "";
  for (const text of [ratesText(list), words.terms, [seller.name, phone, shop.email].filter(Boolean).join(" · ")])
    tagged(pdf, "P", () => pdf.font("regular").fontSize(9).fillColor(faint).text(text));
  pdf.moveDown(0.8);
  const [article, coin, , , mass, price, buyback, available] = words.heads;
  for (const metal of ["gold", "silver"] as const) {
    const some = lines.filter((line) => line.coin.metal === metal);
    if (some.length === 0) continue;
    tagged(pdf, "H2", () => pdf.font("medium").fontSize(12).fillColor(ink).text(words.metals[metal]).moveDown(0.4));
    pdfTable(
      pdf,
      [
        { head: article, width: 16 },
        { head: coin, width: 66 },
        { head: mass, width: 22, isRight: true },
        { head: price, width: 24, isRight: true },
        { head: buyback, width: 24, isRight: true },
        { head: available, width: 18, isRight: true },
      ],
      some.map((line) => [
        String(line.coin.id),
        line.coin.title,
        grams(line.coin.pureMassMg),
        roubles(line.price),
        line.buyback === null ? "—" : roubles(line.buyback),
        pieces(line.available),
      ]),
    );
    pdf.moveDown(0.8);
  }
  numberPages(pdf, [{ name: words.title, from: 0 }]);
  pdf.end();
  return bytes;
}

const asTable = (list: PriceList, lines: readonly Line[]): Promise<Buffer> =>
  writeTable("xlsx", {
    name: words.name,
    head: [...words.heads, ratesText(list)],
    rows: lines.map(({ coin, price, buyback, available }) => [
      String(coin.id),
      coin.title,
      words.metals[coin.metal],
      Number(fineness(coin.finenessTenths).replace(",", ".")),
      coin.pureMassMg / 1000,
      toRoubles(price),
      buyback === null ? null : toRoubles(buyback),
      pieces(available),
    ]),
  });
