import { priceText } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";
import type { PromoFault } from "#shop/pricing/promo-codes/promo-code.ts";
import { problems } from "../problems.ts";

/** Why a promo code takes off nothing in the present cart, for the buyer. */
export function promoFaultText(fault: PromoFault, minSum: Kopecks): string {
  switch (fault) {
    case "min_sum":
      return `Промокод действует, если монеты стоят от ${priceText(minSum)}`;
    case "no_coins":
      return "Промокод не снижает цену монет, которые лежат в корзине";
    case "only_promos":
      return "На эти монеты уже действует акция, промокод с ней не складывается";
    default:
      return problems[`promo.${fault}`].message;
  }
}
