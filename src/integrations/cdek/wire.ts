import { z } from "zod";
import type { CarrierCity, CarrierWebhook, CarrierPoint, CarrierShipment, CountryPoint, Size } from "#shop/delivery/gateway.ts";

/**
 * CDEK API v2, https://apidoc.cdek.ru · JSON, bearer token of an hour. Weights are grams in the calculator and in orders,
 * kilograms in the limits of points. Orders are asynchronous: what is ACCEPTED may still turn INVALID.
 */
export const token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

export const suggestedCities = z.array(z.object({ code: z.number().int().positive() })).max(1000);

const city = z.object({
  code: z.number().int().positive(),
  city: z.string().min(1).max(120),
  region: z.string().max(120).default(""),
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
});
/** Coordinates are missing for some villages; those are left out. */
export const cityList = z
  .array(z.unknown())
  .max(1000)
  .transform((list) =>
    list.flatMap((each): CarrierCity[] => {
      const { success, data } = city.safeParse(each);
      return success ? [{ carrierCode: data.code, name: data.city, region: data.region, lat: data.latitude, lon: data.longitude }] : [];
    }),
  );

const text = z
  .string()
  .nullish()
  .transform((value) => (value ?? "").trim().slice(0, 500));
const point = z.object({
  code: z.string().min(1).max(40),
  name: text,
  type: z.enum(["PVZ", "POSTAMAT"]),
  is_handout: z.boolean().default(true),
  work_time: text,
  address_comment: text,
  note: text,
  nearest_metro_station: text,
  nearest_station: text,
  phones: z.array(z.object({ number: z.string() })).nullish(),
  have_cash: z.boolean().default(false),
  have_cashless: z.boolean().default(false),
  weight_max: z.number().nonnegative().nullish(),
  dimensions: z
    .array(z.object({ width: z.number().positive(), height: z.number().positive(), depth: z.number().positive() }))
    .max(100)
    .nullish()
    .catch(null),
  location: z.object({
    city_code: z.number().int().positive(),
    city: text,
    region: text,
    longitude: z.number().min(-180).max(180),
    latitude: z.number().min(-90).max(90),
    address: z.string().min(1).max(300),
  }),
});

export const pointPage = z.array(z.unknown()).max(5000);

/**
 * A point that hands out parcels; null for others and for the few entries that cannot be parsed, so that they do not fail the whole list.
 */
export function toPoint(entry: unknown): CarrierPoint | null {
  const { success, data } = point.safeParse(entry);
  return success && data.is_handout ? pointOf(data) : null;
}

/** The same with its town, whose name is cut to 120 letters; null also for a point without a location. */
export function toCountryPoint(entry: unknown): CountryPoint | null {
  const { success, data } = point.safeParse(entry);
  if (!success || !data.is_handout || data.location.city === "") return null;
  return { ...pointOf(data), cityName: data.location.city.slice(0, 120), region: data.location.region.slice(0, 120) };
}

function pointOf(data: z.output<typeof point>): CarrierPoint {
  return {
    id: data.code,
    carrierCityCode: data.location.city_code,
    type: data.type,
    name: data.name,
    address: data.location.address,
    lat: data.location.latitude,
    lon: data.location.longitude,
    workTime: data.work_time,
    phone: data.phones?.[0]?.number.slice(0, 40) ?? "",
    note: data.address_comment || data.note,
    hasCash: data.have_cash,
    hasCard: data.have_cashless,
    nearestMetro: data.nearest_metro_station,
    weightMaxGrams: data.weight_max ? Math.round(data.weight_max * 1000) : null,
    cells: data.dimensions?.length ? data.dimensions.map(({ width, height, depth }): Size => [width, height, depth]) : null,
  };
}

const failures = z.array(z.object({ code: z.string(), message: z.string().default("") })).nullish();

/** Errors come in the body of a 200 too. Sums in roubles, periods in working days. */
export const tariff = z.object({
  total_sum: z.number().positive().max(10_000_000),
  period_min: z.number().int().min(0).max(365),
  period_max: z.number().int().min(0).max(365),
  errors: failures,
});
const refusal = z.object({ errors: failures, requests: z.array(z.object({ errors: failures })).nullish() });

