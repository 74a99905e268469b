import type { BrowserFault } from "#contract/browser-fault.ts";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";

/** So many reports from one open page: a fault that repeats with every tick is told once. */
let left = 3;

/** A page that is being left breaks off what it was reading, which is no fault. */
let isLeaving = false;
if (typeof window !== "undefined") {
  window.addEventListener("beforeunload", () => {
    isLeaving = true;
    setTimeout(() => {
      isLeaving = false;
    }, 3_000); // a download leaves the page where it is
  });
}

/** What breaks off looks like: the browser's own refusal of a fetch, or the router's of an answer that stopped in the middle. */
const isBrokenOff = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && error.message.includes("turbo-stream"));

/** Logs a fault of a page's script and tells the server, which passes it on to the error-reporting service. Never fails itself. */
export function reportFault(error: unknown): void {
  console.error(error);
  if (left <= 0 || (isLeaving && isBrokenOff(error))) return;
  left -= 1;
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const body: BrowserFault = { message: message.slice(0, 300), stack: stack?.slice(0, 2_000), path: location.pathname.slice(0, 200) };
  void callApi(contract.reportFault, { body });
}
