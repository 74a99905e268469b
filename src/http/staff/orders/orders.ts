import * as contract from "#contract/staff/orders/orders.ts";
import { staffProblem } from "#contract/staff/problems.ts";
import { orderStatusTexts } from "#contract/texts.ru.ts";
import { priceText } from "#kit/format.ts";
import { fromRoubles, kopecks, toRoubles, zero, type Kopecks } from "#kit/money.ts";
import { fromMoscow, isoMoscow } from "#kit/moscow-time.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, plus } from "#kit/time.ts";
import { staffLoginOf } from "#shop/actor.ts";
import type { AuditEvent } from "#shop/audit/audit.ts";
import * as auditEntries from "#shop/audit/service.ts";
import * as additions from "#shop/checkout/addition.service.ts";
import type { Ctx } from "#shop/context.ts";
import type { PickupPoint } from "#shop/delivery/delivery.ts";
import type { ShipmentError } from "#shop/delivery/shipment.ts";
import type { Order } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import type { ActError } from "#shop/orders/staff/acts.ts";
import { carryOut, checkAct, lockOrder, packAmongMany, resend, settleRefunds, type Seen } from "#shop/orders/staff/act.service.ts";
import { isCancel, isTransferWaiting } from "#shop/orders/staff/apply-event.service.ts";
import * as cards from "#shop/orders/staff/card.service.ts";
import { assign, assignAmongMany, eachOrder, edit, type BulkResult } from "#shop/orders/staff/edit.service.ts";
import type { ListCursor, ListFilter, OrderListPage } from "#shop/orders/staff/order-list.ts";
import { cancelBasis, refundBasis, refundsOf } from "#shop/orders/staff/refund-basis.service.ts";
import * as orderList from "#shop/orders/staff/order-list.service.ts";
import {
  approvalReason,
  checkRefund,
  previewRefund,
  refund,
  refundOfCancel,
  retryReason,
  type RefundRequest,
} from "#shop/orders/staff/refund.service.ts";
import * as views from "#shop/orders/staff/views.service.ts";
import { colleaguesWith, namesOf } from "#shop/staff/people/colleagues.service.ts";
import { verifiedUntil } from "#shop/staff/sign-in/sessions.service.ts";
import { staffChange, staffRead, type StaffEndpoint, type StaffInput, type StaffRefusal } from "../endpoint.ts";
import { shownRetry } from "../money/refund-retry.ts";
import { namedIn, nameOrNull } from "../names.ts";
import { orderEntry, type OrderFacts } from "./order-audit.ts";
import {
  additionRefusal,
  additionView,
  changedOrder,
  messageView,
  orderCardView,
  orderRefusal,
  type StaleNames,
  orderRow,
  reasonOf,
  refundPreviewView,
  refundTransferRefusal,
} from "./order-views.ts";

