import { data, isRouteErrorResponse, type DataStrategyResult } from "react-router";
import { routerState } from "./router-state.ts";
import { say } from "./ui/toasts.tsx";
import { serviceDown } from "./texts.ru.ts";

/** Changes that forms of the page made without leaving it. */
let changes = 0;

/**
 * A page that stands open is not thrown away when no network for a moment, or a busy server, lets it neither read itself again (prices moved,
 * the cart changed) nor send what was entered. What it showed stays, with all that was typed into it; who sent something is told and may
 * send it again, a change of prices tries by itself. A page that is gone (404) is an answer.
 * Neither does it take back what a form changed meanwhile: the router would draw an answer that was made before the change over the one made after it.
 */
export async function keepPageOnError(
  { request }: { request: Request },
  next: () => Promise<Record<string, DataStrategyResult>>,
): Promise<Record<string, DataStrategyResult>> {
  const before = changes;
  const results = await next();
  if (request.method !== "GET") {
    changes += 1;
    return Object.fromEntries(
      Object.entries(results).map(([id, result]) => {
        if (result.type !== "error" || !isFault(result.result)) return [id, result];
        say(wordsOf(result.result), "refusal");
        return [id, { type: "data", result: data(undefined, 503) }]; // a refusal by its status: nothing is read again
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

function wordsOf(error: unknown): string {
  if (!isRouteErrorResponse(error)) return "Нет связи с магазином. Проверьте интернет и повторите";
  return error.status === 429 ? "Слишком много запросов. Подождите немного и повторите" : `${serviceDown}. Попробуйте ещё раз`;
}

/** An answer that leads elsewhere is thrown too. */
const isFault = (error: unknown): boolean =>
  !(error instanceof Response) && (!isRouteErrorResponse(error) || error.status >= 500 || error.status === 429);
