import { isRouteErrorResponse, type DataStrategyResult } from "react-router";

declare global {
  interface Window {
    /** Where HydratedRouter keeps itself; of it only what stands below is read. */
    __reactRouterDataRouter?: { state: { revalidation: "idle" | "loading"; navigation: { state: string }; loaderData: Record<string, unknown> } };
  }
}

/**
 * A page that stands open and reads itself again because prices moved is not thrown away when that fails: no network for a moment, a busy
 * server. What it showed stays, with all that was typed into it, and the next change of prices tries again. A page that is gone (404) is an answer.
 */
export async function keepPage(_: unknown, next: () => Promise<Record<string, DataStrategyResult>>): Promise<Record<string, DataStrategyResult>> {
  const results = await next();
  const state = window.__reactRouterDataRouter?.state;
  if (state?.revalidation !== "loading" || state.navigation.state !== "idle") return results;
  return Object.fromEntries(Object.entries(results).map(([id, result]) =>
    [id, result.type === "error" && isFault(result.result) && id in state.loaderData ? { type: "data", result: state.loaderData[id] } : result]));
}

const isFault = (error: unknown): boolean => !isRouteErrorResponse(error) || error.status >= 500 || error.status === 429;
