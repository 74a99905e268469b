import * as z from "zod/mini";
import { kopecks } from "#kit/money.ts";
import { coinConditions, type InquiryDetails } from "../inquiry.ts";

const amount = z.nullable(z.pipe(z.int(), z.transform(kopecks)));
const sum = z.pipe(z.int(), z.transform(kopecks));
const line = z.object({ title: z.string(), count: z.int() });
const estimated = z.extend(line, { each: amount, sum: amount });

/** The column `details` of any kind of inquiry. */
const schema = z.object({
  note: z._default(z.string(), ""),
  convenientTime: z.optional(z.string()),
  company: z.optional(z.string()),
  city: z.optional(z.string()),
  condition: z.optional(z.enum(coinConditions)),
  coins: z.optional(z.array(line)),
  estimate: z.optional(
    z.object({ lines: z.array(estimated), range: z.nullable(z.object({ least: sum, most: sum })), isWhole: z.boolean() }),
  ),
});

/** The stored fields; the coins of a buyback form come with their estimate. */
export function parseDetails(stored: unknown): InquiryDetails {
  const { coins, estimate, ...rest } = schema.parse(stored);
  return {
    ...rest,
    ...(coins && { coins: estimate?.lines ?? coins.map((each) => ({ ...each, each: null, sum: null })) }),
    ...(estimate && { estimate: { range: estimate.range, isWhole: estimate.isWhole } }),
  };
}
