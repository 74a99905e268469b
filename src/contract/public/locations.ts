import * as z from "zod";
import { call } from "../call.ts";
import { fieldMessages, maxLengths } from "../fields.ts";
import { cityCode, deliveryId } from "../wire.ts";

/** A coordinate in a query: a plain decimal number. */
const degrees = (max: number) =>
  z
    .string()
    .regex(/^-?\d{1,3}(\.\d{1,15})?$/, fieldMessages.wrong)
    .transform(Number)
    .refine((value) => Math.abs(value) <= max, fieldMessages.wrong);
const coords = z.tuple([z.number(), z.number()]);
const city = z.object({ code: z.string(), name: z.string(), lastName: z.string(), fullName: z.string(), coords });
/** `lastName` is the region's name (a legacy field name); `coords` are latitude and longitude. */
export type CityView = z.output<typeof city>;

const point = z.object({
  id: z.string(),
  dlvId: z.int(),
  type: z.enum(["", "POSTAMAT"]),
  name: z.string(),
  address: z.string(),
  coords,
  workTime: z.string(),
  phone: z.string(),
  note: z.string(),
  cash: z.boolean(),
  card: z.boolean(),
  nearestMetro: z.string(),
});
/** `type` is empty for a pickup point and `POSTAMAT` for a parcel locker. */
export type PointView = z.output<typeof point>;

export const findCities = call({
  method: "GET",
  path: "/api/locations/cities",
  summary: "Cities by the beginning of their name, or the nearest to a place",
  changes: false,
  asker: "anybody",
  rateLimit: "search",
  query: z
    .object({
      q: z.string().max(maxLengths.query, fieldMessages.tooLong).default(""),
      /** Degrees; both or none. */
      lat: degrees(90).optional(),
      lon: degrees(180).optional(),
    })
    .refine(({ lat, lon }) => (lat === undefined) === (lon === undefined), { error: fieldMessages.wrong, path: ["lat"] }),
  answer: z.array(city),
  problems: [],
});

export const findPoints = call({
  method: "POST",
  path: "/api/locations/get-pvz",
  summary: "Pickup points or parcel lockers of a city that take the present cart, by id",
  changes: false,
  asker: "visitor",
  rateLimit: "search",
  body: z.strictObject({ city: cityCode, deliveryId }),
  answer: z.record(z.string(), point),
  problems: ["city.not_found"],
});
