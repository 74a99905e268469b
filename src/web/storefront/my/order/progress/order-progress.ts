import { orderStatusTexts } from "#contract/texts.ru.ts";
import type { HistoryEntry, OrderState } from "#shop/orders/order.ts";

export type ProgressStep = { name: string; state: "done" | "now" | "ahead"; at: Date | null };
type ProgressInput = {
  state: OrderState;
  history: readonly Pick<HistoryEntry, "state" | "at">[];
  isCollected: boolean;
  hasPoint: boolean;
  isPaidFirst: boolean;
};

/** The steps of an order for the progress bar: done, current, ahead. */
export function orderProgress({ state, history, isCollected, hasPoint, isPaidFirst }: ProgressInput): ProgressStep[] {
  // The first entry counts: a part payment or part refund writes the unchanged state again.
  const reached = new Map<OrderState, Date>();
  for (const entry of history) if (!reached.has(entry.state)) reached.set(entry.state, entry.at);
  const start: OrderState = isPaidFirst ? "awaiting_payment" : "placed";
  const ahead: OrderState[] = [
    start,
    ...(isPaidFirst ? ["paid" as const] : []),
    "assembled",
    ...(isCollected ? [] : ["shipped" as const]),
    ...(isCollected || hasPoint ? ["ready" as const] : []),
    "delivered",
  ];
  const isOff = state === "cancelled" || state === "returned" || state === "cancellation_requested" || state === "returning";
  const way: OrderState[] = isOff
    ? [
        ...ahead.filter((each) => reached.has(each)),
        ...(state === "returned" && reached.has("returning") ? ["returning" as const] : []),
        state,
      ]
    : ahead;
  const here = way.indexOf(state);
  return way.map((each, index) => ({
    name: each === start ? "Оформлен" : orderStatusTexts[each],
    state: index < here || (index === here && isLast(state)) ? "done" : index === here ? "now" : "ahead",
    at: reached.get(each) ?? null,
  }));
}

const isLast = (state: OrderState): boolean => state === "delivered" || state === "cancelled" || state === "returned";
