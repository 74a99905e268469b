import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createFault } from "#integrations/faults.ts";
import { openSheet } from "#kit/documents/pdf-sheet.ts";
import type { SimulatedCity, SimulatedPoint } from "./simulated-country.ts";
import { pointsOf, simulatedCities, villagesFor } from "./simulated-country.ts";

export type CdekSimulator = Awaited<ReturnType<typeof startCdekSimulator>>;

type Status = { code: string; at: Date; city: string; deleted: boolean };
type Order = {
  uuid: string;
  number: string;
  cdekNumber: string;
  madeAt: Date;
  refusedBecause: string | null;
  content: OrderContent;
  statuses: Status[];
  /** Deleted by the shop before it was handed over, or refused on its way. */
  isRemoved: boolean;
  isRefused: boolean;
  /** Requests to delete or refuse it, oldest first; each is decided a moment later, when the order may have moved. */
  changes: Change[];
  recallMode: RecallMode;
};
type Change = { uuid: string; type: "DELETE" | "REFUSAL"; at: Date; state: "ACCEPTED" | "SUCCESSFUL" | "INVALID" };
/** `refuse`: every change ends as INVALID; `never`: no change is decided. */
type RecallMode = "decide" | "refuse" | "never";
type OrderContent = {
  number?: string;
  tariff_code?: number;
  delivery_point?: string;
  to_location?: { code?: number; address?: string };
  recipient?: { name?: string; phones?: { number?: string }[] };
  packages?: { weight?: number; items?: { cost?: number; amount?: number; payment?: { value?: number } }[] }[];
};

/**
 * A task to print barcodes. `mode` is how it ends: as it should, refused, never, with a file that is no PDF, or with a file that is gone.
 */
type Print = { uuid: string; orders: Order[]; format: string; at: Date; mode: PrintMode };
type PrintMode = "ready" | "invalid" | "never" | "garbage" | "gone";
/** How long a print task takes, and how long its file exists, in milliseconds. */
const printMs = 2_000;
const printLifeMs = 3_600_000;

/** The delays between accepting and registering an order, and between accepting and deciding a change, in milliseconds. */
const registrationMs = 2_000;

/**
 * CDEK API v2 on loopback (with or without `/v2` in the address): expiring tokens, paged towns and points, tariffs by distance, mass and
 * insurance, orders that are accepted first and registered or refused later, webhooks to subscribers. `credentials` are checked when given;
 * `points` is the number of points of the country.
 */
