import { countLimit } from "#kit/count-limit.ts";
import * as contract from "#contract/staff/waiting/waiting.ts";
import { alarmGroups, isAlarmGroup, waitingGroups, type WaitingGroupId } from "#contract/staff/waiting/waiting.ts";
import { number, plural } from "#kit/format.ts";
import { kopecks, toRoubles, type Kopecks } from "#kit/money.ts";
import { fromMoscow, isoMoscow, moscow } from "#kit/moscow-time.ts";
import { done } from "#kit/result.ts";
import { hours, plus } from "#kit/time.ts";
import * as alarms from "#shop/alarms/service.ts";
import { currentSum, type DealPart } from "#shop/buyback/deal.ts";
import * as buyback from "#shop/buyback/service.ts";
import type { AlarmName, Ctx } from "#shop/context.ts";
import * as privacy from "#shop/customers/staff/privacy-requests.service.ts";
import * as inquiries from "#shop/inquiries/service.ts";
import * as notifications from "#shop/notifications/service.ts";
import { isBeyondLimit } from "#shop/metal/metal.ts";
import * as metal from "#shop/metal/service.ts";
import * as orderList from "#shop/orders/staff/order-list.service.ts";
import { receiptTotal } from "#shop/payment/payment.ts";
import * as payment from "#shop/payment/service.ts";
import * as approvals from "#shop/staff/approvals/service.ts";
import { grantsOf, permissions } from "#shop/staff/role.ts";
import type { StaffMember } from "#shop/staff/staff.ts";
import * as statements from "#shop/statements/service.ts";
import * as documents from "#shop/stock/documents/document.service.ts";
import * as overview from "#shop/stock/overview/overview.service.ts";
import { nextVisit, openingOf } from "#shop/working-hours.ts";
import { staffRead, type StaffEndpoint } from "../endpoint.ts";
import { namedIn } from "../names.ts";
import type { May } from "../views.ts";

/** A deadline and its text on the line of the day. */
type Due = { at: Date; what: string };
/** `assignees`: the logins of those who have some of it; absent where work has no assignee. */
type Waiting = {
  count: number;
  since: Date | null;
  due?: readonly Due[];
  sum?: Kopecks;
  assignees?: readonly string[];
  /** The screen, where it is not that of the whole group. */
  path?: string | undefined;
  /** When the count is one: the screen of the single item, and the label of its link. */
  one?: { path: string; act?: string } | undefined;
};
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
    const found = await countsFor(ctx, { staff, may }, sees);
    const named = await namedIn(
      ctx,
      Object.values(found).flatMap(({ assignees = [] }) => assignees),
    );
    return done(
      (Object.keys(waitingGroups) as WaitingGroupId[])
        .filter((id) => sees(id) && (found[id]?.count ?? 0) > 0)
        .map((id) => {
          const { title, act, rank, area, unit } = waitingGroups[id];
          const { count = 0, since = null, due = [], sum, assignees, one, path = waitingGroups[id].path } = found[id] ?? {};
          return {
            id,
            title,
            act: one?.act ?? act,
            path: one?.path ?? path,
            rank,
            area,
            facts: factsText(count, unit),
            count: Math.min(count, countLimit),
            since: since && isoMoscow(since),
            due: due
              .toSorted((a, b) => a.at.getTime() - b.at.getTime())
              .slice(0, maxDeadlines)
              .map(({ at, what }) => ({ at: isoMoscow(at), what })),
            sum: sum === undefined ? null : toRoubles(sum),
            assignees: assignees === undefined ? null : assignees.map((login) => named(login).name),
          };
        }),
    );
  }),
  staffRead(contract.readDay, async (ctx) => {
    const now = ctx.now();
    const open = openingOf(ctx.settings.office, ctx.settings.market, now);
    const courier = courierAfter(ctx, now);
    return done({
      today: moscow(now).date,
      open: open && { from: isoMoscow(open.from), till: isoMoscow(open.till) },
      courier: courier && isoMoscow(courier),
    });
  }),
];

/** The largest number of deadlines on the line of the day. */
const maxDeadlines = 12;
const factsText = (count: number, unit: readonly [string, string, string] | null): string =>
  `${count >= countLimit ? "1\u00A0000+" : number(count)}${unit ? `\u00A0${count >= countLimit ? unit[2] : plural(count, unit)}` : ""}`;

type Viewer = { staff: StaffMember; may: May };