const request = z.object({ type: z.string().nullish(), state: z.string(), errors: failures });
export const createdOrder = z.object({ entity: z.object({ uuid: z.string().min(1) }), requests: z.array(request) });
export const readOrder = z.object({
  entity: z.object({
    uuid: z.string().min(1),
    cdek_number: z.string().nullish(),
    statuses: z
      .array(z.object({ code: z.string().min(1).max(80), name: text, city: text, date_time: z.string(), deleted: z.boolean().nullish() }))
      .max(1000)
      .default([]),
  }),
  requests: z.array(request).default([]),
});

/** The parcel's current status. Statuses may be unsorted, and some are withdrawn (`deleted`). */
export function toShipment({ entity, requests }: z.output<typeof readOrder>): CarrierShipment {
  // The carrier lists the newest first; of two statuses in the same second the one listed first is newer.
  const valid = entity.statuses
    .filter(({ deleted }) => !deleted)
    .reverse()
    .sort((a, b) => timeOf(a.date_time) - timeOf(b.date_time));
  const steps = valid.map(({ code, name, city, date_time }) => ({ code, name, city, at: new Date(timeOf(date_time)) }));
  const known = { carrierId: entity.uuid, trackingNumber: entity.cdek_number ?? null, steps };
  const creation = requests.find(({ type }) => type === "CREATE");
  if (creation?.state === "INVALID")
    return { ...known, state: "invalid", rawCode: "INVALID", reason: creation.errors?.map(({ code }) => code).join(", ") ?? null };
  const newest = valid.at(-1);
  if (!newest || creation?.state === "ACCEPTED" || creation?.state === "WAITING")
    return { ...known, state: "accepted", rawCode: newest?.code ?? creation?.state ?? "", reason: null };
  return { ...known, state: stateOf(newest.code), rawCode: newest.code, reason: null };
}

// "2026-11-21T10:00:00+0300": the offset without its colon is not ISO 8601.
const timeOf = (text: string): number => Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, "$1:$2")) || 0;

/** Two generations of codes are in use, some misspelt. A code that is not listed here means that the parcel is in transit. */
export function stateOf(code: string): CarrierShipment["state"] {
  switch (code) {
    case "ACCEPTED":
      return "accepted";
    case "CREATED":
      return "registered";
    case "INVALID":
    case "REMOVED":
      return "invalid";
    case "ACCEPTED_AT_PICK_UP_POINT":
    case "ACCEPTED_AT_WAREHOUSE_ON_DEMAND":
    case "POSTOMAT_POSTED":
      return "at_point";
    case "DELIVERED":
    case "POSTOMAT_RECEIVED":
      return "delivered";
    case "NOT_DELIVERED":
      return "not_delivered";
    default:
      return "in_transit";
  }
}

/** Printable ASCII: PostgreSQL, where uuid and code are looked up and stored, refuses text with NUL. */
const notified = z.string().regex(/^[\x21-\x7E]{1,80}$/);
const notification = z.object({
  type: z.literal("ORDER_STATUS"),
  uuid: notified,
  attributes: z.object({ code: notified, status_date_time: z.string(), deleted: z.boolean().nullish() }),
});

/** A webhook about an order's status. It is unsigned, so it only triggers a status request. Null for other kinds and unreadable bodies. */
export function toNotification(raw: string): CarrierWebhook | null {
  const { success, data } = notification.safeParse(parsed(raw));
  if (!success) return null;
  const at = timeOf(data.attributes.status_date_time);
  return at === 0
    ? null
    : { carrierId: data.uuid, code: data.attributes.code, statusAt: new Date(at), isTakenBack: data.attributes.deleted === true };
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}

export const subscriptions = z.array(z.object({ url: z.string(), type: z.string() }));
/** The answer to a request to delete or refuse an order: accepted, not yet done. */
export const changed = z.object({ requests: z.array(request).default([]) });

/** Codes without a decision: the same request may succeed later. */
const undecidedCodes: ReadonlySet<string> = new Set(["v2_internal_error", "v2_similar_request_still_processed"]);

/**
 * Codes about the content of an order: the same one will never be accepted. A number that the carrier knows already (`v2_bad_request`) is
 * not among them, because an earlier request may have succeeded.
 */
const contentCodes: ReadonlySet<string> = new Set([
  "v2_field_is_empty",
  "v2_parameters_empty",
  "v2_invalid_format",
  "v2_invalid_value_type",
  "v2_number_items_is_more_126",
  "v2_sender_location_not_recognized",
  "v2_recipient_location_not_recognized",
  "v2_shipment_address_multivalued",
  "v2_delivery_address_multivalued",
  "v2_unable_add_service",
  "shipment_location_is_not_recognized",
  "delivery_location_is_not_recognized",
]);

