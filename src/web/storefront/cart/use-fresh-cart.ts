import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { useVisitorState } from "../shared/visitor-state.ts";

/**
 * Reads the page again when the cart holds another number of coins than the page shows (`count`; null: it shows none any more). It was changed in
 * another tab, or by a press so short before the page was asked for that the server had not done it yet.
 */
export function useFreshCart(count: number | null): void {
  const held = useVisitorState((state) => (state.isKnown && !state.isCartUpdating ? state.totalCoins : null));
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (count !== null && held !== null && held !== count) void revalidate();
  }, [count, held, revalidate]);
}
