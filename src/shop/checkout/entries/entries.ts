import * as z from "zod";

/** A text as the buyer typed it. Stored even when invalid, so that the form shows it again with its error. */
const typed = z.string().max(1100).default("");

const buyer = z.object({ lastName: typed, name: typed, secondName: typed, phone: typed, email: typed });
const address = z.object({ street: typed, house: typed, room: typed, entrance: typed, floor: typed, message: typed });

/** Why the shop refused the last request of a step. `short`: coins of which fewer pieces are available. */
const refusal = z.object({ code: z.string(), short: z.array(z.object({ id: z.int(), available: z.int() })).default([]) });

/** Everything that was entered in the checkout without scripts; absent parts belong to steps that were not submitted yet. */
export const entriesSchema = z.object({
  buyer: buyer.optional(),
  cityCode: z.string().optional(),
  deliveryId: z.int().optional(),
  /** Empty: the step was submitted without a point. */
  pointId: z.string().optional(),
  address: address.optional(),
  paymentId: z.int().optional(),
  /** The quote that the last step shows; null after a change that needs a new one. */
  quoteId: z.string().nullish(),
  /** The total of the quote before, when the new one has another, kopecks. */
  totalBefore: z.int().nullish(),
  agreed: z.object({ terms: z.boolean(), privacy: z.boolean(), newsletter: z.boolean() }).optional(),
  refusal: refusal.nullish(),
});
export type CheckoutEntries = z.output<typeof entriesSchema>;
export type BuyerEntries = z.output<typeof buyer>;
export type AddressEntries = z.output<typeof address>;

/** Longer texts are cut here. The limits of the fields are lower, so a text that was cut is refused anyway. */
export const maxEntryLength = 1100;

export const noBuyer: BuyerEntries = buyer.parse({});
export const noAddress: AddressEntries = address.parse({});
