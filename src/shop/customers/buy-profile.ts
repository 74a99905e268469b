import * as z from "zod/mini";

const line = z.string().check(z.maxLength(200));
/** Carriers describe a way through three yards. */
const words = z.string().check(z.maxLength(1000));

/** A city as the delivery module names it; ten digits of code, `[lat, lon]`. */
const profileCitySchema = z.strictObject({
  code: z.string().check(z.regex(/^[0-9]{10}$/)),
  name: line,
  lastName: z.optional(line),
  fullName: z.optional(line),
  coords: z.optional(z.tuple([z.number().check(z.gte(-90), z.lte(90)), z.number().check(z.gte(-180), z.lte(180))])),
});

/** What checkout remembers of a buyer: address, chosen point and city. Names are the specification's; they are stored as they travel. */
export const buyProfileSchema = z.strictObject({
  userinfo: z.optional(
    z.strictObject({
      street: z.optional(line),
      house: z.optional(line),
      flat: z.optional(line),
      entrance: z.optional(line),
      floor: z.optional(line),
      usercomment: z.optional(words),
      select_dlv_service: z.optional(z.union([line, z.int().check(z.gte(0), z.lte(999))])),
    }),
  ),
  pvzinfo: z.optional(
    z.nullable(
      z.strictObject({
        id: line,
        dlvId: z.optional(z.int().check(z.gte(0), z.lte(999))),
        type: z.optional(z.enum(["", "POSTAMAT"])),
        name: z.optional(words),
        address: z.optional(words),
      }),
    ),
  ),
  locinfo: z.optional(z.strictObject({ city: profileCitySchema })),
});
export type BuyProfile = z.infer<typeof buyProfileSchema>;
export type ProfileCity = z.infer<typeof profileCitySchema>;

/** The city that checkout may take over from a profile: one whose name is longer than two characters, else none. */
export function cityOf(profile: BuyProfile | null): ProfileCity | null {
  const city = profile?.locinfo?.city;
  return city && Array.from(city.name.trim()).length > 2 ? city : null;
}
