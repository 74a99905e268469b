import { inTransaction } from "#kit/db.ts";
import { done } from "#kit/result.ts";
import { moscow } from "#kit/moscow-time.ts";
import type { Ctx } from "#shop/context.ts";
import type { DocumentDraft } from "#shop/stock/documents/document.ts";
import * as documents from "#shop/stock/documents/document.service.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { CoinCondition } from "#shop/inquiries/inquiry.ts";
import { checkedOf, type DealWithLines } from "./deal.ts";
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
        const posted = await documents.postImported(
          inside,
          receiptOf(deal, moscow(ctx.now()).date, await foundText(inside, deal)),
          sourceKeyOf(deal.id),
        );
        if (!posted.ok) throw new Error(`deal ${deal.id} was not put into the stock: ${posted.error.code}`);
        return done({ patch: { shelvedAt: ctx.now(), stockDocumentId: posted.value.id }, note: String(posted.value.id) });
      }),
    );
  });
}

const conditionNames: Readonly<Record<CoinCondition, string>> = {
  perfect: "идеальное",
  good: "хорошее",
  fair: "со следами",
  damaged: "повреждения",
};
/** A note of a document has so many characters. */
const maxNoteLength = 500;

/**
 * Conditions that the check found, for the person who puts the coins on the shelf: `Состояние: Соболь хорошее; Победоносец повреждения`.
 */
async function foundText(ctx: Pick<Ctx, "db">, { lines }: DealWithLines): Promise<string> {
  const coins = await catalog.coinsByIds(
    ctx.db,
    lines.map(({ coinId }) => coinId),
  );
  const titles = new Map(coins.map(({ id, title }) => [id, title]));
  const found = lines.flatMap((line) =>
    checkedOf([line]).flatMap(({ quantity, condition }) =>
      quantity === 0 ? [] : [`${titles.get(line.coinId) ?? line.coinId} ${conditionNames[condition]}`],
    ),
  );
  return `Состояние: ${found.join("; ")}`.slice(0, maxNoteLength);
}

const receiptOf = ({ id, lines }: DealWithLines, date: string, note: string): DocumentDraft => ({
  kind: "receipt",
  supplier: `Выкуп № ${id}`,
  number: String(id),
  date,
  note,
  lines: lines.flatMap(({ coinId, checked }) =>
    checked === null || checked.quantity === 0 ? [] : [{ coinId, quantity: checked.quantity, unitCost: checked.unitPrice }],
  ),
});
