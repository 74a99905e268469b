import { useRevalidator } from "react-router";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import { Button } from "../../../ui/button.tsx";
import { refreshState } from "../../shared/visitor-state.ts";
import { showToast } from "../../../ui/toasts.tsx";

/** Empties the wishlist or the comparison. */
export function ClearList({ list }: { list: "wishlist" | "compare" }) {
  const { revalidate } = useRevalidator();
  async function clear() {
    const answer = await callApi(list === "wishlist" ? contract.clearWishlist : contract.clearCompare);
    if (!answer.ok) return showToast(answer.error.message, "refusal");
    await Promise.all([refreshState(), revalidate()]);
  }
  return (
    <Button variant="line" small onClick={() => void clear()}>
      Очистить список
    </Button>
  );
}
