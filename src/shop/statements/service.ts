import { createHash } from "node:crypto";
import { inTransaction, waitUpTo, type Db, type Tx } from "#kit/db.ts";
import type { Kopecks } from "#kit/money.ts";
import { faultFields } from "#kit/network/outbound.ts";
import { moscow } from "#kit/moscow-time.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, plus, seconds } from "#kit/time.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import * as orders from "#shop/orders/service.ts";
import type { EntryOutcome, StatementEntry, UnmatchedReason } from "#shop/orders/transfers/statement.ts";
import * as payment from "#shop/payment/service.ts";
import * as rows from "./repository.ts";
import {
  combineTotals,
  type EntryMark,
  type EntryState,
  type StatementError,
  type SettleError,
  type Statement,
  type StatementContent,
  type StoredStatementEntry,
} from "./statement.ts";
import { suggestEach, type Suggestion } from "./suggestion.ts";

/** For so long an import waits for another one, and then a statement for the locks of an order. */
const importWait = seconds(20);
const orderWait = seconds(2);

/** A file that was read and may be imported. `hash`: of its bytes. */
export type StatementFile = { name: string; hash: string; content: StatementContent };

/**
 * Reads the file of a bank's statement, at most 5 MB. A busy machine may need seconds for it and the process does nothing else meanwhile,
 * so it is read before a transaction is open: PostgreSQL ends one that is silent for ten seconds.
 *
 * Refuses with `statement.not_a_statement`, `statement.empty`, `statement.other_account` and `statement.too_many_entries`.
 */
export function readFile(ctx: Ctx, { name, bytes }: { name: string; bytes: Uint8Array }): Result<StatementFile, StatementError> {
  const read = ctx.gateways.bankStatements.read(bytes);
  if (!read.ok) return read;
  const refusal = refusalOf(ctx, read.value);
  return refusal ? fail(refusal) : done({ name, hash: createHash("sha256").update(bytes).digest("hex"), content: read.value });
}

/**
 * Stores a bank's statement and processes its entries (`orders.processEntry`), each in a savepoint of its own, so that a fault of one
 * leaves it to staff (`failed`) and does not lose the others. A file that was imported before is returned as it is now (`isRepeat`), and a
 * document that an earlier statement holds is not processed again, unless its money had not arrived then and it is not settled yet.
 */
export function importStatement(ctx: Ctx, { name, hash, content }: StatementFile): Promise<{ statement: Statement; isRepeat: boolean }> {
  return inTransaction(ctx.db, async (tx) => {
    await waitUpTo(tx, importWait);
    await rows.lockImports(tx);
    const known = await rows.idByHash(tx, hash);
    if (known !== null) return { statement: await stored(tx, known), isRepeat: true };
    await waitUpTo(tx, orderWait);
    const id = await rows.insertStatement(tx, {
      hash,
      fileName: name,
      importedAt: ctx.now(),
      importedBy: actorText(ctx.actor),
      totals: combineTotals(content.accounts.filter(({ account }) => account === ctx.settings.seller.account)),
      faults: content.faults,
      entryCount: content.entries.length,
    });
    await processAll({ ...ctx, db: tx }, id, content.entries);
    return { statement: await stored(tx, id), isRepeat: false };
  });
}

function refusalOf(ctx: Ctx, { accounts, entries }: StatementContent): StatementError | null {
  const { account } = ctx.settings.seller;
  const { statementEntries: limit } = ctx.settings.limits;
  if (entries.length === 0) return { code: "statement.empty" };
  const isOurs = accounts.some((each) => each.account === account) || entries.some((each) => isOwn(ctx, each));
  if (!isOurs) return { code: "statement.other_account" };
  return entries.length > limit ? { code: "statement.too_many_entries", limit } : null;
}

const isOwn = (ctx: Ctx, { payeeAccounts, payerAccount }: StatementEntry): boolean =>
  payerAccount === ctx.settings.seller.account || payeeAccounts.includes(ctx.settings.seller.account);

async function stored(db: Db, id: number): Promise<Statement> {
  const statement = await rows.statementById(db, id);
  if (!statement) throw new Error(`no bank statement ${id}`);
  return statement;
}

