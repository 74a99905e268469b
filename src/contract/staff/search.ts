import * as z from "zod";
import { statesOf } from "#kit/transitions.ts";
import { dealStates } from "#shop/buyback/deal.ts";
import { acts } from "#shop/orders/staff/acts.ts";
import { coinId, roubles } from "../wire.ts";
import { staffCall } from "./call.ts";
import { row } from "./orders/orders.ts";

export const findAnything = staffCall({
  method: "GET",
  path: "/api/staff/search",
  summary:
    "Orders by number, phone, name or tracking number, with what can be done with the only one, customers by phone, transfers by number, " +
    "buyback deals by number, phone or name, coins by number or title; a few of each",
  permission: "signed_in",
  audit: null,
  query: z.object({ q: z.string().max(100) }),
  answer: z.object({
    orders: z.array(row),
    /** What the caller can do now with the order, when it is the only one found. */
    acts: z.array(z.enum(acts)),
    customers: z.array(z.object({ id: z.string(), name: z.string(), maskedPhone: z.string() })),
    /** Payment orders of the bank's statement, with the order that they pay. */
    transfers: z.array(z.object({ id: z.int(), number: z.string(), date: z.string(), amount: z.number(), orderId: z.string() })),
    /** Purchases from persons: by number, phone or name. */
    deals: z.array(z.object({ id: z.int(), name: z.string(), maskedPhone: z.string(), state: z.enum(statesOf(dealStates)), sum: roubles })),
    coins: z.array(z.object({ id: coinId, title: z.string(), isPublished: z.boolean(), /** Its page in the shop. */ url: z.url() })),
  }),
  problems: [],
});
