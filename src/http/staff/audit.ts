import * as contract from "#contract/staff/audit.ts";
import { csvOf } from "#kit/csv.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { done } from "#kit/result.ts";
import type { AuditEntry, AuditFilter } from "#shop/audit/audit.ts";
import * as audit from "#shop/audit/service.ts";
import { staffChange, staffRead, type StaffEndpoint } from "./endpoint.ts";

const pageSize = 100;
/** As the contract says. */
const longestExport = 100_000;

type Filters = {
  actor?: string | undefined;
  subject?: string | undefined;
  action?: string | undefined;
  from?: string | undefined;
  till?: string | undefined;
};
const filterOf = ({ actor, subject, action, from, till }: Filters): AuditFilter => ({
  actor: actor || null,
  subject: subject || null,
  action: action || null,
  from: from ? new Date(from) : null,
  till: till ? new Date(till) : null,
});

const view = ({ origin, at, before, after, ...entry }: AuditEntry) => ({
  ...entry,
  at: isoMoscow(at),
  before: before ?? null,
  after: after ?? null,
  address: origin?.address ?? null,
  userAgent: origin?.userAgent ?? null,
});

/** What staff did. */
export const auditEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readAudit, async (ctx, { query }) => {
    const before = /^\d{1,15}$/.test(query.cursor ?? "") ? Number(query.cursor) : null;
    const found = await audit.list(ctx.db, filterOf(query), { before, limit: pageSize + 1 });
    const items = found.slice(0, pageSize);
    return done({ items: items.map(view), next: found.length > pageSize ? String(items.at(-1)?.id) : null });
  }),

  staffChange(contract.exportAudit, {
    change: async (ctx, { body, audit: note }) => {
      const found = await audit.list(ctx.db, filterOf(body), { before: null, limit: longestExport });
      note({ subject: "audit", after: { ...body, entries: found.length } });
      const head = ["Когда", "Кто", "Действие", "О чём", "Было", "Стало", "Адрес", "Согласование"];
      const rows = found.map((entry) => [
        isoMoscow(entry.at),
        entry.actor,
        entry.action,
        entry.subject,
        entry.before ? JSON.stringify(entry.before) : "",
        entry.after ? JSON.stringify(entry.after) : "",
        entry.origin?.address ?? "",
        entry.approvalId ?? "",
      ]);
      return done({
        type: "text/csv; charset=utf-8",
        name: `Журнал ${isoMoscow(ctx.now()).slice(0, 10)}.csv`,
        bytes: csvOf([head, ...rows]),
      });
    },
  }),
];
