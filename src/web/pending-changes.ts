import type { DataStrategyResult } from "react-router";
import { pendingChanges } from "./storefront/shared/visitor-state.ts";

/** Pages that show what the visitor gathered. */
const own = /^\/(cart|checkout|wishlist|product-comparison)(\.data)?$/;

/** They are read once the server has answered all that was pressed before, so that nothing of it is missing. */
export async function waitForPendingChanges(
  { request }: { request: Request },
  next: () => Promise<Record<string, DataStrategyResult>>,
): Promise<Record<string, DataStrategyResult>> {
  if (own.test(new URL(request.url).pathname)) await pendingChanges();
  return next();
}
