import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { isRouteErrorResponse } from "react-router";
import { HydratedRouter } from "react-router/dom";
import { reloadOnLostChunk } from "./client/lost-chunk.ts";
import { reportFault } from "./client/report-fault.ts";
import { sendSeenPrices } from "./client/seen-prices.ts";

reloadOnLostChunk();
sendSeenPrices();

/** A refusal (such as 404) is an answer; everything else is a fault. */
function onError(error: unknown): void {
  if (!isRouteErrorResponse(error)) reportFault(error);
  else if (error.status >= 500) reportFault(new Error(`a page was answered with ${error.status}`));
}

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={onError} />
    </StrictMode>,
    { onUncaughtError: reportFault, onRecoverableError: reportFault },
  );
});
