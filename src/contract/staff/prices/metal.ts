import * as z from "zod";
import { isWholeKopecks } from "#kit/money.ts";
import { metals } from "#shop/catalog/coin.ts";
import { hedgeSides } from "#shop/metal/metal.ts";
import { fieldMessages } from "../../fields.ts";
import { chosenDay, instant, line, nothing, requiredLine, roubles } from "../../wire.ts";
import { file, staffCall } from "../call.ts";
import { cursor, page, rowIdParam } from "../wire.ts";

/** The metal that is open to the market, and hedges. Masses are milligrams of pure metal, rates roubles per gram. */

const metal = z.enum(metals);

export const readExposure = staffCall({
  method: "GET",
  path: "/api/staff/metal",
  summary: "Open grams per metal: on hand − sold at a locked price + bought back − hedged; what 1 % of the rate means; locked prices",
  permission: "reports",
  audit: null,
  answer: z.object({
    at: instant,
    ratesAt: instant.nullable(),
    isStale: z.boolean(),
    metals: z.array(
      z.object({
        metal,
        /** Null: the rate is not known. */
        rate: roubles.nullable(),
        onHandMg: z.int(),
        pieces: z.int(),
        lockedMg: z.int(),
        lockedOrders: z.int(),
        /** Bought from persons and not in the stock yet. */
        boughtMg: z.int(),
        deals: z.int(),
        hedgedMg: z.int(),
        hedges: z.int(),
        openMg: z.int(),
        openValue: roubles.nullable(),
        /** What 1 % of the rate brings when it rises; negative: what it costs. */
        onePercent: roubles.nullable(),
        /** 0: no limit. */
        limitMg: z.int(),
        isBeyond: z.boolean(),
      }),
    ),
    locks: z.array(
      z.object({
        order: z.object({ id: z.string(), number: z.int() }).nullable(),
        goldMg: z.int(),
        silverMg: z.int(),
        since: instant,
        until: instant,
      }),
    ),
  }),
  problems: [],
});

export const downloadExposure = staffCall({
  method: "GET",
  path: "/api/staff/metal/file",
  summary: "The open grams of each metal with limit, value and what 1 % of the rate means, as CSV or XLSX; formulas are neutralised",
  permission: "reports",
  audit: null,
  query: z.object({ format: z.enum(["csv", "xlsx"]) }),
  answer: file,
  problems: [],
});

const hedge = z.object({
  id: z.int(),
  metal,
  side: z.enum(hedgeSides),
  massMg: z.int(),
  price: roubles,
  counterparty: z.string(),
  agreedOn: z.iso.date(),
  note: z.string(),
  createdAt: instant,
  createdBy: z.string(),
  reversedAt: instant.nullable(),
  reversedBy: z.string().nullable(),
  reversalReason: z.string().nullable(),
});

export const readHedges = staffCall({
  method: "GET",
  path: "/api/staff/hedges",
  summary: "Hedges, newest first, reversed ones too",
  permission: "reports",
  audit: null,
  query: z.object({ cursor }),
  answer: page(hedge),
  problems: [],
});

export const addHedge = staffCall({
  method: "POST",
  path: "/api/staff/hedges",
  summary: "Records metal that was sold or bought ahead",
  permission: "prices",
  audit: "hedge.add",
  body: z.strictObject({
    metal,
    side: z.enum(hedgeSides),
    massMg: z.int("Граммы, не больше трёх знаков после запятой").min(1, "Больше нуля").max(1_000_000_000, "Слишком много"),
    price: z
      .number(fieldMessages.required)
      .min(0.01, "Больше нуля")
      .max(10_000_000, "Слишком большая цена")
      .refine(isWholeKopecks, "Не больше двух знаков после запятой"),
    counterparty: requiredLine(200),
    agreedOn: chosenDay("Дата сделки"),
    note: line(500).default(""),
  }),
  answer: hedge,
  problems: ["request.invalid"],
});

export const reverseHedge = staffCall({
  method: "POST",
  path: "/api/staff/hedges/{id}/reverse",
  summary: "Takes a hedge back that was recorded by mistake or has ended; it stays in the list",
  permission: "prices",
  audit: "hedge.reverse",
  params: z.object({ id: rowIdParam }),
  body: z.strictObject({ reason: requiredLine(500) }),
  answer: nothing,
  problems: ["staff.not_found"],
});
