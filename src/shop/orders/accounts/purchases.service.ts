import type { Db } from "#kit/db.ts";
import * as rows from "./purchases.repository.ts";

/** A paid order of a person. `isConfirmed`: of its account; otherwise the order only names the same e-mail. */
type FoundPurchase = { orderId: string; number: number; at: Date; isConfirmed: boolean };

/** The newest paid order of each author with the coin of its text, or with any coin, by the id of the text. Checks no rights. */
export async function purchasesOf(db: Db, questions: readonly rows.PurchaseQuestion[]): Promise<Map<number, FoundPurchase>> {
  const known = questions.filter(({ customerId, email }) => customerId !== null || email !== "");
  const found = known.length === 0 ? [] : await rows.newestPurchases(db, known);
  return new Map(
    found.map((row) => [
      row.question,
      { orderId: row.id, number: Number(row.number), at: new Date(row.created_at), isConfirmed: row.is_confirmed },
    ]),
  );
}
