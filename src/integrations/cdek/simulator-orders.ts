import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { failure, stamp, type Answer } from "./simulator-answers.ts";
import type { Places } from "./simulator-places.ts";

export type Status = { code: string; at: Date; city: string; deleted: boolean };
export type Order = {
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
export type RecallMode = "decide" | "refuse" | "never";
export type OrderContent = {
  number?: string;
  tariff_code?: number;
  delivery_point?: string;
  to_location?: { code?: number; address?: string };
  comment?: string;
  recipient?: { name?: string; email?: string; phones?: { number?: string }[] };
  packages?: { weight?: number; items?: { cost?: number; amount?: number; payment?: { value?: number } }[] }[];
};

/** The delays between accepting and registering an order, and between accepting and deciding a change, in milliseconds. */
const registrationMs = 2_000;

export type Orders = ReturnType<typeof createOrders>;

/**
 * The carrier's orders: accepted first, registered or refused later. `statePath`: a file that stores them across restarts; undefined: in
 * memory only.
 */
export function createOrders({ now, places, statePath }: { now: () => Date; places: Places; statePath: string | undefined }) {
  const orders: Order[] = statePath ? loadOrders(statePath) : [];
  let refusesAtOnce = false;
  let searchFault: string | null = null;
  const saveOrders = (): void => {
    if (statePath) writeFileSync(statePath, JSON.stringify(orders));
  };

  function createOrder(content: OrderContent): Answer {
    const number = content.number ?? "";
    if (!number || !content.packages?.length) return failure(400, "CREATE", "v2_field_is_empty", "number, packages");
    if (orders.some((each) => each.number === number && !each.refusedBecause))
      return failure(400, "CREATE", "v2_bad_request", `Order ${number} exists already`);
    const reason = reasonToRefuse(content, places);
    if (refusesAtOnce && reason !== null) return failure(400, "CREATE", reason, "Order is refused");
    const order: Order = {
      uuid: randomUUID(),
      number,
      cdekNumber: String(10_000_000_000 + orders.length * 7919),
      madeAt: now(),
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
    if (order.isRemoved) walked.unshift({ code: "REMOVED", name: "Удален", date_time: stamp(now()), city: "" });
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

  const isRegistered = (order: Order): boolean => now().getTime() - order.madeAt.getTime() >= registrationMs;
  const validStatuses = (order: Order): Status[] => order.statuses.filter(({ deleted }) => !deleted);
  const hasEnded = (order: Order): boolean =>
    validStatuses(order).some(({ code }) => code === "DELIVERED" || code === "NOT_DELIVERED" || code === "POSTOMAT_RECEIVED");

  /** A change succeeds if the order is still in the required state when the change is decided. */
  function decideChanges(order: Order): void {
    const before = JSON.stringify(order.changes);
    for (const change of order.changes) {
      if (change.state !== "ACCEPTED" || order.recallMode === "never" || now().getTime() - change.at.getTime() < registrationMs) continue;
      const isPossible =
        order.recallMode === "decide" && !hasEnded(order) && (change.type === "REFUSAL" || validStatuses(order).length === 0);
      change.state = isPossible ? "SUCCESSFUL" : "INVALID";
      if (!isPossible) continue;
      if (change.type === "DELETE") order.isRemoved = true;
      else {
        order.isRefused = true;
        order.statuses.push({ code: "NOT_DELIVERED", at: now(), city: "Москва", deleted: false });
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
    const made: Change = { uuid: randomUUID(), type, at: now(), state: "ACCEPTED" };
    order.changes.push(made);
    saveOrders();
    return [
      202,
      { entity: { uuid: order.uuid }, requests: [{ request_uuid: made.uuid, type, state: made.state, date_time: stamp(made.at) }] },
    ];
  }

  /** The search by the shop's or the carrier's number. */
  function findOrder(query: URLSearchParams): Answer {
    if (searchFault !== null) return failure(400, "GET", searchFault, "Search failed");
    return readOrder(
      orders.findLast(({ number, cdekNumber }) => number === query.get("im_number") || cdekNumber === query.get("cdek_number")),
      query.has("im_number") ? "v2_entity_not_found_im_number" : "v2_order_not_found",
    );
  }

  return {
    create: createOrder,
    read: readOrder,
    find: findOrder,
    change,
    isRegistered,
    save: saveOrders,
    /** Oldest first. */
    all: orders,
    byUuid: (uuid: string | undefined): Order | undefined => orders.find((each) => each.uuid === uuid),
    /** The newest order of a number of the shop. */
    byNumber: (number: string): Order | undefined => orders.findLast((each) => each.number === number),
    /** Whether wrong orders are refused with a 400 instead of after they were accepted. */
    refuseAtOnce(isOn: boolean): void {
      refusesAtOnce = isOn;
    },
    /** Searches by number end with a 400 of this code; null: they work. */
    setSearchFault(code: string | null): void {
      searchFault = code;
    },
  };
}

/** Parcels of an earlier run in demo mode. */
function loadOrders(path: string): Order[] {
  if (!existsSync(path)) return [];
  const stored = JSON.parse(readFileSync(path, "utf8")) as (Omit<Order, "changes" | "recallMode"> &
    Partial<Pick<Order, "changes" | "recallMode">>)[];
  return stored.map((order) => ({
    ...order,
    recallMode: order.recallMode ?? "decide",
    changes: (order.changes ?? []).map((change) => ({ ...change, at: new Date(change.at) })),
    madeAt: new Date(order.madeAt),
    statuses: order.statuses.map((status) => ({ ...status, at: new Date(status.at) })),
  }));
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

function reasonToRefuse(content: OrderContent, places: Places): string | null {
  const items = (content.packages ?? []).flatMap((each) => each.items ?? []);
  if (items.length > 126) return "v2_number_items_is_more_126";
  if (!content.recipient?.name || !content.recipient.phones?.[0]?.number) return "v2_field_is_empty";
  if ([content.comment, content.recipient.name].some((text) => (text ?? "").length > 255)) return "v2_invalid_format";
  if (/[^\x21-\x7E]/.test(content.recipient.email ?? "")) return "v2_invalid_format";
  if (content.delivery_point !== undefined) return places.isOpen(content.delivery_point) ? null : "delivery_location_is_not_recognized";
  return content.to_location?.address ? null : "v2_recipient_location_not_recognized";
}
