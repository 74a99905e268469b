import { isRouteErrorResponse, type DataStrategyResult } from "react-router";
import { routerState } from "./router-state.ts";

/** Changes that forms of the page made without leaving it. */
let changes = 0;

/**
 * A page that stands open and reads itself again because prices moved is not thrown away when that fails: no network for a moment, a busy
 * server. What it showed stays, with all that was typed into it, and the next change of prices tries again. A page that is gone (404) is an answer.
 * Neither does it take back what a form changed meanwhile: the router would draw an answer that was made before the change over the one made after it.
 */
export async function keepPage({ request }: { request: Request }, next: () => Promise<Record<string, DataStrategyResult>>): Promise<Record<string, DataStrategyResult>> {
  const before = changes;
  const results = await next();
  if (request.method !== "GET") {
    changes += 1;
    return results;
  }
  const state = routerState();
  if (state?.revalidation !== "loading" || state.navigation.state !== "idle") return results;
  const isOld = changes !== before;
  return Object.fromEntries(Object.entries(results).map(([id, result]) =>
    [id, (result.type === "error" ? isFault(result.result) : isOld) && id in state.loaderData ? { type: "data", result: state.loaderData[id] } : result]));
}

const isFault = (error: unknown): boolean => !isRouteErrorResponse(error) || error.status >= 500 || error.status === 429;
