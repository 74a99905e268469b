import type * as z from "zod";
import type * as contract from "#contract/staff/stock.ts";
import { fromRoubles, roublesOrNull, toRoubles } from "#kit/money.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import { metalValue } from "#shop/metal/metal.ts";
import type { ReservingOrder } from "#shop/orders/reservation/reserved.service.ts";
import type { PriceList } from "#shop/pricing/price.ts";
import { averageCost } from "#shop/stock/cost.ts";
import type { DocumentDraft, DocumentError, DocumentHead, StockDocument } from "#shop/stock/documents/document.ts";
import type { Named } from "#shop/staff/people/colleagues.service.ts";
import type { LedgerEntry, Level, MetalTotal } from "#shop/stock/overview/overview.ts";
import type { Stocktake, StocktakeError, StocktakeHead } from "#shop/stock/stocktakes/stocktake.ts";
import type { StaffRefusal } from "../endpoint.ts";
import { nameOrNull } from "../names.ts";
import { isoOrNull, type May } from "../views.ts";

type CoinView = z.input<(typeof contract.findStockCoins)["answer"]>[number];
type LevelView = z.input<(typeof contract.readStock)["answer"]>["items"][number];
type DocumentView = z.input<(typeof contract.readDocument)["answer"]>;
type HeadView = z.input<(typeof contract.readDocuments)["answer"]>["items"][number];

/** Costs of goods are for roles that enter them or read reports. */
export const seesCost = (may: May): boolean => may("reports") !== null || may("stock.post") !== null;

export const coinView = ({ id, title, catalogueNumber, metal }: Pick<Coin, "id" | "title" | "catalogueNumber" | "metal">): CoinView => ({
  id,
  title,
  code: catalogueNumber ?? String(id),
  metal,
});

export const rateOf = (list: PriceList, metal: "gold" | "silver"): number => (metal === "gold" ? list.goldE4 : list.silverE4);

export function levelView(level: Level, list: PriceList, showsCost: boolean): LevelView {
  const { coinId, onHand, reserved, costed, cost, metal, isPublished, isLow, lowAt } = level;
  const pureMassMg = level.pureMassMg * onHand;
  return {
    ...coinView({ ...level, id: coinId }),
    isPublished,
    onHand,
    reserved,
    available: onHand - reserved,
    isLow,
    lowAt,
    pureMassMg,
    metalValue: roublesOrNull(metalValue(pureMassMg, rateOf(list, metal))),
    ...(showsCost ? { uncosted: onHand - costed, cost: toRoubles(cost), averageCost: roublesOrNull(averageCost(level)) } : {}),
  };
}

export const totalView = ({ metal, pieces, reserved, pureMassMg, costed, cost }: MetalTotal, list: PriceList, showsCost: boolean) => ({
  metal,
  pieces,
  reserved,
  pureMassMg,
  metalValue: roublesOrNull(metalValue(pureMassMg, rateOf(list, metal))),
  ...(showsCost ? { uncosted: pieces - costed, cost: toRoubles(cost) } : {}),
});

export const reservingView = ({ createdAt, reservedUntil, ...order }: ReservingOrder) => ({
  ...order,
  createdAt: isoMoscow(createdAt),
  reservedUntil: isoOrNull(reservedUntil),
});

export const entryView = (
  { costed, cost, at, actor, ...entry }: LedgerEntry,
  showsCost: boolean,
  named: Named,
): z.input<(typeof contract.readStockEntries)["answer"]>["items"][number] => ({
  ...entry,
  ...(showsCost ? { cost: costed === 0 ? null : toRoubles(cost) } : {}),
  at: isoMoscow(at),
  by: nameOrNull(named, actor),
});

export const headView = (head: DocumentHead, showsCost: boolean, named: Named): HeadView => ({
  id: head.id,
  kind: head.kind,
  state: head.state,
  supplier: head.supplier,
  number: head.number,
  date: head.date,
  note: head.note,
  lineCount: head.lineCount,
  pieces: head.pieces,
  ...(showsCost ? { cost: roublesOrNull(head.cost) } : {}),
  stocktakeId: head.stocktakeId,
  revision: head.revision,
  createdAt: isoMoscow(head.createdAt),
  createdBy: named(head.createdBy).name,
  postedAt: isoOrNull(head.postedAt),
  postedBy: nameOrNull(named, head.postedBy),
  reversedAt: isoOrNull(head.reversedAt),
  reversedBy: nameOrNull(named, head.reversedBy),
  reversalReason: head.reversalReason,
});

