import { maskContactsIn } from "#kit/text/mask.ts";

/** What an entry of the audit says beside who, when and from where. */
export type AuditEvent = {
  /** `order:Zx3…`, `customer:17`, `staff:ivanova`. */
  subject: string;
  /** Only what changed; never whole personal data. */
  before?: Readonly<Record<string, unknown>>;
  after?: Readonly<Record<string, unknown>>;
};

/** Fields whose text staff types. A buyer's phone or e-mail in it is stored masked, because entries are never erased. */
const typedTexts: ReadonlySet<string> = new Set(["note", "outcome", "reason"]);

type Facts = NonNullable<AuditEvent["after"]>;

/** An event as it is stored. */
export function withoutContacts({ subject, before, after }: AuditEvent): AuditEvent {
  const masked = (facts: Facts): Facts =>
    Object.fromEntries(
      Object.entries(facts).map(([name, value]) => [
        name,
        typedTexts.has(name) && typeof value === "string" ? maskContactsIn(value) : value,
      ]),
    );
  return { subject, ...(before && { before: masked(before) }), ...(after && { after: masked(after) }) };
}

/** Where a request of staff came from. */
export type Origin = { address: string; userAgent: string };

/** Null: not asked for. `action` is a whole one, or its first part: `order` finds `order.refund`. `from` is included, `till` is not. */
export type AuditFilter = { actor: string | null; subject: string | null; action: string | null; from: Date | null; till: Date | null };

export type AuditEntry = AuditEvent & {
  id: number;
  at: Date;
  actor: string;
  action: string;
  origin: Origin | null;
  approvalId: string | null;
};
