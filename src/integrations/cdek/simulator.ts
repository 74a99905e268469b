import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createFault } from "#integrations/faults.ts";
import { send, stamp, uuidOf, type Answer } from "./simulator-answers.ts";
import { createOrders, type Order, type OrderContent, type RecallMode, type Status } from "./simulator-orders.ts";
import { calculate, createPlaces, type Calculation } from "./simulator-places.ts";
import { createPrints, type PrintMode } from "./simulator-prints.ts";

export type CdekSimulator = Awaited<ReturnType<typeof startCdekSimulator>>;

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
  const { now } = options;
  const tokens = new Map<string, number>();
  const places = createPlaces(options.points ?? 0);
  const orders = createOrders({ now, places, statePath: options.statePath });
  const prints = createPrints({ now, orders });
  const journal: { method: string; path: string }[] = [];
  const subscribers = new Set<string>();
  const onTheirWay = new Set<Promise<unknown>>();
  const fault = createFault();

  const isSignedIn = (request: IncomingMessage): boolean =>
    (tokens.get((request.headers.authorization ?? "").replace(/^Bearer /, "")) ?? 0) > now().getTime();

  function issueToken(form: URLSearchParams): Answer {
    const { credentials } = options;
    const isRight =
      form.get("grant_type") === "client_credentials" &&
      (!credentials || (form.get("client_id") === credentials.clientId && form.get("client_secret") === credentials.clientSecret));
    if (!isRight) return [401, { error: "invalid_client", error_description: "Bad client credentials" }];
    const life = options.tokenLifeSeconds ?? 3599;
    const bearer = randomUUID();
    tokens.set(bearer, now().getTime() + life * 1000);
    return [200, { access_token: bearer, token_type: "bearer", expires_in: life, scope: "order:all payment:all", jti: randomUUID() }];
  }

  /** Notifies all subscribers without waiting for their answers; a notification that is not answered is not repeated. */
  function notify(order: Order, { code, at, city, deleted }: Status): void {
    const body = JSON.stringify({
      type: "ORDER_STATUS",
      date_time: stamp(now()),
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
    switch (`${method} ${path}`) {
      case "GET /location/suggest/cities":
        return places.suggestCities(query.get("name") ?? "");
      case "GET /location/cities":
        return places.findCities(query);
      case "GET /deliverypoints":
        return places.findPoints(query);
      case "POST /calculator/tariff":
        return calculate(content as Calculation);
      case "GET /webhooks":
        return [200, [...subscribers].map((url, index) => ({ uuid: uuidOf(index), url, type: "ORDER_STATUS" }))];
      case "POST /webhooks":
        subscribers.add(String((content as { url?: string }).url));
        return [200, { entity: { uuid: randomUUID() }, requests: [{ type: "CREATE", state: "SUCCESSFUL" }] }];
      case "POST /print/barcodes":
        return prints.create(content as Parameters<typeof prints.create>[0]);
      case "POST /orders":
        return orders.create(content as OrderContent);
      case "GET /orders":
        return orders.find(query);
    }
    const [, printUuid, extension] = /^\/print\/barcodes\/([\w-]+)(\.pdf)?$/.exec(path) ?? [];
    if (printUuid && method === "GET") return prints.read(printUuid, extension !== undefined);
    const [, uuid, refusal] = /^\/orders\/([\w-]+)(\/refusal)?$/.exec(path) ?? [];
    const order = orders.byUuid(uuid);
    if (uuid && method === "POST" && refusal) return orders.change(order, "REFUSAL");
    if (uuid && method === "DELETE" && !refusal) return orders.change(order, "DELETE");
    return uuid && method === "GET" && !refusal ? orders.read(order) : [404, { errors: [{ code: "v2_not_found", message: path }] }];
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
    orders: () => orders.all.map(({ number, uuid, content, isRemoved, isRefused }) => ({ number, uuid, content, isRemoved, isRefused })),
    /** How print tasks made from now on end. */
    setPrint: (mode: PrintMode): void => prints.setMode(mode),
    /** Print tasks so far: the shop's numbers of their orders. */
    prints: prints.list,
    /** Whether wrong orders are refused with a 400 instead of after they were accepted. */
    refuseAtOnce: orders.refuseAtOnce,
    /** Searches by number end with a 400 of this code; null: they work. */
    setSearchFault: orders.setSearchFault,
    /** Further changes of this order are refused, or never decided. */
    setRecall(number: string, mode: RecallMode): void {
      for (const order of orders.all) if (order.number === number) order.recallMode = mode;
    },
    /**
     * The parcel gets this status, and subscribers are notified `times` times (0: not at all).
     * `at` is the time of the status, by default now. False for an unknown number.
     */
    setOrderStatus(
      number: string,
      code: string,
      { city = "Москва", at = now(), times = 1 }: { city?: string; at?: Date; times?: number } = {},
    ): boolean {
      const order = orders.byNumber(number);
      if (!order) return false;
      const status: Status = { code, at, city, deleted: false };
      order.statuses.push(status);
      orders.save();
      for (let count = 0; count < times; count += 1) notify(order, status);
      return true;
    },
    /** The same for the newest registration of a shop's order. */
    moveNewest(orderNumber: number, code: string, city: string): boolean {
      const newest = orders.all.findLast(({ number }) => number.split("-")[0] === String(orderNumber));
      return newest !== undefined && this.setOrderStatus(newest.number, code, { city });
    },
    /** Withdraws the newest status of this code and notifies subscribers. */
    takeBack(number: string, code: string): void {
      const order = orders.byNumber(number);
      const status = order?.statuses.findLast((each) => each.code === code);
      if (!order || !status) return;
      status.deleted = true;
      orders.save();
      notify(order, status);
    },
    /** Closes a point permanently. */
    closePoint: places.close,
    /** Waits until all notifications are answered. */
    statusesSent: async (): Promise<void> => void (await Promise.all(onTheirWay)),
  };
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
