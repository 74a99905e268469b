import { useLocation, useNavigate } from "react-router";
import { useAddressParams } from "../table/address-params.ts";

type KeysetPages = {
  /** Goes into the query of the call. */
  cursor: string | undefined;
  newer: (() => void) | null;
  /** From the answer's `next`. */
  older: (next: string | null | undefined) => (() => void) | null;
};

/**
 * Keyset pages of a list. The position is `cursor` in the address; `newer` goes back in the history, or to the first page after a reload.
 */
export function usePages(): KeysetPages {
  const [params, changeParams] = useAddressParams();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: { depth?: number } | null };
  const depth = state?.depth ?? 0;
  const cursor = params.get("cursor") ?? undefined;
  const without = () => changeParams((next) => next.delete("cursor"));
  return {
    cursor,
    newer: cursor === undefined ? null : depth > 0 ? () => void navigate(-1) : without,
    older: (next) =>
      next == null ? null : () => changeParams((following) => following.set("cursor", next), { state: { depth: depth + 1 } }),
  };
}
