import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { useVisitorState } from "../shared/visitor-state.ts";

/**
 * Revalidates the page when the cart has another number of coins than the page shows (`count`; null: the page does not follow the cart).
 * It was changed in another tab, or just before the page was requested.
 */
export function useFreshCart(count: number | null): void {
  const inCart = useVisitorState((state) => (state.isKnown && !state.isCartUpdating ? state.totalCoins : null));
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (count !== null && inCart !== null && inCart !== count) void revalidate();
  }, [count, inCart, revalidate]);
}
