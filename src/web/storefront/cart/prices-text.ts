import type { CartPageView } from "./cart-view.ts";

/** Whether the prices that are shown follow the market. */
export const pricesText = ({ market, isStale }: Pick<CartPageView, "market" | "isStale">): string =>
  !market.isOpen ? "Торги закрыты" : isStale ? "Последние цены" : "Цены живые";
