import type * as z from "zod";
import type { OrderCardView, seeWhoLooks } from "#contract/staff/orders/orders.ts";
import { actorText } from "../../staff/words.ts";
import { assigneeText } from "../words.ts";

type Seen = Pick<z.output<(typeof seeWhoLooks)["answer"]>, "revision" | "comments">;
type Shown = Pick<OrderCardView, "revision" | "comments" | "history" | "assignee" | "people">;

/** Whether the order has a change or a comment that the card does not show yet. The answer about it may be older than the card. */
export const isOutdated = (card: Pick<Shown, "revision" | "comments">, seen: Seen): boolean =>
  seen.revision > card.revision || seen.comments > card.comments.length;

/** What colleagues, the buyer and the shop have changed between two states of a card, as one Russian sentence; null: nothing. */
export function newsOf(before: Shown, after: Shown, ownLogin: string): string | null {
  const own = `staff:${ownLogin}`;
  const events = after.history.slice(before.history.length);
  const notes = after.comments.slice(before.comments.length);
  const parts = [
    ...events
      .filter(({ actor }) => actor !== own)
      .map(({ text, actor }) => [text, actorText(actor, after.people)].filter(Boolean).join(", ")),
    ...notes.filter(({ author }) => author !== own).map(({ author }) => `новая заметка, ${actorText(author, after.people)}`),
    ...(after.assignee === before.assignee || after.assignee === ownLogin ? [] : [`ведёт ${assigneeText(after)}`]),
  ];
  return parts.length > 0 ? `Заказ изменили, показано новое: ${parts.join("; ")}` : null;
}