/** Orders: list, saved views, card, and every change; the rules are in `shop/orders/staff/acts.ts`. */
export const orderEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readOrderList, async (ctx, { query, staff, may }) => {
    const page = readPage(query.page);
    const found = await orderList.list(ctx, staff.login, filterOf(query, may("orders.money") !== null), page);
    const named = await namedIn(
      ctx,
      found.rows.map(({ assignee }) => assignee),
    );
    return done({
      rows: found.rows.map((row) => ({ ...orderRow(row, may), assigneeName: nameOrNull(named, row.assignee) })),
      older: found.older && pageText("older", found.older),
      newer: found.newer && pageText("newer", found.newer),
    });
  }),
  staffRead(contract.countOrders, async (ctx, { staff }) => done(await orderList.countViews(ctx, staff.login))),

  staffRead(contract.readViews, async (ctx, { staff }) => done((await views.savedViews(ctx, staff.login)).map(viewOf))),
  staffChange(contract.addView, {
    change: async (ctx, { staff, body, audit }) => {
      audit({ subject: `view:${body.name}` });
      return viewsOf(await views.addView(ctx, staff.login, body));
    },
  }),
  staffChange(contract.changeView, {
    change: async (ctx, { staff, params: { id }, body: { name, filter, columns }, audit }) => {
      audit({ subject: `view:${id}` });
      const change = { ...(name !== undefined && { name }), ...(filter && { filter }), ...(columns && { columns }) };
      return viewsOf(await views.changeView(ctx, staff.login, id, change));
    },
  }),
  staffChange(contract.deleteView, {
    change: async (ctx, { staff, params: { id }, audit }) => {
      audit({ subject: `view:${id}` });
      return viewsOf(await views.deleteView(ctx, staff.login, id));
    },
  }),
  staffChange(contract.orderViews, {
    change: async (ctx, { staff, body: { ids }, audit }) => {
      audit({ subject: `views:${staff.login}` });
      return viewsOf(done(await views.orderViews(ctx, staff.login, ids)));
    },
  }),

  staffRead(contract.readOrderCard, async (ctx, { params: { id }, may }) => {
    const card = await cards.card(ctx, id);
    return card ? done(orderCardView(card, may, await peopleOf(ctx, card))) : fail({ code: "order.not_found" });
  }),
  staffRead(contract.seeWhoLooks, async (ctx, { params: { id }, staff }) => {
    const seen = await cards.seePresent(ctx, id, { login: staff.login, name: staff.name });
    return seen ? done(seen) : fail({ code: "order.not_found" });
  }),
  staffChange(contract.openContacts, {
    change: async (ctx, { params: { id }, audit }) => {
      const order = await orders.byId(ctx, id);
      if (!order) return fail({ code: "order.not_found" });
      audit({ subject: `order:${id}` });
      return done({ user: order.user, address: order.address });
    },
  }),

  staffChange(contract.packOrder, {
    change: async (ctx, { params: { id }, body: { event, revision, seal }, audit }) =>
      changed(ctx, id, audit, { event }, () =>
        carryOut(ctx, { orderId: id, revision }, event, seal === undefined ? {} : { sealNumber: seal }),
      ),
  }),
  staffChange(contract.moveOrder, {
    // A cancellation sends the whole money back, so it needs what a refund of this sum needs.
    check: async (ctx, input) => {
      // In each check the order is locked, and after it the clerk (`approval`).
      const isRefund = (await refundOfMove(ctx, input)) > 0;
      const needsFactor = isRefund && input.may("orders.refund") === "again" && verifiedUntil(ctx, input.session) === null;
      if (needsFactor) return fail({ code: "staff.verify_again" });
      return isRefund && (await isTransferWaiting(ctx, input.params.id)) ? fail({ code: "refund.transfer_waits" }) : done(null);
    },
    approver: "orders.refund",
    approval: async (ctx, input) => {
      const amount = await refundOfMove(ctx, input);
      if (amount === 0) return null;
      const grant = input.may("orders.refund");
      if (grant === null || grant === "asks") return "Отмена вернёт деньги покупателю: при такой роли её подтверждает второй сотрудник";
      return approvalReason(ctx, input.params.id, amount);
    },
    shown: async (ctx, input) => {
      const order = await orders.byId(ctx, input.params.id);
      const refund = priceText(await refundOfMove(ctx, input));
      return order && { before: { state: order.state }, after: { event: input.body.event, refund } };
    },
    basis: (ctx, { params: { id } }) => cancelBasis(ctx, id),
    change: async (ctx, { params: { id }, body: { event, revision, pieces }, audit, isOnSameBasis }) => {
      const seen = await seenBy(ctx, id, revision, isOnSameBasis);
      if (isCancel(event) && (await isTransferWaiting(ctx, id))) return fail({ code: "refund.transfer_waits" });
      return changed(ctx, id, audit, { event }, () => carryOut(ctx, seen, event, pieces ? { pieces: piecesOf(pieces) } : {}));
    },
  }),
  staffChange(contract.enterPayment, {
    change: async (ctx, { params: { id }, body: { revision, amount, number, date, payerAccount }, audit }) => {
      const reference = { number, date, payerAccount: payerAccount ?? null };
      return changed(ctx, id, audit, { amount, number, date }, () =>
        carryOut(ctx, { orderId: id, revision }, "pay", { amount: fromRoubles(amount), reference }),
      );
    },
  }),

  staffRead(contract.previewRefund, async (ctx, { params: { id }, query }) => {
    const pieces = query.pieces?.split(",").map((each) => {
      const [coin = 0, count = 0] = each.split(":").map(Number);
      return { id: coin, count };
    });
    const preview = await previewRefund(ctx, id, refundRequest({ sum: query.sum, pieces, delivery: query.delivery === "1" }));
    return preview.ok ? done(refundPreviewView(preview.value)) : fail(orderRefusal(preview.error));
  }),
  staffChange(contract.refundOrder, {
    check: async (ctx, { params: { id }, body }) => {
      const checked = await checkedNow(
        ctx,
        await checkRefund(ctx, { orderId: id, revision: body.revision }, refundRequest(body), body.key),
      );
      return checked.ok && (await isTransferWaiting(ctx, id)) ? fail({ code: "refund.transfer_waits" }) : checked;
    },
    approval: async (ctx, { params: { id }, body }) => {
      const preview = await previewRefund(ctx, id, refundRequest(body));
      // A refund that was made with this key before may leave nothing to refund.
      return preview.ok ? approvalReason(ctx, id, preview.value.amount) : null;
    },
    shown: async (ctx, { params: { id }, body }) => {
      const preview = await previewRefund(ctx, id, refundRequest(body));
      if (!preview.ok) return null;
      const { left, leftAfter, amount } = preview.value;
      return {
        before: { leftToRefund: priceText(left) },
        after: { refund: priceText(amount), leftToRefund: priceText(leftAfter), reason: body.reason },
      };
    },
    basis: (ctx, { params: { id }, body }) => refundBasis(ctx, id, refundRequest(body)),
    change: async (ctx, { params: { id }, body, audit, isOnSameBasis }) => {
      const before = await lockOrder(ctx, id);
      const seen = await seenBy(ctx, id, body.revision, isOnSameBasis);
      if (await isTransferWaiting(ctx, id)) return fail({ code: "refund.transfer_waits" });
      const refunded = await refund(ctx, seen, refundRequest(body), body.key);
      if (!refunded.ok) return fail(orderRefusal(refunded.error, await staleNames(ctx, refunded.error)));
      const { order, amount } = refunded.value;
      return recorded(ctx, audit, { kopecks: amount, reason: body.reason }, before, done(order));
    },
  }),
  staffChange(contract.settleRefund, {
    check: async (ctx, { params: { id }, body: { revision } }) => {
      const checked = await checkedNow(ctx, await checkAct(ctx, { orderId: id, revision }, "settle_refund"));
      return checked.ok && (await isTransferWaiting(ctx, id)) ? fail({ code: "refund.transfer_waits" }) : checked;
    },
    approval: (ctx, { params: { id } }) => retryReason(ctx, id),
    shown: (ctx, { params: { id } }) => shownRetry(ctx, id),
    basis: (ctx, { params: { id } }) => refundsOf(ctx, id),
    change: async (ctx, { params: { id }, body: { revision }, audit, isOnSameBasis }) => {
      const before = await lockOrder(ctx, id);
      if (await isTransferWaiting(ctx, id)) return fail({ code: "refund.transfer_waits" });
      const settled = await settleRefunds(ctx, await seenBy(ctx, id, revision, isOnSameBasis));
      return recorded(ctx, audit, { event: "settle_refund" }, before, settled);
    },
  }),

  staffChange(contract.payRefundByTransfer, {
    check: async (ctx, input) => {
      const checked = await orders.checkRefundTransfer(ctx, refundTransfer(input));
      return checked.ok ? done(null) : fail(refundTransferRefusal(checked.error));
    },
    approval: async (ctx, input) => {
      const paid = refundTransfer(input);
      const checked = await orders.checkRefundTransfer(ctx, paid);
      return checked.ok && checked.value.isRecorded ? null : approvalReason(ctx, paid.orderId, paid.amount);
    },
    shown: async (_, { body: { amount, number, date } }) => ({
      before: {},
      after: { refund: priceText(fromRoubles(amount)), number, date },
    }),
    change: async (ctx, { audit, ...input }) => {
      const paid = refundTransfer(input);
      const before = await lockOrder(ctx, paid.orderId);
      const settled = await orders.recordRefundTransfer(ctx, paid);
      if (!settled.ok) return fail(refundTransferRefusal(settled.error));
      const after = await lockOrder(ctx, paid.orderId);
      if (!after) throw new Error(`order ${paid.orderId} is gone`);
      audit(orderEntry(before, after, { refundId: paid.refundId, kopecks: paid.amount, ...paid.transfer }));
      return done(true as const);
    },
  }),

  staffChange(contract.changeRecipient, {
    change: async (ctx, { params: { id }, body: { revision, ...user }, audit }) =>
      changed(ctx, id, audit, { event: "change_recipient" }, () => edit(ctx, { orderId: id, revision }, { act: "change_recipient", user })),
  }),
  staffRead(contract.readPoints, async (ctx, { params: { id }, query: { text = "" } }) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const found = (await orders.pointsFor(ctx, id)).filter(({ id: pointId, name, address }) =>
      words.every((word) => `${pointId} ${name} ${address}`.toLowerCase().includes(word)),
    );
    return done(found.slice(0, maxPoints).map(pointView));
  }),
  staffChange<typeof contract.changePoint, PickupPoint | null>(contract.changePoint, {
    prepare: (ctx, { params: { id }, body: { pointId } }) => orders.pointFor(ctx, id, pointId),
    change: async (ctx, { params: { id }, body: { revision, pointId }, audit }, point) => {
      if (!point) return fail({ code: "shipment.no_such_point" });
      return changed(ctx, id, audit, { pointId }, () => edit(ctx, { orderId: id, revision }, { act: "change_point", point }));
    },
  }),
  staffChange(contract.changeAddress, {
    change: async (ctx, { params: { id }, body: { revision, ...parts }, audit }) => {
      const order = await orders.byId(ctx, id);
      if (!order) return fail({ code: "order.not_found" });
      const address = { ...parts, city: order.address?.city ?? order.delivery.cityName };
      return changed(ctx, id, audit, { event: "change_address" }, () =>
        edit(ctx, { orderId: id, revision }, { act: "change_address", address }),
      );
    },
  }),
  staffChange<typeof contract.resendParcel, PickupPoint | null>(contract.resendParcel, {
    prepare: async (ctx, { params: { id }, body: { pointId } }) => (pointId === undefined ? null : orders.pointFor(ctx, id, pointId)),
    change: async (ctx, { params: { id }, body: { revision, pointId }, audit }, point) => {
      if (pointId !== undefined && !point) return fail({ code: "shipment.no_such_point" });
      return changed(ctx, id, audit, { event: "resend_parcel" }, () => resend(ctx, { orderId: id, revision }, point));
    },
  }),

  staffRead(contract.findCoinsToAdd, async (ctx, { query: { text } }) => {
    const found = text.trim().length < 2 ? [] : await additions.findCoinsToAdd(ctx, text.trim(), maxCoinsToAdd);
    return done(found.map(({ price, ...coin }) => ({ ...coin, price: price === null ? null : toRoubles(price) })));
  }),
  staffChange<typeof contract.quoteAddition, PricedAddition>(contract.quoteAddition, {
    prepare: (ctx, { params: { id }, body: { pieces, paymentId } }) =>
      additions.priceAddition(ctx, { orderId: id, lines: piecesOf(pieces), paymentId }),
    change: async (ctx, { params: { id }, audit }, priced) => {
      if (!priced.ok) return fail(additionRefusal(priced.error));
      const saved = await additions.saveAddition(ctx, id, priced.value);
      if (!saved.ok) return fail(orderRefusal(saved.error));
      audit({ subject: `order:${id}`, after: { quoteId: saved.value.id, kopecks: saved.value.total } });
      return done(additionView(saved.value, ctx.now()));
    },
  }),
  staffChange(contract.placeAddition, {
    change: async (ctx, { params: { id }, body: { revision, quoteId }, audit }) => {
      const placed = await additions.placeAddition(ctx, { orderId: id, revision }, quoteId);
      if (!placed.ok) return fail(additionRefusal(placed.error));
      audit({ subject: `order:${id}`, after: { added: placed.value.number, kopecks: placed.value.total } });
      audit({ subject: `order:${placed.value.id}`, after: { addsTo: id, kopecks: placed.value.total } });
      return done(changedOrder(placed.value));
    },
  }),
  staffChange(contract.assignOrder, {
    change: async (ctx, { params: { id }, body: { revision, assignee }, audit }) => {
      if (!(await mayLookAfter(ctx, assignee))) return wrongAssignee;
      return changed(ctx, id, audit, { assignee }, () => assign(ctx, { orderId: id, revision }, assignee));
    },
  }),
  staffChange(contract.commentOrder, {
    change: async (ctx, { params: { id }, body: { text }, audit }) => {
      const added = await cards.comment(ctx, id, text);
      if (!added.ok) return fail(orderRefusal(added.error));
      audit({ subject: `order:${id}` });
      return done(added.value.map((each) => ({ ...each, at: isoMoscow(each.at) })));
    },
  }),
  staffChange(contract.resendMessage, {
    change: async (ctx, { params: { id, messageId }, audit }) => {
      const sent = await cards.resendMessage(ctx, id, messageId);
      if (!sent.ok) return fail(sent.error.code === "staff.act_refused" ? orderRefusal(sent.error) : { code: sent.error.code });
      audit({ subject: `order:${id}`, after: { messageId } });
      return done(sent.value.map(messageView));
    },
  }),

  staffChange(contract.packOrders, {
    change: async (ctx, { body, audit }) => {
      const revisions = new Map<string, number>("orders" in body ? body.orders.map(({ id, revision }) => [id, revision]) : []);
      const ids = "orders" in body ? [...revisions.keys()] : body.ids;
      return bulk(ctx, audit, { event: "assemble" }, ids, (inside, { orderId, revision }) =>
        packAmongMany(inside, { orderId, revision: revisions.get(orderId) ?? revision }),
      );
    },
  }),
  staffChange(contract.assignOrders, {
    change: async (ctx, { body: { orders: chosen, assignee }, audit }) => {
      if (!(await mayLookAfter(ctx, assignee))) return wrongAssignee;
      const revisions = new Map(chosen.map(({ id, revision }) => [id, revision]));
      return bulk(ctx, audit, { assignee }, [...revisions.keys()], (inside, { orderId, revision }) =>
        assignAmongMany(inside, { orderId, revision: revisions.get(orderId) ?? revision }, assignee),
      );
    },
  }),
];