async function countsFor(ctx: Ctx, viewer: Viewer, sees: (id: WaitingGroupId) => boolean): Promise<Counts> {
  const any = (...ids: WaitingGroupId[]): boolean => ids.some(sees);
  const parts = await Promise.all([
    any("to_pack", "unpaid", "parcel_refused", "unsettled", "cancellation", "repacking", "unsealed", "returning", "return_late")
      ? orderCounts(ctx, sees)
      : {},
    any("refunds_stuck", "refunds_refused", "refunds_by_hand") ? refundCounts(ctx) : {},
    any("receipts") ? receiptCounts(ctx) : {},
    any("entries_to_return") ? entriesToReturn(ctx) : {},
    any("statement") ? statements.countLeft(ctx.db, countLimit).then((count) => ({ statement: { count, since: null } })) : {},
    any("differences") ? differenceCounts(ctx) : {},
    any("messages") ? notifications.countUndelivered(ctx, countLimit).then((messages) => ({ messages })) : {},
    any("reviews", "requests") ? inquiryCounts(ctx, viewer) : {},
    (Object.keys(waitingGroups) as WaitingGroupId[]).some((id) => isAlarmGroup(id) && sees(id)) ? alarmCounts(ctx) : {},
    any("low_stock") ? overview.counts(ctx).then(({ low }) => ({ low_stock: { count: low, since: null } })) : {},
    any("stock_corrections") ? correctionCounts(ctx) : {},
    any("open_metal") ? metalCounts(ctx) : {},
    any("approvals") ? approvalCounts(ctx, viewer.staff) : {},
    any("approvals_unseen") ? unseenCounts(ctx, viewer.staff) : {},
    any("privacy") ? privacyCounts(ctx) : {},
    buybackCounts(ctx, viewer, sees),
  ]);
  return Object.assign({}, ...parts) as Counts;
}

const waitingOf = (all: readonly { createdAt: Date }[]): Waiting => ({
  count: all.length,
  since: all.reduce<Date | null>((oldest, { createdAt }) => (oldest === null || createdAt < oldest ? createdAt : oldest), null),
});

/** Problems of orders that are settled on the card of the order. */
const onCard = ["return_late", "parcel_refused", "unsettled"] as const;

async function orderCounts(ctx: Ctx, sees: (id: WaitingGroupId) => boolean): Promise<Counts> {
  const { unpaid, to_pack, ...found } = await orderList.countWaiting(ctx);
  const single = onCard.filter((problem) => found[problem]?.count === 1 && sees(problem));
  const cards = await Promise.all(single.map((problem) => orderList.list(ctx, "", { view: "problem", problem }, firstPage)));
  const ones = single.map((problem, at) => {
    const [order] = cards[at]?.rows ?? [];
    return [problem, { ...found[problem], one: order && { path: `/orders/${order.id}` } }];
  });
  return {
    ...found,
    ...Object.fromEntries(ones),
    ...(to_pack ? { to_pack: { ...to_pack, due: dueAt("to_pack", courierAfter(ctx, ctx.now())) } } : {}),
    ...(unpaid ? { unpaid: { ...unpaid, due: dueAt("unpaid", unpaid.dueAt) } } : {}),
  };
}

const firstPage = { direction: "older", cursor: null } as const;
const courierAfter = ({ settings: { courier, market } }: Ctx, at: Date): Date | null => nextVisit(courier, market, at);

/** The deadline of a group under the name that the group gives it. */
const dueAt = (id: "to_pack" | "unpaid" | "approvals" | "privacy", at: Date | null | undefined): Due[] =>
  at ? [{ at, what: waitingGroups[id].deadline }] : [];
const sumOf = (amounts: readonly Kopecks[]): Kopecks => amounts.reduce((sum, each) => kopecks(sum + each), kopecks(0));

/** Where the only one of these is; undefined: there are none or several. */
const onlyOf = <T>(all: readonly T[], place: (one: T) => { path: string; act?: string }): Waiting["one"] => {
  const [first] = all;
  return first !== undefined && all.length === 1 ? place(first) : undefined;
};

async function refundCounts(ctx: Ctx): Promise<Counts> {
  const all = await payment.refundsWaiting(ctx);
  const of = (why: (typeof all)[number]["why"]): Waiting => {
    const found = all.filter((each) => each.why === why);
    return { ...waitingOf(found), sum: sumOf(found.map(({ amount }) => amount)) };
  };
  const byHand = all.filter(({ why }) => why === "by_hand");
  const one = onlyOf(byHand, ({ id }) => ({ path: `/payments?view=refunds&refund=${id}` }));
  return { refunds_stuck: of("stuck"), refunds_refused: of("refused"), refunds_by_hand: { ...of("by_hand"), one } };
}

