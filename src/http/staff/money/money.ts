import { countLimit } from "#kit/count-limit.ts";
import * as contract from "#contract/staff/money.ts";
import { fromMoscow, isoMoscow } from "#kit/moscow-time.ts";
import { fromRoubles, toRoubles } from "#kit/money.ts";
import { done, fail } from "#kit/result.ts";
import { days, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { fullNameOf } from "#shop/customers/customer.ts";
import * as orders from "#shop/orders/service.ts";
import { type ListPlace } from "#shop/payment/lists/lists.ts";
import type { FiscalReceipt } from "#shop/payment/receipts/receipt.ts";
import { lockOrder } from "#shop/orders/staff/act.service.ts";
import { isTransferWaiting } from "#shop/orders/staff/apply-event.service.ts";
import { retryReason } from "#shop/orders/staff/refund.service.ts";
import * as payment from "#shop/payment/service.ts";
import { referenceNumber } from "#shop/payment/transfers/bank-transfer.ts";
import * as statements from "#shop/statements/service.ts";
import type { StatementError } from "#shop/statements/statement.ts";
import { readNumberCursor, viewPage } from "../cursor.ts";
import { staffChange, staffRead, type StaffEndpoint } from "../endpoint.ts";
import {
  entryView,
  payableView,
  paymentCardView,
  paymentView,
  printRefusal,
  receiptView,
  refundView,
  settleMessage,
  settleRefusal,
  statementView,
  suggestionView,
  transferView,
} from "./money-views.ts";
import { namedIn, nameOrNull } from "../names.ts";
import { isoOrNull } from "../views.ts";
import { shownRetry } from "./refund-retry.ts";

const pageSize = 50;

/** One row more than a page shows: it decides whether there is a next page. */
const more = pageSize + 1;

const timePlace = ({ createdAt, id }: { createdAt: Date; id: string }): string => `${createdAt.getTime()}:${id}`;
function readTimePlace(cursor: string | undefined): ListPlace | null {
  const [, at = "", id = ""] = /^(\d{1,14}):([A-Za-z0-9_-]+)$/.exec(cursor ?? "") ?? [];
  return id === "" ? null : { at: new Date(Number(at)), id };
}
const idPlace = ({ id }: { id: number }): string => String(id);

const settlers = (entries: readonly { settledBy: string | null }[]): (string | null)[] => entries.map(({ settledBy }) => settledBy);

const importMessages: Readonly<Record<StatementError["code"], string>> = {
  "statement.not_a_statement": "Это не выписка в формате 1С (1CClientBankExchange). Выгрузите её из банк-клиента «для 1С»",
  "statement.empty": "В выписке нет ни одной операции",
  "statement.other_account": "Это выписка по другому счёту",
  "statement.too_many_entries": "В выписке слишком много операций. Выгрузите её за меньший срок",
};

export const moneyEndpoints: readonly StaffEndpoint[] = [
  staffChange(contract.importStatement, {
    prepare: async (ctx, { body }) => statements.readFile(ctx, { name: body.name, bytes: Buffer.from(body.content, "base64") }),
    change: async (ctx, { body, audit }, read) => {
      if (!read.ok) return fail({ code: "request.invalid", fields: { content: importMessages[read.error.code] } });
      const { statement, isRepeat } = await statements.importStatement(ctx, read.value);
      audit({ subject: `statement:${statement.id}`, after: { file: body.name, entries: statement.entryCount, isRepeat } });
      return done({ statement: statementView(statement, await namedIn(ctx, [statement.importedBy])), isRepeat });
    },
  }),
  staffRead(contract.readStatements, async (ctx, { query }) => {
    const found = await statements.list(ctx, { before: readNumberCursor(query.cursor), limit: more });
    const named = await namedIn(
      ctx,
      found.map(({ importedBy }) => importedBy),
    );
    return done(viewPage(pageSize, found, (each) => statementView(each, named), idPlace));
  }),
  staffRead(contract.readStatement, async (ctx, { params: { id } }) => {
    const found = await statements.readStatement(ctx, id === "newest" ? null : id);
    if (!found) return fail({ code: "staff.not_found" });
    const named = await namedIn(ctx, [found.statement.importedBy, ...settlers(found.left)]);
    return done({
      statement: statementView(found.statement, named),
      left: found.left.map(({ suggestions, ...entry }) => ({ ...entryView(entry, named), suggestions: suggestions.map(suggestionView) })),
    });
  }),
  staffRead(contract.readSettledEntries, async (ctx, { params: { id }, query }) => {
    const found = await statements.settledEntries(ctx, id, { after: readNumberCursor(query.cursor, 9) ?? -1, limit: more });
    const named = await namedIn(ctx, settlers(found));
    return done(
      viewPage(
        pageSize,
        found,
        (entry) => entryView(entry, named),
        ({ position }) => String(position),
      ),
    );
  }),
  staffChange(contract.settleEntry, {
    change: async (ctx, { params: { id }, body, audit }) => {
      const settled = await statements.settleEntry(ctx, { entryId: id, ...body });
      if (!settled.ok) return fail(settleRefusal(settled.error));
      audit({
        subject: `statement-entry:${id}`,
        before: { state: "left" },
        after: { orderId: body.orderId, state: settled.value.state },
      });
      return done(entryView(settled.value, await namedIn(ctx, settlers([settled.value]))));
    },
  }),
  staffChange(contract.settleEntries, {
    change: async (ctx, { body, audit }) => {
      const wanted = body.entries.map(({ id, orderId }) => ({ entryId: id, orderId }));
      const results = await statements.settleEntries(ctx, wanted);
      for (const { entryId, result } of results)
        if (result.ok)
          audit({
            subject: `statement-entry:${entryId}`,
            before: { state: "left" },
            after: { orderId: result.value.orderId, state: result.value.state },
          });
      if (!results.some(({ result }) => result.ok)) audit({ subject: "statement-entries", after: { settled: 0, chosen: wanted.length } });
      return done({
        results: results.map(({ entryId: id, result }) =>
          result.ok
            ? { id, isSettled: true, orderNumber: result.value.orderNumber, message: "" }
            : { id, isSettled: false, orderNumber: null, message: settleMessage(result.error) },
        ),
      });
    },
  }),
  staffChange(contract.markEntry, {
    change: async (ctx, { params: { id }, body, audit }) => {
      const marked = await statements.markEntry(ctx, { entryId: id, ...body });
      if (!marked.ok) return fail(settleRefusal(marked.error));
      audit({ subject: `statement-entry:${id}`, before: { state: "left" }, after: { state: body.mark, note: body.note } });
      return done(entryView(marked.value, await namedIn(ctx, settlers([marked.value]))));
    },
  }),
  staffChange(contract.reopenEntry, {
    change: async (ctx, { params: { id }, audit }) => {
      const reopened = await statements.reopenEntry(ctx, id);
      if (!reopened.ok) return fail(settleRefusal(reopened.error));
      const { before, after } = reopened.value;
      audit({
        subject: `statement-entry:${id}`,
        before: { state: before.state, note: before.note },
        after: { state: after.state, note: after.note },
      });
      return done(entryView(after, await namedIn(ctx, settlers([after]))));
    },
  }),
  staffRead(contract.readEntriesToReturn, async (ctx, { query }) => {
    const found = await statements.entriesToReturn(ctx.db, { after: readNumberCursor(query.cursor) ?? 0, limit: more });
    const named = await namedIn(ctx, settlers(found));
    return done(viewPage(pageSize, found, (entry) => ({ ...entryView(entry, named), statementId: entry.statementId }), idPlace));
  }),
  staffChange(contract.confirmEntryReturned, {
    change: async (ctx, { params: { id }, body: { note }, audit }) => {
      const returned = await statements.confirmReturned(ctx, { entryId: id, note });
      if (!returned.ok) return fail(settleRefusal(returned.error));
      const { before, after } = returned.value;
      audit({
        subject: `statement-entry:${id}`,
        before: { state: before.state, note: before.note },
        after: { state: after.state, note: after.note },
      });
      return done(entryView(after, await namedIn(ctx, settlers([after]))));
    },
  }),
  staffRead(contract.findPayableOrder, async (ctx, { query }) => {
    const number = Number(query.number);
    const found = (await orders.payableOrders(ctx.db, [number])).find((order) => order.number === number);
    return done({ order: found ? payableView(found) : null });
  }),

  staffRead(contract.readPayments, async (ctx, { query: { number, state, method, from, till, cursor } }) => {
    const filter = {
      ...(number ? { named: { orderId: await orderNamed(ctx, number), providerId: number } } : {}),
      state,
      method,
      ...(from ? { from: fromMoscow(from) } : {}),
      ...(till ? { till: plus(fromMoscow(till), days(1)) } : {}),
    };
    return done(
      viewPage(pageSize, await payment.listPayments(ctx.db, filter, { after: readTimePlace(cursor), limit: more }), paymentView, timePlace),
    );
  }),
  staffRead(contract.readPayment, async (ctx, { params: { id } }) => {
    const card = await payment.paymentCard(ctx.db, id);
    return card ? done(paymentCardView(card, await namedIn(ctx, [card.actor]))) : fail({ code: "staff.not_found" });
  }),

  staffRead(contract.readReceipts, async (ctx, { query: { part, number, cursor } }) => {
    const filter = number ? { part: part ?? null, orderId: await orderNamed(ctx, number) } : { part: part ?? ("to_print" as const) };
    return done(
      viewPage(pageSize, await payment.listReceipts(ctx.db, filter, { after: readTimePlace(cursor), limit: more }), receiptView, timePlace),
    );
  }),
  staffChange(contract.printReceipt, {
    change: async (ctx, { params: { id }, body: { earlier, ...numbers }, audit }) => {
      const before = await payment.lockReceipt(ctx, id);
      const printed = await payment.enterFiscalNumbers(ctx, id, numbers, earlier);
      if (!printed.ok) return fail(printRefusal(printed.error));
      audit({
        subject: `receipt:${id}`,
        ...(before && { before: receiptFacts(before) }),
        after: { ...receiptFacts(printed.value), orderId: printed.value.orderId },
      });
      return done(true as const);
    },
  }),
  staffChange(contract.retryReceipt, {
    change: async (ctx, { params: { id }, audit }) => {
      const before = await payment.lockReceipt(ctx, id);
      const sent = await payment.applyReceiptEvent(ctx, id, "retry");
      if (!sent.ok) return fail({ code: sent.error.code });
      audit({
        subject: `receipt:${id}`,
        ...(before && { before: { state: before.state } }),
        after: { state: sent.value.state, orderId: sent.value.orderId },
      });
      return done(true as const);
    },
  }),

  staffRead(contract.readTransfers, async (ctx, { query: { number, cursor } }) => {
    const wanted = number ? (referenceNumber(number) ?? number) : undefined;
    const rows = await payment.listTransfers(ctx.db, { number: wanted }, { before: readNumberCursor(cursor), limit: more });
    const named = await namedIn(
      ctx,
      rows.map(({ actor }) => actor),
    );
    return done(viewPage(pageSize, rows, (row) => transferView(row, named), idPlace));
  }),
  staffChange(contract.enterTransfer, {
    change: async (ctx, { body: { orderId, number, date, payerAccount, amount }, audit }) => {
      const reference = { number, date, payerAccount: payerAccount === "" ? null : payerAccount };
      const before = await lockOrder(ctx, orderId);
      const paid = await orders.apply(ctx, orderId, "pay", { amount: fromRoubles(amount), reference });
      if (!paid.ok) return fail(settleRefusal(paid.error));
      audit({
        subject: `order:${orderId}`,
        ...(before && { before: { state: before.state } }),
        after: { number, date, amount: toRoubles(fromRoubles(amount)), state: paid.value.state },
      });
      return done({ order: { id: orderId, number: paid.value.number, state: paid.value.state } });
    },
  }),

  staffRead(contract.readDifferences, async (ctx, { query: { part, cursor } }) => {
    const rows = await payment.listDifferences(ctx.db, part === "settled", { before: readNumberCursor(cursor), limit: more });
    const numbers = await orders.numbersOf(ctx.db, [...new Set(rows.flatMap(({ orderId }) => orderId ?? []))]);
    const named = await namedIn(ctx, settlers(rows));
    return done(
      viewPage(
        pageSize,
        rows,
        (row) => ({
          ...row,
          orderNumber: numbers.get(row.orderId ?? "")?.toString() ?? null,
          foundAt: isoMoscow(row.foundAt),
          settledAt: isoOrNull(row.settledAt),
          settledBy: nameOrNull(named, row.settledBy),
        }),
        idPlace,
      ),
    );
  }),
  staffChange(contract.compareWithProvider, {
    prepare: (ctx) => payment.compareForStaff(ctx),
    change: async (ctx, { audit }, compared) => {
      if (!compared.ok) return fail({ code: "staff.provider_silent" });
      const found = await payment.storeFound(ctx, compared.value);
      audit({ subject: `provider:${ctx.gateways.payment.provider}`, after: { found } });
      return done({ found });
    },
  }),
  staffChange(contract.settleDifference, {
    change: async (ctx, { params: { id }, body: { note }, audit }) => {
      const settled = await payment.settleDifference(ctx, id, note);
      if (!settled.ok) return fail({ code: settled.error.code === "difference.settled" ? "staff.difference_settled" : "staff.not_found" });
      audit({ subject: `difference:${id}`, after: { note } });
      return done(true as const);
    },
  }),

  staffRead(contract.readRefunds, async (ctx, { query: { cursor } }) => {
    const rows = await payment.listRefunds(ctx, { after: readTimePlace(cursor), limit: more });
    const payers = await statements.payersOf(
      ctx.db,
      rows.flatMap(({ transfer }) => transfer?.id ?? []),
    );
    const buyers = await orders.recipients(ctx.db, [...new Set(rows.map(({ orderId }) => orderId))]);
    const nameOf = (row: (typeof rows)[number]): string => {
      const buyer = buyers.get(row.orderId);
      return (row.transfer && payers.get(row.transfer.id)) || (buyer ? fullNameOf(buyer) : "");
    };
    return done(viewPage(pageSize, rows, (row) => refundView(row, nameOf(row)), timePlace));
  }),
  staffChange(contract.confirmRefundSent, refundChange(orders.confirmRefundSent)),
  staffChange(contract.retryRefund, {
    check: async (ctx, { params: { id } }) => {
      const refund = await payment.findRefund(ctx.db, id);
      if (refund) await lockOrder(ctx, refund.orderId);
      return refund && (await isTransferWaiting(ctx, refund.orderId, id)) ? fail({ code: "refund.transfer_waits" }) : done(null);
    },
    approver: "orders.refund",
    approval: async (ctx, { params: { id } }) => {
      const refund = await payment.findRefund(ctx.db, id);
      return refund && retryReason(ctx, refund.orderId, id);
    },
    shown: async (ctx, { params: { id } }) => {
      const refund = await payment.findRefund(ctx.db, id);
      return refund && shownRetry(ctx, refund.orderId, id);
    },
    change: async (ctx, input) => {
      const refund = await payment.findRefund(ctx.db, input.params.id);
      if (refund) await lockOrder(ctx, refund.orderId);
      if (refund && (await isTransferWaiting(ctx, refund.orderId, refund.id))) return fail({ code: "refund.transfer_waits" });
      return refundChange(orders.retryRefund).change(ctx, input);
    },
  }),

  staffRead(contract.readMoneyCounts, async (ctx) =>
    done({
      ...(await payment.countWaiting(ctx)),
      entries: await statements.countLeft(ctx.db, countLimit),
      entriesToReturn: (await statements.countToReturn(ctx.db, countLimit)).count,
    }),
  ),
];

/** The id of the order with this number, `№ 10042` too; empty, as no order has it: there is none. */
async function orderNamed(ctx: Ctx, typed: string): Promise<string> {
  const [, digits] = /^№?\s*(\d{1,12})$/.exec(typed) ?? [];
  return (digits && (await orders.idOfNumber(ctx.db, Number(digits)))) || "";
}

/** What the audit stores of a receipt: its state, and the fiscal numbers that staff entered. */
function receiptFacts({ state, fiscal }: FiscalReceipt): Readonly<Record<string, unknown>> {
  if (!fiscal) return { state };
  const { storageNumber, documentNumber, attribute } = fiscal;
  return { state, storageNumber, documentNumber, attribute };
}

function refundChange(work: (ctx: Ctx, refundId: string) => ReturnType<typeof orders.confirmRefundSent>) {
  return {
    change: async (
      ctx: Ctx,
      { params: { id }, audit }: { params: { id: string }; audit: (event: { subject: string; after: Record<string, unknown> }) => void },
    ) => {
      const settled = await work(ctx, id);
      if (!settled.ok)
        return fail({
          code: settled.error.code === "refund.not_found" ? ("staff.not_found" as const) : ("staff.refund_not_waiting" as const),
        });
      audit({ subject: `refund:${id}`, after: { orderId: settled.value.orderId } });
      return done(true as const);
    },
  };
}