/** The members of staff whom a card names, each once. */
async function peopleOf(ctx: Ctx, { order, history, comments }: cards.OrderCard): Promise<{ login: string; name: string }[]> {
  const actors = [...history.map(({ actor }) => actor), ...comments.map(({ author }) => author)];
  const logins = [...actors.map((actor) => actor && staffLoginOf(actor)), order.assignee].filter((login) => login !== null);
  return [...new Set(logins)].map(await namesOf(ctx, logins));
}

const maxCoinsToAdd = 8;
const wrongAssignee = fail({ code: "request.invalid" as const, fields: { assignee: "Этот сотрудник не работает с заказами" } });
/** Whether orders can be assigned to this login: an enabled member of staff who changes or packs orders. Null (no assignee) is allowed. */
async function mayLookAfter(ctx: Ctx, assignee: string | null): Promise<boolean> {
  if (assignee === null) return true;
  const colleagues = await colleaguesWith(ctx, "orders.edit", "orders.pack");
  return colleagues.some(({ login }) => login === assignee);
}

/**
 * The order as the caller saw it. For a call that was approved on the same basis it is the present order: a new assignee, recipient or seal
 * is no reason to refuse it. Locks the order.
 */
const seenBy = async (ctx: Ctx, orderId: string, revision: number, isOnSameBasis: boolean): Promise<Seen> => ({
  orderId,
  revision: isOnSameBasis ? ((await lockOrder(ctx, orderId))?.revision ?? revision) : revision,
});