const heldUp = "entered_for_another_order" satisfies UnmatchedReason;

/** Processes and stores the entries of a new statement, inside the transaction of `ctx.db`. */
async function processAll(ctx: Ctx, statementId: number, entries: readonly StatementEntry[]): Promise<void> {
  const fingerprints = entries.map(fingerprintOf);
  const earlier = await rows.idsByFingerprints(ctx.db, fingerprints);
  const notArrived = await rows.lockNotArrived(ctx.db, fingerprints);
  const made: rows.NewEntry[] = [];
  const repeats: Omit<rows.NewEntry, "repeatsId">[] = [];
  const arrivedHeldUp: { id: number; entry: StatementEntry }[] = [];
  const seen = new Set(earlier.keys());
  for (const [position, entry] of entries.entries()) {
    const fingerprint = fingerprints[position] ?? "";
    const { payeeAccounts: _, ...kept } = entry;
    const base = { statementId, position, fingerprint, entry: kept, isOutgoing: entry.payerAccount === ctx.settings.seller.account };
    const waitingId = notArrived.get(fingerprint);
    if (entry.arrivedOn !== null && waitingId !== undefined) {
      notArrived.delete(fingerprint);
      const processed = await processOne(ctx, entry);
      await rows.saveEntry(ctx.db, waitingId, { ...processed, arrivedOn: entry.arrivedOn });
      if (processed.reason === heldUp) arrivedHeldUp.push({ id: waitingId, entry });
    }
    if (seen.has(fingerprint)) repeats.push({ ...base, ...nothing, state: "repeated" });
    else made.push({ ...base, ...(await processOne(ctx, entry)), repeatsId: null });
    seen.add(fingerprint);
  }
  // Another entry of the file may have named the payer of the transfer that held it up.
  for (const { id, entry } of arrivedHeldUp) await rows.saveEntry(ctx.db, id, await processOne(ctx, entry));
  for (const each of made) {
    const entry = each.reason === heldUp ? entries[each.position] : undefined;
    if (entry) Object.assign(each, await processOne(ctx, entry));
  }
  const ids = new Map([...earlier, ...(await rows.insertEntries(ctx.db, made))]);
  await rows.insertEntries(
    ctx.db,
    repeats.map((each) => ({ ...each, repeatsId: ids.get(each.fingerprint) ?? null })),
  );
}

type Processed = Pick<StoredStatementEntry, "state" | "reason" | "orderId" | "orderNumber" | "transferId">;
const nothing = { reason: null, orderId: null, orderNumber: null, transferId: null } as const;

async function processOne(ctx: Ctx, entry: StatementEntry): Promise<Processed> {
  const outcome = await attempt(ctx, entry);
  if (outcome === null) return { ...nothing, state: "left", reason: "failed" };
  if (outcome.kind === "foreign") return { ...nothing, state: "foreign" };
  if (outcome.kind === "left") return { ...nothing, state: "left", reason: outcome.why };
  return { state: outcome.kind, reason: null, ...(await transferOf(ctx.db, entry)), orderNumber: outcome.orderNumber };
}

/** Null: processing failed by a fault and changed nothing. */
async function attempt(ctx: Ctx, entry: StatementEntry): Promise<EntryOutcome | null> {
  try {
    return await inTransaction(ctx.db, (tx) => orders.processEntry({ ...ctx, db: tx }, entry));
  } catch (error) {
    ctx.log.error({ ...faultFields(error), number: entry.number, date: entry.date }, "an entry of a bank statement could not be processed");
    return null;
  }
}

async function transferOf(db: Db, entry: Omit<StatementEntry, "payeeAccounts">): Promise<{ transferId: number; orderId: string }> {
  const { number, date, payerAccount, amount } = entry;
  const transfer = await payment.findTransfer(db, { number, date, payerAccount }, amount);
  if (!transfer) throw new Error(`the transfer ${number} of ${date} was not recorded`);
  return { transferId: transfer.id, orderId: transfer.orderId };
}

