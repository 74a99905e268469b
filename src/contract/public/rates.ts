import * as z from "zod";
import { historyRanges } from "#shop/rates/candle.ts";
import { call } from "../call.ts";
import { instant } from "../wire.ts";

const course = z.object({ name: z.string(), course: z.number(), diff: z.number(), direction: z.enum(["up", "down"]) });

const courses = z.object({
  time: instant,
  courses: z.object({ XAU_RUB: course, XAU_USD: course, XAG_RUB: course, XAG_USD: course, USD_RUB: course }),
  /** Present only while the source is stale. */
  stale: z.literal(true).optional(),
});
/** Metals in roubles per gram and dollars per troy ounce; `diff` is against the previous trading day's close. */
export type CoursesView = z.output<typeof courses>;

const work = z.object({ work: z.boolean(), until: instant.optional(), note: z.string().optional() });
export type WorkView = z.output<typeof work>;

export const readCourses = call({
  method: "GET",
  path: "/api/courses",
  summary: "Gold, silver and dollar rates",
  changes: false,
  asker: "anybody",
  rateLimit: "request",
  answer: courses,
  isBare: true,
  problems: [],
});

export const readWork = call({
  method: "GET",
  path: "/api/work",
  summary: "Whether the market is open",
  changes: false,
  asker: "anybody",
  rateLimit: "request",
  answer: work,
  isBare: true,
  problems: [],
});

const codes = ["XAU_RUB", "XAG_RUB", "XAU_USD", "XAG_USD", "USD_RUB"] as const;
/** Start of the step, open, high, low, close, in the unit of `/api/courses`. */
const candle = z.tuple([instant, z.number(), z.number(), z.number(), z.number()]);
export type CandleView = z.output<typeof candle>;

export const readHistory = call({
  method: "GET",
  path: "/api/courses/history",
  summary: "Candles of a rate, oldest first",
  changes: false,
  asker: "anybody",
  rateLimit: "request",
  query: z.object({ code: z.enum(codes), range: z.enum(historyRanges) }),
  answer: z.array(candle),
  problems: [],
});
