import * as z from "zod";
import { instant } from "../../wire.ts";
import { staffCall } from "../call.ts";

const metalRate = z.object({
  /** Roubles per gram. */
  value: z.number(),
  /** Difference to the close of the previous trading day. */
  diff: z.number(),
});

export const readRates = staffCall({
  method: "GET",
  path: "/api/staff/rates",
  summary: "Gold and silver in roubles per gram as the shop sells by them, with the age of the rates",
  permission: "rates.read",
  audit: null,
  answer: z.object({
    /** Null until both metals were received once. */
    metals: z.object({ gold: metalRate, silver: metalRate, at: instant, isStale: z.boolean() }).nullable(),
    isOpen: z.boolean(),
  }),
  problems: [],
});