export async function startCdekSimulator(options: {
  port?: number;
  now: () => Date;
  tokenLifeSeconds?: number;
  credentials?: { clientId: string; clientSecret: string };
  points?: number;
  /** File that stores the parcels across restarts; absent: in memory only. */
  statePath?: string;
}) {
  const tokens = new Map<string, number>();
  const { statePath } = options;
  const orders: Order[] = statePath ? loadOrders(statePath) : [];
  const saveOrders = (): void => {
    if (statePath) writeFileSync(statePath, JSON.stringify(orders));
  };
  const journal: { method: string; path: string }[] = [];
  const towns = simulatedCities.flatMap(pointsOf);
  const pointsByCity = Map.groupBy(
    [...towns, ...villagesFor((options.points ?? 0) - towns.filter(({ isHandout }) => isHandout).length)],
    (each) => each.cityCode,
  );
  const prints = new Map<string, Print>();
  let printMode: PrintMode = "ready";
  let refusesAtOnce = false;
  let searchFault: string | null = null;
  const subscribers = new Set<string>();
  const onTheirWay = new Set<Promise<unknown>>();
  const fault = createFault();

  const isSignedIn = (request: IncomingMessage): boolean =>
    (tokens.get((request.headers.authorization ?? "").replace(/^Bearer /, "")) ?? 0) > options.now().getTime();

  function issueToken(form: URLSearchParams): Answer {
    const { credentials } = options;
    const isRight =
      form.get("grant_type") === "client_credentials" &&
      (!credentials || (form.get("client_id") === credentials.clientId && form.get("client_secret") === credentials.clientSecret));
    if (!isRight) return [401, { error: "invalid_client", error_description: "Bad client credentials" }];
    const life = options.tokenLifeSeconds ?? 3599;
    const bearer = randomUUID();
    tokens.set(bearer, options.now().getTime() + life * 1000);
    return [200, { access_token: bearer, token_type: "bearer", expires_in: life, scope: "order:all payment:all", jti: randomUUID() }];
  }

  function findPoints(query: URLSearchParams): Answer {
    const type = query.get("type") ?? "PVZ";
    const wanted = query.has("city_code") ? (pointsByCity.get(Number(query.get("city_code"))) ?? []) : [...pointsByCity.values()].flat();
    const all = wanted.filter((each) => (type === "ALL" || each.type === type) && (query.get("is_handout") !== "true" || each.isHandout));
    const size = Number(query.get("size") ?? 0) || all.length || 1;
    const from = Number(query.get("page") ?? 0) * size;
    return [200, all.slice(from, from + size).map(pointView), { "x-total-elements": String(all.length) }];
  }

  function createOrder(content: OrderContent): Answer {
    const number = content.number ?? "";
    if (!number || !content.packages?.length) return failure(400, "CREATE", "v2_field_is_empty", "number, packages");
    if (orders.some((each) => each.number === number && !each.refusedBecause))
      return failure(400, "CREATE", "v2_bad_request", `Order ${number} exists already`);
    const reason = reasonToRefuse(content, pointsByCity);
    if (refusesAtOnce && reason !== null) return failure(400, "CREATE", reason, "Order is refused");
    const order: Order = {
      uuid: randomUUID(),
      number,
      cdekNumber: String(10_000_000_000 + orders.length * 7919),
      madeAt: options.now(),
      content,
      statuses: [],
      refusedBecause: reason,
      isRemoved: false,
      isRefused: false,
      changes: [],
      recallMode: "decide",
    };
    orders.push(order);
    saveOrders();
    return [
      202,
      {
        entity: { uuid: order.uuid },
        requests: [{ request_uuid: randomUUID(), type: "CREATE", state: "ACCEPTED", date_time: stamp(order.madeAt) }],
        related_entities: [],
      },
    ];
  }

  function readOrder(order: Order | undefined, unknownCode = "v2_entity_not_found"): Answer {
    if (!order) return failure(400, "GET", unknownCode, "Entity is not found");
    decideChanges(order);
    const isDecided = isRegistered(order);
    const creation = {
      request_uuid: order.uuid,
      type: "CREATE",
      date_time: stamp(order.madeAt),
      state: !isDecided ? "ACCEPTED" : order.refusedBecause ? "INVALID" : "SUCCESSFUL",
    };
    if (!isDecided)
      return [
        200,
        {
          entity: { uuid: order.uuid, number: order.number, statuses: [{ code: "ACCEPTED", date_time: stamp(order.madeAt) }] },
          requests: [creation],
        },
      ];
    if (order.refusedBecause) {
      return [
        200,
        {
          entity: { uuid: order.uuid, number: order.number, statuses: [{ code: "INVALID", date_time: stamp(order.madeAt) }] },
          requests: [{ ...creation, errors: [{ code: order.refusedBecause, message: "Order is refused" }] }],
        },
      ];
    }
    const walked = [...order.statuses].reverse().map(({ code, at, city, deleted }) => ({
      code,
      name: statusNames[code] ?? code,
      date_time: stamp(at),
      city,
      ...(deleted ? { deleted } : {}),
    }));
    if (order.isRemoved) walked.unshift({ code: "REMOVED", name: "Удален", date_time: stamp(options.now()), city: "" });
    const statuses = [...walked, { code: "CREATED", date_time: stamp(order.madeAt) }, { code: "ACCEPTED", date_time: stamp(order.madeAt) }];
    const changes = order.changes.toReversed().map(({ uuid, type, at, state }) => ({
      request_uuid: uuid,
      type: type === "REFUSAL" ? "CREATE_REFUSAL" : type,
      date_time: stamp(at),
      state,
      ...(state === "INVALID" ? { errors: [{ code: "v2_entity_invalid", message: "Order is in another state" }] } : {}),
    }));
    return [
      200,
      { entity: { uuid: order.uuid, number: order.number, cdek_number: order.cdekNumber, statuses }, requests: [...changes, creation] },
    ];
  }

  const isRegistered = (order: Order): boolean => options.now().getTime() - order.madeAt.getTime() >= registrationMs;
  const validStatuses = (order: Order): Status[] => order.statuses.filter(({ deleted }) => !deleted);
  const hasEnded = (order: Order): boolean =>
    validStatuses(order).some(({ code }) => code === "DELIVERED" || code === "NOT_DELIVERED" || code === "POSTOMAT_RECEIVED");

  /** A change succeeds if the order is still in the required state when the change is decided. */
  function decideChanges(order: Order): void {
    const before = JSON.stringify(order.changes);
    for (const change of order.changes) {
      if (change.state !== "ACCEPTED" || order.recallMode === "never" || options.now().getTime() - change.at.getTime() < registrationMs)
        continue;
      const isPossible =
        order.recallMode === "decide" && !hasEnded(order) && (change.type === "REFUSAL" || validStatuses(order).length === 0);
      change.state = isPossible ? "SUCCESSFUL" : "INVALID";
      if (!isPossible) continue;
      if (change.type === "DELETE") order.isRemoved = true;
      else {
        order.isRefused = true;
        order.statuses.push({ code: "NOT_DELIVERED", at: options.now(), city: "Москва", deleted: false });
      }
    }
    if (JSON.stringify(order.changes) !== before) saveOrders();
  }

  /** An order can be deleted when it is registered and has not moved, and refused until it is delivered or "not delivered". */
  function change(order: Order | undefined, type: "DELETE" | "REFUSAL"): Answer {
    if (!order) return failure(400, type, "v2_entity_not_found", "Entity is not found");
    decideChanges(order);
    if (order.changes.some((each) => each.type === type && each.state === "ACCEPTED"))
      return failure(400, type, "v2_similar_request_still_processed", "Wait");
    const isPossible =
      isRegistered(order) && !order.isRemoved && !hasEnded(order) && (type === "REFUSAL" || validStatuses(order).length === 0);
    if (!isPossible) return failure(400, type, "v2_entity_invalid", "Order is in another state");
    const made: Change = { uuid: randomUUID(), type, at: options.now(), state: "ACCEPTED" };
    order.changes.push(made);
    saveOrders();
    return [
      202,
      { entity: { uuid: order.uuid }, requests: [{ request_uuid: made.uuid, type, state: made.state, date_time: stamp(made.at) }] },
    ];
  }

  /** Barcodes of at most 100 orders; orders that are unknown, not registered yet or removed are found out when the task runs. */
  function createPrint({ orders: wanted, format }: { orders?: { order_uuid?: string }[]; format?: string }): Answer {
    if (!wanted?.length) return failure(400, "CREATE", "v2_field_is_empty", "orders");
    if (wanted.length > 100) return failure(400, "CREATE", "v2_bad_request", "orders: at most 100");
    const found = wanted.map(({ order_uuid }) => orders.find(({ uuid }) => uuid === order_uuid));
    const known = found.filter((order) => order !== undefined);
    if (known.length < found.length) return failure(400, "CREATE", "v2_entity_not_found", "Entity is not found");
    const isPrintable = known.every((order) => isRegistered(order) && !order.refusedBecause && !order.isRemoved);
    const print: Print = {
      uuid: randomUUID(),
      orders: known,
      format: format ?? "A4",
      at: options.now(),
      mode: isPrintable ? printMode : "invalid",
    };
    prints.set(print.uuid, print);
    return [
      202,
      {
        entity: { uuid: print.uuid },
        requests: [{ request_uuid: randomUUID(), type: "CREATE", state: "ACCEPTED", date_time: stamp(print.at) }],
      },
    ];
  }

  /** The statuses of a print task so far, oldest first. */
  function printStatuses({ at, mode }: Print): { code: string; at: number }[] {
    const [start, now] = [at.getTime(), options.now().getTime()];
    return [
      { code: "ACCEPTED", at: start },
      { code: "PROCESSING", at: start + printMs / 2 },
      ...(mode === "invalid" ? [{ code: "INVALID", at: start + printMs }] : []),
      ...(mode === "invalid" || mode === "never"
        ? []
        : [
            { code: "READY", at: start + printMs },
            { code: "REMOVED", at: start + (mode === "gone" ? printMs + 1 : printLifeMs) },
          ]),
    ].filter((status) => status.at <= now);
  }

  async function readPrint(uuid: string, isFile: boolean): Promise<Answer> {
    const print = prints.get(uuid);
    if (!print) return failure(400, "GET", "v2_entity_not_found", "Entity is not found");
    const statuses = printStatuses(print);
    const code = statuses.at(-1)?.code;
    if (isFile && code !== "READY") return failure(404, "GET", "v2_entity_not_found", "File is not found");
    if (isFile) return [200, print.mode === "garbage" ? Buffer.from("<html>502</html>") : await labelsPdf(print, options.now())];
    return [
      200,
      {
        entity: {
          uuid,
          orders: print.orders.map((order) => ({ order_uuid: order.uuid })),
          copy_count: "1",
          format: print.format,
          ...(code === "READY" ? { url: `https://api.cdek.ru/v2/print/barcodes/${uuid}.pdf` } : {}),
          statuses: statuses
            .toReversed()
            .map((status) => ({ code: status.code, name: status.code, date_time: stamp(new Date(status.at)) })),
        },
        requests: [
          {
            type: "CREATE",
            state: code === "INVALID" ? "INVALID" : "SUCCESSFUL",
            ...(code === "INVALID" ? { errors: [{ code: "v2_entity_invalid", message: "Order has no barcode" }] } : {}),
          },
        ],
      },
    ];
  }

  /** Notifies all subscribers without waiting for their answers; a notification that is not answered is not repeated. */
  function tellOf(order: Order, { code, at, city, deleted }: Status): void {
    const body = JSON.stringify({
      type: "ORDER_STATUS",
      date_time: stamp(options.now()),
      uuid: order.uuid,
      attributes: {
        is_return: false,
        cdek_number: order.cdekNumber,
        number: order.number,
        status_code: "0",
        code,
        status_date_time: stamp(at),
        city_name: city,
        ...(deleted ? { deleted } : {}),
      },
    });
    for (const url of subscribers) {
      const delivered = fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        signal: AbortSignal.timeout(2_000),
      }).catch(() => null);
      onTheirWay.add(delivered);
      void delivered.finally(() => onTheirWay.delete(delivered));
    }
  }

  function route(method: string, path: string, query: URLSearchParams, content: unknown): Answer | Promise<Answer> {
    const byName = (wanted: string): SimulatedCity[] => simulatedCities.filter(({ city }) => plain(city).startsWith(plain(wanted)));
    switch (`${method} ${path}`) {
      case "GET /location/suggest/cities":
        return [
          200,
          byName(query.get("name") ?? "")
            .slice(0, 10)
            .map(({ code, city, region }) => ({ city_uuid: uuidOf(code), code, full_name: `${city}, ${region}, Россия` })),
        ];
      case "GET /location/cities":
        return [
          200,
          simulatedCities
            .filter(({ code, city }) =>
              query.has("code") ? code === Number(query.get("code")) : plain(city) === plain(query.get("city") ?? ""),
            )
            .map(cityView),
        ];
      case "GET /deliverypoints":
        return findPoints(query);
      case "POST /calculator/tariff":
        return calculate(content as Calculation);
      case "GET /webhooks":
        return [200, [...subscribers].map((url, index) => ({ uuid: uuidOf(index), url, type: "ORDER_STATUS" }))];
      case "POST /webhooks":
        subscribers.add(String((content as { url?: string }).url));
        return [200, { entity: { uuid: randomUUID() }, requests: [{ type: "CREATE", state: "SUCCESSFUL" }] }];
      case "POST /print/barcodes":
        return createPrint(content as Parameters<typeof createPrint>[0]);
      case "POST /orders":
        return createOrder(content as OrderContent);
      case "GET /orders":
        if (searchFault !== null) return failure(400, "GET", searchFault, "Search failed");
        return readOrder(
          orders.findLast(({ number, cdekNumber }) => number === query.get("im_number") || cdekNumber === query.get("cdek_number")),
          query.has("im_number") ? "v2_entity_not_found_im_number" : "v2_order_not_found",
        );
    }
    const [, printUuid, extension] = /^\/print\/barcodes\/([\w-]+)(\.pdf)?$/.exec(path) ?? [];
    if (printUuid && method === "GET") return readPrint(printUuid, extension !== undefined);
    const [, uuid, refusal] = /^\/orders\/([\w-]+)(\/refusal)?$/.exec(path) ?? [];
    const order = orders.find((each) => each.uuid === uuid);
    if (uuid && method === "POST" && refusal) return change(order, "REFUSAL");
    if (uuid && method === "DELETE" && !refusal) return change(order, "DELETE");
    return uuid && method === "GET" && !refusal ? readOrder(order) : [404, { errors: [{ code: "v2_not_found", message: path }] }];
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    const url = new URL(request.url ?? "/", "http://loopback");
    const path = url.pathname.replace(/^\/v2(?=\/)/, "");
    const method = request.method ?? "GET";
    journal.push({ method, path });
    if (journal.length > 1000) journal.shift();
    if (await fault.apply(response)) return;
    if (`${method} ${path}` === "POST /oauth/token") return send(response, issueToken(new URLSearchParams(text || url.search)));
    if (!isSignedIn(request))
      return send(response, [
        401,
        { requests: [{ state: "INVALID", errors: [{ code: "v2_token_expired", message: "Token is expired or invalid" }] }] },
      ]);
    return send(response, await route(method, path, url.searchParams, parsed(text)));
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      await Promise.all(onTheirWay);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    setFault: fault.set,
    /** Invalidates all tokens at once. */
    expireTokens(): void {
      tokens.clear();
    },
    /** The number of requests to a path (without `/v2`). */
    calls: (method: string, path: string): number => journal.filter((each) => each.method === method && each.path === path).length,
    /** The carrier's orders, newest last; `number` is the shop's. */
    orders: () => orders.map(({ number, uuid, content, isRemoved, isRefused }) => ({ number, uuid, content, isRemoved, isRefused })),
    /** How print tasks made from now on end. */
    setPrint(mode: PrintMode): void {
      printMode = mode;
    },
    /** Print tasks so far: the shop's numbers of their orders. */
    prints: () => [...prints.values()].map((print) => ({ format: print.format, numbers: print.orders.map(({ number }) => number) })),
    /** Whether wrong orders are refused with a 400 instead of after they were accepted. */
    refuseAtOnce(isOn: boolean): void {
      refusesAtOnce = isOn;
    },
    /** Searches by number end with a 400 of this code; null: they work. */
    setSearchFault(code: string | null): void {
      searchFault = code;
    },
    /** Further changes of this order are refused, or never decided. */
    setRecall(number: string, mode: RecallMode): void {
      for (const order of orders) if (order.number === number) order.recallMode = mode;
    },
    /**
     * The parcel gets this status, and subscribers are notified `times` times (0: not at all).
     * `at` is the time of the status, by default now. False for an unknown number.
     */
    setOrderStatus(
      number: string,
      code: string,
      { city = "Москва", at = options.now(), times = 1 }: { city?: string; at?: Date; times?: number } = {},
    ): boolean {
      const order = orders.findLast((each) => each.number === number);
      if (!order) return false;
      const status: Status = { code, at, city, deleted: false };
      order.statuses.push(status);
      saveOrders();
      for (let count = 0; count < times; count += 1) tellOf(order, status);
      return true;
    },
    /** The same for the newest registration of a shop's order. */
    moveNewest(orderNumber: number, code: string, city: string): boolean {
      const newest = orders.findLast(({ number }) => number.split("-")[0] === String(orderNumber));
      return newest !== undefined && this.setOrderStatus(newest.number, code, { city });
    },
    /** Withdraws the newest status of this code and notifies subscribers. */
    takeBack(number: string, code: string): void {
      const order = orders.findLast((each) => each.number === number);
      const status = order?.statuses.findLast((each) => each.code === code);
      if (!order || !status) return;
      status.deleted = true;
      saveOrders();
      tellOf(order, status);
    },
    /** Closes a point permanently. */
    closePoint(code: string): void {
      for (const points of pointsByCity.values()) for (const point of points) if (point.code === code) point.isHandout = false;
    },
    /** Waits until all notifications are answered. */
    statusesSent: async (): Promise<void> => void (await Promise.all(onTheirWay)),
  };
}

