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

export type AuditEntry = AuditEvent & {
  id: number;
  at: Date;
  actor: string;
  action: string;
  origin: Origin | null;
  approvalId: string | null;
};
