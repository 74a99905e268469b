import { data, isRouteErrorResponse, type DataStrategyResult } from "react-router";
import { routerState } from "./router-state.ts";
import { showToast } from "../ui/toasts.tsx";
import { serviceDown } from "../texts.ru.ts";

/** Counts the changes that forms made without leaving the page. */
let changes = 0;

/**
 * Client middleware: when a request fails because of the network or a busy server, the page keeps what it shows and everything typed into
 * it. After a failed form the visitor sees a message and may send it again; a reload of prices is repeated automatically. A 404 is an
 * answer and is shown. A reading that began before a form changed the page is dropped, because the router would show it over the newer one.
 */
export async function keepPageOnError(
  { request }: { request: Request },
  next: () => Promise<Record<string, DataStrategyResult>>,
): Promise<Record<string, DataStrategyResult>> {
  const before = changes;
  const results = await next();
  if (request.method !== "GET") {
    changes += 1;
    // Sent again, by a second press, or left: the router waits for the newer request, so this one has nothing to say.
    if (request.signal.aborted) return results;
    return Object.fromEntries(
      Object.entries(results).map(([id, result]) => {
        if (result.type !== "error" || !isFault(result.result)) return [id, result];
        showToast(errorText(result.result), "refusal");
        return [id, { type: "data", result: data(undefined, 503) }]; // an error status, so nothing is revalidated
      }),
    );
  }
  const state = routerState();
  if (state?.navigation.state !== "idle") return results;
  const isOld = state.revalidation === "loading" && changes !== before;
  return Object.fromEntries(
    Object.entries(results).map(([id, result]) => [
      id,
      (result.type === "error" ? isFault(result.result) : isOld) && id in state.loaderData
        ? { type: "data", result: state.loaderData[id] }
        : result,
    ]),
  );
}

function errorText(error: unknown): string {
  if (!isRouteErrorResponse(error)) return "Нет связи с магазином. Проверьте интернет и повторите";
  return error.status === 429 ? "Слишком много запросов. Подождите немного и повторите" : `${serviceDown}. Попробуйте ещё раз`;
}

/** Redirects are thrown too; they are not a fault. */
const isFault = (error: unknown): boolean =>
  !(error instanceof Response) && (!isRouteErrorResponse(error) || error.status >= 500 || error.status === 429);
