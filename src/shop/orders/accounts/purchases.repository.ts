import { sql } from "drizzle-orm";
import type { Db } from "#kit/db.ts";
import { orderLines, orders } from "../tables.ts";

/** The author of a text (by account or e-mail), and the coin that the text is about; `coinSlug` null: any coin. `id`: of the text. */
export type PurchaseQuestion = { id: number; customerId: string | null; email: string; coinSlug: string | null };
export type PurchaseRow = { question: number; id: string; number: string | number; created_at: string | Date; is_confirmed: boolean };

/** The newest paid order of each author with the coin: of the account, else of the mailbox. One statement, by index for each author. */
export async function newestPurchases(db: Db, questions: readonly PurchaseQuestion[]): Promise<PurchaseRow[]> {
  const pending = JSON.stringify(
    questions.map(({ id, customerId, email, coinSlug }) => ({ id, customer: customerId, email: email.toLowerCase(), slug: coinSlug })),
  );
  const hasCoin = sql`(asked.slug is null or exists (
    select 1 from ${orderLines} where ${orderLines.orderId} = found.id and ${orderLines.slug} = asked.slug))`;
  const found = await db.execute(sql`
    select asked.id as question, bought.id, bought.number, bought.created_at, bought.is_confirmed
    from jsonb_to_recordset(${pending}::jsonb) as asked(id int, customer text, email text, slug text)
    cross join lateral (
      (select found.id, found.number, found.created_at, true as is_confirmed from ${orders} as found
        where found.customer_id = asked.customer and found.paid_kopecks > 0 and ${hasCoin}
        order by found.created_at desc limit 1)
      union all
      (select found.id, found.number, found.created_at, false from ${orders} as found
        where asked.email <> '' and lower(found."user" ->> 'email') = asked.email and found.paid_kopecks > 0 and ${hasCoin}
        order by found.created_at desc limit 1)
      order by is_confirmed desc limit 1
    ) as bought`);
  return (found as unknown as { rows: PurchaseRow[] }).rows;
}