/** The carrier's codes in an answer, wherever it puts them. */
export function codesOf(content: unknown): string[] {
  const { data } = refusal.safeParse(content);
  return [...(data?.errors ?? []), ...(data?.requests ?? []).flatMap(({ errors }) => errors ?? [])].map(({ code }) => code);
}

/** Why the carrier will never accept this order; null: it may accept it later. */
export function refusedOrder(content: unknown): string | null {
  const codes = codesOf(content);
  return codes.some((code) => contentCodes.has(code)) && !codes.some((code) => undecidedCodes.has(code)) ? codes.join(", ") : null;
}

/**
 * Whether the carrier says that it has no such order: `v2_entity_not_found` (by uuid), `v2_entity_not_found_im_number` (by our number),
 * `v2_order_not_found` (by its own). Any other refusal says nothing.
 */
export const isUnknownOrder = (content: unknown): boolean => codesOf(content).some((code) => /^v2_(entity|order)_not_found/.test(code));

type ChangeType = "DELETE" | "REFUSAL";
/** The state of a request to change an order; null: it was never made. */
export type ChangeState = { state: "done" | "pending" | "refused"; reason: string | null } | null;

/**
 * Requests of one type as the carrier lists them with the order. A successful one takes precedence, then one in progress, then failed ones.
 * The available documentation names the type of a refusal only in part (`CREATE_REFUSAL`), so it is matched by its ending.
 */
export function changeOf(requests: z.output<typeof request>[], type: ChangeType): ChangeState {
  const own = requests.filter((each) => each.type === type || each.type?.endsWith(`_${type}`));
  if (own.some(({ state }) => state === "SUCCESSFUL")) return { state: "done", reason: null };
  const failed = own.filter(({ state }) => state === "INVALID");
  if (failed.length < own.length) return { state: "pending", reason: null };
  const codes = failed.flatMap(({ errors }) => errors ?? []).map(({ code }) => code);
  if (failed.length === 0 || (codes.every((code) => undecidedCodes.has(code)) && codes.length > 0)) return null;
  return { state: "refused", reason: codes.join(", ") || "INVALID" };
}

/** The meaning of a 400 for a request to change an order; null when it is not a decision. */
export function refusedChange(content: unknown): ChangeState {
  const codes = codesOf(content);
  if (codes.length === 0 || codes.includes("v2_entity_not_found")) return null;
  if (codes.some((code) => undecidedCodes.has(code))) return { state: "pending", reason: codes.join(", ") };
  return { state: "refused", reason: codes.join(", ") };
}

/** The answer to a request for print forms (CDEK API v2, "print/barcodes", 2026-11): a task, or errors without an entity. */
export const printTask = z.object({ entity: z.object({ uuid: z.string().regex(/^[\w-]{1,80}$/) }) });
/** A print task. Statuses may be unsorted; `url` lives an hour and is not used, because the file has a path of its own beside the task. */
export const printState = z.object({
  entity: z.object({ statuses: z.array(z.object({ code: z.string().min(1).max(80), date_time: z.string() })).max(100) }),
  requests: z.array(z.object({ errors: failures })).nullish(),
});

/** The newest status of a print task. A code that is not listed means that it is not ready yet. */
export function printStateOf({ entity, requests }: z.output<typeof printState>): "pending" | "ready" | "gone" | { refused: string } {
  const order = ["ACCEPTED", "PROCESSING", "READY", "REMOVED", "INVALID"];
  const newest = entity.statuses.toSorted(
    (a, b) => timeOf(a.date_time) - timeOf(b.date_time) || order.indexOf(a.code) - order.indexOf(b.code),
  );
  switch (newest.at(-1)?.code) {
    case "READY":
      return "ready";
    case "REMOVED":
      return "gone";
    case "INVALID":
      return {
        refused:
          (requests ?? [])
            .flatMap(({ errors }) => errors ?? [])
            .map(({ code }) => code)
            .join(", ") || "INVALID",
      };
    default:
      return "pending";
  }
}

/** Why a request for print forms was refused finally; null: it may succeed later. */
export function refusedPrint(content: unknown): string | null {
  const codes = codesOf(content);
  return codes.length === 0 || codes.some((code) => undecidedCodes.has(code)) ? null : codes.join(", ");
}
