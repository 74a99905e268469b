import * as z from "zod";
import { call } from "./call.ts";
import { instant } from "./wire.ts";

const course = z.object({ name: z.string(), course: z.number(), diff: z.number(), direction: z.enum(["up", "down"]) });

const courses = z.object({
  time: instant,
  courses: z.object({ XAU_RUB: course, XAU_USD: course, XAG_RUB: course, XAG_USD: course, USD_RUB: course }),
  /** Only when the source has been silent for too long. */
  stale: z.literal(true).optional(),
});
/** Metals in roubles per gram and dollars per troy ounce; `diff` is against the previous trading day's close. */
export type CoursesView = z.output<typeof courses>;

const work = z.object({ work: z.boolean(), until: instant.optional(), note: z.string().optional() });
export type WorkView = z.output<typeof work>;

export const readCourses = call({
  method: "GET", path: "/api/courses", summary: "Gold, silver and dollar rates",
  changes: false, asker: "anybody", allowance: "request", answer: courses, isBare: true, problems: [],
});

export const readWork = call({
  method: "GET", path: "/api/work", summary: "Whether the market is open",
  changes: false, asker: "anybody", allowance: "request", answer: work, isBare: true, problems: [],
});
