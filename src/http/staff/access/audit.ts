import * as contract from "#contract/staff/access/audit.ts";
import { csvOf } from "#kit/documents/csv.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { done } from "#kit/result.ts";
import type { AuditEntry, AuditFilter } from "#shop/audit/audit.ts";
import * as audit from "#shop/audit/service.ts";
import type { Ctx } from "#shop/context.ts";
import * as orders from "#shop/orders/service.ts";
import { everyMember } from "#shop/staff/people/colleagues.service.ts";
import { pageOf, readNumberCursor } from "../cursor.ts";
import { staffChange, staffRead, type StaffEndpoint } from "../endpoint.ts";
import type { May } from "../views.ts";

const pageSize = 100;
/** As the contract says. */
const maxExportedEntries = 100_000;

type Filters = {
  actor?: string | undefined;
  subject?: string | undefined;
  action?: string | undefined;
  from?: string | undefined;
  till?: string | undefined;
};
async function filterOf(ctx: Ctx, { actor, subject = "", action, from, till }: Filters): Promise<AuditFilter> {
  const orderId = /^\s*\d{5,12}\s*$/.test(subject) ? await orders.idOfNumber(ctx.db, Number(subject)) : null;
  return {
    actor: actor || null,
    subject: orderId === null ? subject.trim() || null : `order:${orderId}`,
    action: action || null,
    from: from ? new Date(from) : null,
    till: till ? new Date(till) : null,
  };
}

const orderOf = (subject: string): string | null => (subject.startsWith("order:") ? subject.slice("order:".length) : null);

/** Sums of orders, payments and statements in what an entry stored. */
const moneyFields: ReadonlySet<string> = new Set(["kopecks", "amount"]);
/** What an entry stored, without sums for a role that sees no money of orders. */
function shown(record: AuditEntry["before"], may: May): Readonly<Record<string, unknown>> | null {
  if (!record || may("orders.money")) return record ?? null;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !moneyFields.has(name)));
}

const view = ({ origin, before, after, ...entry }: AuditEntry, numbers: ReadonlyMap<string, number>, may: May) => ({
  ...entry,
  at: isoMoscow(entry.at),
  orderNumber: numbers.get(orderOf(entry.subject) ?? "") ?? null,
  before: shown(before, may),
  after: shown(after, may),
  address: origin?.address ?? null,
  userAgent: origin?.userAgent ?? null,
});

/** What staff did. */
export const auditEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readAudit, async (ctx, { query, may }) => {
    const before = readNumberCursor(query.cursor);
    const found = await audit.list(ctx.db, await filterOf(ctx, query), { before, limit: pageSize + 1 });
    const { items, next } = pageOf(pageSize, found, ({ id }) => id);
    const ids = items.flatMap(({ subject }) => orderOf(subject) ?? []);
    const numbers = await orders.numbersOf(ctx.db, [...new Set(ids)]);
    return done({ items: items.map((entry) => view(entry, numbers, may)), next });
  }),

  staffRead(contract.readAuditPeople, async (ctx) =>
    done((await everyMember(ctx)).map(({ login, name }) => ({ actor: `staff:${login}`, name }))),
  ),

  staffChange(contract.exportAudit, {
    change: async (ctx, { body, may, audit: note }) => {
      const found = await audit.list(ctx.db, await filterOf(ctx, body), { before: null, limit: maxExportedEntries });
      note({ subject: "audit", after: { ...body, entries: found.length } });
      const head = ["Когда", "Кто", "Действие", "О чём", "Было", "Стало", "Адрес", "Согласование"];
      const rows = found.map((entry) => [
        isoMoscow(entry.at),
        entry.actor,
        entry.action,
        entry.subject,
        entry.before ? JSON.stringify(shown(entry.before, may)) : "",
        entry.after ? JSON.stringify(shown(entry.after, may)) : "",
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
