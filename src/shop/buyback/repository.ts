import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lt, lte, ne, or, sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { kopecks, type Kopecks } from "#kit/money.ts";
import { foldedPattern } from "#kit/text/folded-text.ts";
import type { CoinCondition } from "#shop/inquiries/inquiry.ts";
import type { Deal, DealLine, DealPart, DealState, DealWithLines, HistoryEntry, HistoryKind } from "./deal.ts";
import { buybackDeals as deals, buybackEvents, buybackLines } from "./tables.ts";

type Row = typeof deals.$inferSelect;
type NewRow = typeof deals.$inferInsert;
/** What a change stores; the revision and the time of the change are added. */
export type Patch = Partial<Omit<NewRow, "id" | "revision" | "changedAt">>;

/** First number of the advisory locks of persons. */
const personLocks = 7302;
/** First number of the advisory locks of payment orders. */
const paymentOrderLocks = 7303;
/** First number of the advisory locks of receipts of expense. */
const receiptLocks = 7304;

const orNull = (amount: number | null): Kopecks | null => (amount === null ? null : kopecks(amount));

/** The checks of the table allow only these states, and set the columns of the payout and the receipt together. */
function toDeal(row: Row): Deal {
  const { payoutKopecks, payoutBik, payoutNumber, payoutDate, paidAt, receiptStorage, receiptDocument, receiptAttribute } = row;
  return {
    id: row.id,
    state: row.state as DealState,
    name: row.name,
    phone: row.phone,
    email: row.email,
    note: row.note,
    requestId: row.requestId,
    assignee: row.assignee,
    offerSum: kopecks(row.offerKopecks),
    checkedSum: orNull(row.checkedKopecks),
    pieces: row.pieces,
    priceListVersion: row.priceListVersion,
    lockedUntil: row.lockedUntil,
    checkReason: row.checkReason,
    identity: row.identityEnteredAt && { enteredAt: row.identityEnteredAt, eraseAt: row.identityEraseAt },
    personHash: row.personHash,
    nameHash: row.nameHash,
    payout:
      payoutKopecks !== null && payoutNumber !== null && payoutDate !== null && paidAt !== null
        ? {
            sum: kopecks(payoutKopecks),
            accountEnd: row.payoutAccountEnd ?? "",
            bik: payoutBik ?? "",
            number: payoutNumber,
            date: payoutDate,
            paidAt,
          }
        : null,
    isFlagged: row.isFlagged,
    receipt:
      receiptStorage !== null && receiptDocument !== null && receiptAttribute !== null
        ? { storageNumber: receiptStorage, documentNumber: receiptDocument, attribute: receiptAttribute }
        : null,
    stockDocumentId: row.stockDocumentId,
    revision: row.revision,
    waitsSince: row.paidAt ?? row.checkedAt ?? row.receivedAt ?? row.changedAt,
    createdAt: row.createdAt,
    changedAt: row.changedAt,
  };
}

const part = (quantity: number | null, condition: string | null, amount: number | null) =>
  quantity === null || condition === null || amount === null
    ? null
    : { quantity, condition: condition as CoinCondition, unitPrice: kopecks(amount) };

async function linesOf(db: Db, dealId: number): Promise<DealLine[]> {
  const rows = await db.select().from(buybackLines).where(eq(buybackLines.dealId, dealId)).orderBy(asc(buybackLines.position));
  return rows.map((row) => {
    const offered = part(row.offeredQuantity, row.offeredCondition, row.offeredKopecks);
    return {
      coinId: row.coinId,
      offered: offered && { ...offered, isTyped: row.isTyped },
      checked: part(row.checkedQuantity, row.checkedCondition, row.checkedKopecks),
    };
  });
}

const withLines = async (db: Db, row: Row | undefined): Promise<DealWithLines | null> =>
  row ? { ...toDeal(row), lines: await linesOf(db, row.id) } : null;