const fingerprintOf = (entry: StatementEntry): string =>
  createHash("sha256")
    .update(JSON.stringify([entry.number, entry.date, entry.amount, entry.payerAccount, entry.payer, entry.payeeAccounts, entry.purpose]))
    .digest("hex");

/**
 * Records the money of an entry that was left to staff for an order. The same payment order that was entered by hand for this order makes
 * the entry `known` and records nothing. Locks the entry, then the order and its payments.
 *
 * Refuses with `statement.entry_not_found`; `statement.entry_settled` when it waits no longer; and as `orders.recordEntryFor`.
 */
export function settleEntry(
  ctx: Ctx,
  { entryId, orderId, evenIfEntered = false }: { entryId: number; orderId: string; evenIfEntered?: boolean },
): Promise<Result<StoredStatementEntry, SettleError>> {
  return inTransaction(ctx.db, async (tx) => {
    const found = await lockLeft(tx, entryId);
    if (!found.ok) return found;
    const { entry, isOutgoing } = found.value;
    if (isOutgoing) return fail({ code: "statement.entry_settled", state: "foreign" });
    const recorded = await orders.recordEntryFor({ ...ctx, db: tx }, orderId, entry, { evenIfEntered });
    if (!recorded.ok) return recorded;
    const changes = {
      state: recorded.value.kind === "counted" ? ("settled" as const) : ("known" as const),
      ...(await transferOf(tx, entry)),
      orderNumber: recorded.value.orderNumber,
      settledAt: ctx.now(),
      settledBy: actorText(ctx.actor),
    };
    await rows.saveEntry(tx, entryId, changes);
    return done({ ...found.value, ...changes });
  });
}

/** Settles several entries, each in a savepoint of its own; one result for each, in the order of the list. */
export async function settleEntries(
  ctx: Ctx,
  wanted: readonly { entryId: number; orderId: string }[],
): Promise<{ entryId: number; result: Result<StoredStatementEntry, SettleError> }[]> {
  const results = new Map<number, Result<StoredStatementEntry, SettleError>>();
  for (const each of wanted.toSorted((a, b) => a.entryId - b.entryId)) results.set(each.entryId, await settleEntry(ctx, each));
  return wanted.flatMap(({ entryId }) => {
    const result = results.get(entryId);
    return result ? [{ entryId, result }] : [];
  });
}

/** Says of an entry that it belongs to no order. Refuses with `statement.entry_not_found` and `statement.entry_settled`. */
export function markEntry(
  ctx: Ctx,
  { entryId, mark, note }: { entryId: number; mark: EntryMark; note: string },
): Promise<Result<StoredStatementEntry, SettleError>> {
  return inTransaction(ctx.db, async (tx) => {
    const found = await lockLeft(tx, entryId);
    if (!found.ok) return found;
    const changes = { state: mark, note, settledAt: ctx.now(), settledBy: actorText(ctx.actor) };
    await rows.saveEntry(tx, entryId, changes);
    return done({ ...found.value, ...changes });
  });
}

/** Takes a mark back, so that the entry waits again. Idempotent. Refuses as `markEntry`; recorded money is not taken back. */
export function reopenEntry(
  ctx: Ctx,
  entryId: number,
): Promise<Result<{ before: StoredStatementEntry; after: StoredStatementEntry }, SettleError>> {
  return inTransaction(ctx.db, async (tx) => {
    const entry = await rows.lockEntry(tx, entryId);
    if (!entry) return fail({ code: "statement.entry_not_found" });
    if (entry.state === "left") return done({ before: entry, after: entry });
    if (entry.state !== "not_ours" && entry.state !== "to_return") return fail({ code: "statement.entry_settled", state: entry.state });
    const changes = { state: "left" as const, settledAt: null, settledBy: null, note: "" };
    await rows.saveEntry(tx, entryId, changes);
    return done({ before: entry, after: { ...entry, ...changes } });
  });
}

/**
 * Records that the money of an entry was sent back to its sender; the note says how, behind the one of the mark. Refuses with
 * `statement.entry_not_found`; with `statement.entry_settled` when it does not wait for that.
 */
