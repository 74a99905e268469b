import * as contract from "#contract/staff/stock.ts";
import type { Db } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import { ordersReserving, packedPieces } from "#shop/orders/reservation/reserved.service.ts";
import { readCode } from "#shop/packing/packing.ts";
import * as pricing from "#shop/pricing/service.ts";
import { isCorrecting, type DocumentError, type StockDocument } from "#shop/stock/documents/document.ts";
import type { ShownChange } from "#shop/staff/approvals/approval.ts";
import * as documents from "#shop/stock/documents/document.service.ts";
import * as overview from "#shop/stock/overview/overview.service.ts";
import * as stock from "#shop/stock/service.ts";
import * as stocktakes from "#shop/stock/stocktakes/stocktake.service.ts";
import { readNumberCursor, viewPage } from "../cursor.ts";
import { staffChange, staffRead, type StaffEndpoint, type StaffRefusal } from "../endpoint.ts";
import { namedIn } from "../names.ts";
import {
  actorsOfHead,
  coinView,
  documentRefusal,
  documentView,
  draftOf,
  entryView,
  headView,
  levelView,
  type Mentioned,
  reservingView,
  seesCost,
  staleDocument,
  stocktakeHeadView,
  stocktakeRefusal,
  stocktakeView,
  totalView,
} from "./stock-views.ts";

const notFound = fail({ code: "staff.not_found" as const });
const pageSize = 50;
const ordersShown = 100;
const foundCoins = 20;

async function coinsById(db: Db, ids: readonly number[]): Promise<Map<number, Coin>> {
  return new Map((await catalog.coinsByIds(db, [...new Set(ids)])).map((coin) => [coin.id, coin]));
}
const coinsOf = (db: Db, { lines }: StockDocument) =>
  coinsById(
    db,
    lines.map(({ coinId }) => coinId),
  );

const mentionedIn = async (ctx: Ctx, document: StockDocument): Promise<Mentioned> => ({
  coins: await coinsOf(ctx.db, document),
  named: await namedIn(ctx, actorsOfHead(document)),
});

async function answerOf(ctx: Ctx, result: Result<StockDocument, DocumentError>, showsCost: boolean) {
  if (result.ok) return done(documentView(result.value, await mentionedIn(ctx, result.value), showsCost));
  const { error } = result;
  if (error.code === "stock.stale")
    return fail<StaffRefusal>(staleDocument(error.current, await mentionedIn(ctx, error.current), showsCost));
  const refused = error.code === "stock.line_refused" ? error.lines.map(({ coinId }) => coinId) : [];
  return fail<StaffRefusal>(documentRefusal(error, await coinsById(ctx.db, refused)));
}

/** Whatever takes gold out of the stock or corrects its pieces needs a second person, for every role. */
async function reasonOfGold(ctx: Ctx, id: number): Promise<string | null> {
  const document = await documents.find(ctx, id);
  const coins = document ? await coinsOf(ctx.db, document) : new Map<number, Coin>();
  return [...coins.values()].some(({ metal }) => metal === "gold") ? "Остатки золота исправляют вдвоём" : null;
}

/** Pieces on hand of each coin of a document, now and after it is posted or taken back; for the person who approves. */
async function piecesShown(ctx: Ctx, id: number, isReversal: boolean): Promise<ShownChange | null> {
  const document = await documents.find(ctx, id);
  if (!document || document.kind === "opening_cost") return null;
  const coins = await coinsOf(ctx.db, document);
  const onHand = await stock.onHand(ctx.db, [...coins.keys()]);
  const sign = (document.kind === "write_off" ? -1 : 1) * (isReversal ? -1 : 1);
  const pieces = (change: number) =>
    Object.fromEntries(
      document.lines.map(({ coinId, quantity }) => [
        `${coins.get(coinId)?.title ?? "Монета"}, артикул ${coinId}`,
        `${(onHand.get(coinId) ?? 0) + change * quantity} шт.`,
      ]),
    );
  return { before: pieces(0), after: pieces(sign) };
}

const subjectOf = (id: number): string => `stock_document:${id}`;
const factsOf = ({ kind, state, lineCount, pieces, supplier, note }: StockDocument) => ({ kind, state, lineCount, pieces, supplier, note });

/** Which documents a call posts; others are refused as if they were in another state. */
async function postOf(ctx: Ctx, id: number, revision: number, isCorrection: boolean): Promise<Result<StockDocument, DocumentError>> {
  const document = await documents.find(ctx, id);
  if (!document) return fail({ code: "stock.not_found" });
  if (isCorrecting(document.kind) !== isCorrection) return fail({ code: "stock.wrong_state", state: document.state });
  return documents.post(ctx, id, revision);
}

