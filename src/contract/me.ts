import * as z from "zod";
import { buyProfileSchema } from "#shop/customers/buy-profile.ts";
import { call } from "./call.ts";
import { longest } from "./fields.ts";
import { email, line, requiredLine } from "./wire.ts";

const profile = z.object({
  name: z.string(), last_name: z.string(), second_name: z.string(), email: z.string(), phone: z.string(), buyprofile: z.optional(buyProfileSchema),
});
export type ProfileView = z.output<typeof profile>;

export const readMe = call({
  method: "GET", path: "/api/me", summary: "The customer's profile, or null without sign-in",
  changes: false, asker: "visitor", allowance: "request", answer: profile.nullable(), problems: [],
});

export const completeMe = call({
  method: "POST", path: "/api/me", summary: "Finishes a registration: `name` is a full name (last, first, second)",
  changes: true, asker: "customer", allowance: "write",
  body: z.strictObject({ name: requiredLine(longest.name * 3), email }), answer: profile, problems: [],
});

export const changeMe = call({
  method: "PATCH", path: "/api/me", summary: "Changes parts of the profile; the phone stays",
  changes: true, asker: "customer", allowance: "write",
  body: z.strictObject({
    name: requiredLine(longest.name).optional(), last_name: line(longest.name).optional(), second_name: line(longest.name).optional(),
    email: email.optional(), buyprofile: z.optional(buyProfileSchema),
  }),
  answer: profile, problems: [],
});
