import { z } from "zod";
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

/** Where the courier goes; parts that the buyer left out are empty. */
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

/** City, point and days as the buyer was told; kept with quote and order, whatever the carrier's list says later. */
export const toldDeliverySchema = z.object({
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
export type ToldDelivery = z.infer<typeof toldDeliverySchema>;

/** A way of delivery as the buyer reads it. */
export const toldName = (deliveryName: string): string => deliveryTexts[deliveryName] ?? deliveryName;