async function entriesToReturn(ctx: Ctx): Promise<Counts> {
  const { count, since, amount } = await statements.countToReturn(ctx.db, countLimit);
  return { entries_to_return: { count, since, sum: amount } };
}

async function receiptCounts(ctx: Ctx): Promise<Counts> {
  const all = await payment.receiptsWaiting(ctx.db);
  return { receipts: { ...waitingOf(all), sum: sumOf(all.map(({ receipt }) => receiptTotal(receipt))) } };
}

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

const requestDeadlines = { callback: "звонок", buyback: "выкуп", partners: "партнёр" } as const;

async function inquiryCounts(ctx: Ctx, { staff, may }: Viewer): Promise<Counts> {
  const { reviews, inquiries: open } = await inquiries.waiting(ctx);
  // A member of staff who may open the contacts of its own deals only can answer these and the unassigned ones.
  const isWhole = may("customers.open") !== null;
  const requests = isWhole
    ? open
    : open.filter(({ kind, assignee }) => kind === "buyback" && (assignee === null || assignee === staff.login));
  const written = reviews.map(({ writtenOn }) => ({ createdAt: fromMoscow(writtenOn) }));
  const due = requests.map(({ kind, dueAt: at }) => ({ at, what: requestDeadlines[kind] }));
  const assignees = [...new Set(requests.flatMap(({ assignee }) => assignee ?? []))].toSorted();
  const one = onlyOf(requests, ({ id, kind }) => ({ path: `/requests/${id}`, act: kind === "callback" ? "Позвонить" : "Ответить" }));
  const path = isWhole ? undefined : "/requests?kind=buyback";
  return { reviews: waitingOf(written), requests: { ...waitingOf(requests), due, assignees, one, path } };
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
  const { count, endsAt, onlyId } = await approvals.countWaiting(ctx.db, ctx.now(), id, own);
  const one = onlyId === null ? undefined : { path: `/approvals?open=${onlyId}` };
  return { approvals: { count, since: null, due: dueAt("approvals", endsAt), one } };
}

/** What this member asked a second person for and was not done. */
async function unseenCounts(ctx: Ctx, { id }: StaffMember): Promise<Counts> {
  const { count, onlyId } = await approvals.countUnseen(ctx.db, ctx.now(), id);
  return {
    approvals_unseen: { count, since: null, one: onlyId === null ? undefined : { path: `/approvals?view=decided&open=${onlyId}` } },
  };
}

const buybackParts = {
  buyback_expiring: "expiring",
  buyback_check: "received",
  buyback_pay: "checked",
  buyback_receipt: "receipt",
  buyback_shelve: "paid",
} as const satisfies Partial<Record<WaitingGroupId, DealPart>>;

/** Deals that wait for a step; the only one of a kind leads to its card. */
async function buybackCounts(ctx: Ctx, { may }: Viewer, sees: (id: WaitingGroupId) => boolean): Promise<Counts> {
  const ids = (Object.keys(buybackParts) as (keyof typeof buybackParts)[]).filter(sees);
  const found = await Promise.all(
    ids.map(async (id): Promise<[WaitingGroupId, Waiting]> => {
      const found = await buyback.waiting(ctx, buybackParts[id], countLimit);
      // Staff without the permission to record identity documents can pay only after the desk has recorded them.
      const all = id === "buyback_pay" && may("buyback") === null ? found.filter(({ identity }) => identity !== null) : found;
      const due =
        id === "buyback_expiring" ? all.flatMap(({ lockedUntil: at }) => (at ? [{ at, what: waitingGroups[id].deadline }] : [])) : [];
      return [
        id,
        {
          count: all.length,
          since: all[0]?.waitsSince ?? null,
          due,
          sum: sumOf(all.map(currentSum)),
          assignees: [...new Set(all.flatMap(({ assignee }) => assignee ?? []))].toSorted(),
          one: onlyOf(all, (deal) => ({ path: `/buyback/${deal.id}` })),
        },
      ];
    }),
  );
  return Object.fromEntries(found);
}

/** Requests about personal data: the answer is due by the end of the office's day. */
async function privacyCounts(ctx: Ctx): Promise<Counts> {
  const open = await privacy.waiting(ctx, countLimit);
  const [first] = open;
  const noon = first && plus(fromMoscow(first.dueOn), hours(12));
  const end = noon && (openingOf(ctx.settings.office, ctx.settings.market, noon)?.till ?? plus(noon, hours(12)));
  return { privacy: { ...waitingOf(open.map(({ receivedOn }) => ({ createdAt: fromMoscow(receivedOn) }))), due: dueAt("privacy", end) } };
}
