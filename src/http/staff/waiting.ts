import * as contract from "#contract/staff/waiting.ts";
import { alarmGroups, isAlarmGroup, waitingGroups, type WaitingGroupId } from "#contract/staff/waiting.ts";
import { fromMoscow, isoMoscow } from "#kit/moscow-time.ts";
import { done } from "#kit/result.ts";
import * as alarms from "#shop/alarms/service.ts";
import type { AlarmName, Ctx } from "#shop/context.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import * as notifications from "#shop/notifications/service.ts";
import { countLimit } from "#shop/orders/staff/order-list.ts";
import { isBeyondLimit } from "#shop/metal/metal.ts";
import * as metal from "#shop/metal/service.ts";
import * as orderList from "#shop/orders/staff/order-list.service.ts";
import * as payment from "#shop/payment/service.ts";
import * as approvals from "#shop/staff/approvals/service.ts";
import { grantsOf, permissions } from "#shop/staff/role.ts";
import type { StaffMember } from "#shop/staff/staff.ts";
import * as statements from "#shop/statements/service.ts";
import * as documents from "#shop/stock/documents/document.service.ts";
import * as overview from "#shop/stock/overview/overview.service.ts";
import { staffRead, type StaffEndpoint } from "./endpoint.ts";
import type { May } from "./views.ts";

type Waiting = { count: number; since: Date | null };
type Counts = Partial<Record<WaitingGroupId, Waiting>>;

/** Whether a role that gives these permissions sees a group. */
export const seesGroup = (id: WaitingGroupId, may: May): boolean => {
  const { permission } = waitingGroups[id];
  return permission === "signed_in" || may(permission) !== null;
};

/** What waits for staff. Only the counts that the role may see are computed. */
export const waitingEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readWaiting, async (ctx, { staff, may }) => {
    const sees = (id: WaitingGroupId): boolean => seesGroup(id, may);
    const found = await countsFor(ctx, staff, sees);
    return done(
      (Object.keys(waitingGroups) as WaitingGroupId[])
        .filter((id) => sees(id) && (found[id]?.count ?? 0) > 0)
        .map((id) => {
          const { title, act, path, rank } = waitingGroups[id];
          const { count = 0, since = null } = found[id] ?? {};
          return { id, title, act, path, rank, count: Math.min(count, countLimit), since: since && isoMoscow(since) };
        }),
    );
  }),
];

async function countsFor(ctx: Ctx, staff: StaffMember, sees: (id: WaitingGroupId) => boolean): Promise<Counts> {
  const any = (...ids: WaitingGroupId[]): boolean => ids.some(sees);
  const parts = await Promise.all([
    any("to_pack", "unpaid", "parcel_refused", "unsettled", "cancellation", "repacking", "unsealed", "returning", "return_late")
      ? orderList.countWaiting(ctx)
      : {},
    any("refunds_stuck", "refunds_refused", "refunds_by_hand") ? refundCounts(ctx) : {},
    any("receipts") ? receiptCounts(ctx) : {},
    any("statement") ? statements.countLeft(ctx.db, countLimit).then((count) => ({ statement: { count, since: null } })) : {},
    any("differences") ? differenceCounts(ctx) : {},
    any("messages") ? notifications.failedMessages(ctx, countLimit).then((messages) => ({ messages })) : {},
    any("reviews", "requests") ? inquiryCounts(ctx) : {},
    (Object.keys(waitingGroups) as WaitingGroupId[]).some((id) => isAlarmGroup(id) && sees(id)) ? alarmCounts(ctx) : {},
    any("low_stock") ? overview.counts(ctx).then(({ low }) => ({ low_stock: { count: low, since: null } })) : {},
    any("stock_corrections") ? correctionCounts(ctx) : {},
    any("open_metal") ? metalCounts(ctx) : {},
    any("approvals") ? approvalCounts(ctx, staff) : {},
  ]);
  return Object.assign({}, ...parts) as Counts;
}

const waitingOf = (all: readonly { createdAt: Date }[]): Waiting => ({
  count: all.length,
  since: all.reduce<Date | null>((oldest, { createdAt }) => (oldest === null || createdAt < oldest ? createdAt : oldest), null),
});

async function refundCounts(ctx: Ctx): Promise<Counts> {
  const all = await payment.refundsWaiting(ctx);
  const of = (why: (typeof all)[number]["why"]): Waiting => waitingOf(all.filter((each) => each.why === why));
  return { refunds_stuck: of("stuck"), refunds_refused: of("refused"), refunds_by_hand: of("by_hand") };
}

const receiptCounts = async (ctx: Ctx): Promise<Counts> => ({ receipts: waitingOf(await payment.receiptsWaiting(ctx.db)) });

async function differenceCounts(ctx: Ctx): Promise<Counts> {
  const found = await payment.listDifferences(ctx.db, false, { before: null, limit: countLimit });
  return { differences: waitingOf(found.map(({ foundAt }) => ({ createdAt: foundAt }))) };
}

/** Corrections, also those that a stocktake made, which are not posted yet. */
async function correctionCounts(ctx: Ctx): Promise<Counts> {
  const drafts = await documents.list(ctx, { kind: "correction", state: "draft", before: null, limit: countLimit });
  return { stock_corrections: waitingOf(drafts) };
}

/** Metals that are open beyond the limit of the settings. */
async function metalCounts(ctx: Ctx): Promise<Counts> {
  const beyond = (await metal.openMetal(ctx)).filter((each) => isBeyondLimit(each, ctx.settings.limits));
  return { open_metal: { count: beyond.length, since: null } };
}

async function inquiryCounts(ctx: Ctx): Promise<Counts> {
  const { reviews, inquiries: requests } = await inquiries.waiting(ctx);
  const written = reviews.map(({ writtenOn }) => ({ createdAt: fromMoscow(writtenOn) }));
  return { reviews: waitingOf(written), requests: waitingOf(requests) };
}

async function alarmCounts(ctx: Ctx): Promise<Counts> {
  const counts: Counts = {};
  for (const { name, count, since } of await alarms.countOpen(ctx)) {
    const id = alarmGroups[name as AlarmName];
    if (id === undefined || !isAlarmGroup(id)) continue;
    const before = counts[id] ?? { count: 0, since: null };
    counts[id] = { count: before.count + count, since: before.since === null || (since && since < before.since) ? since : before.since };
  }
  return counts;
}

async function approvalCounts(ctx: Ctx, { id, roles }: StaffMember): Promise<Counts> {
  const granted = grantsOf(roles);
  const own = permissions.filter((permission) => granted[permission] === "yes" || granted[permission] === "again");
  return { approvals: { count: await approvals.countWaiting(ctx.db, ctx.now(), id, own), since: null } };
}
