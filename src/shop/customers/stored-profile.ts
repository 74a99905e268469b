import * as z from "zod/mini";
import type { BuyProfile } from "./buy-profile.ts";

const line = z.string().check(z.maxLength(200));
/** Long enough for a carrier's description of the way to a point. */
const words = z.string().check(z.maxLength(1000));

/** A city as the city search returns it: a code of ten digits, `[lat, lon]`. */
const citySchema = z.strictObject({
  code: z.string().check(z.regex(/^[0-9]{10}$/)),
  name: line,
  lastName: z.optional(line),
  fullName: z.optional(line),
  coords: z.optional(z.tuple([z.number().check(z.gte(-90), z.lte(90)), z.number().check(z.gte(-180), z.lte(180))])),
});

/** A buy profile as the `customers` table stores it. The names are those of the contract's `buyprofile`; the code uses `BuyProfile`. */
export const storedProfileSchema = z.strictObject({
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
  locinfo: z.optional(z.strictObject({ city: citySchema })),
});
export type StoredProfile = z.infer<typeof storedProfileSchema>;

/** The stored form as `BuyProfile`; an absent part stays absent. */
export const fromStored = ({ userinfo, pvzinfo, locinfo }: StoredProfile): BuyProfile => ({
  ...(userinfo && { delivery: deliveryOf(userinfo) }),
  ...(pvzinfo !== undefined && { point: pvzinfo && pointOf(pvzinfo) }),
  ...(locinfo && { city: locinfo.city }),
});

const deliveryOf = ({ usercomment, select_dlv_service: deliveryId, ...address }: NonNullable<StoredProfile["userinfo"]>) => ({
  ...address,
  ...(usercomment !== undefined && { comment: usercomment }),
  ...(deliveryId !== undefined && { deliveryId }),
});
const pointOf = ({ dlvId, ...point }: NonNullable<StoredProfile["pvzinfo"]>) => ({
  ...point,
  ...(dlvId !== undefined && { deliveryId: dlvId }),
});

/** A `BuyProfile` in the stored form. */
export const toStored = ({ delivery, point, city }: BuyProfile): StoredProfile => ({
  ...(delivery && { userinfo: userInfoOf(delivery) }),
  ...(point !== undefined && { pvzinfo: point && pvzInfoOf(point) }),
  ...(city && { locinfo: { city } }),
});

const userInfoOf = ({ comment, deliveryId, ...address }: NonNullable<BuyProfile["delivery"]>) => ({
  ...address,
  ...(comment !== undefined && { usercomment: comment }),
  ...(deliveryId !== undefined && { select_dlv_service: deliveryId }),
});
const pvzInfoOf = ({ deliveryId, ...point }: NonNullable<BuyProfile["point"]>) => ({
  ...point,
  ...(deliveryId !== undefined && { dlvId: deliveryId }),
});
