import * as z from "zod";
import { call } from "../call.ts";
import { nothing } from "../wire.ts";

export const maxFaultLength = { message: 300, stack: 2_000, path: 200 };

const browserFault = z.strictObject({
  message: z.string().max(maxFaultLength.message),
  stack: z.string().max(maxFaultLength.stack).optional(),
  path: z.string().max(maxFaultLength.path),
});
export type BrowserFault = z.output<typeof browserFault>;

export const reportFault = call({
  method: "POST",
  path: "/api/faults",
  summary: "A page could not be shown: what the browser saw, for the log and the error-reporting service",
  changes: true,
  asker: "anybody",
  rateLimit: "write",
  body: browserFault,
  answer: nothing,
  problems: [],
});