/** Parcels of an earlier run in demo mode. */
function loadOrders(path: string): Order[] {
  if (!existsSync(path)) return [];
  const kept = JSON.parse(readFileSync(path, "utf8")) as (Omit<Order, "changes" | "recallMode"> &
    Partial<Pick<Order, "changes" | "recallMode">>)[];
  return kept.map((order) => ({
    ...order,
    recallMode: order.recallMode ?? "decide",
    changes: (order.changes ?? []).map((change) => ({ ...change, at: new Date(change.at) })),
    madeAt: new Date(order.madeAt),
    statuses: order.statuses.map((status) => ({ ...status, at: new Date(status.at) })),
  }));
}

type Answer = [status: number, content: unknown, headers?: Record<string, string>];

const failure = (status: number, type: string, code: string, message: string): Answer => [
  status,
  { requests: [{ type, state: "INVALID", errors: [{ code, message }] }] },
];

/** Labels as the carrier prints them: a page for each order, with its number. */
function labelsPdf({ orders }: Print, madeAt: Date): Promise<Buffer> {
  const { pdf, bytes } = openSheet({ title: "Ярлыки", author: "CDEK", madeAt, size: "A6" });
  orders.forEach(({ cdekNumber, number, content }, index) => {
    if (index > 0) pdf.addPage();
    pdf.font("medium").fontSize(20).text(cdekNumber);
    pdf.font("regular").fontSize(11).text(`Заказ ${number}`);
    pdf.text(content.recipient?.name ?? "").text(content.delivery_point ?? content.to_location?.address ?? "");
  });
  pdf.end();
  return bytes;
}

