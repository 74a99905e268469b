import * as z from "zod";
import { chosenInstant, instant } from "../../wire.ts";
import { file, staffCall } from "../call.ts";
import { cursor, page } from "../wire.ts";

const entry = z.object({
  id: z.int(),
  at: instant,
  /** `staff:ivanova`. */
  actor: z.string(),
  /** `order.refund`. */
  action: z.string(),
  /** `order:Zx3…`. */
  subject: z.string(),
  /** The number of the order that the entry is about; null: it is about something else. */
  orderNumber: z.int().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  /** Null: the command line of the server. */
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  approvalId: z.string().nullable(),
});

const filters = {
  actor: z.string().max(100).optional(),
  /** `order:Zx3…` or the number of an order. */
  subject: z.string().max(200).optional(),
  /** A whole action, or its first part: `order` finds `order.refund`. */
  action: z
    .string()
    .regex(/^[a-z_.]{1,60}$/)
    .optional(),
  from: chosenInstant().optional(),
  till: chosenInstant().optional(),
};

export const readAudit = staffCall({
  method: "GET",
  path: "/api/staff/audit",
  summary: "What was done, newest first",
  permission: "audit.read",
  audit: null,
  query: z.object({ ...filters, cursor }),
  answer: page(entry),
  problems: [],
});

export const readAuditPeople = staffCall({
  method: "GET",
  path: "/api/staff/audit/people",
  summary: "Everyone whose entries the audit may have, also those who left; `actor` is what `readAudit` filters by",
  permission: "audit.read",
  audit: null,
  answer: z.array(z.object({ actor: z.string(), name: z.string() })),
  problems: [],
});

export const exportAudit = staffCall({
  method: "POST",
  path: "/api/staff/audit/export",
  summary: "The same as CSV, at most 100,000 entries",
  permission: "audit.read",
  audit: "audit.export",
  body: z.strictObject(filters),
  answer: file,
  problems: [],
});
