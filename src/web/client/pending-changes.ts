import { listPaths } from "virtual:page-paths/lists";
import type { DataStrategyResult } from "react-router";
import { pendingChanges } from "../storefront/shared/visitor-state.ts";

/**
 * Client middleware: a page with the cart or a list is read only after the server has answered all earlier changes, so that it includes
 * them.
 */
export async function waitForPendingChanges(
  { request }: { request: Request },
  next: () => Promise<Record<string, DataStrategyResult>>,
): Promise<Record<string, DataStrategyResult>> {
  if (listPaths.test(new URL(request.url).pathname)) await pendingChanges();
  return next();
}