function send(response: ServerResponse, [status, content, headers]: Answer): void {
  if (Buffer.isBuffer(content)) {
    response.writeHead(status, { "content-type": "application/pdf" }).end(content);
    return;
  }
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(content));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text || "{}");
  } catch {
    return {};
  }
}

/** The carrier's names of statuses, as shown to people. */
const statusNames: Readonly<Record<string, string>> = {
  RECEIVED_AT_SHIPMENT_WAREHOUSE: "Принят на склад отправителя",
  READY_TO_SHIP_AT_SENDING_OFFICE: "Выдан на отправку в г. отправителе",
  SEND_TO_TRANSIT_OFFICE: "Отправлен в г. транзит",
  TAKEN_BY_TRANSPORTER_FROM_SENDER_CITY: "Сдан перевозчику в г. отправителе",
  SEND_TO_RECIPIENT_OFFICE: "Отправлен в г. получатель",
  MET_AT_RECIPIENT_OFFICE: "Встречен в г. получателе",
  ACCEPTED_AT_PICK_UP_POINT: "Принят на склад до востребования",
  POSTOMAT_POSTED: "Заложен в постамат",
  TAKEN_BY_COURIER: "Выдан на доставку",
  DELIVERED: "Вручен",
  NOT_DELIVERED: "Не вручен",
};