export async function find(db: Db, id: number): Promise<DealWithLines | null> {
  const [row] = await db.select().from(deals).where(eq(deals.id, id));
  return withLines(db, row);
}

export async function lock(tx: Tx, id: number): Promise<DealWithLines | null> {
  const [row] = await tx.select().from(deals).where(eq(deals.id, id)).for("update");
  return withLines(tx, row);
}

export async function insert(tx: Tx, deal: Omit<NewRow, "id" | "revision">): Promise<number> {
  const [row] = await tx.insert(deals).values(deal).returning({ id: deals.id });
  if (!row) throw new Error("a deal was not stored");
  return row.id;
}

/** Stores a change and counts the revision; the row is locked. */
export async function save(tx: Tx, id: number, patch: Patch, changedAt: Date): Promise<void> {
  await tx
    .update(deals)
    .set({ ...patch, changedAt, revision: sql`${deals.revision} + 1` })
    .where(eq(deals.id, id));
}

/** Stores to whom a deal is assigned, which is not a change of the deal: its revision stays, and an approval that waits for it. */
export async function setAssignee(tx: Tx, id: number, assignee: string | null): Promise<void> {
  await tx.update(deals).set({ assignee }).where(eq(deals.id, id));
}

export async function replaceLines(tx: Tx, dealId: number, lines: readonly DealLine[]): Promise<void> {
  await tx.delete(buybackLines).where(eq(buybackLines.dealId, dealId));
  await tx.insert(buybackLines).values(
    lines.map(({ coinId, offered, checked }, position) => ({
      dealId,
      coinId,
      position,
      offeredQuantity: offered?.quantity ?? null,
      offeredCondition: offered?.condition ?? null,
      offeredKopecks: offered?.unitPrice ?? null,
      isTyped: offered?.isTyped ?? false,
      checkedQuantity: checked?.quantity ?? null,
      checkedCondition: checked?.condition ?? null,
      checkedKopecks: checked?.unitPrice ?? null,
    })),
  );
}

export async function insertEvent(tx: Tx, dealId: number, { sum, ...event }: HistoryEntry): Promise<void> {
  await tx.insert(buybackEvents).values({ ...event, dealId, sumKopecks: sum });
}

export async function historyOf(db: Db, dealId: number): Promise<HistoryEntry[]> {
  const rows = await db.select().from(buybackEvents).where(eq(buybackEvents.dealId, dealId)).orderBy(asc(buybackEvents.id));
  return rows.map(({ at, actor, kind, state, sumKopecks, note }) => ({
    at,
    actor,
    kind: kind as HistoryKind,
    state: state as DealState,
    sum: kopecks(sumKopecks),
    note,
  }));
}

/* Lists */

const isState = (...states: DealState[]): SQL => inArray(deals.state, states);
const openStates: DealState[] = ["offered", "locked", "received", "checked", "paid"];

/** `endOfDay`: locked offers that run out before it are `expiring`. */
function isInPart(part: DealPart, endOfDay: Date): SQL | undefined {
  switch (part) {
    case "open":
      return isState(...openStates);
    case "expiring":
      return and(isState("locked"), lt(deals.lockedUntil, endOfDay));
    case "receipt":
      return and(isState("paid", "shelved"), isNull(deals.receiptStorage));
    case "finished":
      return isState("shelved", "returned", "cancelled");
    default:
      return isState(part);
  }
}

/** `phone`: digits of a phone, when the text can be a part of one; `phonesOf`: only in the deals of this assignee, null: in all. */
export type SearchedText = { id: number | null; phone: string | null; phonesOf: string | null; words: readonly string[] };
export type DealFilter = { part: DealPart | null; assignee?: string | null; text?: SearchedText };

/** A text has no index, so only so many of the newest deals are searched. */
const searchedAtMost = 10_000;

