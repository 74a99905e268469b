import * as z from "zod";
import type { AlertRule, AlertSubject } from "#shop/alerts/alert.ts";
import { call } from "../call.ts";
import { fieldMessages } from "../fields.ts";
import { coinId, email, nothing } from "../wire.ts";

/** Roubles for a coin, the unit of the rate for a rate. At most the value of a kilogram of gold. */
const threshold = z.number(fieldMessages.wrong).positive(fieldMessages.wrong).max(100_000_000, fieldMessages.wrong);
/** The threshold as it is stored: a coin's in kopecks, a rate's in 1/10 000. */
const storedThreshold = (value: number, course: string | undefined): number => Math.round(value * (course === undefined ? 100 : 10_000));

/**
 * An alert watches one thing (`productId` or `course`) for one condition (`above`, `below`, `inStock` for a coin, or `marketOpen` for a
 * rate).
 */
export const alertForm = z
  .strictObject({
    productId: coinId.optional(),
    course: z.enum(["XAU_RUB", "XAG_RUB", "XAU_USD", "XAG_USD", "USD_RUB"], fieldMessages.wrong).optional(),
    above: threshold.optional(),
    below: threshold.optional(),
    inStock: z.literal(true, fieldMessages.wrong).optional(),
    marketOpen: z.literal(true, fieldMessages.wrong).optional(),
    email,
  })
  .superRefine(({ productId, course, above, below, inStock, marketOpen }, context) => {
    if ((productId === undefined) === (course === undefined))
      context.addIssue({ code: "custom", path: ["productId"], message: fieldMessages.required });
    if ([above, below, inStock, marketOpen].filter((condition) => condition !== undefined).length !== 1)
      context.addIssue({ code: "custom", path: ["below"], message: fieldMessages.required });
    if (marketOpen && course === undefined) context.addIssue({ code: "custom", path: ["marketOpen"], message: fieldMessages.wrong });
    if (inStock && productId === undefined) context.addIssue({ code: "custom", path: ["inStock"], message: fieldMessages.wrong });
    for (const [name, value] of Object.entries({ above, below }))
      if (value !== undefined && storedThreshold(value, course) < 1)
        context.addIssue({ code: "custom", path: [name], message: fieldMessages.wrong });
  });
type AlertForm = z.output<typeof alertForm>;

/** The form in the shop's terms. */
export function alertOf({ productId, course, above, below, marketOpen }: AlertForm): { subject: AlertSubject; condition: AlertRule } {
  const value = below ?? above;
  const subject = course === undefined ? { coinId: productId ?? 0 } : { rateCode: course };
  if (value === undefined) return { subject, condition: { rule: marketOpen ? "market_open" : "in_stock", value: null } };
  return {
    subject,
    condition: { rule: below === undefined ? "above" : "below", value: storedThreshold(value, course) },
  };
}

export const postAlert = call({
  method: "POST",
  path: "/api/alerts",
  summary: "Creates an alert about a price or stock; confirmed by e-mail",
  changes: true,
  asker: "visitor",
  rateLimit: "write",
  body: alertForm,
  answer: z.object({ id: z.string() }),
  statuses: [201],
  problems: ["product.not_found", "alert.too_many", "inquiry.too_many"],
});
export const endAlert = call({
  method: "DELETE",
  path: "/api/alerts",
  summary: "Ends an alert by the token of its letters",
  changes: true,
  asker: "visitor",
  rateLimit: "write",
  body: z.strictObject({ token: z.string(fieldMessages.required).min(1, fieldMessages.required).max(200, fieldMessages.wrong) }),
  answer: nothing,
  problems: ["alert.not_found"],
});
