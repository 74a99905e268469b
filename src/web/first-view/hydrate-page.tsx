import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { isRouteErrorResponse } from "react-router";
import { HydratedRouter } from "react-router/dom";
import { reloadOnLostChunk } from "../client/lost-chunk.ts";
import { reportFault } from "../client/report-fault.ts";
import { sendSeenPrices } from "../client/seen-prices.ts";
import App, { clientMiddleware, ErrorBoundary, Layout, meta, shouldRevalidate } from "../root.tsx";

declare global {
  interface Window {
    /** Called by the inline script of `page-scripts.tsx`, which cannot import by a name that the bundler shortens. */
    hydratePage: () => void;
    /** The modules of the page's routes, which the router renders first. Set by `page-scripts.tsx`, but for the root's. */
    __reactRouterRouteModules?: Record<string, object>;
  }
}

/** The root is part of the frame's file, so it is not requested as a module of its own. */
const root: Omit<typeof import("../root.tsx"), "loader"> = {
  default: App,
  clientMiddleware,
  ErrorBoundary,
  Layout,
  meta,
  shouldRevalidate,
};

/** A refusal (such as 404) is an answer; everything else is a fault. */
function onError(error: unknown): void {
  if (!isRouteErrorResponse(error)) reportFault(error);
  else if (error.status >= 500) reportFault(new Error(`a page was answered with ${error.status}`));
}

/**
 * Makes the page interactive. Called once, when the modules of its routes are there. The frame's file contains this module, so that no
 * page requests the entry.
 */
window.hydratePage = () => {
  window.__reactRouterRouteModules = { ...window.__reactRouterRouteModules, root };
  reloadOnLostChunk();
  sendSeenPrices();
  startTransition(() => {
    hydrateRoot(document, <HydratedRouter onError={onError} />, { onUncaughtError: reportFault, onRecoverableError: reportFault });
  });
};
