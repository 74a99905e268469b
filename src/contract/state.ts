import * as z from "zod";
import { call } from "./call.ts";
import { coinId } from "./wire.ts";

/** What fills the header after load: pages themselves are the same for everybody. */
const state = z.object({
  me: z.object({ name: z.string() }).nullable(),
  totalCoins: z.int(),
  wishlist: z.array(coinId),
  compare: z.array(coinId),
  work: z.boolean(),
  /** Present when the request came without the browser's cookie; twice in a row it says that the browser keeps none. */
  cookie: z.literal("missing").optional(),
});

export const readState = call({
  method: "GET",
  path: "/api/state",
  summary: "The one call after load that fills the header",
  changes: false,
  asker: "visitor",
  allowance: "request",
  answer: state,
  problems: [],
});

export const readBuild = call({
  method: "GET",
  path: "/api/build",
  summary: "The running version; a page that is older reloads at the next step",
  changes: false,
  asker: "anybody",
  allowance: "request",
  answer: z.object({ version: z.string() }),
  problems: [],
});
