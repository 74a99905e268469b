import * as contract from "#contract/browser-fault.ts";
import { done } from "#kit/result.ts";
import { endpoint } from "../endpoint.ts";

/** Digits in a row and mail addresses may be somebody's, and a page's address may hold an order's key; what a programmer needs stays. */
const scrub = (text: string): string =>
  text
    .replaceAll(/\bkey=[\w-]+/g, "key=<key>")
    .replaceAll(/\/(alerts|newsletter)\/[\w.-]+/g, "/$1/<token>")
    .replaceAll(/\S+@\S+/g, "<mail>")
    .replaceAll(/\+?\d[\d\s()-]{5,}\d/g, "<digits>");

/** Anybody may write here, so it is one line in the log and never more: no alarm, no row. */
export const reportFault = endpoint(contract.reportFault, async (ctx, { body }) => {
  const fault = new Error(scrub(body.message));
  fault.name = "BrowserFault";
  fault.stack = scrub(body.stack ?? "");
  ctx.log.error({ err: fault, kind: "browser" }, "a page could not be shown");
  return done(true as const);
});
