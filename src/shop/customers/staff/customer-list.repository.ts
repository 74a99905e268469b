import { and, asc, desc, isNull, sql, eq, type SQL } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { customerNotes, customers, folded, phoneBackwards } from "../tables.ts";
import type { CustomerCursor, CustomerQuery, ListedCustomer } from "./customer-list.ts";

/** `like` takes these as any text; in a prefix they stand for themselves. */
const literal = (text: string): string => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
export const beginsWith = (expression: SQL, text: string): SQL => sql`${expression} like ${`${literal(text)}%`}`;

function matches(query: CustomerQuery): SQL | undefined {
  switch (query.kind) {
    case "phone":
      return beginsWith(phoneBackwards(customers.phone), query.digits.split("").toReversed().join(""));
    case "email":
      return beginsWith(sql`lower(${customers.email})`, query.text);
    case "name": {
      const [first = "", second] = query.words;
      const [last, given] = [folded(customers.lastName), folded(customers.name)];
      const either = (a: SQL | undefined, b: SQL | undefined) => sql`(${a} or ${b})`;
      return second === undefined
        ? either(beginsWith(last, first), beginsWith(given, first))
        : either(and(beginsWith(last, first), beginsWith(given, second)), and(beginsWith(given, first), beginsWith(last, second)));
    }
  }
}

/** Customers with an account, newest first, behind the cursor. */
export function findCustomers(db: Db, query: CustomerQuery | null, after: CustomerCursor | null, limit: number): Promise<ListedCustomer[]> {
  const { id, phone, name, lastName, secondName, email, createdAt } = customers;
  return db
    .select({ id, phone, name, lastName, secondName, email, createdAt })
    .from(customers)
    .where(
      and(
        isNull(customers.erasedAt),
        query ? matches(query) : undefined,
        after ? sql`(${createdAt}, ${id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id})` : undefined,
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(limit);
}

export type CustomerNote = { id: number; at: Date; author: string; text: string };

export const notesOf = (db: Db, customerId: string): Promise<CustomerNote[]> =>
  db
    .select({ id: customerNotes.id, at: customerNotes.at, author: customerNotes.author, text: customerNotes.text })
    .from(customerNotes)
    .where(eq(customerNotes.customerId, customerId))
    .orderBy(asc(customerNotes.id));

export async function insertNote(tx: Tx, note: { customerId: string; at: Date; author: string; text: string }): Promise<void> {
  await tx.insert(customerNotes).values(note);
}

export async function deleteNotes(tx: Tx, customerId: string): Promise<void> {
  await tx.delete(customerNotes).where(eq(customerNotes.customerId, customerId));
}
