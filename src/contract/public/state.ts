import * as z from "zod";
import { call } from "../call.ts";
import { coinId } from "../wire.ts";

/** What fills the header after the page has loaded: public pages are the same for every visitor. */
const state = z.object({
  me: z.object({ name: z.string() }).nullable(),
  totalCoins: z.int(),
  wishlist: z.array(coinId),
  compare: z.array(coinId),
  work: z.boolean(),
  /** Present if the request had no browser cookie. Twice in a row means that the browser does not store cookies. */
  cookie: z.literal("missing").optional(),
});

export const readState = call({
  method: "GET",
  path: "/api/state",
  summary: "The one call after load that fills the header",
  changes: false,
  asker: "visitor",
  rateLimit: "request",
  answer: state,
  problems: [],
});

export const readBuild = call({
  method: "GET",
  path: "/api/build",
  summary: "The running version; a page that is older reloads at the next step",
  changes: false,
  asker: "anybody",
  rateLimit: "request",
  answer: z.object({ version: z.string() }),
  problems: [],
});
