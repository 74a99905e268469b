import { inTransaction } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import * as customers from "../service.ts";
import { customersPageSize, readCustomerQuery, type CustomerCursor, type ListedCustomer } from "./customer-list.ts";
import * as rows from "./customer-list.repository.ts";

export type { CustomerNote } from "./customer-list.repository.ts";

/** Finds customers by the end of the phone, a name or the beginning of the e-mail; an empty text lists all, newest first. */
export async function find(
  ctx: Ctx,
  typed: string,
  after: CustomerCursor | null,
): Promise<{ items: ListedCustomer[]; next: CustomerCursor | null }> {
  const query = readCustomerQuery(typed);
  if (typed.trim() !== "" && query === null) return { items: [], next: null };
  const found = await rows.findCustomers(ctx.db, query, after, customersPageSize + 1);
  const items = found.slice(0, customersPageSize);
  const last = items.at(-1);
  return { items, next: last && found.length > items.length ? { createdAt: last.createdAt, id: last.id } : null };
}

/** Internal notes of staff, oldest first. */
export const notes = (ctx: Ctx, customerId: string): Promise<rows.CustomerNote[]> => rows.notesOf(ctx.db, customerId);

/** Adds an internal note. Refuses with `customer.not_found`, also for a deleted account. */
export function addNote(
  ctx: Ctx,
  customerId: string,
  note: { author: string; text: string },
): Promise<Result<rows.CustomerNote[], { code: "customer.not_found" }>> {
  return inTransaction(ctx.db, async (tx) => {
    if (!(await customers.lock(tx, customerId))) return fail({ code: "customer.not_found" });
    await rows.insertNote(tx, { customerId, at: ctx.now(), ...note });
    return done(await rows.notesOf(tx, customerId));
  });
}
