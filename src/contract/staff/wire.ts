import * as z from "zod";
import { isWholeKopecks } from "#kit/money.ts";
import { statesOf } from "#kit/transitions.ts";
import { refundStates } from "#shop/payment/payment.ts";
import { permissions, roles } from "#shop/staff/role.ts";
import { fieldMessages } from "../fields.ts";
import { roubles } from "../wire.ts";

/** Pieces of which the schemas of the back office are made, beside those of `contract/wire.ts`. */

export const role = z.enum(roles);
export const permission = z.enum(permissions);
/** What the caller may do: a permission that is absent is not given. */
export const grants = z.partialRecord(permission, z.enum(["yes", "again", "asks"]));

/** The largest number that an `integer` column holds: the database refuses to compare one with more. */
const largestInteger = 2_147_483_647;
/** A number of a row. */
export const rowId = z.int().min(1).max(largestInteger);
/** The same in a path. */
export const rowIdParam = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .refine((id) => Number(id) <= largestInteger)
  .transform(Number);
/** An id of 128 random bits in a path. */
export const tokenParam = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/);
/** The revision that the editor read; another one on the server refuses the save with `staff.stale`. */
export const revision = z.int().min(0).max(largestInteger);

/** A JSON text in a query of at most so many characters, read by the schema. */
export const jsonOf = <T extends z.ZodType>(schema: T, maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: fieldMessages.wrong });
        return z.NEVER;
      }
    })
    .pipe(schema);

/** A sum in roubles that a screen showed and sends back as it was; a number that no screen can have shown is a wrong input. */
export const shownSum = roubles
  .min(0, fieldMessages.wrong)
  .max(1_000_000_000_000, fieldMessages.wrong)
  .refine(isWholeKopecks, fieldMessages.wrong);

/** A price or a buyback price of a coin. */
export const coinPrice = roubles.max(1_000_000_000, "Слишком большая сумма").refine(isWholeKopecks, "Не больше двух знаков после запятой");

/** What every screen shows of a refund. */
export const refundSummary = z.object({ id: z.string(), amount: roubles, state: z.enum(statesOf(refundStates)), cause: z.string() });

/** Where the next page of a list begins; opaque to the browser. */
export const cursor = z
  .string()
  .regex(/^[A-Za-z0-9_:.-]{1,100}$/)
  .optional();
/** A list's page: `next` goes into the query of the following call; null: this was the last one. */
export const page = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), next: z.string().nullable() });