type Calculation = {
  tariff_code?: number;
  from_location?: { code?: number };
  to_location?: { code?: number };
  packages?: { weight?: number }[];
  services?: { code?: string; parameter?: string }[];
};

/** Roubles: by distance, mass and delivery to the door, plus 0.75 % of a declared value above 3,000 ₽. */
function calculate({ tariff_code, from_location, to_location, packages, services }: Calculation): Answer {
  const cityBy = (code: number | undefined): SimulatedCity | undefined => simulatedCities.find((each) => each.code === code);
  const [from, to] = [cityBy(from_location?.code), cityBy(to_location?.code)];
  if (!from) return [200, { errors: [{ code: "v2_sender_location_not_recognized", message: "Sender location is not recognized" }] }];
  if (!to) return [200, { errors: [{ code: "v2_recipient_location_not_recognized", message: "Recipient location is not recognized" }] }];
  const extra = new Map([
    [136, 0],
    [137, 190],
    [368, -20],
  ]).get(tariff_code ?? 0);
  if (extra === undefined) return [400, { errors: [{ code: "v2_bad_request", message: "Tariff is not in the contract" }] }];
  const kilometres = Math.hypot(
    (from.latitude - to.latitude) * 111,
    (from.longitude - to.longitude) * 111 * Math.cos((from.latitude * Math.PI) / 180),
  );
  const grams = (packages ?? []).reduce((sum, each) => sum + (each.weight ?? 0), 0);
  const deliverySum = Math.round(210 + kilometres * 0.09 + Math.ceil(grams / 500) * 25 + extra);
  const insured = Number(services?.find(({ code }) => code === "INSURANCE")?.parameter ?? 0);
  const insurance = insured > 3000 ? Math.round(insured * 0.0075 * 100) / 100 : 0;
  const days = 1 + Math.round(kilometres / 800);
  return [
    200,
    {
      delivery_sum: deliverySum,
      period_min: days,
      period_max: days + 2,
      weight_calc: grams,
      currency: "RUB",
      services: [{ code: "INSURANCE", sum: insurance }],
      total_sum: Math.round((deliverySum + insurance) * 100) / 100,
    },
  ];
}