function hasText(db: Db, text: SearchedText | undefined): SQL | undefined {
  if (!text) return undefined;
  const { id, name, phone, assignee } = deals;
  const searched = db.select({ id, name, phone, assignee }).from(deals).orderBy(desc(id)).limit(searchedAtMost).as("searched");
  const isFound = or(
    text.phone === null
      ? undefined
      : and(sql`strpos(${searched.phone}, ${text.phone}) > 0`, text.phonesOf === null ? undefined : eq(searched.assignee, text.phonesOf)),
    text.words.length === 0 ? sql`false` : and(...text.words.map((word) => sql`${searched.name} ~ ${foldedPattern(word)}`)),
  );
  // The text is a condition of the outer query: beside the limit the planner would look for it in all rows first.
  const found = db.select({ id: searched.id }).from(searched).where(isFound);
  return or(text.id === null ? undefined : eq(deals.id, text.id), inArray(deals.id, found));
}

export async function page(
  db: Db,
  { part, assignee, text }: DealFilter,
  { before, limit, endOfDay }: { before: number | null; limit: number; endOfDay: Date },
): Promise<Deal[]> {
  const rows = await db
    .select()
    .from(deals)
    .where(
      and(
        part === null ? undefined : isInPart(part, endOfDay),
        assignee === undefined ? undefined : assignee === null ? isNull(deals.assignee) : eq(deals.assignee, assignee),
        hasText(db, text),
        before === null ? undefined : lt(deals.id, before),
      ),
    )
    .orderBy(desc(deals.id))
    .limit(limit);
  return rows.map(toDeal);
}

/** How many deals a part has, up to the limit. */
export async function countPart(db: Db, part: DealPart, endOfDay: Date, limit: number): Promise<number> {
  const found = db.select({ id: deals.id }).from(deals).where(isInPart(part, endOfDay)).limit(limit).as("found");
  const [row] = await db.select({ n: count() }).from(found);
  return row?.n ?? 0;
}

/** The deals of a part, those first that have waited in their state for the longest time. */
export async function oldestOf(db: Db, part: DealPart, endOfDay: Date, limit: number): Promise<Deal[]> {
  const rows = await db
    .select()
    .from(deals)
    .where(isInPart(part, endOfDay))
    .orderBy(sql`coalesce(${deals.paidAt}, ${deals.checkedAt}, ${deals.receivedAt}, ${deals.changedAt})`, asc(deals.id))
    .limit(limit);
  return rows.map(toDeal);
}

/** The newest deal that was made from a request; null: none. */
export async function ofRequest(db: Db, requestId: number): Promise<number | null> {
  const [row] = await db.select({ id: deals.id }).from(deals).where(eq(deals.requestId, requestId)).orderBy(desc(deals.id)).limit(1);
  return row?.id ?? null;
}

/* Payouts */

/** The hashes by which the deals of a person are found; null: stored before there was one. */
export type PersonHashes = { personHash: string; nameHash: string | null };

/** Serialises the payouts to a person until the transaction ends. The locks are taken in the order of their numbers. */
export async function lockPerson(tx: Tx, { personHash, nameHash }: PersonHashes): Promise<void> {
  const hashes = sql.join(
    [personHash, nameHash ?? personHash].map((hash) => sql`(hashtext(${hash}))`),
    sql`, `,
  );
  await tx.execute(
    sql`select pg_advisory_xact_lock(${personLocks}, key) from (select distinct key from (values ${hashes}) of (key) order by key) sorted`,
  );
}

/** What other deals paid to a person after `since`, up to `till`. */
export async function paidTo(
  db: Db,
  { personHash, nameHash }: PersonHashes,
  { since, till, except }: { since: Date; till: Date; except: number },
): Promise<Kopecks> {
  const [row] = await db
    .select({ sum: sql<string>`coalesce(sum(${deals.payoutKopecks}), 0)::text` })
    .from(deals)
    .where(
      and(
        or(eq(deals.personHash, personHash), nameHash === null ? undefined : eq(deals.nameHash, nameHash)),
        ne(deals.id, except),
        isNotNull(deals.paidAt),
        sql`${deals.paidAt} > ${since.toISOString()}::timestamptz`,
        lte(deals.paidAt, till),
      ),
    );
  return kopecks(Number(row?.sum ?? 0));
}