/** What a step of an order would send back to the buyer: nothing, unless it cancels a paid order. */
function refundOfMove(ctx: Ctx, { params: { id }, body: { event, revision } }: StaffInput<typeof contract.moveOrder>): Promise<Kopecks> {
  return isCancel(event) ? refundOfCancel(ctx, { orderId: id, revision }, event) : Promise.resolve(zero);
}

/** The transfer that a call names. */
const refundTransfer = ({
  params: { id, refundId },
  body: { amount, number, date, isForSeveral },
}: Pick<StaffInput<typeof contract.payRefundByTransfer>, "params" | "body">) => ({
  orderId: id,
  refundId,
  transfer: { number, date },
  amount: fromRoubles(amount),
  isForSeveral,
});

type PricedAddition = Awaited<ReturnType<typeof additions.priceAddition>>;
const maxPoints = 50;
const pointView = ({ id, name, address, workTime }: PickupPoint) => ({ id, name, address, workTime });

type Audit = (event: AuditEvent) => void;
type Changed = Result<Order, ActError | ShipmentError>;

/** Changes one order; the audit records its state before and after. */
async function changed(
  ctx: Ctx,
  id: string,
  audit: Audit,
  facts: OrderFacts,
  change: () => Promise<Changed>,
): Promise<Result<contract.ChangedOrder, StaffRefusal>> {
  const before = await lockOrder(ctx, id);
  return recorded(ctx, audit, facts, before, await change());
}

