import { and, asc, eq, gt, inArray, lt, lte, max, ne, sql } from "drizzle-orm";
import { deleteInBatches, hasRow, type Db, type Expression, type IdQuery, type Tx } from "#kit/db.ts";
import { z } from "zod";
import type { CarrierWebhook, CarrierEvent } from "./gateway.ts";
import type { RecallState, RegisterShipment, Shipment, ShipmentState } from "./shipment.ts";
import { registerShipment } from "./shipment.ts";
import { carrierEvents, pointReadings, shipments } from "./tables.ts";

export type ShipmentRow = Omit<Shipment, "isBehind" | "refusal"> & {
  request: RegisterShipment | null;
  carrierId: string | null;
  lastCode: string | null;
  attempts: number;
  registration: number;
  mayTurnBack: boolean;
  createdAt: Date;
  nextCheckAt: Date | null;
};

const eventList = z.array(z.object({ code: z.string(), name: z.string(), city: z.string(), at: z.coerce.date() }));

const toShipment = (row: typeof shipments.$inferSelect): ShipmentRow => ({
  orderId: row.orderId,
  state: row.state as ShipmentState,
  request: row.request === null ? null : registerShipment.parse(row.request),
  carrierId: row.carrierId,
  trackingNumber: row.trackingNumber,
  lastCode: row.lastCode,
  attempts: row.attempts,
  registration: row.registration,
  recall: row.callOff as RecallState | null,
  mayTurnBack: row.mayTurnBack,
  createdAt: row.createdAt,
  nextCheckAt: row.nextCheckAt,
  heardAt: row.heardAt,
  steps: row.steps === null ? [] : eventList.parse(row.steps),
});

/** Inserts the parcel of an order; does nothing when it exists. */
export async function insertShipment(db: Db, request: RegisterShipment, at: Date): Promise<void> {
  await db
    .insert(shipments)
    .values({ orderId: request.orderId, state: "new", request, createdAt: at, nextCheckAt: at })
    .onConflictDoNothing();
}

/** Inserts a parcel that must never be registered; an existing one stays unchanged. */
export async function insertCalledOff(db: Db, orderId: string, at: Date): Promise<void> {
  await db
    .insert(shipments)
    .values({ orderId, state: "called_off", callOff: "struck_out", createdAt: at, nextCheckAt: null })
    .onConflictDoNothing();
}

export const hasDue = (now: Date): Expression => hasRow(shipments, lte(shipments.nextCheckAt, now));

/** Claims the parcels that are due: postpones their next check to `until`, so that no other process works on them meanwhile. */
export async function claimDue(db: Db, at: Date, until: Date, limit: number): Promise<ShipmentRow[]> {
  const due = db
    .select({ orderId: shipments.orderId })
    .from(shipments)
    .where(lte(shipments.nextCheckAt, at))
    .orderBy(asc(shipments.nextCheckAt))
    .limit(limit)
    .for("update", { skipLocked: true });
  const rows = await db.update(shipments).set({ nextCheckAt: until }).where(inArray(shipments.orderId, due)).returning();
  return rows.map(toShipment);
}

export async function lockShipment(tx: Tx, orderId: string): Promise<ShipmentRow | null> {
  const [row] = await tx.select().from(shipments).where(eq(shipments.orderId, orderId)).for("update");
  return row ? toShipment(row) : null;
}

export async function byCarrierId(db: Db, carrierId: string): Promise<ShipmentRow | null> {
  const [row] = await db.select().from(shipments).where(eq(shipments.carrierId, carrierId));
  return row ? toShipment(row) : null;
}

type ShipmentChange = Partial<{
  state: ShipmentState;
  request: RegisterShipment | null;
  carrierId: string | null;
  trackingNumber: string | null;
  lastCode: string | null;
  attempts: number;
  registration: number;
  recall: RecallState | null;
  mayTurnBack: boolean;
  steps: CarrierEvent[];
  heardAt: Date | null;
  nextCheckAt: Date | null;
}>;

/** The caller has locked the parcel. */
export async function saveShipment(tx: Tx, orderId: string, { recall, ...change }: ShipmentChange): Promise<void> {
  await tx
    .update(shipments)
    .set({ ...change, ...(recall === undefined ? {} : { callOff: recall }) })
    .where(eq(shipments.orderId, orderId));
}

export async function shipmentsOf(db: Db, orderIds: readonly string[]): Promise<ShipmentRow[]> {
  if (orderIds.length === 0) return [];
  return (
    await db
      .select()
      .from(shipments)
      .where(inArray(shipments.orderId, [...orderIds]))
  ).map(toShipment);
}

export const refusedParcelIds = (): IdQuery => sql`select order_id from ${shipments} where state = 'invalid'`;

export async function orderIdsByTrackingNumber(db: Db, trackingNumber: string): Promise<string[]> {
  const found = await db.select({ id: shipments.orderId }).from(shipments).where(eq(shipments.trackingNumber, trackingNumber)).limit(20);
  return found.map(({ id }) => id);
}

/** Stores a webhook; returns false when the same one is already stored. */
export async function storeWebhook(tx: Tx, orderId: string, webhook: CarrierWebhook, body: string, at: Date): Promise<boolean> {
  const stored = await tx
    .insert(carrierEvents)
    .values({ orderId, ...webhook, body, receivedAt: at })
    .onConflictDoNothing()
    .returning({ id: carrierEvents.id });
  return stored.length > 0;
}

/** Empties the bodies of at most `limit` webhooks with an id above `after`, received before `before`. Returns the last id seen, or null. */
export async function eraseWebhookBodies(
  db: Db,
  { after, before, limit }: { after: number; before: Date; limit: number },
): Promise<number | null> {
  const page = await db
    .select({ id: carrierEvents.id })
    .from(carrierEvents)
    .where(and(gt(carrierEvents.id, after), lt(carrierEvents.receivedAt, before)))
    .orderBy(asc(carrierEvents.id))
    .limit(limit);
  const ids = page.map(({ id }) => id);
  if (ids.length > 0)
    await db
      .update(carrierEvents)
      .set({ body: "" })
      .where(and(inArray(carrierEvents.id, ids), ne(carrierEvents.body, "")));
  return ids.at(-1) ?? null;
}

/** Deletes webhooks of the carrier, and imports of points but the newest, from before this moment. */
export async function deleteRecords(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, carrierEvents, lt(carrierEvents.receivedAt, before));
  const newest = db.select({ id: max(pointReadings.id) }).from(pointReadings);
  await deleteInBatches(db, pointReadings, and(lt(pointReadings.startedAt, before), sql`${pointReadings.id} <> (${newest})`));
}

export async function eraseRecipient(tx: Tx, orderId: string): Promise<void> {
  await tx.update(shipments).set({ request: null }).where(eq(shipments.orderId, orderId));
}
