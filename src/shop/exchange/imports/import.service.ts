import { createHash } from "node:crypto";
import { inTransaction, type Db } from "#kit/db.ts";
import { cutText } from "#kit/text/cut-text.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { readTable } from "#kit/documents/spreadsheet/spreadsheet.ts";
import type { Table, TableLimits } from "#kit/documents/spreadsheet/table.ts";
import { days, hours, plus } from "#kit/time.ts";
import { step } from "#kit/transitions.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import * as audit from "#shop/audit/service.ts";
import * as publishing from "#shop/catalog/editing/publish.service.ts";
import type { Limits } from "#shop/settings.ts";
import * as offers from "../accounting/offers.repository.ts";
import { parseCell, textOf, type TableColumn } from "../columns/column.ts";
import { tableNames } from "../exports/texts.ru.ts";
import { addFault, compareTable, countsOf, knowsAll, type ComparedCoin } from "./compare.ts";
import {
  columnsOf,
  faultText,
  importKinds,
  importStates,
  type CheckedFile,
  type CheckedRow,
  type Import,
  type ImportError,
  type ImportApplier,
  type ImportKind,
  type ImportResult,
  type ImportSource,
  type StaleRow,
} from "./import.ts";
import * as rows from "./import.repository.ts";
import { coinsOfRows, kinds } from "./kinds.service.ts";

const megabyte = 1024 ** 2;
/** What an uploaded table may have at most, by the settings. */
export const tableLimits = (limits: Limits): TableLimits => ({
  rows: limits.exchangeRows,
  columns: limits.exchangeColumns,
  cellLength: 10_000,
  unzippedBytes: limits.exchangeUnzippedMegabytes * megabyte,
});

/**
 * Reads a file and compares it with the shop. Writes nothing; for the time before the transaction that stores it. Refuses with
 * `exchange.file_refused` and a Russian sentence when the file is damaged, too large, or not a table of this kind.
 */
export async function checkFile(
  ctx: Ctx,
  { kind, fileName, bytes }: { kind: ImportKind; fileName: string; bytes: Uint8Array },
): Promise<Result<CheckedFile, ImportError>> {
  const limits = tableLimits(ctx.settings.limits);
  const table = await readTable(bytes, limits);
  if (!table.ok) return fail({ code: "exchange.file_refused", message: faultText(table.error, limits) });
  const format = bytes[0] === 0x50 && bytes[1] === 0x4b ? ("xlsx" as const) : ("csv" as const);
  return checkTable(ctx, { kind, source: "file", fileName, format }, table.value);
}

/** Says that the table looks like one of another kind: it has columns that this kind does not know and the other one does. */
function otherKind(head: readonly string[], kind: ImportKind): string[] {
  if (knowsAll(head, columnsOf[kind])) return [];
  const other = importKinds.find((each) => knowsAll(head, columnsOf[each]));
  return other
    ? [`Похоже, это таблица «${tableNames[other]}», а проверена как «${tableNames[kind]}»: выберите «${tableNames[other]}»`]
    : [];
}

/**
 * The same for a table that was made of something else. Wrong rows of the accounting system are left out; `refusalOf` says why a row that
 * changes something is wrong, in Russian.
 */
export async function checkTable(
  ctx: Ctx,
  about: { kind: ImportKind; source: ImportSource; fileName: string; format: Import["format"] },
  table: Table,
  refusalOf: (row: CheckedRow) => string | null = () => null,
): Promise<Result<CheckedFile, ImportError>> {
  const kind = kinds[about.kind];
  const columns = columnsOf[about.kind];
  const subjects = await kind.load(ctx, articlesOf(table, columns));
  const compared = await compareTable(table, { columns, subjects, allowsNew: kind.allowsNew });
  if (!compared.ok) return compared;
  await kind.review(ctx, compared.value.rows, subjects);
  if (about.source === "accounting") for (const row of compared.value.rows) leaveOutWrong(row, refusalOf);
  const found = compared.value.rows.filter(({ outcome, messages }) => outcome !== "unchanged" || messages.length > 0);
  return done({
    ...about,
    rows: found,
    counts: countsOf(found, table.rows.length),
    notes: [...otherKind(table.head, about.kind), ...compared.value.notes],
    hash: hashOf(about.kind, found),
  });
}

