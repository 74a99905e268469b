import type { Db, Tx } from "#kit/db.ts";
import { fullNameOf } from "#shop/customers/customer.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import { piecesOf, remainingLines } from "../order.ts";
import { packableStates, type OrderToPack } from "./order-to-pack.ts";
import * as rows from "./packing.repository.ts";
import type { PackingRow } from "./packing.repository.ts";
import { insuredValue, isSealed } from "./seal.ts";

/** Orders that wait to be packed, oldest first, without those of `except`. */
export const toPack = async (db: Db, { except, limit }: { except: readonly string[]; limit: number }): Promise<OrderToPack[]> =>
  compose(db, await rows.oldest(db, packableStates, except, limit));

/** Packed orders that were not handed over yet, oldest first. */
export const packed = async (db: Db, limit: number): Promise<OrderToPack[]> => compose(db, await rows.oldest(db, ["assembled"], [], limit));

/** These orders in the order of the ids; unknown ids are left out. */
export async function ordersToPack(db: Db, ids: readonly string[]): Promise<OrderToPack[]> {
  const found = new Map((await compose(db, await rows.byIds(db, ids))).map((order) => [order.id, order]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Locks an order and reads it as the packing table needs it; null: unknown. Its place in a batch is locked before it. */
export async function lockToPack(tx: Tx, id: string): Promise<OrderToPack | null> {
  await rows.lock(tx, id);
  const [order] = await ordersToPack(tx, [id]);
  return order ?? null;
}

async function compose(db: Db, found: readonly PackingRow[]): Promise<OrderToPack[]> {
  const parcels = await shipping.shipments(
    db,
    found.map(({ id }) => id),
  );
  const parcelOf = new Map(parcels.map((parcel) => [parcel.orderId, parcel]));
  return found.map((row) => ({
    id: row.id,
    number: row.number,
    state: row.state,
    createdAt: row.createdAt,
    recipient: fullNameOf(row.user),
    deliveryType: deliveryById(row.deliveryId)?.type ?? "carrier",
    deliveryName: row.delivery.name,
    city: row.delivery.cityName,
    point: row.delivery.point && { name: row.delivery.point.name, address: row.delivery.point.address },
    sealNumber: row.sealNumber,
    needsSeal: isSealed(row.deliveryId),
    lines: remainingLines(row.lines).map(({ coinId, quantity, line }) => ({ coinId, quantity, slug: line.slug, title: line.title })),
    dropped: row.lines.flatMap((line) => (piecesOf(line) > 0 ? [] : [{ coinId: line.coinId, slug: line.slug, title: line.title }])),
    declaredValue: insuredValue(row),
    parcel: parcelOf.get(row.id) ?? null,
  }));
}
