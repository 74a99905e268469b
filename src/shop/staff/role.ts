/** What a member of staff may do. Browser-safe: the back office draws its screens from the same table that the server enforces. */

export const roles = ["sales", "packing", "buyback", "editor", "accountant", "owner", "admin"] as const;
export type Role = (typeof roles)[number];

export const permissions = [
  /** Orders without sums; the sums need `orders.money` too. */
  "orders.read",
  "orders.money",
  /** Packing, seals, handing over to the carrier. */
  "orders.pack",
  /** Every other step of the state table. */
  "orders.move",
  /** Recipient, point, address, pieces, comments, messages. */
  "orders.edit",
  "orders.refund",
  /** Payments, transfers, receipts and differences. */
  "money.read",
  /** Incoming transfers and the bank's statement. */
  "money.enter",
  "receipts",
  "reviews",
  "requests",
  /** Customers with masked contacts. */
  "customers.read",
  /** One customer's contacts; each opening is recorded in the audit. */
  "customers.open",
  /** Exports and erasure of personal data (152-FZ). */
  "customers.export",
  "stock.read",
  "stock.post",
  "stock.correct",
  /** Texts, facts, pictures, categories and publication of coins; not their prices. */
  "coins",
  /** Premiums, promos, promo codes and hedges. */
  "prices",
  /** Today's rates of the metals and their age: what the shop sells and buys by. */
  "rates.read",
  /** Purchases from persons, with masked contacts. */
  "buyback.read",
  "buyback",
  "payout",
  "content",
  "settings",
  /** Sales, margin, stock value and the open metal. */
  "reports",
  /** Imports, exports and the exchange with accounting. An import also needs the permissions of what it changes. */
  "exchange",
  "staff",
  "audit.read",
] as const;
export type Permission = (typeof permissions)[number];

/** `yes`: allowed · `again`: allowed soon after the second factor was entered · `asks`: a second person must approve each time. */
export type Grant = "yes" | "again" | "asks";

const grants: Readonly<Record<Role, Readonly<Partial<Record<Permission, Grant>>>>> = {
  sales: {
    "orders.read": "yes",
    "orders.money": "yes",
    "orders.pack": "yes",
    "orders.move": "yes",
    "orders.edit": "yes",
    "orders.refund": "asks",
    requests: "yes",
    "customers.read": "yes",
    "customers.open": "yes",
    "stock.read": "yes",
    "rates.read": "yes",
  },
  packing: { "orders.read": "yes", "orders.pack": "yes", "stock.read": "yes", "stock.post": "yes", "stock.correct": "asks" },
  buyback: {
    requests: "yes",
    "rates.read": "yes",
    "buyback.read": "yes",
    buyback: "yes",
    payout: "asks",
    "stock.read": "yes",
    "stock.post": "yes",
  },
  editor: { reviews: "yes", content: "yes", coins: "yes" },
  accountant: {
    "orders.read": "yes",
    "orders.money": "yes",
    "orders.refund": "again",
    "money.read": "yes",
    "money.enter": "yes",
    receipts: "yes",
    "customers.read": "yes",
    "customers.open": "yes",
    "rates.read": "yes",
    "buyback.read": "yes",
    payout: "again",
    "stock.read": "yes",
    reports: "yes",
    exchange: "yes",
    "audit.read": "yes",
  },
  owner: {
    "orders.read": "yes",
    "orders.money": "yes",
    "orders.pack": "yes",
    "orders.move": "yes",
    "orders.edit": "yes",
    "orders.refund": "again",
    "money.read": "yes",
    "money.enter": "yes",
    receipts: "yes",
    reviews: "yes",
    requests: "yes",
    "customers.read": "yes",
    "customers.open": "yes",
    "customers.export": "again",
    "stock.read": "yes",
    "stock.post": "again",
    "stock.correct": "again",
    coins: "yes",
    prices: "again",
    "rates.read": "yes",
    "buyback.read": "yes",
    buyback: "again",
    payout: "again",
    content: "yes",
    settings: "again",
    reports: "yes",
    exchange: "yes",
    staff: "again",
    "audit.read": "yes",
  },
  admin: { "customers.read": "yes", "customers.export": "again", settings: "again", staff: "again", "audit.read": "yes" },
};

const strength: Readonly<Record<Grant, number>> = { asks: 1, again: 2, yes: 3 };

/** The strongest grant that any of the roles gives; null: not allowed. */
export function grantOf(roles: readonly Role[], permission: Permission): Grant | null {
  const given = roles.flatMap((role) => grants[role][permission] ?? []);
  return given.toSorted((a, b) => strength[b] - strength[a])[0] ?? null;
}

/** All permissions that the roles give, for the screens. */
export const grantsOf = (roles: readonly Role[]): Partial<Record<Permission, Grant>> =>
  Object.fromEntries(
    permissions.flatMap((permission) => {
      const grant = grantOf(roles, permission);
      return grant ? [[permission, grant]] : [];
    }),
  );