function reasonToRefuse(content: OrderContent, points: ReadonlyMap<number, SimulatedPoint[]>): string | null {
  const items = (content.packages ?? []).flatMap((each) => each.items ?? []);
  if (items.length > 126) return "v2_number_items_is_more_126";
  if (!content.recipient?.name || !content.recipient.phones?.[0]?.number) return "v2_field_is_empty";
  if (content.delivery_point !== undefined)
    return [...points.values()].flat().some(({ code, isHandout }) => code === content.delivery_point && isHandout)
      ? null
      : "delivery_location_is_not_recognized";
  return content.to_location?.address ? null : "v2_recipient_location_not_recognized";
}

const cityView = ({ code, city, region, latitude, longitude }: SimulatedCity): object => ({
  code,
  city_uuid: uuidOf(code),
  city,
  country_code: "RU",
  country: "Россия",
  region,
  region_code: code,
  latitude,
  longitude,
  time_zone: "Europe/Moscow",
  payment_limit: -1,
});

const pointView = (point: SimulatedPoint): object => ({
  code: point.code,
  uuid: uuidOf(Number(point.code.replace(/\D/g, ""))),
  name: point.name,
  type: point.type,
  owner_code: "cdek",
  take_only: point.type === "POSTAMAT",
  is_handout: point.isHandout,
  is_reception: point.type === "PVZ",
  is_dressing_room: false,
  have_cash: point.hasCash,
  have_cashless: point.hasCard,
  allowed_cod: point.hasCard,
  work_time: point.workTime,
  address_comment: point.comment,
  note: "",
  nearest_station: point.metro,
  nearest_metro_station: point.metro || null,
  phones: [{ number: point.phone }],
  ...(point.weightMaxKg === null
    ? {}
    : { weight_min: 0, weight_max: point.weightMaxKg, dimensions: [{ width: 38, height: 21, depth: 61 }] }),
  location: {
    country_code: "RU",
    city_code: point.cityCode,
    city: point.city,
    region: point.region,
    longitude: point.longitude,
    latitude: point.latitude,
    address: point.address,
    address_full: `Россия, ${point.address}`,
  },
});

const plain = (name: string): string => name.toLowerCase().replaceAll("ё", "е");
const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
/** The carrier's format, without a colon in the offset. */
const stamp = (at: Date): string => at.toISOString().replace(/\.\d{3}Z$/, "+0000");