/** Serialises the payouts with one payment order until the transaction ends. */
export async function lockPaymentOrder(tx: Tx, { number, date }: { number: string; date: string }): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${paymentOrderLocks}, hashtext(${`${number} ${date}`}))`);
}

/** The deal that was paid by this payment order; null: none. */
export async function ofPaymentOrder(db: Db, { number, date }: { number: string; date: string }): Promise<number | null> {
  const [row] = await db
    .select({ id: deals.id })
    .from(deals)
    .where(and(eq(deals.payoutNumber, number), eq(deals.payoutDate, date)));
  return row?.id ?? null;
}

/** Serialises the records of one receipt of expense until the transaction ends. */
export async function lockReceipt(
  tx: Tx,
  { storageNumber, documentNumber }: { storageNumber: string; documentNumber: string },
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${receiptLocks}, hashtext(${`${storageNumber} ${documentNumber}`}))`);
}

/** The deal whose receipt of expense has these numbers; null: none. */
export async function ofReceipt(
  db: Db,
  { storageNumber, documentNumber }: { storageNumber: string; documentNumber: string },
): Promise<number | null> {
  const [row] = await db
    .select({ id: deals.id })
    .from(deals)
    .where(and(eq(deals.receiptStorage, storageNumber), eq(deals.receiptDocument, documentNumber)));
  return row?.id ?? null;
}

/** The encrypted identity document and account. */
export async function sealedOf(db: Db, id: number): Promise<{ identity: string | null; account: string | null }> {
  const [row] = await db.select({ identity: deals.identity, account: deals.payoutAccount }).from(deals).where(eq(deals.id, id));
  return row ?? { identity: null, account: null };
}

/* Erasure */

export const erased: Patch = {
  name: "",
  phone: "",
  email: "",
  note: "",
  checkReason: "",
  identity: null,
  identityEnteredAt: null,
  personHash: null,
  nameHash: null,
  payoutAccount: null,
};

/** Empties what staff wrote in the history of a deal. */
export async function eraseNotes(tx: Tx, dealId: number): Promise<void> {
  await tx
    .update(buybackEvents)
    .set({ note: "" })
    .where(and(eq(buybackEvents.dealId, dealId), inArray(buybackEvents.kind, ["check", "cancel", "return"])));
}

/** Whether the data of a deal is due to be erased. */
const isDue = ({ now, closedBefore }: { now: Date; closedBefore: Date }): SQL | undefined =>
  and(ne(deals.phone, ""), or(lte(deals.identityEraseAt, now), lt(deals.closedAt, closedBefore)));

/** Locks a deal when its data is still due to be erased; null: it is not any more. */
export async function lockToErase(tx: Tx, id: number, due: { now: Date; closedBefore: Date }): Promise<DealWithLines | null> {
  const [row] = await tx
    .select()
    .from(deals)
    .where(and(eq(deals.id, id), isDue(due)))
    .for("update");
  return withLines(tx, row);
}

/** Offers, and locked ones whose time has run out, without a change since `before`. */
export async function abandoned(db: Db, { now, before, limit }: { now: Date; before: Date; limit: number }): Promise<Deal[]> {
  const rows = await db
    .select()
    .from(deals)
    .where(and(lt(deals.changedAt, before), or(isState("offered"), and(isState("locked"), lte(deals.lockedUntil, now)))))
    .limit(limit);
  return rows.map(toDeal);
}

/** Paid deals whose identity document is due to be erased, and deals closed without a payout before `closedBefore`, with contacts. */
export async function toErase(db: Db, { limit, ...due }: { now: Date; closedBefore: Date; limit: number }): Promise<number[]> {
  const rows = await db.select({ id: deals.id }).from(deals).where(isDue(due)).limit(limit);
  return rows.map(({ id }) => id);
}
