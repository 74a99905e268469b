import { and, eq, lte } from "drizzle-orm";
import type { Db } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import type { CarrierPrice } from "./gateway.ts";
import { deliveryPrices } from "./tables.ts";

export type PriceKey = { cityCode: string; kind: "courier" | "point"; parcelClass: string };

export async function price(db: Db, key: PriceKey): Promise<(CarrierPrice & { askedAt: Date }) | null> {
  const [row] = await db
    .select()
    .from(deliveryPrices)
    .where(
      and(eq(deliveryPrices.cityCode, key.cityCode), eq(deliveryPrices.kind, key.kind), eq(deliveryPrices.parcelClass, key.parcelClass)),
    );
  return row ? { price: kopecks(row.priceKopecks), minDays: row.minDays, maxDays: row.maxDays, askedAt: row.askedAt } : null;
}

export async function savePrice(db: Db, key: PriceKey, price: CarrierPrice, at: Date): Promise<void> {
  const values = { priceKopecks: price.price, minDays: price.minDays, maxDays: price.maxDays, askedAt: at };
  await db
    .insert(deliveryPrices)
    .values({ ...key, ...values })
    .onConflictDoUpdate({ target: [deliveryPrices.cityCode, deliveryPrices.kind, deliveryPrices.parcelClass], set: values });
}

export async function deletePricesBefore(db: Db, before: Date): Promise<void> {
  await db.delete(deliveryPrices).where(lte(deliveryPrices.askedAt, before));
}
