import { z } from "zod";
import { asciiEmail } from "#integrations/ascii-email.ts";
import { kopecks, toRoubles } from "#kit/money.ts";
import type { Connection, Outbound, OutboundAnswer, OutboundOptions, OutboundRequest } from "#kit/network/outbound.ts";
import { createOutbound } from "#kit/network/outbound.ts";
import { cutText } from "#kit/text/cut-text.ts";
import { boxFor, packedGrams } from "#shop/delivery/delivery.ts";
import {
  ShipmentRefused,
  type CarrierPoint,
  type CarrierPrice,
  type CountryPoint,
  type DeliveryGateway,
  type Parcel,
  type ShipmentRequest,
} from "#shop/delivery/gateway.ts";
import {
  type ChangeState,
  changed,
  changeOf,
  cityList,
  codesOf,
  createdOrder,
  isUnknownOrder,
  pointPage,
  printState,
  printStateOf,
  printTask,
  readOrder,
  refusedChange,
  refusedOrder,
  refusedPrint,
  subscriptions,
  suggestedCities,
  tariff,
  toCountryPoint,
  token,
  toNotification,
  toPoint,
  toShipment,
} from "./wire.ts";

/** Tariffs of an online shop's contract: "Посылка" from office to office, to the door, to a locker. CDEK's official plugin, 2026-07. */
const tariffs = { toPoint: 136, toDoor: 137, toLocker: 368 } as const;
const moscow = 44;
/** Characters of a recipient's name, a coin's name and a comment (CDEK API v2, "orders", 2026-11). */
const maxText = 255;
/** Thermal labels of 105 × 148 mm. */
const labelFormat = "A6";
const pageSize = 500;
/** The country has about ten thousand points; a list ten times as long is treated as endless. */
const maxPages = 200;

/**
 * The carrier over CDEK API v2; `baseUrl` ends in `/v2`. Parcels leave from the city `fromCity` (Moscow), or are handed over
 * at the office `shipmentPoint`. Each call has 3 s; a token is fetched once for all callers and once more after a 401.
 */
