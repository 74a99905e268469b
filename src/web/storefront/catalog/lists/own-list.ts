import { useLayoutEffect } from "react";
import { assumeList, useVisitorState } from "../../shared/visitor-state.ts";

/**
 * The coins of a list page without those that the visitor has removed since it was rendered: they leave the page at once. A shared list
 * keeps its coins.
 */
export function useOwnList<T extends { id: number }>(list: "wishlist" | "compare", coins: readonly T[], isShared: boolean): readonly T[] {
  const own = useVisitorState((state) => (state.isKnown || state.assumed === list ? state[list] : null));
  useLayoutEffect(() => {
    if (!isShared)
      assumeList(
        list,
        coins.map(({ id }) => id),
      );
  }, [list, coins, isShared]);
  return isShared || own === null ? coins : coins.filter(({ id }) => own.includes(id));
}