export function confirmReturned(
  ctx: Ctx,
  { entryId, note }: { entryId: number; note: string },
): Promise<Result<{ before: StoredStatementEntry; after: StoredStatementEntry }, SettleError>> {
  return inTransaction(ctx.db, async (tx) => {
    const entry = await rows.lockEntry(tx, entryId);
    if (!entry) return fail({ code: "statement.entry_not_found" });
    if (entry.state !== "to_return") return fail({ code: "statement.entry_settled", state: entry.state });
    const changes = {
      state: "not_ours" as const,
      note: [entry.note, note].filter((part) => part !== "").join("; "),
      settledAt: ctx.now(),
      settledBy: actorText(ctx.actor),
    };
    await rows.saveEntry(tx, entryId, changes);
    return done({ before: entry, after: { ...entry, ...changes } });
  });
}

async function lockLeft(tx: Tx, entryId: number): Promise<Result<StoredStatementEntry, SettleError>> {
  const entry = await rows.lockEntry(tx, entryId);
  if (!entry) return fail({ code: "statement.entry_not_found" });
  return entry.state === "left" ? done(entry) : fail({ code: "statement.entry_settled", state: entry.state });
}

/** A statement with the entries that wait for staff, each with the orders that it may belong to; null: none. `id` null: the newest. */
export async function readStatement(
  ctx: Ctx,
  id: number | null,
): Promise<{ statement: Statement; left: (StoredStatementEntry & { suggestions: Suggestion[] })[] } | null> {
  const wanted = id ?? (await rows.newestId(ctx.db));
  const statement = wanted === null ? null : await rows.statementById(ctx.db, wanted);
  if (!statement) return null;
  const left = await rows.entriesOf(ctx.db, statement.id, { states: ["left"], after: -1, limit: ctx.settings.limits.statementEntries });
  if (left.length === 0) return { statement, left: [] };
  const numbers = new Set(left.flatMap(({ entry }) => entry.purpose.match(/\d{5,9}/g)?.map(Number) ?? []));
  const payable = await orders.payableOrders(ctx.db, [...numbers]);
  const incoming = left.filter(({ isOutgoing }) => !isOutgoing);
  const suggested = suggestEach(
    incoming.map(({ entry }) => entry),
    payable,
  );
  const suggestionsOf = new Map(incoming.map(({ id: entryId }, index) => [entryId, suggested[index] ?? []]));
  return { statement, left: left.map((each) => ({ ...each, suggestions: suggestionsOf.get(each.id) ?? [] })) };
}

const settledStates = ["counted", "known", "settled", "not_ours", "to_return", "repeated", "foreign"] as const satisfies EntryState[];

/** The settled entries of a statement behind a position, in the order of the file. */
export const settledEntries = (ctx: Ctx, statementId: number, page: { after: number; limit: number }): Promise<StoredStatementEntry[]> =>
  rows.entriesOf(ctx.db, statementId, { states: settledStates, ...page });

/** Statements before an id, newest first. */
export const list = (ctx: Ctx, page: { before: number | null; limit: number }): Promise<Statement[]> => rows.page(ctx.db, page);

/** The number of entries that wait for staff; more than `limit` count as `limit`. */
export const countLeft = (db: Db, limit: number): Promise<number> => rows.countLeft(db, limit);

/** Entries whose money is to be sent back to its sender, oldest first, behind an id. */
export const entriesToReturn = (db: Db, page: { after: number; limit: number }): Promise<StoredStatementEntry[]> =>
  rows.entriesToReturn(db, page);

/** How many these are (more than `limit` count as `limit`), what they come to, and when the first of them was marked. */
export const countToReturn = (db: Db, limit: number): Promise<{ count: number; since: Date | null; amount: Kopecks }> =>
  rows.countToReturn(db, limit);

/** The payers' names of these transfers, where a statement has them. */
export const payersOf = (db: Db, transferIds: readonly number[]): Promise<Map<number, string>> => rows.payers(db, transferIds);

/** Empties payer, account and purpose of documents whose legal term is over. For the sweep. */
export const erasePayers = (ctx: Ctx): Promise<void> =>
  rows.erasePayers(ctx.db, moscow(plus(ctx.now(), -days(ctx.settings.limits.orderPersonalDays))).date);
