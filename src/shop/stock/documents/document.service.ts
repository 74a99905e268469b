import { inTransaction, type Db, type Tx } from "#kit/db.ts";
import { times } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { step } from "#kit/transitions.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import { atAverage, noCost, takeBack, takeOut } from "../cost.ts";
import * as stockRows from "../repository.ts";
import { applyMoves, negative, type EntryContext, type StockMove } from "../service.ts";
import type { EntryKind } from "../stock.ts";
import {
  documentStates,
  type DocumentDraft,
  type DocumentError,
  type DocumentFilter,
  type DocumentHead,
  type DocumentLine,
  type LineRefusal,
  type StockDocument,
} from "./document.ts";
import * as rows from "./document.repository.ts";

type DocumentCtx = Pick<Ctx, "db" | "now" | "actor">;
type Row = stockRows.LockedRow;
/** The effect of one line on its locked row. */
type Effect = { ok: true; move: StockMove } | { ok: false; refusal: LineRefusal };

const entryKindOf = {
  receipt: "receipt",
  write_off: "written_off",
  correction: "correction",
  opening_cost: "cost",
} as const satisfies Record<string, EntryKind>;

/** Documents without their lines, newest first. */
export const list = (ctx: Pick<Ctx, "db">, filter: DocumentFilter): Promise<DocumentHead[]> => rows.page(ctx.db, filter);
/** A document with its lines; null: there is none. */
export const find = (ctx: Pick<Ctx, "db">, id: number): Promise<StockDocument | null> => rows.find(ctx.db, id);

/** Stores a new draft. Nothing moves before it is posted. Refuses with `stock.unknown_coins`. */
export function create(
  ctx: DocumentCtx,
  draft: DocumentDraft,
  from: { sourceKey?: string; stocktakeId?: number } = {},
): Promise<Result<StockDocument, DocumentError>> {
  return inTransaction(ctx.db, async (tx) => {
    const unknown = await unknownCoins(tx, draft.lines);
    if (unknown.length > 0) return fail({ code: "stock.unknown_coins", ids: unknown });
    const id = await rows.insert(tx, {
      ...draft,
      createdAt: ctx.now(),
      createdBy: actorText(ctx.actor),
      sourceKey: from.sourceKey ?? null,
      stocktakeId: from.stocktakeId ?? null,
    });
    return found(tx, id ?? (await rows.idBySource(tx, from.sourceKey ?? "")));
  });
}

/** Replaces what a draft says. Refuses with `stock.wrong_state`, `stock.stale` and `stock.unknown_coins`. */
export function save(ctx: DocumentCtx, id: number, revision: number, draft: DocumentDraft): Promise<Result<StockDocument, DocumentError>> {
  return inTransaction(ctx.db, async (tx) => {
    const locked = await lockAt(tx, id, revision);
    if (!locked.ok) return locked;
    if (locked.value.state !== "draft") return fail({ code: "stock.wrong_state", state: locked.value.state });
    const unknown = await unknownCoins(tx, draft.lines);
    if (unknown.length > 0) return fail({ code: "stock.unknown_coins", ids: unknown });
    await rows.replace(tx, id, draft);
    return found(tx, id);
  });
}

/** Discards a draft. Idempotent. */
export function discard(ctx: DocumentCtx, id: number, revision: number): Promise<Result<StockDocument, DocumentError>> {
  return inTransaction(ctx.db, async (tx) => {
    const document = await rows.lock(tx, id);
    if (!document) return fail({ code: "stock.not_found" });
    const move = step(documentStates, document.state, "discard");
    if (move.kind === "already") return done(document);
    if (move.kind === "refused") return fail({ code: "stock.wrong_state", state: document.state });
    if (document.revision !== revision) return fail({ code: "stock.stale", current: document });
    await rows.saveStep(tx, id, { state: "discarded" });
    return found(tx, id);
  });
}

/**
 * Posts a draft: pieces and costs move, with an entry for each line. All lines or none. Idempotent: a posted document stays as it is.
 * Refuses with `stock.line_refused` and a reason for each line: pieces of orders cannot be written off, and what a stocktake missed is not
 * corrected twice.
 */
export function post(ctx: DocumentCtx, id: number, revision: number): Promise<Result<StockDocument, DocumentError>> {
  return inTransaction(ctx.db, async (tx) => {
    const document = await rows.lock(tx, id);
    if (!document) return fail({ code: "stock.not_found" });
    const move = step(documentStates, document.state, "post");
    if (move.kind === "already") return done(document);
    if (move.kind === "refused") return fail({ code: "stock.wrong_state", state: document.state });
    if (document.revision !== revision) return fail({ code: "stock.stale", current: document });
    if (document.lines.length === 0) return fail({ code: "stock.empty" });
    return postLocked(tx, ctx, document);
  });
}