/**
 * Leaves a wrong row out of an import of the accounting system, with a warning that says why. Staff has no file to correct, and the other
 * rows must not wait for this one.
 */
function leaveOutWrong(row: CheckedRow, refusalOf: (row: CheckedRow) => string | null): void {
  const why = row.outcome === "changed" ? refusalOf(row) : null;
  if (why !== null) addFault(row, null, why);
  if (row.outcome !== "error") return;
  row.outcome = "unchanged";
  row.values = {};
  row.messages = row.messages.map((each) => (each.isError ? { ...each, message: `Пропущено. ${each.message}`, isError: false } : each));
}

/** The articles that a table names, whether the shop has them or not. */
function articlesOf(table: Table, columns: readonly TableColumn[]): number[] {
  const key = columns.find(({ role }) => role === "key");
  const at = table.head.findIndex((text) => text.trim().toLowerCase() === key?.head.toLowerCase());
  if (!key || at === -1) return [];
  const ids = table.rows.flatMap(({ cells }) => {
    const parsed = parseCell(key, cells[at] ?? "");
    return parsed.ok && typeof parsed.value === "number" ? [parsed.value] : [];
  });
  return [...new Set(ids)];
}

const hashOf = (kind: ImportKind, checked: readonly CheckedRow[]): string =>
  createHash("sha256")
    .update(
      JSON.stringify([
        kind,
        checked.map(({ line, coinId, values, changes, revision }) => [line, coinId, plain(values), changes.map(plain), revision]),
      ]),
    )
    .digest("hex");
/** In an order of its own: the database stores the keys of an object in another one. */
const plain = (value: object): unknown[] => Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Stores a checked file in the transaction of `ctx.db`, so that it can be previewed and applied. */
export async function storeCheck(ctx: Ctx, { rows: checked, ...file }: CheckedFile): Promise<Import> {
  const { fileName, ...about } = file;
  const made = { ...about, fileName: fileName.slice(0, 200), createdAt: ctx.now(), createdBy: actorText(ctx.actor) };
  const id = await inTransaction(ctx.db, (tx) => rows.insert(tx, made, checked));
  return { ...made, id, state: "checked", appliedAt: null, appliedBy: null, result: null };
}

export type Apply = { id: number; hash: string };
type Ready = { found: Import; changing: CheckedRow[]; subjects: Map<number, ComparedCoin> };

/** Why a second person must approve the application of an import; null: not needed. */
export async function approvalReason(ctx: Ctx, found: Import): Promise<string | null> {
  if (found.state !== "checked" || found.counts.errors > 0) return null;
  const { changing, subjects } = await prepared(ctx, found);
  return kinds[found.kind].approvalReason(ctx, changing, subjects);
}

/** What an approval names of a new coin: what its price is made of. Of a changed one it names all that changes. */
const weighty: ReadonlySet<string> = new Set([
  "metal",
  "kind",
  "year",
  "finenessTenths",
  "pureMassMg",
  "totalMassMg",
  "premiumBp",
  "buybackBp",
  "fixedPriceKopecks",
  "fixedBuybackKopecks",
]);

/** Rows that an approval names; it says how many more there are. */
const rowsShown = 50;

/** What applying an import would change, for the person who approves it: its numbers, then row by row. Names and values are Russian. */
export async function shownOf(
  ctx: Ctx,
  found: Import,
): Promise<{ before: Record<string, string>; after: Record<string, string | number> }> {
  const { fileName, counts } = found;
  const changing = await rows.rowsOf(ctx.db, found.id, { outcomes: ["new", "changed"], after: 0, limit: rowsShown });
  const heads = new Map(columnsOf[found.kind].map(({ key, head }) => [key, head]));
  const place = found.source === "accounting" ? "Артикул" : "Строка";
  const side = (of: "before" | "after") =>
    Object.fromEntries(
      changing.flatMap(({ line, title, outcome, changes }) => {
        const cells = changes.filter((change) => change[of] !== "" && (outcome === "changed" || weighty.has(change.column)));
        const text = cells.map((change) => `${heads.get(change.column) ?? change.column}: ${change[of]}`).join("; ");
        return outcome === "new" && of === "before" ? [] : [[`${place} ${line}, ${title}`, cutText(text, 500)]];
      }),
    );
  const more = counts.new + counts.changed - changing.length;
  return {
    before: side("before"),
    after: {
      Файл: fileName,
      Таблица: tableNames[found.kind],
      "Строк в файле": counts.rows,
      "Новых монет": counts.new,
      "Изменится монет": counts.changed,
      "Строк с замечаниями": counts.warnings,
      ...side("after"),
      ...(more > 0 ? { "Ещё строк": more } : {}),
    },
  };
}

