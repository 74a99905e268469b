import * as z from "zod";
import { fieldMessages, isEmail, longest, phoneOf } from "./fields.ts";

/** Pieces of which the calls' schemas are made. Text reaches them cleaned already (http/clean.ts): NFC, trimmed, no control characters. */

/** Roubles on the wire: `45123` or `45123.5`. */
export const roubles = z.number();
/** ISO 8601 with offset. */
export const instant = z.iso.datetime({ offset: true });

export const coinId = z.int().min(1).max(999_999_999);
/** A coin's id in a path. */
export const coinIdParam = z.string().regex(/^[1-9]\d{0,8}$/).transform(Number);
export const orderIdParam = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/);
export const slugParam = z.string().regex(/^[a-z0-9][a-z0-9-]{0,149}$/);

export const cityCode = z.string(fieldMessages.required).regex(/^\d{10}$/, fieldMessages.wrong);
export const pointId = z.string().min(1, fieldMessages.point).max(64, fieldMessages.point);

/** One line of text that may be empty. */
export const line = (max: number) => z.string(fieldMessages.wrong).max(max, fieldMessages.tooLong);
/** One line of text that must not be empty. */
export const requiredLine = (max: number) => z.string(fieldMessages.required).min(1, fieldMessages.required).max(max, fieldMessages.tooLong);

export const email = z.string(fieldMessages.required).min(1, fieldMessages.required).max(longest.email, fieldMessages.email)
  .refine(isEmail, fieldMessages.email);

/** Any usual spelling; `+7` and ten digits afterwards. */
export const phone = z.string(fieldMessages.required).min(1, fieldMessages.required).max(40, fieldMessages.phone)
  .transform((text, context) => {
    const normal = phoneOf(text);
    if (normal === null) context.addIssue({ code: "custom", message: fieldMessages.phone, continue: false });
    return normal ?? "";
  });

/** A success body: the content under `data`. */
export const data = <T extends z.ZodType>(content: T) => z.object({ data: content });

export const nothing = data(z.literal(true));
