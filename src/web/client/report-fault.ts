import type { BrowserFault } from "#contract/public/browser-fault.ts";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";

/** At most this many reports per page: a fault that repeats every second is reported once. */
let left = 3;

/** Leaving a page aborts its requests, which is not a fault. */
let isLeaving = false;
if (typeof window !== "undefined") {
  window.addEventListener("beforeunload", () => {
    isLeaving = true;
    setTimeout(() => {
      isLeaving = false;
    }, 3_000); // a download does not leave the page
  });
}

/** Aborted requests: a `TypeError` of fetch, or the router's error about an incomplete answer. */
const isBrokenOff = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && error.message.includes("turbo-stream"));

/** Logs a fault of a page's script and reports it to the server, which forwards it to the error-reporting service. Never throws. */
export function reportFault(error: unknown): void {
  console.error(error);
  if (left <= 0 || (isLeaving && isBrokenOff(error))) return;
  left -= 1;
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const body: BrowserFault = { message: message.slice(0, 300), stack: stack?.slice(0, 2_000), path: location.pathname.slice(0, 200) };
  void callApi(contract.reportFault, { body });
}