export function createCdekGateway(options: {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  fromCity?: number;
  shipmentPoint?: string;
  now: () => Date;
  onCall?: OutboundOptions["onCall"];
}): DeliveryGateway & Connection {
  const fromCity = options.fromCity ?? moscow;
  const carrier = createOutbound({
    provider: "cdek",
    baseUrl: options.baseUrl,
    timeoutMs: 3000,
    maxBytes: 20 * 1024 * 1024,
    now: options.now,
    onCall: options.onCall,
  });
  const call = signedIn(carrier, options);

  async function price(tariffCode: number, toCity: number, { weightGrams, declaredValue }: Parcel): Promise<CarrierPrice> {
    const offer = read(
      tariff,
      await call({
        op: "tariff",
        path: "/calculator/tariff",
        ...body({
          type: 1,
          currency: 1,
          tariff_code: tariffCode,
          from_location: { code: fromCity },
          to_location: { code: toCity },
          packages: [{ weight: weightGrams, ...dimensions(weightGrams) }],
          services: [{ code: "INSURANCE", parameter: String(Math.ceil(toRoubles(declaredValue))) }],
        }),
      }),
    );
    return {
      price: kopecks(Math.round(offer.total_sum * 100)),
      minDays: offer.period_min,
      maxDays: Math.max(offer.period_min, offer.period_max),
    };
  }

  async function byNumber(number: string) {
    const answer = await call({ op: "find_order", path: `/orders?im_number=${encodeURIComponent(number)}` });
    if ((answer.status === 400 || answer.status === 404) && isUnknownOrder(parse(answer))) return null;
    const found = toShipment(read(readOrder, answer));
    return found.state === "invalid" ? null : found; // a refused registration may be sent again
  }

  /** All pages of a list of points. A list that ends early, or of which nothing can be parsed, is a fault and not a short list. */
  async function* pages(filter: string): AsyncGenerator<unknown[]> {
    let [seen, isReadable] = [0, false];
    for (let page = 0; page < maxPages; page += 1) {
      const answer = await call({ op: "points", path: `/deliverypoints?${filter}&type=ALL&is_handout=true&size=${pageSize}&page=${page}` });
      const entries = read(pointPage, answer);
      seen += entries.length;
      isReadable ||= entries.some((entry) => toPoint(entry) !== null);
      // A single invalid row is skipped; if all are invalid, the answer is faulty and does not mean that there are no points.
      if (entries.length > 0 && !isReadable) throw new Error("cdek: none of the points could be read");
      const total = Number(answer.headers["x-total-elements"] ?? Number.NaN);
      if (entries.length === 0 && seen < total) throw new Error(`cdek: the list of points broke off after ${seen} of ${total}`);
      yield entries;
      if (entries.length === 0 || seen >= total || (Number.isNaN(total) && entries.length < pageSize)) return;
    }
    throw new Error("cdek: the list of points has no end");
  }

  /** Requests a change of an order. A 400 with the carrier's codes is a refusal; every other failure is thrown. */
  async function change(request: OutboundRequest, type: "DELETE" | "REFUSAL"): Promise<ChangeState> {
    const answer = await call(request);
    const refused = answer.status === 400 ? refusedChange(parse(answer)) : null;
    if (refused) return refused;
    const { requests } = read(changed, answer);
    return (
      changeOf(
        requests.map((each) => ({ ...each, type })),
        type,
      ) ?? { state: "pending", reason: null }
    );
  }

  return {
    async findCities(query) {
      const suggested = read(
        suggestedCities,
        await call({
          op: "suggest_cities",
          path: `/location/suggest/cities?country_code=RU&name=${encodeURIComponent(query.slice(0, 100))}`,
        }),
      );
      const found = await Promise.all(
        suggested.slice(0, 5).map(async ({ code }) => read(cityList, await call({ op: "cities", path: `/location/cities?code=${code}` }))),
      );
      return found.flat();
    },

    async points(city) {
      const found = new Map<string, CarrierPoint>();
      for await (const entries of pages(`city_code=${city}`)) {
        for (const point of entries.map(toPoint)) if (point?.carrierCityCode === city) found.set(point.id, point);
      }
      return [...found.values()];
    },

    async *countryPoints() {
      for await (const entries of pages("country_code=RU"))
        yield entries.map(toCountryPoint).filter((each): each is CountryPoint => each !== null);
    },

    courierPrice: (city, parcel) => price(tariffs.toDoor, city, parcel),
    pointPrice: (city, parcel) => price(tariffs.toPoint, city, parcel),

    async register(request) {
      // An earlier call may have succeeded although its answer was lost.
      const known = await byNumber(request.number);
      if (known) return known;
      const answer = await call({ op: "create_order", path: "/orders", ...body(orderOf(request, fromCity, options.shipmentPoint)) });
      const refused = answer.status === 400 ? refusedOrder(parse(answer)) : null;
      if (refused !== null) throw new ShipmentRefused(refused);
      const { entity, requests } = read(createdOrder, answer);
      return toShipment({ entity: { uuid: entity.uuid, statuses: [] }, requests });
    },

    find: byNumber,

    async recall(carrierId, { mayTurnBack }) {
      const path = `/orders/${encodeURIComponent(carrierId)}`;
      const order = read(readOrder, await call({ op: "read_order", path }));
      const { state, rawCode } = toShipment(order);
      if (state === "invalid") return { outcome: "struck_out", reason: rawCode };
      if (state === "delivered") return { outcome: "refused", reason: rawCode };
      if (state === "not_delivered") return { outcome: mayTurnBack ? "turned_back" : "refused", reason: rawCode };

      // Deleting and refusing are asynchronous, as registering is: ACCEPTED may still turn INVALID. Deletable is only what is CREATED
      // and has not moved; refusable is everything that is neither delivered nor "not delivered" (CDEK API v2, "orders", 2026-11).
      const isWaiting = state === "accepted";
      const deleted =
        changeOf(order.requests, "DELETE") ??
        (state === "registered" ? await change({ op: "delete_order", method: "DELETE", path }, "DELETE") : null);
      if (deleted?.state === "done") return { outcome: "struck_out", reason: null };
      if (deleted?.state === "pending" || isWaiting) return { outcome: "pending", reason: deleted?.reason ?? null };
      if (!mayTurnBack) return { outcome: "refused", reason: deleted?.reason ?? rawCode };

      const refused =
        changeOf(order.requests, "REFUSAL") ?? (await change({ op: "refuse_order", method: "POST", path: `${path}/refusal` }, "REFUSAL"));
      if (refused?.state === "done") return { outcome: "turned_back", reason: null };
      return refused?.state === "refused"
        ? { outcome: "refused", reason: refused.reason }
        : { outcome: "pending", reason: refused?.reason ?? null };
    },

    async requestLabels(carrierIds) {
      const answer = await call({
        op: "print_labels",
        path: "/print/barcodes",
        ...body({ orders: carrierIds.map((uuid) => ({ order_uuid: uuid })), copy_count: 1, format: labelFormat, lang: "RUS" }),
      });
      const refused = answer.status === 400 ? refusedPrint(parse(answer)) : null;
      return refused === null ? { taskId: read(printTask, answer).entity.uuid } : { refused };
    },

    async fetchLabels(taskId) {
      const path = `/print/barcodes/${encodeURIComponent(taskId)}`;
      const answer = await call({ op: "read_labels", path });
      if (isMissing(answer)) return { state: "gone" };
      const state = printStateOf(read(printState, answer));
      if (typeof state === "object") return { state: "refused", reason: state.refused };
      if (state !== "ready") return { state };
      const file = await call({ op: "fetch_labels", path: `${path}.pdf` });
      if (isMissing(file)) return { state: "gone" };
      if (file.status !== 200) throw new Error(`cdek: status ${file.status} for a label`);
      if (!file.bytes.subarray(0, 5).equals(pdfStart)) throw new Error("cdek: a label that is not a PDF");
      return { state: "ready", pdf: file.bytes };
    },

    async subscribe(url) {
      const known = read(subscriptions, await call({ op: "webhooks", path: "/webhooks" }));
      if (known.some((each) => each.type === "ORDER_STATUS" && each.url === url)) return;
      read(z.unknown(), await call({ op: "subscribe", path: "/webhooks", ...body({ url, type: "ORDER_STATUS" }) }));
    },

    readNotification: toNotification,

    track: async (carrierId) =>
      toShipment(read(readOrder, await call({ op: "read_order", path: `/orders/${encodeURIComponent(carrierId)}` }))),

    close: carrier.close,
    resetBreaker: carrier.resetBreaker,
  };
}

