import * as z from "zod";
import { isCode } from "#shop/auth/sign-in.ts";
import { call } from "../call.ts";
import { fieldMessages } from "../fields.ts";
import { nothing, phone } from "../wire.ts";

/** Four digits; spaces from a pasted code are removed. */
const code = z
  .string(fieldMessages.required)
  .min(1, fieldMessages.required)
  .max(40, fieldMessages.code)
  .transform((text) => text.replaceAll(/\s/g, ""))
  .refine(isCode, fieldMessages.code);

export const getCode = call({
  method: "POST",
  path: "/api/auth/get-code",
  summary: "Sends a sign-in code; the same answer whether or not the phone is known",
  changes: true,
  asker: "visitor",
  rateLimit: "write",
  body: z.strictObject({ phone, proof: z.string().max(200).optional() }),
  fieldCodes: { phone: "auth.bad_phone" },
  answer: z.object({ resendIn: z.int(), expiresIn: z.int() }),
  problems: ["auth.bad_phone", "auth.too_many_codes", "auth.proof_needed", "auth.sms_unavailable"],
  refusalData: { "auth.proof_needed": z.object({ puzzle: z.string(), bits: z.int() }) },
});

export const checkCode = call({
  method: "POST",
  path: "/api/auth/check-code",
  summary: "Signs in; true for a customer who existed, false for a new one",
  changes: true,
  asker: "visitor",
  rateLimit: "write",
  body: z.strictObject({ phone, code }),
  fieldCodes: { phone: "auth.bad_phone" },
  answer: z.boolean(),
  problems: ["auth.bad_phone", "auth.wrong_code", "auth.code_expired", "auth.too_many_attempts"],
});

export const logout = call({
  method: "POST",
  path: "/api/auth/logout",
  summary: "Ends the session; this browser starts over",
  changes: true,
  isLegacyGet: true,
  asker: "visitor",
  rateLimit: "write",
  answer: nothing,
  problems: [],
});
