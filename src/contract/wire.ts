import * as z from "zod";
import { maxCoinId } from "#shop/catalog/coin.ts";
import { isEmail, normalisePhone } from "#shop/customers/customer.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import { fieldMessages, maxLengths } from "./fields.ts";

/** Building blocks of the calls' schemas. Text is already cleaned (http/request/clean.ts): NFC, trimmed, no control characters. */

/** Roubles on the wire: `45123` or `45123.5`. */
export const roubles = z.number();
/** ISO 8601 with offset. */
export const instant = z.iso.datetime({ offset: true });

/** Days before this one are typing errors. PostgreSQL has no year 0, in which the first day of year 1 in Moscow begins. */
const firstDay = "1900-01-01";
/** A calendar day of a request. */
export const chosenDay = (message: string = fieldMessages.wrong) => z.iso.date(message).refine((day) => day >= firstDay, message);
/** An instant of a request, which in UTC has a year of four digits, too. */
export const chosenInstant = (message: string = fieldMessages.wrong) =>
  z.iso.datetime({ offset: true, error: message }).refine((at) => at >= firstDay && new Date(at).getTime() < Date.UTC(10_000, 0), message);

export const coinId = z.int().min(1).max(maxCoinId);
/** A coin's id in a path. */
export const coinIdParam = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number);
export const orderIdParam = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/);
/** An order's id, or its number, which is shorter than any id. */
export const orderIdOrNumberParam = z.union([orderIdParam, z.string().regex(/^\d{1,7}$/)]);
export const slugParam = z.string().regex(/^[a-z0-9][a-z0-9-]{0,149}$/);

export const cityCode = z.string(fieldMessages.required).regex(/^\d{10}$/, fieldMessages.wrong);
export const deliveryId = z.int(fieldMessages.required).refine((id) => deliveryById(id) !== null, fieldMessages.wrong);
export const pointId = z.string().min(1, fieldMessages.point).max(64, fieldMessages.point);

const onOneLine = (words: string): string => words.replaceAll(/\s+/g, " ");
/** One line of text that may be empty. */
export const line = (max: number) => z.string(fieldMessages.wrong).max(max, fieldMessages.tooLong).overwrite(onOneLine);
/** One line of text that must not be empty. */
export const requiredLine = (max: number) =>
  z.string(fieldMessages.required).min(1, fieldMessages.required).max(max, fieldMessages.tooLong).overwrite(onOneLine);
/** Text of several lines that may be empty. */
export const text = (max: number) => z.string(fieldMessages.wrong).max(max, fieldMessages.tooLong);

export const email = z
  .string(fieldMessages.required)
  .min(1, fieldMessages.required)
  .max(maxLengths.email, fieldMessages.email)
  .refine(isEmail, fieldMessages.email);

/** Any usual spelling; `+7` and ten digits afterwards. */
export const phone = z
  .string(fieldMessages.required)
  .min(1, fieldMessages.required)
  .max(64, fieldMessages.phone)
  .transform((text, context) => {
    const normal = normalisePhone(text);
    if (normal === null) context.addIssue({ code: "custom", message: fieldMessages.phone, continue: false });
    return normal ?? "";
  });

/** The limit that was exceeded; sums in roubles. */
export const limitData = z.object({ limit: z.number() });
/** Coins with fewer pieces available than requested. */
export const shortData = z.object({ short: z.array(z.object({ id: coinId, available: z.int() })) });

/** The answer of a call that only reports success. */
export const nothing = z.literal(true);
