/**
 * Who causes a change. Written with orders, money and stock in the same transaction.
 * Buyers are stored as their customer number or as `visitor`, never with a name, phone or address.
 */
export type Actor =
  | { kind: "customer"; id: string }
  | { kind: "visitor" }
  /** `name` is the login of a member of staff, `ivanova`. */
  | { kind: "staff"; name: string }
  /** A background job or sweep of the shop itself. */
  | { kind: "job"; name: string }
  /** An external service whose answer caused the change, `yookassa`. */
  | { kind: "provider"; name: string };

/** The actor as the column `actor` stores it: `staff:ivanova`, `customer:17`, `visitor`. */
export function actorText(actor: Actor): string {
  switch (actor.kind) {
    case "customer":
      return `customer:${actor.id}`;
    case "visitor":
      return "visitor";
    default:
      return `${actor.kind}:${actor.name}`;
  }
}

/** The login of the member of staff in a stored actor; null: it was not a member of staff. */
export const staffLoginOf = (actor: string): string | null => (actor.startsWith("staff:") ? actor.slice("staff:".length) : null);

/** Whether this may be the login of a member of staff. */
export const isStaffName = (name: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,39}$/u.test(name);

/** The actor of a visitor's request. */
export const actorOf = (visitor: { customerId: string | null }): Actor =>
  visitor.customerId === null ? { kind: "visitor" } : { kind: "customer", id: visitor.customerId };