/** Which call applies an import. */
export async function applierOf(ctx: Pick<Ctx, "db">, { id, kind }: Pick<Import, "id" | "kind">): Promise<ImportApplier> {
  return kind === "stock" ? ((await rows.hasCounted(ctx.db, id)) ? "stocktake" : "stock") : kind;
}

async function prepared(ctx: Ctx, found: Import): Promise<Ready> {
  const changing = await rows.rowsOf(ctx.db, found.id, { outcomes: ["new", "changed"], after: 0, limit: found.counts.rows + 1 });
  return { found, changing, subjects: await kinds[found.kind].load(ctx, coinsOfRows(changing)) };
}

/**
 * Applies a checked import: all rows or none, in the transaction of `ctx.db`. Idempotent: an applied import is returned as it is. What the
 * accounting system offered in it is settled; a newer offer stays.
 *
 * Refuses with `exchange.not_found`; `exchange.closed` for a discarded one; `exchange.has_errors`; `exchange.stale` with the rows whose
 * coins have changed since the check, or with none when `hash` is not that of the stored check; `exchange.refused` when the owner of the
 * data refuses. Nothing is changed then.
 */
export function apply(ctx: Ctx, { id, hash }: Apply): Promise<Result<{ import: Import; isRepeat: boolean }, ImportError>> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    if ((await rows.find(tx, id))?.source === "accounting") await offers.lock(tx);
    const locked = await rows.lock(tx, id);
    if (!locked) return fail({ code: "exchange.not_found" });
    const move = step(importStates, locked.state, "apply");
    if (move.kind === "already") return done({ import: locked, isRepeat: true });
    if (move.kind === "refused") return fail({ code: "exchange.closed", state: locked.state });
    if (locked.hash !== hash) return fail({ code: "exchange.stale", rows: [] });
    if (locked.counts.errors > 0) return fail({ code: "exchange.has_errors" });
    const { changing, subjects } = await prepared(inside, locked);
    if (hashOf(locked.kind, await allRows(tx, locked)) !== hash)
      throw new Error(`the rows of import ${id} are not those that were checked`);
    const stale = staleRows(changing, columnsOf[locked.kind], subjects);
    if (stale.length > 0) return fail({ code: "exchange.stale", rows: stale });
    const applied =
      changing.length === 0 ? done<ImportResult>({ changed: 0 }) : await kinds[locked.kind].apply(inside, locked, changing, subjects);
    if (!applied.ok) return applied;
    const by = { appliedAt: ctx.now(), closedBy: actorText(ctx.actor), result: applied.value };
    await rows.saveState(tx, id, { state: "applied", ...by });
    if (locked.source === "accounting") {
      const coinIds = locked.kind === "stock" ? coinsOfRows(changing) : [];
      await offers.settleHeld(tx, { importId: id, coinIds, at: ctx.now() });
    }
    return done({
      import: { ...locked, state: "applied", appliedAt: by.appliedAt, appliedBy: by.closedBy, result: by.result },
      isRepeat: false,
    });
  });
}

const allRows = (db: Db, { id, counts }: Import): Promise<CheckedRow[]> =>
  rows.rowsOf(db, id, { outcomes: ["new", "changed", "unchanged", "error"], after: 0, limit: counts.rows + 1 });

