import type { SQL } from "drizzle-orm";

/** What must hold for stock, orders and money at any time. The check prints the name of a broken one with the record that breaks it. */
export const invariants = {
  I1: "no pieces are missing: on hand and reserved are not negative, and no more is reserved than is on hand",
  I2: "the pieces on hand are the sum of the stock entries, and each piece sold or returned has its entry",
  I3: "the pieces reserved are those of open orders, and a requested cancellation recalls its parcel",
  I4: "keys and quotes belong to the owner of their order, and a quote makes one order",
  I5: "an order has the lines, prices and totals of its quote",
  I6: "the money of an order agrees with its payments, refunds, bank transfers and receipts, and with the provider's records",
  I7: "an order keeps the money of one online payment, and other money is owed back",
  I8: "the history of an order follows the state table and ends in the state of the order",
  I9: "each message and receipt exists once, and none that is due is missing",
  I10: "an owner has one cart, and a cart one line for each coin",
  I11: "a sign-in code has at most five tries, and a phone one code that works",
  I12: "every change of orders, money and stock names its actor",
  I13: "the cost of the stock agrees with its entries and documents",
  I14: "a promo code counts the orders that use it, with their discounts",
  I15: "a buyback deal agrees with its lines, its stock document and its history",
} as const;

/** A part of an invariant. `rows` selects one row per violation: `what` names the record concerned, `fault` what is wrong with it. */
export type Check = { invariant: keyof typeof invariants; rows: SQL };
