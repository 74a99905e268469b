import { inTransaction } from "#kit/db.ts";
import { done } from "#kit/result.ts";
import { moscow } from "#kit/moscow-time.ts";
import type { Ctx } from "#shop/context.ts";
import type { DocumentDraft } from "#shop/stock/documents/document.ts";
import * as documents from "#shop/stock/documents/document.service.ts";
import type { DealWithLines } from "./deal.ts";
import { change, moved, type Changed, type Seen } from "./service.ts";

/** What names the document of a deal, so that there is one. */
export const sourceKeyOf = (id: number): string => `buyback:${id}`;

/**
 * Puts the coins of a paid deal into the stock: makes and posts a receipt document with the checked prices as costs, in the same
 * transaction. Locks the deal before the document and the stock.
 */
export function shelve(ctx: Ctx, seen: Seen): Promise<Changed> {
  return inTransaction(ctx.db, (tx) => {
    const inside = { ...ctx, db: tx };
    return change(inside, seen, (_, deal) =>
      moved(deal, "shelve", async () => {
        const posted = await documents.postImported(inside, receiptOf(deal, moscow(ctx.now()).date), sourceKeyOf(deal.id));
        if (!posted.ok) throw new Error(`deal ${deal.id} was not put into the stock: ${posted.error.code}`);
        return done({ patch: { shelvedAt: ctx.now(), stockDocumentId: posted.value.id }, note: String(posted.value.id) });
      }),
    );
  });
}

const receiptOf = ({ id, lines }: DealWithLines, date: string): DocumentDraft => ({
  kind: "receipt",
  supplier: `Выкуп № ${id}`,
  number: String(id),
  date,
  note: "",
  lines: lines.flatMap(({ coinId, checked }) =>
    checked === null || checked.quantity === 0 ? [] : [{ coinId, quantity: checked.quantity, unitCost: checked.unitPrice }],
  ),
});
