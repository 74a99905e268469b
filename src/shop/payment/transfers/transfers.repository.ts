import { and, desc, eq, isNull, or, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { kopecks, type Kopecks } from "#kit/money.ts";
import { actorText, type Actor } from "#shop/actor.ts";
import type { BankReference } from "./bank-transfer.ts";
import { byHand } from "../payment.ts";
import { bankTransfers, payments } from "../tables.ts";

export type BankTransfer = { id: number; orderId: string; isPayerKnown: boolean };

/** The stored value of an unknown account. */
const unknown = "";

/** Locks payment orders of this number and day until the transaction ends. Lock the order first. */
export async function lockReference(tx: Tx, { number, date }: BankReference): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`transfer:${number}:${date}`}, 0))`);
}

/** The stored entry of this payment order, if any; an entry without the payer's account matches any payer. */
export async function find(db: Db, { number, date, payerAccount }: BankReference, amount: Kopecks): Promise<BankTransfer | null> {
  const { payerAccount: account } = bankTransfers;
  const [row] = await db
    .select()
    .from(bankTransfers)
    .where(
      and(
        eq(bankTransfers.number, number),
        eq(bankTransfers.date, date),
        eq(bankTransfers.amountKopecks, amount),
        payerAccount === null ? undefined : or(eq(account, payerAccount), eq(account, unknown)),
      ),
    )
    .limit(1);
  return row ? { id: row.id, orderId: row.orderId, isPayerKnown: row.payerAccount !== unknown } : null;
}

export async function insert(
  tx: Tx,
  transfer: { orderId: string; reference: BankReference; amount: Kopecks; at: Date; actor: Actor },
): Promise<number> {
  const {
    orderId,
    reference: { number, date, payerAccount },
    amount,
    at,
    actor,
  } = transfer;
  const [row] = await tx
    .insert(bankTransfers)
    .values({ orderId, number, date, amountKopecks: amount, payerAccount: payerAccount ?? unknown, enteredAt: at, actor: actorText(actor) })
    .returning({ id: bankTransfers.id });
  if (!row) throw new Error("a bank transfer was not written down");
  return row.id;
}

/** Adds the payer's account to an entry without one; false: it has one by now. */
export async function namePayer(db: Db, id: number, payerAccount: string): Promise<boolean> {
  const named = await db
    .update(bankTransfers)
    .set({ payerAccount })
    .where(and(eq(bankTransfers.id, id), eq(bankTransfers.payerAccount, unknown)))
    .returning({ id: bankTransfers.id });
  return named.length > 0;
}

/** Whether a transfer for this order was entered without its reference. */
export async function hasWithoutReference(db: Db, orderId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.provider, byHand), eq(payments.method, "invoice"), isNull(payments.transferId)))
    .limit(1);
  return row !== undefined;
}

export async function hasFrom(db: Db, orderId: string, payerAccount: string): Promise<boolean> {
  const [row] = await db
    .select({ id: bankTransfers.id })
    .from(bankTransfers)
    .where(and(eq(bankTransfers.orderId, orderId), eq(bankTransfers.payerAccount, payerAccount)))
    .limit(1);
  return row !== undefined;
}

/** Payment orders with this number, the newest first. */
export async function byNumber(
  db: Db,
  number: string,
  limit: number,
): Promise<{ id: number; number: string; date: string; amount: Kopecks; orderId: string }[]> {
  const found = await db
    .select({
      id: bankTransfers.id,
      number: bankTransfers.number,
      date: bankTransfers.date,
      amount: bankTransfers.amountKopecks,
      orderId: bankTransfers.orderId,
    })
    .from(bankTransfers)
    .where(eq(bankTransfers.number, number))
    .orderBy(desc(bankTransfers.date), desc(bankTransfers.id))
    .limit(limit);
  return found.map((row) => ({ ...row, amount: kopecks(row.amount) }));
}

/** Erases the payer's account; the replacement keeps the entry unique. */
export async function erasePayer(tx: Tx, orderId: string): Promise<void> {
  await tx
    .update(bankTransfers)
    .set({ payerAccount: sql`'forgotten ' || ${bankTransfers.id}` })
    .where(and(eq(bankTransfers.orderId, orderId), sql`${bankTransfers.payerAccount} <> ${unknown}`));
}
