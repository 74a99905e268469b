/** What an entry of the audit says beside who, when and from where. */
export type AuditEvent = {
  /** `order:Zx3…`, `customer:17`, `staff:ivanova`. */
  subject: string;
  /** Only what changed; never whole personal data. */
  before?: Readonly<Record<string, unknown>>;
  after?: Readonly<Record<string, unknown>>;
};

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