/** Pieces, documents, the ledger of a coin and stocktakes. Costs are in the answers only with the permission to see them. */
export const stockEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readStock, async (ctx, { query: { part, metal, text, cursor }, may }) => {
    const list = await pricing.current(ctx);
    const rows = await overview.levels(ctx, {
      part,
      metal: metal ?? null,
      text: text.trim(),
      after: readNumberCursor(cursor),
      limit: pageSize + 1,
    });
    return done(
      viewPage(
        pageSize,
        rows,
        (level) => levelView(level, list, seesCost(may)),
        ({ coinId }) => coinId,
      ),
    );
  }),
  staffRead(contract.readStockSummary, async (ctx, { may }) => {
    const list = await pricing.current(ctx);
    return done({
      metals: (await overview.totals(ctx)).map((total) => totalView(total, list, seesCost(may))),
      ...(await overview.counts(ctx)),
      lowAt: ctx.settings.limits.lowStockPieces,
    });
  }),
  staffRead(contract.findStockCoins, async (ctx, { query: { text } }) => {
    const byCode = await catalog.coinsByCode(ctx.db, readCode(text));
    return done((byCode.length > 0 ? byCode : await catalog.findByText(ctx.db, text, foundCoins)).map(coinView));
  }),
  staffRead(contract.readStockCoin, async (ctx, { params: { id }, may }) => {
    const level = await overview.level(ctx, id);
    if (!level) return notFound;
    const orders = await ordersReserving(ctx, id, ordersShown);
    return done({
      ...levelView(level, await pricing.current(ctx), seesCost(may)),
      defaultLowAt: ctx.settings.limits.lowStockPieces,
      orders: orders.map(reservingView),
    });
  }),
  staffRead(contract.readStockEntries, async (ctx, { params: { id }, query: { cursor }, may }) => {
    const [, before = "", balance = ""] = /^(\d{1,15}):(\d{1,9})$/.exec(cursor ?? "") ?? [];
    const rows = await overview.ledger(ctx, id, {
      before: before === "" ? null : { id: Number(before), balance: Number(balance) },
      limit: pageSize + 1,
    });
    const named = await namedIn(
      ctx,
      rows.map(({ actor }) => actor),
    );
    return done(
      viewPage(
        pageSize,
        rows,
        (entry) => entryView(entry, seesCost(may), named),
        (entry) => `${entry.id}:${entry.balance - entry.quantity}`,
      ),
    );
  }),
  staffChange(contract.setStockThreshold, {
    change: async (ctx, { params: { id }, body: { before, lowAt }, audit }) => {
      if (!(await overview.level(ctx, id))) return notFound;
      const set = await stock.setLowAt(ctx, id, { before, lowAt });
      if (!set.ok) return fail({ code: set.error.code, data: { current: set.error.current } });
      audit({ subject: `coin:${id}`, before: { lowAt: set.value.before }, after: { lowAt } });
      return done(true as const);
    },
  }),

  staffRead(contract.readDocuments, async (ctx, { query: { kind, state, cursor }, may }) => {
    const rows = await documents.list(ctx, {
      kind: kind ?? null,
      state: state ?? null,
      before: readNumberCursor(cursor),
      limit: pageSize + 1,
    });
    const named = await namedIn(ctx, rows.flatMap(actorsOfHead));
    return done(
      viewPage(
        pageSize,
        rows,
        (head) => headView(head, seesCost(may), named),
        ({ id }) => id,
      ),
    );
  }),
  staffRead(contract.readDocument, async (ctx, { params: { id }, may }) => {
    const document = await documents.find(ctx, id);
    return document ? done(documentView(document, await mentionedIn(ctx, document), seesCost(may))) : notFound;
  }),
  staffChange(contract.createDocument, {
    change: async (ctx, { body, may, audit }) => {
      const made = await documents.create(ctx, draftOf(body));
      if (made.ok) audit({ subject: subjectOf(made.value.id), after: factsOf(made.value) });
      return answerOf(ctx, made, seesCost(may));
    },
  }),
  staffChange(contract.saveDocument, {
    change: async (ctx, { params: { id }, body, may, audit }) => {
      const before = await documents.find(ctx, id);
      const saved = await documents.save(ctx, id, body.revision, draftOf(body.draft));
      if (saved.ok) audit({ subject: subjectOf(id), ...(before ? { before: factsOf(before) } : {}), after: factsOf(saved.value) });
      return answerOf(ctx, saved, seesCost(may));
    },
  }),
  staffChange(contract.discardDocument, {
    change: async (ctx, { params: { id }, body: { revision }, may, audit }) => {
      const discarded = await documents.discard(ctx, id, revision);
      if (discarded.ok) audit({ subject: subjectOf(id), after: { state: discarded.value.state } });
      return answerOf(ctx, discarded, seesCost(may));
    },
  }),
  staffChange(contract.postDocument, {
    change: async (ctx, { params: { id }, body: { revision }, may, audit }) => {
      const posted = await postOf(ctx, id, revision, false);
      if (posted.ok) audit({ subject: subjectOf(id), before: { state: "draft" }, after: factsOf(posted.value) });
      return answerOf(ctx, posted, seesCost(may));
    },
  }),
  staffChange(contract.postCorrection, {
    approval: (ctx, { params: { id } }) => reasonOfGold(ctx, id),
    shown: (ctx, { params: { id } }) => piecesShown(ctx, id, false),
    change: async (ctx, { params: { id }, body: { revision }, may, audit }) => {
      const posted = await postOf(ctx, id, revision, true);
      if (posted.ok) audit({ subject: subjectOf(id), before: { state: "draft" }, after: factsOf(posted.value) });
      return answerOf(ctx, posted, seesCost(may));
    },
  }),
  staffChange(contract.reverseDocument, {
    approval: (ctx, { params: { id } }) => reasonOfGold(ctx, id),
    shown: (ctx, { params: { id } }) => piecesShown(ctx, id, true),
    change: async (ctx, { params: { id }, body: { revision, reason }, may, audit }) => {
      const reversed = await documents.reverse(ctx, id, revision, reason);
      if (reversed.ok) audit({ subject: subjectOf(id), before: { state: "posted" }, after: { ...factsOf(reversed.value), reason } });
      return answerOf(ctx, reversed, seesCost(may));
    },
  }),

  staffRead(contract.readStocktakes, async (ctx, { query: { cursor } }) => {
    const rows = await stocktakes.list(ctx, { before: readNumberCursor(cursor), limit: pageSize + 1 });
    const named = await namedIn(
      ctx,
      rows.flatMap(({ createdBy, endedBy }) => [createdBy, endedBy]),
    );
    return done(
      viewPage(
        pageSize,
        rows,
        (head) => stocktakeHeadView(head, named),
        ({ id }) => id,
      ),
    );
  }),
  staffRead(contract.readStocktake, async (ctx, { params: { id } }) => {
    const stocktake = await stocktakes.find(ctx, id);
    if (!stocktake) return notFound;
    const coins = await coinsById(
      ctx.db,
      stocktake.lines.map(({ coinId }) => coinId),
    );
    const counters = stocktake.lines.map(({ countedBy }) => countedBy);
    const named = await namedIn(ctx, [stocktake.createdBy, stocktake.endedBy, ...counters]);
    return done(stocktakeView(stocktake, { coins, named }));
  }),
  staffChange(contract.startStocktake, {
    change: async (ctx, { body: { title, metal, isInStockOnly, coins }, audit }) => {
      const isChosen = coins.length > 0;
      const ids = isChosen ? [...new Set(coins)] : await overview.coinIds(ctx, { metal, isInStockOnly });
      const known = await coinsById(ctx.db, ids);
      const unknown = ids.find((id) => !known.has(id));
      if (unknown !== undefined) return fail({ code: "request.invalid" as const, fields: { coins: `Монеты с артикулом ${unknown} нет` } });
      if (ids.length === 0) return fail({ code: "request.invalid" as const, fields: { coins: "С таким отбором монет нет" } });
      const started = await stocktakes.start(ctx, title, ids);
      audit({ subject: `stocktake:${started.id}`, after: { title, ...(isChosen ? {} : { metal }), coins: ids.length } });
      return done(started);
    },
  }),
  staffChange(contract.countPieces, {
    change: async (ctx, { params: { id }, body: { code = "", coin: coinId, quantity, mode }, audit }) => {
      const coins = coinId === undefined ? await catalog.coinsByCode(ctx.db, readCode(code)) : await catalog.coinsByIds(ctx.db, [coinId]);
      const [coin] = coins;
      if (!coin) return fail({ code: "stock.code_unknown" as const });
      if (coins.length > 1) return fail({ code: "stock.code_shared" as const });
      const counted = await stocktakes.count(ctx, id, { coinId: coin.id, quantity, mode }, packedPieces);
      if (!counted.ok) return fail(stocktakeRefusal(counted.error, new Map()));
      audit({ subject: `stocktake:${id}`, after: { coin: coin.id, quantity, mode } });
      return done({ coin: coinView(coin), ...counted.value });
    },
  }),
  staffChange(contract.finishStocktake, {
    change: async (ctx, { params: { id }, audit }) => {
      const finished = await stocktakes.finish(ctx, id);
      if (!finished.ok) {
        const ids = finished.error.code === "stock.count_again" ? finished.error.coinIds : [];
        return fail(stocktakeRefusal(finished.error, await coinsById(ctx.db, ids)));
      }
      audit({ subject: `stocktake:${id}`, after: { document: finished.value.documentId } });
      return finished;
    },
  }),
  staffChange(contract.cancelStocktake, {
    change: async (ctx, { params: { id }, audit }) => {
      const cancelled = await stocktakes.cancel(ctx, id);
      if (!cancelled.ok) return fail(stocktakeRefusal(cancelled.error, new Map()));
      audit({ subject: `stocktake:${id}`, after: { state: "cancelled" } });
      return done(true as const);
    },
  }),
];