/** Rows whose coins are not any more as the check showed them. */
function staleRows(
  changing: readonly CheckedRow[],
  columns: readonly TableColumn[],
  subjects: ReadonlyMap<number, ComparedCoin>,
): StaleRow[] {
  const byKey = new Map(columns.map((column) => [column.key, column]));
  return changing.flatMap(({ line, title, coinId, changes, revision, outcome }) => {
    if (outcome === "new" || coinId === null) return [];
    const subject = subjects.get(coinId);
    if (!subject) return [{ line, title, what: "монеты больше нет" }];
    const moved = changes.find(({ column, before }) => {
      const shown = column === "counted" ? subject.values["onHand"] : subject.values[column];
      const known = byKey.get(column);
      return known !== undefined && textOf(known, shown ?? null) !== before;
    });
    if (moved)
      return [{ line, title, what: `${byKey.get(moved.column)?.head ?? moved.column}: было ${moved.before || "пусто"}, теперь другое` }];
    return subject.revision === revision ? [] : [{ line, title, what: "монету тем временем изменили" }];
  });
}

/** Discards a checked import. Idempotent. What the accounting system offered in it stays pending. */
export function discard(ctx: Ctx, id: number): Promise<Result<Import, ImportError>> {
  return inTransaction(ctx.db, async (tx) => {
    const locked = await rows.lock(tx, id);
    if (!locked) return fail({ code: "exchange.not_found" });
    const move = step(importStates, locked.state, "discard");
    if (move.kind === "already") return done(locked);
    if (move.kind === "refused") return fail({ code: "exchange.closed", state: locked.state });
    await rows.saveState(tx, id, { state: "discarded", appliedAt: null, closedBy: actorText(ctx.actor), result: null });
    return done({ ...locked, state: "discarded" });
  });
}

/**
 * Puts the coins that an applied import made on sale, those that lack nothing. Idempotent: coins on sale stay so, the others can be
 * published later. Refuses with `exchange.not_found`, also for an import that made no coins.
 */
export function publishAdded(ctx: Ctx, id: number): Promise<Result<publishing.Published[], ImportError>> {
  return inTransaction(ctx.db, async (tx) => {
    const found = await rows.find(tx, id);
    const ids = found?.result?.addedIds ?? [];
    if (ids.length === 0) return fail({ code: "exchange.not_found" });
    const published = await publishing.publishReady({ ...ctx, db: tx }, ids);
    const events = published.flatMap(({ id: coinId, outcome }) =>
      outcome === "published" ? [{ subject: `coin:${coinId}`, before: { isPublished: false }, after: { isPublished: true } }] : [],
    );
    await audit.recordAll(tx, ctx, "coin.publish", events);
    return done(published);
  });
}

/** An import by its id; null: there is none. */
export const find = (ctx: Pick<Ctx, "db">, id: number): Promise<Import | null> => rows.find(ctx.db, id);
/** Imports, newest first. */
export const list = (ctx: Pick<Ctx, "db">, page: { before: number | null; limit: number }): Promise<Import[]> => rows.page(ctx.db, page);
/** Rows of an import behind a line, in the order of the file. */
export const rowsOf = (ctx: Pick<Ctx, "db">, id: number, filter: rows.RowFilter): Promise<CheckedRow[]> => rows.rowsOf(ctx.db, id, filter);

/** The imports of the accounting system of a kind that wait to be applied. */
export const waitingFromAccounting = (ctx: Ctx, kind: ImportKind): Promise<Import[]> => rows.waiting(ctx.db, "accounting", kind);

/** Puts those of these imports aside that wait: what they would write is no longer what the accounting system offers. */
export const discardWaiting = (ctx: Ctx, ids: readonly number[]): Promise<void> => rows.discardWaiting(ctx.db, ids, actorText(ctx.actor));

/** Imports of the accounting system that wait to be applied. */
export const countFromAccounting = (db: Db): Promise<number> => rows.countWaiting(db, "accounting");

/** Discards checks that were not applied in time and deletes old rows; offers of the accounting system stay pending. For the sweep. */
export async function forgetOld(ctx: Ctx): Promise<void> {
  const { exchangeCheckHours, exchangeRowDays } = ctx.settings.limits;
  await rows.forgetChecks(ctx.db, plus(ctx.now(), -hours(exchangeCheckHours)), actorText(ctx.actor));
  await rows.forgetRows(ctx.db, plus(ctx.now(), -days(exchangeRowDays)));
}
