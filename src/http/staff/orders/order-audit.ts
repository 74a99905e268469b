import { maskEmail, maskName, maskPhone, maskText } from "#kit/text/mask.ts";
import type { AuditEvent } from "#shop/audit/audit.ts";
import { piecesOf, type Order } from "#shop/orders/order.ts";

/** `facts`: what the audit stores of a call beside the parts of the order that it changed. */
export type OrderFacts = Readonly<Record<string, unknown>>;

/**
 * The audit entry of a change of an order: the parts that differ, before and after, with state and revision; a part that `facts` names is
 * stored even if it stayed. Entries are never erased, so names, contacts and addresses are compared as they are and stored masked.
 */
export function orderEntry(before: Order | null, after: Order, facts: OrderFacts): AuditEvent {
  const was = before && partsOf(before);
  const now = partsOf(after);
  const names = (Object.keys(now) as Part[]).filter((name) => (was && was[name] !== now[name]) || name in facts);
  const stored = (parts: Parts): OrderFacts => Object.fromEntries(names.map((name) => [name, masked(name, parts[name])]));
  return {
    subject: `order:${after.id}`,
    ...(before && was ? { before: { ...stored(was), state: before.state, revision: before.revision } } : {}),
    after: { ...facts, ...stored(now), state: after.state, revision: after.revision },
  };
}

type Parts = ReturnType<typeof partsOf>;
type Part = keyof Parts;

/** What staff changes of an order. What waits for the carrier's answer to a recall counts as changed. */
function partsOf(order: Order) {
  const user = order.changeAfterRecall?.user ?? order.user;
  const address = order.changeAfterRecall?.address ?? order.address;
  const delivery = order.changeAfterRecall?.delivery ?? order.delivery;
  return {
    assignee: order.assignee,
    seal: order.sealNumber,
    pointId: delivery.point?.id ?? null,
    recipient: [user.lastName, user.name, user.secondName].filter(Boolean).join(" "),
    phone: user.phone,
    email: user.email,
    address: address && Object.values(address).filter(Boolean).join(", "),
    pieces: order.lines.reduce((sum, line) => sum + piecesOf(line) - line.returned, 0),
  };
}

const masks: Partial<Record<Part, (text: string) => string>> = {
  recipient: (name) => name.split(" ").map(maskName).join(" "),
  phone: maskPhone,
  email: maskEmail,
  address: maskText,
};
const masked = (name: Part, value: Parts[Part]): Parts[Part] =>
  typeof value === "string" && value !== "" ? (masks[name]?.(value) ?? value) : value;