async function postLocked(tx: Tx, ctx: EntryContext, document: StockDocument): Promise<Result<StockDocument, DocumentError>> {
  await stockRows.lockRows(
    tx,
    document.lines.map(({ coinId }) => coinId),
  );
  const corrected = await rows.correctedSinceCount(tx, document);
  const applied = await applyEffects(tx, document.lines, (line, row) =>
    corrected.has(line.coinId) ? refused(row, "corrected", Math.abs(line.quantity)) : effectOf(document, line, row),
  );
  if (!applied.ok) return applied;
  await applyMoves(tx, ctx, applied.value, { kind: entryKindOf[document.kind], documentId: document.id });
  if (document.kind === "opening_cost") await rows.saveQuantities(tx, document.id, withPieces(document.lines, applied.value));
  await rows.saveStep(tx, document.id, { state: "posted", postedAt: ctx.now(), postedBy: actorText(ctx.actor) });
  return found(tx, document.id);
}

/**
 * Takes a posted document back with entries of the opposite sign. All lines or none. Idempotent. Refuses with `stock.line_refused` where
 * the pieces are reserved or sold by now.
 */
export function reverse(ctx: DocumentCtx, id: number, revision: number, reason: string): Promise<Result<StockDocument, DocumentError>> {
  return inTransaction(ctx.db, async (tx) => {
    const document = await rows.lock(tx, id);
    if (!document) return fail({ code: "stock.not_found" });
    const move = step(documentStates, document.state, "reverse");
    if (move.kind === "already") return done(document);
    if (move.kind === "refused") return fail({ code: "stock.wrong_state", state: document.state });
    if (document.revision !== revision) return fail({ code: "stock.stale", current: document });
    const entries = await stockRows.entriesOfDocument(tx, id);
    const applied = await applyEffects(tx, entries, reversalOf);
    if (!applied.ok) return applied;
    await applyMoves(tx, ctx, applied.value, { kind: "reversed", documentId: id });
    await rows.saveStep(tx, id, {
      state: "reversed",
      reversedAt: ctx.now(),
      reversedBy: actorText(ctx.actor),
      reversalReason: reason,
    });
    return found(tx, id);
  });
}

/**
 * Stores and posts a document of an import in one transaction and a few statements, whatever the number of its lines. Idempotent by
 * `sourceKey`: the second call returns the document of the first one. Refuses like `create` and `post`; then nothing is stored.
 */
export async function postImported(
  ctx: DocumentCtx,
  draft: DocumentDraft,
  sourceKey: string,
): Promise<Result<StockDocument, DocumentError>> {
  return undoRefused(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const made = await create(inside, draft, { sourceKey });
    return made.ok && made.value.state === "draft" ? post(inside, made.value.id, made.value.revision) : made;
  });
}

/** The pieces on hand that a coin has after an import is applied. */
export type WantedLevel = { coinId: number; onHand: number };

/**
 * The lines of a correction that brings coins to these pieces on hand; coins that have them already get no line. Read without locks, for
 * a dry run; `postLevels` computes them again.
 */
export async function linesToLevels(db: Db, wanted: readonly WantedLevel[]): Promise<DocumentLine[]> {
  const levels = await stockRows.readOnHand(
    db,
    wanted.map(({ coinId }) => coinId),
  );
  return differences(wanted, levels);
}

/**
 * Brings coins to these pieces on hand with one posted correction; returns null when all have them already. One transaction, a few
 * statements. Idempotent by `sourceKey`. Refuses with `stock.line_refused` where more pieces are reserved, and `stock.unknown_coins`.
 */
export async function postLevels(
  ctx: DocumentCtx,
  wanted: readonly WantedLevel[],
  from: { note: string; sourceKey: string },
): Promise<Result<StockDocument | null, DocumentError>> {
  return undoRefused<StockDocument | null>(ctx.db, async (tx) => {
    const known = await rows.idBySource(tx, from.sourceKey);
    if (known !== null) return found(tx, known);
    const unknown = await unknownCoins(tx, wanted);
    if (unknown.length > 0) return fail({ code: "stock.unknown_coins", ids: unknown });
    const locked = await stockRows.lockRows(
      tx,
      wanted.map(({ coinId }) => coinId),
    );
    const lines = differences(wanted, new Map([...locked].map(([coinId, { pieces }]) => [coinId, pieces])));
    if (lines.length === 0) return done(null);
    const draft: DocumentDraft = { kind: "correction", supplier: "", number: "", date: null, note: from.note, lines };
    return postImported({ ...ctx, db: tx }, draft, from.sourceKey);
  });
}

const differences = (wanted: readonly WantedLevel[], levels: ReadonlyMap<number, number>): DocumentLine[] =>
  wanted.flatMap(({ coinId, onHand }) => {
    const quantity = onHand - (levels.get(coinId) ?? 0);
    return quantity === 0 ? [] : [{ coinId, quantity, unitCost: null }];
  });

/* One line */

function effectOf({ kind }: Pick<StockDocument, "kind">, line: DocumentLine, row: Row): Effect {
  const { coinId, quantity, unitCost } = line;
  if (kind === "opening_cost") {
    const costed = row.pieces - row.costed;
    if (costed <= 0 || unitCost === null) return refused(row, "cost_known", costed);
    return { ok: true, move: { coinId, quantity: 0, costed, cost: times(unitCost, costed) } };
  }
  if (kind === "receipt")
    return {
      ok: true,
      move: { coinId, quantity, ...(unitCost === null ? noCost : { costed: quantity, cost: times(unitCost, quantity) }) },
    };
  return kind === "write_off" ? leaving(row, quantity) : quantity < 0 ? leaving(row, -quantity) : surplus(row, quantity);
}