/** The answer to a change of one order, which is recorded in the audit. */
async function recorded(
  ctx: Ctx,
  audit: Audit,
  facts: OrderFacts,
  before: Order | null,
  result: Changed,
): Promise<Result<contract.ChangedOrder, StaffRefusal>> {
  if (!result.ok) return fail(orderRefusal(result.error, await staleNames(ctx, result.error)));
  audit(orderEntry(before, result.value, facts));
  return done(changedOrder(result.value));
}

/** The answer to a check of input that is applied later. */
const checkedNow = async (ctx: Ctx, result: Result<unknown, ActError>): Promise<Result<null, StaffRefusal>> =>
  result.ok ? done(null) : fail(orderRefusal(result.error, await staleNames(ctx, result.error)));

/** The names that a refused stale save shows. */
async function staleNames(ctx: Ctx, error: ActError | ShipmentError): Promise<StaleNames | undefined> {
  if (error.code !== "staff.stale") return undefined;
  const { id, revision, assignee } = error.current;
  const filter = { actor: null, subject: `order:${id}`, action: null, from: null, till: null };
  const entries = await auditEntries.list(ctx.db, filter, { before: null, limit: recentEntries });
  const made = entries.find(({ after }) => after?.["revision"] === revision);
  const named = await namesOf(
    ctx,
    [made?.actor, assignee].filter((each) => each != null),
  );
  return { changedBy: made ? named(made.actor).name : null, assignee: assignee === null ? null : named(assignee).name };
}
/** The number of entries of one order that are searched for the one of its present revision. */
const recentEntries = 20;

