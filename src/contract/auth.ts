import * as z from "zod";
import { call } from "./call.ts";
import { codeOf, fieldMessages } from "./fields.ts";
import { data, nothing, phone } from "./wire.ts";

const code = z.string(fieldMessages.required).min(1, fieldMessages.required).transform((text, context) => {
  const digits = codeOf(text);
  if (digits === null) context.addIssue({ code: "custom", message: fieldMessages.code });
  return digits ?? "";
});

export const getCode = call({
  method: "POST", path: "/api/auth/get-code", summary: "Sends a sign-in code; the same answer whether or not the phone is known",
  changes: true, asker: "visitor", allowance: "write",
  body: z.strictObject({ phone }), fieldCodes: { phone: "auth.bad_phone" },
  answer: data(z.object({ resendIn: z.int(), expiresIn: z.int() })), problems: ["auth.bad_phone", "auth.too_many_codes", "auth.sms_unavailable"],
});

export const checkCode = call({
  method: "POST", path: "/api/auth/check-code", summary: "Signs in; true for a customer who existed, false for a new one",
  changes: true, asker: "visitor", allowance: "write",
  body: z.strictObject({ phone, code }), fieldCodes: { phone: "auth.bad_phone" },
  answer: data(z.boolean()), problems: ["auth.bad_phone", "auth.wrong_code", "auth.code_expired", "auth.too_many_attempts"],
});

export const logout = call({
  method: "POST", path: "/api/auth/logout", summary: "Ends the session; this browser starts anew",
  changes: true, isLegacyGet: true, asker: "visitor", allowance: "write", answer: nothing, problems: [],
});