const pdfStart = Buffer.from("%PDF-");

/** Whether the carrier answers that it does not have a print task or its file: links live an hour. */
const isMissing = (answer: OutboundAnswer): boolean =>
  answer.status === 404 || answer.status === 410 || (answer.status === 400 && refusedPrint(parse(answer)) === "v2_entity_not_found");

const body = (content: object) => ({
  method: "POST" as const,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(content),
});

/** The shop's parcel in the carrier's format. */
function dimensions(weightGrams: number) {
  const [length, width, height] = boxFor(weightGrams);
  return { length, width, height };
}

function orderOf({ number, to, recipient, lines }: ShipmentRequest, fromCity: number, shipmentPoint: string | undefined): object {
  const toLocker = "pointId" in to && to.isLocker;
  const weight = packedGrams(lines.reduce((sum, line) => sum + line.weightGrams * line.quantity, 0));
  return {
    type: 1,
    number,
    tariff_code: "pointId" in to ? (toLocker ? tariffs.toLocker : tariffs.toPoint) : tariffs.toDoor,
    ...(shipmentPoint ? { shipment_point: shipmentPoint } : { from_location: { code: fromCity } }),
    ...("pointId" in to
      ? { delivery_point: to.pointId }
      : {
          to_location: { code: to.carrierCityCode, address: to.address },
          ...(to.comment === "" ? {} : { comment: cutText(to.comment, maxText) }),
        }),
    recipient: { name: cutText(recipient.name, maxText), email: asciiEmail(recipient.email), phones: [{ number: recipient.phone }] },
    packages: [
      {
        number: `${number}-1`,
        ...dimensions(weight),
        weight,
        // Already paid: nothing to collect. `cost` is the insured value.
        items: lines.map((line) => ({
          name: cutText(line.title, maxText),
          ware_key: line.article,
          amount: line.quantity,
          weight: line.weightGrams,
          cost: toRoubles(line.unitPrice),
          payment: { value: 0 },
        })),
      },
    ],
  };
}

/** The answer's body, parsed by its schema; a refusal of the carrier, an unexpected status or another shape is thrown with its codes. */
function read<T>(schema: z.ZodType<T>, answer: OutboundAnswer): T {
  const content = parse(answer);
  const codes = codesOf(content);
  if (answer.status < 200 || answer.status >= 300) throw new Error(`cdek: status ${answer.status} ${codes.join(", ")}`.trim());
  const parsed = schema.safeParse(content);
  if (!parsed.success) throw new Error(`cdek: ${codes.length > 0 ? `refused, ${codes.join(", ")}` : "an answer of another shape"}`);
  return parsed.data;
}

function parse(answer: OutboundAnswer): unknown {
  try {
    return answer.json();
  } catch {
    return null; // HTML of a proxy, truncated JSON, an empty body: no schema accepts it
  }
}

type Call = (request: OutboundRequest) => Promise<OutboundAnswer>;

/** Calls with a bearer token: fetched once for all callers, renewed a minute early, and once more after a 401. */
function signedIn(carrier: Outbound, { clientId, clientSecret, now }: { clientId: string; clientSecret: string; now: () => Date }): Call {
  type Token = { bearer: string; goodUntil: number };
  let cached: Promise<Token> | null = null;

  async function fetchToken(): Promise<Token> {
    const form = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret }).toString();
    const answer = await carrier.call({
      op: "token",
      method: "POST",
      path: "/oauth/token",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: form,
    });
    const { access_token, expires_in } = read(token, answer);
    return { bearer: access_token, goodUntil: now().getTime() + Math.max(expires_in - 60, 1) * 1000 };
  }

  function renew(): Promise<Token> {
    const fetching = fetchToken();
    cached = fetching;
    fetching.catch(() => {
      if (cached === fetching) cached = null;
    });
    return fetching;
  }

  async function current(): Promise<Token> {
    const known = cached;
    if (!known) return renew();
    const token = await known;
    if (token.goodUntil > now().getTime()) return token;
    return cached === known || !cached ? renew() : cached; // another call may have renewed it meanwhile
  }

  return async (request) => {
    const used = await current();
    const send = ({ bearer }: Token): Promise<OutboundAnswer> =>
      carrier.call({ ...request, headers: { accept: "application/json", ...request.headers, authorization: `Bearer ${bearer}` } });
    const answer = await send(used);
    if (answer.status !== 401) return answer;
    const latest = cached ? await cached : null;
    return send(latest && latest.bearer !== used.bearer ? latest : await renew());
  };
}
