import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { reloadOnLostChunk } from "./lost-chunk.ts";
import { reportFault } from "./report-fault.ts";

reloadOnLostChunk();

startTransition(() => {
  hydrateRoot(document, <StrictMode><HydratedRouter onError={reportFault} /></StrictMode>, { onUncaughtError: reportFault, onRecoverableError: reportFault });
});
