import * as z from "zod";
import { call } from "./call.ts";
import { fieldMessages, longest } from "./fields.ts";
import { cityCode, deliveryId } from "./wire.ts";

const coords = z.tuple([z.number(), z.number()]);
const city = z.object({ code: z.string(), name: z.string(), lastName: z.string(), fullName: z.string(), coords });
/** `lastName` is the region's name, as the wire has always called it; `coords` are latitude and longitude. */
export type CityView = z.output<typeof city>;

const point = z.object({
  id: z.string(), dlvId: z.int(), type: z.enum(["", "POSTAMAT"]), name: z.string(), address: z.string(), coords,
  workTime: z.string(), phone: z.string(), note: z.string(), cash: z.boolean(), card: z.boolean(), nearestMetro: z.string(),
});
/** `type` is empty for a pickup point, `POSTAMAT` for a parcel locker. */
export type PointView = z.output<typeof point>;

export const findCities = call({
  method: "GET", path: "/api/locations/cities", summary: "Cities by the beginning of their name",
  changes: false, asker: "anybody", allowance: "search",
  query: z.object({ q: z.string().max(longest.query, fieldMessages.tooLong).default("") }), answer: z.array(city), problems: [],
});

export const findPoints = call({
  method: "POST", path: "/api/locations/get-pvz", summary: "Pickup points or parcel lockers of a city, by id",
  changes: false, asker: "anybody", allowance: "search",
  body: z.strictObject({ city: cityCode, deliveryId }), answer: z.record(z.string(), point), problems: ["city.not_found"],
});