/** Does the same to several orders; an audit entry for each order that changed, and one for a call in which none did. */
async function bulk(
  ctx: Ctx,
  audit: Audit,
  facts: OrderFacts,
  ids: readonly string[],
  work: (ctx: Ctx, seen: Seen) => Promise<BulkResult["result"]>,
) {
  const before = new Map<string, Order | null>();
  const results = await eachOrder(ctx, ids, async (inside, seen) => {
    before.set(seen.orderId, await lockOrder(inside, seen.orderId));
    return work(inside, seen);
  });
  for (const { orderId, result } of results) if (result.ok) audit(orderEntry(before.get(orderId) ?? null, result.value, facts));
  if (results.every(({ result }) => !result.ok)) audit({ subject: "orders", after: { ...facts, changed: 0 } });
  return done(
    results.map(({ orderId, result }) => ({
      id: orderId,
      number: result.ok ? result.value.number : null,
      isDone: result.ok,
      stateText: result.ok ? orderStatusTexts[result.value.state] : null,
      reason: result.ok ? null : reasonOf(result.error, staffProblem(result.error.code).message),
    })),
  );
}

const viewOf = ({
  id,
  name,
  filter,
  columns,
}: {
  id: number;
  name: string;
  filter: Readonly<Record<string, string>>;
  columns: readonly string[];
}) => ({
  id,
  name,
  filter: { ...filter },
  columns: [...columns],
});
function viewsOf(result: Awaited<ReturnType<typeof views.addView>>): Result<ReturnType<typeof viewOf>[], StaffRefusal> {
  return result.ok ? done(result.value.map(viewOf)) : fail({ code: result.error.code });
}

