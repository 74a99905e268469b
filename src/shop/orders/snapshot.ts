import { z } from "zod";
import type { PickupPoint } from "#shop/delivery/delivery.ts";
import { deliveryTexts } from "#shop/notifications/texts.ru.ts";

/** Who receives the parcel and the messages. */
export const recipientSchema = z.object({
  name: z.string(),
  lastName: z.string(),
  secondName: z.string(),
  email: z.string(),
  phone: z.string(),
});
export type Recipient = z.infer<typeof recipientSchema>;

/** The address for the courier; parts that the buyer left out are empty. */
export const addressSchema = z.object({
  city: z.string(),
  street: z.string(),
  house: z.string(),
  room: z.string(),
  entrance: z.string(),
  floor: z.string(),
  message: z.string(),
});
export type Address = z.infer<typeof addressSchema>;

/** Delivery as shown to the buyer: city, point and days. Stored with quote and order, independent of later changes at the carrier. */
export const deliverySnapshotSchema = z.object({
  name: z.string(),
  cityCode: z.string(),
  cityName: z.string(),
  point: z
    .object({ id: z.string(), type: z.string(), name: z.string(), address: z.string(), workTime: z.string(), phone: z.string() })
    .nullable(),
  minDays: z.number().int().nullable(),
  maxDays: z.number().int().nullable(),
  note: z.string(),
});
export type DeliverySnapshot = z.infer<typeof deliverySnapshotSchema>;

/** The part of a pickup point that is stored with a quote or an order. */
export const pointSnapshot = ({ id, type, name, address, workTime, phone }: PickupPoint): NonNullable<DeliverySnapshot["point"]> => ({
  id,
  type,
  name,
  address,
  workTime,
  phone,
});

/** The name of a delivery method in Russian. */
export const deliveryTitle = (deliveryName: string): string => deliveryTexts[deliveryName] ?? deliveryName;
