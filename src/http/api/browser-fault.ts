import * as contract from "#contract/public/browser-fault.ts";
import { done } from "#kit/result.ts";
import { endpoint } from "../endpoint.ts";

/** Removes runs of digits and e-mail addresses, which may be personal, and keys of orders from page addresses. */
const scrub = (text: string): string =>
  text
    .replaceAll(/\bkey=[\w-]+/g, "key=<key>")
    .replaceAll(/\/(alerts|newsletter)\/[\w.-]+/g, "/$1/<token>")
    .replaceAll(/\S+@\S+/g, "<mail>")
    .replaceAll(/\+?\d[\d\s()-]{5,}\d/g, "<digits>");

/** Anyone may post here, so a report is one log line and nothing else: no alarm, no row. */
export const reportFault = endpoint(contract.reportFault, async (ctx, { body }) => {
  const fault = new Error(scrub(body.message));
  fault.name = "BrowserFault";
  fault.stack = scrub(body.stack ?? "");
  ctx.log.error({ err: fault, kind: "browser" }, "a page could not be shown");
  return done(true as const);
});