const piecesOf = (pieces: readonly { id: number; count: number }[]) => pieces.map(({ id, count }) => ({ coinId: id, quantity: count }));

type RefundWords = { sum?: number | undefined; pieces?: { id: number; count: number }[] | undefined; delivery?: boolean | undefined };
function refundRequest({ sum, pieces, delivery = false }: RefundWords): RefundRequest {
  if (sum !== undefined) return { kind: "sum", amount: fromRoubles(sum) };
  return pieces || delivery ? { kind: "pieces", pieces: piecesOf(pieces ?? []), isDeliveryToo: delivery } : { kind: "rest" };
}

type ListQuery = {
  view: ListFilter["view"];
  state?: ListFilter["states"];
  delivery?: number[];
  payment?: number[];
  sumFrom?: number;
  sumTo?: number;
  from?: string;
  till?: string;
  assignee?: string;
  text?: string;
  problem?: ListFilter["problem"];
};
/** The query of the list as the filter of the service. A role that may not see sums cannot filter by them either. */
function filterOf(query: { [K in keyof ListQuery]: ListQuery[K] | undefined } & Pick<ListQuery, "view">, seesMoney: boolean): ListFilter {
  const { view, state, delivery, payment, sumFrom, sumTo, from, till, assignee, text, problem } = query;
  const amount = (sum: number): Kopecks => kopecks(Math.round(sum * 100));
  return {
    view,
    ...(state && state.length > 0 && { states: state }),
    ...(delivery && { deliveryIds: delivery }),
    ...(payment && { paymentMethodIds: payment }),
    ...(seesMoney && sumFrom !== undefined && { sumFrom: amount(sumFrom) }),
    ...(seesMoney && sumTo !== undefined && { sumTo: amount(sumTo) }),
    ...(from !== undefined && { from: fromMoscow(from) }),
    ...(till !== undefined && { before: plus(fromMoscow(till), days(1)) }),
    ...(assignee !== undefined && { assignee: assignee === "nobody" ? null : assignee }),
    ...(text !== undefined && { text }),
    ...(problem && { problem }),
  };
}

const firstPage: OrderListPage = { direction: "older", cursor: null };
/** `older.1763629200000_Zx3…`: the direction, and the time and id of the order that the page begins after. */
function readPage(words: string | undefined): OrderListPage {
  const [, direction, at, id] = /^(older|newer)\.(\d{1,14})_(.+)$/.exec(words ?? "") ?? [];
  if (direction === undefined || at === undefined || id === undefined) return firstPage;
  return { direction: direction === "older" ? "older" : "newer", cursor: { at: new Date(Number(at)), id } };
}

const pageText = (direction: OrderListPage["direction"], { at, id }: ListCursor): string => `${direction}.${at.getTime()}_${id}`;