/** The actors whom the head of a document mentions. */
export const actorsOfHead = ({ createdBy, postedBy, reversedBy }: DocumentHead): (string | null)[] => [createdBy, postedBy, reversedBy];

/** What the rows of a document mention: its coins by id, and the names of members of staff. */
export type Mentioned = { coins: ReadonlyMap<number, Coin>; named: Named };

export const documentView = (document: StockDocument, { coins, named }: Mentioned, showsCost: boolean): DocumentView => ({
  ...headView(document, showsCost, named),
  lines: document.lines.map(({ coinId, quantity, unitCost }) => ({
    coin: namedCoin(coins, coinId),
    quantity,
    ...(showsCost ? { unitCost: roublesOrNull(unitCost) } : {}),
  })),
});

function namedCoin(coins: ReadonlyMap<number, Coin>, coinId: number): CoinView {
  const coin = coins.get(coinId);
  if (!coin) throw new Error(`coin ${coinId} is in the stock and not in the catalogue`);
  return coinView(coin);
}

export const draftOf = ({ lines, ...draft }: z.output<(typeof contract.createDocument)["body"]>): DocumentDraft => ({
  ...draft,
  lines: lines.map(({ coin, quantity, unitCost }) => ({
    coinId: coin,
    quantity: draft.kind === "opening_cost" ? 0 : quantity,
    unitCost: unitCost === null || draft.kind === "write_off" || draft.kind === "correction" ? null : fromRoubles(unitCost),
  })),
});

/** Another member of staff saved the document meanwhile. */
export const staleDocument = (current: StockDocument, mentioned: Mentioned, showsCost: boolean): StaffRefusal => ({
  code: "staff.stale",
  data: { current: documentView(current, mentioned, showsCost), revision: current.revision },
});

/** Any other refusal of a document as the contract has it. */
export function documentRefusal(error: Exclude<DocumentError, { code: "stock.stale" }>, coins: ReadonlyMap<number, Coin>): StaffRefusal {
  switch (error.code) {
    case "stock.not_found":
      return { code: "staff.not_found" };
    case "stock.unknown_coins":
      return { code: "request.invalid", fields: { lines: `Таких монет нет: ${error.ids.join(", ")}` } };
    case "stock.line_refused":
      return {
        code: "stock.line_refused",
        data: { lines: error.lines.map(({ coinId, ...line }) => ({ ...line, coin: namedCoin(coins, coinId) })) },
      };
    default:
      return { code: error.code };
  }
}

export const stocktakeHeadView = ({ createdAt, createdBy, endedAt, endedBy, ...head }: StocktakeHead, named: Named) => ({
  ...head,
  createdAt: isoMoscow(createdAt),
  createdBy: named(createdBy).name,
  endedAt: isoOrNull(endedAt),
  endedBy: nameOrNull(named, endedBy),
});

/** Blind: expected pieces are in the answer only after the count has ended. */
export const stocktakeView = (
  { lines, ...stocktake }: Stocktake,
  { coins, named }: Mentioned,
): z.input<(typeof contract.readStocktake)["answer"]> => ({
  ...stocktakeHeadView(stocktake, named),
  lines: lines.map(({ coinId, counted, expected, hasMoved, countedAt, countedBy }) => ({
    coin: namedCoin(coins, coinId),
    counted,
    ...(stocktake.state === "counting" ? {} : { expected }),
    hasMoved,
    countedAt: isoOrNull(countedAt),
    countedBy: nameOrNull(named, countedBy),
  })),
});

export function stocktakeRefusal(error: StocktakeError, coins: ReadonlyMap<number, Coin>): StaffRefusal {
  if (error.code === "stock.not_found") return { code: "staff.not_found" };
  if (error.code === "stock.count_again")
    return { code: error.code, data: { coins: error.coinIds.map((coinId) => namedCoin(coins, coinId)) } };
  return { code: error.code };
}
