import { fromRoubles, kopecks, toRoubles } from "#kit/money.ts";
import type { OrderState } from "#shop/orders/order.ts";
import { stateLabels } from "../../orders/words.ts";
import { sum } from "../words.ts";

type Payable = { state: OrderState; total: number; paid: number };

/** What becomes of a transfer that is settled on an order, in roubles. `isExact`: it is what the order waits for, to the kopeck. */
export function settlingOf({ state, total, paid }: Payable, amount: number): { isExact: boolean; text: string } {
  if (state === "placed") return { isExact: false, text: "заказ оплачивают в офисе" };
  if (state !== "awaiting_payment") return { isExact: false, text: `${stateLabels[state]}: ${sum(amount)} ₽ вернём вручную` };
  // Roubles with kopecks do not subtract exactly.
  const missing = toRoubles(kopecks(fromRoubles(total) - fromRoubles(paid) - fromRoubles(amount)));
  if (missing === 0) return { isExact: true, text: "сумма сходится" };
  return { isExact: false, text: missing > 0 ? `не хватает ${sum(missing)} ₽` : `лишних ${sum(-missing)} ₽, вернём вручную` };
}