/** Pieces that are not sold: they leave at the moving average. */
function leaving(row: Row, quantity: number): Effect {
  if (row.pieces - row.reserved < quantity) return refused(row, "short", quantity);
  return { ok: true, move: { coinId: row.coinId, quantity: -quantity, ...negative(takeOut(row, quantity)) } };
}

/** Pieces that a count found: at the moving average where the cost of every piece is known, else without a cost. */
function surplus(row: Row, quantity: number): Effect {
  const isKnown = row.costed > 0 && row.costed === row.pieces;
  return { ok: true, move: { coinId: row.coinId, quantity, ...(isKnown ? atAverage(row, quantity) : noCost) } };
}

/** The opposite of an entry. Pieces that came must be free; pieces that left come back at the cost they took along. */
function reversalOf(entry: stockRows.StoredMove, row: Row): Effect {
  const { coinId, quantity, costed, cost } = entry;
  if (quantity < 0) return { ok: true, move: { coinId, quantity: -quantity, ...negative({ costed, cost }) } };
  if (quantity > 0) {
    if (row.pieces - row.reserved < quantity) return refused(row, "short", quantity);
    return { ok: true, move: { coinId, quantity: -quantity, ...negative(takeBackOf(row, entry)) } };
  }
  if (row.costed < costed) return refused(row, "cost_used", costed);
  return { ok: true, move: { coinId, quantity: 0, ...negative(takeBack(row, { costed, cost })) } };
}

/** What reversing a receipt takes out: its cost, and more where otherwise more pieces would be costed than remain. */
function takeBackOf(row: Row, { quantity, costed, cost }: stockRows.StoredMove) {
  const atLeast = row.costed - (row.pieces - quantity);
  return takeBack(row, costed >= atLeast ? { costed, cost } : { costed: atLeast, cost: atAverage(row, atLeast).cost });
}

const refused = ({ coinId, pieces, reserved }: Row, why: LineRefusal["why"], needed: number): Effect => ({
  ok: false,
  refusal: { coinId, why, needed, onHand: pieces, reserved },
});

/** Locks the rows of the lines and computes their moves; refuses with every line that cannot be done. */
async function applyEffects<L extends { coinId: number }>(
  tx: Tx,
  lines: readonly L[],
  effect: (line: L, row: Row) => Effect,
): Promise<Result<StockMove[], DocumentError>> {
  const locked = await stockRows.lockRows(
    tx,
    lines.map(({ coinId }) => coinId),
  );
  const effects = lines.map((line) => {
    const row = locked.get(line.coinId);
    if (!row) throw new Error(`coin ${line.coinId} has no stock row`);
    return effect(line, row);
  });
  const refusals = effects.flatMap((each) => (each.ok ? [] : [each.refusal]));
  if (refusals.length > 0) return fail({ code: "stock.line_refused", lines: refusals });
  return done(effects.flatMap((each) => (each.ok ? [each.move] : [])).sort((a, b) => a.coinId - b.coinId));
}

const withPieces = (lines: readonly DocumentLine[], moves: readonly StockMove[]): DocumentLine[] => {
  const costed = new Map(moves.map((move) => [move.coinId, move.costed]));
  return lines.map((line) => ({ ...line, quantity: costed.get(line.coinId) ?? 0 }));
};

/* Common steps */

async function unknownCoins(db: Db, lines: readonly { coinId: number }[]): Promise<number[]> {
  const ids = [...new Set(lines.map(({ coinId }) => coinId))];
  const known = await stockRows.existingCoins(db, ids);
  return ids.filter((id) => !known.has(id));
}

async function lockAt(tx: Tx, id: number, revision: number): Promise<Result<StockDocument, DocumentError>> {
  const document = await rows.lock(tx, id);
  if (!document) return fail({ code: "stock.not_found" });
  return document.revision === revision ? done(document) : fail({ code: "stock.stale", current: document });
}

async function found(db: Db, id: number | null): Promise<Result<StockDocument, DocumentError>> {
  const document = id === null ? null : await rows.find(db, id);
  return document ? done(document) : fail({ code: "stock.not_found" });
}

/** Leaves a transaction that has to be rolled back. */
class RefusedDocumentError extends Error {
  readonly result: { ok: false; error: DocumentError };
  constructor(result: { ok: false; error: DocumentError }) {
    super(result.error.code);
    this.result = result;
  }
}

/** Rolls a transaction back whose work was refused, so that nothing of it stays. */
async function undoRefused<T>(db: Db, work: (tx: Tx) => Promise<Result<T, DocumentError>>): Promise<Result<T, DocumentError>> {
  try {
    return await inTransaction(db, async (tx) => {
      const result = await work(tx);
      if (!result.ok) throw new RefusedDocumentError(result);
      return result;
    });
  } catch (error) {
    if (error instanceof RefusedDocumentError) return error.result;
    throw error;
  }
}
