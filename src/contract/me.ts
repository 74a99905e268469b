import * as z from "zod";
import { call } from "./call.ts";
import { fieldMessages, longest } from "./fields.ts";
import { data, email, line, requiredLine } from "./wire.ts";

/** What checkout remembers for the next time; unknown keys are dropped, never stored. */
const buyProfile = z.object({
  userinfo: z.object({
    street: line(longest.address).optional(), house: line(longest.short).optional(), flat: line(longest.short).optional(),
    entrance: line(longest.short).optional(), floor: line(longest.short).optional(), usercomment: line(longest.message).optional(),
    select_dlv_service: z.union([z.int(), line(longest.short)]).optional(),
  }).optional(),
  pvzinfo: z.object({ id: requiredLine(64), dlvId: z.int().optional(), name: line(longest.address).optional(), address: line(longest.address * 2).optional() }).nullish(),
  locinfo: z.object({
    city: z.object({
      code: z.string().regex(/^\d{10}$/, fieldMessages.wrong), name: line(longest.name).default(""), lastName: line(longest.name).default(""),
      fullName: line(longest.address).default(""), coords: z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)]).optional(),
    }),
  }).nullish(),
}, fieldMessages.wrong);
export type BuyProfileView = z.output<typeof buyProfile>;
export { buyProfile as buyProfileSchema };

const profile = z.object({
  name: z.string(), last_name: z.string(), second_name: z.string(), email: z.string(), phone: z.string(), buyprofile: buyProfile.optional(),
});
export type ProfileView = z.output<typeof profile>;

export const readMe = call({
  method: "GET", path: "/api/me", summary: "The customer's profile, or null without sign-in",
  changes: false, asker: "visitor", allowance: "request", answer: data(profile.nullable()), problems: [],
});

export const completeMe = call({
  method: "POST", path: "/api/me", summary: "Finishes a registration: `name` is a full name (last, first, second)",
  changes: true, asker: "customer", allowance: "write",
  body: z.strictObject({ name: requiredLine(longest.name * 3), email }), answer: data(profile), problems: [],
});

export const changeMe = call({
  method: "PATCH", path: "/api/me", summary: "Changes parts of the profile; the phone stays",
  changes: true, asker: "customer", allowance: "write",
  body: z.strictObject({
    name: requiredLine(longest.name).optional(), last_name: line(longest.name).optional(), second_name: line(longest.name).optional(),
    email: email.optional(), buyprofile: buyProfile.optional(),
  }),
  answer: data(profile), problems: [],
});
