import type * as z from "zod";
import type * as contract from "#contract/staff/money.ts";
import { staffProblem, type StaffCode } from "#contract/staff/problems.ts";
import { roublesOrNull, toRoubles } from "#kit/money.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { fullNameOf } from "#shop/customers/customer.ts";
import type { PayableOrder } from "#shop/orders/transfers/statement.ts";
import type { PaymentCard, PaymentRow, ReceiptRow, RefundRow, TransferRow } from "#shop/payment/lists/lists.ts";
import type { FiscalReceipt, ReceiptError } from "#shop/payment/receipts/receipt.ts";
import type { SettleError, Statement, StoredStatementEntry } from "#shop/statements/statement.ts";
import type { Suggestion } from "#shop/statements/suggestion.ts";
import type { Named } from "#shop/staff/people/colleagues.service.ts";
import type { StaffRefusal } from "../endpoint.ts";
import { nameOrNull } from "../names.ts";
import { isoOrNull } from "../views.ts";

/** `named`: the names of the members of staff who imported it and settled its entries. */
export function statementView(
  { totals, ...statement }: Statement,
  named: Named,
): z.input<(typeof contract.importStatement)["answer"]>["statement"] {
  const { from, till, opening, received, spent, closing } = totals;
  const isKnown = opening !== null && received !== null && spent !== null && closing !== null;
  return {
    id: statement.id,
    fileName: statement.fileName,
    importedAt: isoMoscow(statement.importedAt),
    importedBy: named(statement.importedBy).name,
    from,
    till,
    opening: roublesOrNull(opening),
    received: roublesOrNull(received),
    spent: roublesOrNull(spent),
    closing: roublesOrNull(closing),
    isBalanced: isKnown ? opening + received - spent === closing : null,
    entries: statement.entryCount,
    counts: statement.counts,
    faults: statement.faults,
  };
}

export const entryView = ({ entry, ...stored }: StoredStatementEntry, named: Named): z.input<(typeof contract.settleEntry)["answer"]> => ({
  id: stored.id,
  number: entry.number,
  date: entry.date,
  amount: toRoubles(entry.amount),
  isOutgoing: stored.isOutgoing,
  payer: entry.payer,
  payerAccount: entry.payerAccount,
  purpose: entry.purpose,
  state: stored.state,
  reason: stored.reason,
  order: stored.orderId !== null && stored.orderNumber !== null ? { id: stored.orderId, number: stored.orderNumber } : null,
  settledAt: isoOrNull(stored.settledAt),
  settledBy: nameOrNull(named, stored.settledBy),
  note: stored.note,
});

export const payableView = ({ recipient, total, paid, reservedUntil, id, number, state }: PayableOrder) => ({
  id,
  number,
  state,
  buyer: fullNameOf(recipient),
  total: toRoubles(total),
  paid: toRoubles(paid),
  reservedUntil: isoOrNull(reservedUntil),
});

export const suggestionView = ({ order, reasons, isStrong }: Suggestion) => ({ ...payableView(order), reasons, isStrong });

/** A refusal of settling as the contract has it. */
export function settleRefusal(error: SettleError): StaffRefusal {
  const codes: Partial<Record<SettleError["code"], StaffCode>> = {
    "statement.entry_not_found": "staff.not_found",
    "statement.entry_settled": "staff.entry_settled",
    "order.entered_before": "staff.entered_before",
  };
  const code = codes[error.code] ?? (error.code as StaffCode);
  return error.code === "order.transfer_known" ? { code, data: { orderNumber: error.orderNumber } } : { code };
}

/** Why fiscal numbers were not stored: with those that were entered meanwhile. */
export function printRefusal(error: ReceiptError | { code: "staff.stale"; current: FiscalReceipt }): StaffRefusal {
  if (error.code !== "staff.stale") return { code: error.code };
  const { fiscal } = error.current;
  if (!fiscal) return { code: error.code, data: { current: null } };
  const { storageNumber, documentNumber, attribute } = fiscal;
  return { code: error.code, data: { current: { storageNumber, documentNumber, attribute } } };
}

/** The same as a sentence, for a call with a result for each entry. */
export function settleMessage(error: SettleError): string {
  if (error.code === "order.transfer_known") return `Уже учтено в заказе ${error.orderNumber}`;
  return staffProblem(settleRefusal(error).code).message;
}

export const paymentView = (row: PaymentRow): z.input<(typeof contract.readPayments)["answer"]>["items"][number] => ({
  id: row.id,
  order: { id: row.orderId, number: row.orderNumber },
  attempt: row.attempt,
  method: row.method,
  amount: toRoubles(row.amount),
  refunded: toRoubles(row.refunded),
  state: row.state,
  isKept: row.isKept,
  provider: row.provider,
  providerId: row.providerId,
  createdAt: isoMoscow(row.createdAt),
  settledAt: isoOrNull(row.settledAt),
});

type PaymentCardView = z.input<(typeof contract.readPayment)["answer"]>;

export const paymentCardView = (card: PaymentCard, named: Named): PaymentCardView => ({
  ...paymentView(card),
  cancellationReason: card.cancellationReason,
  actor: nameOrNull(named, card.actor),
  transfer: card.transfer,
  events: card.events.map((each) => ({ ...each, receivedAt: isoMoscow(each.receivedAt) })),
  refunds: card.refunds.map((each) => ({
    id: each.id,
    amount: toRoubles(each.amount),
    state: each.state,
    cause: each.cause,
    createdAt: isoMoscow(each.createdAt),
    settledAt: isoOrNull(each.settledAt),
    transfer: each.transfer,
  })),
  receipts: card.receipts.map(({ id, kind, state, createdAt }) => ({
    id,
    kind: kind as PaymentCardView["receipts"][number]["kind"],
    state: state as PaymentCardView["receipts"][number]["state"],
    createdAt: isoMoscow(createdAt),
  })),
});

export const receiptView = (row: ReceiptRow): z.input<(typeof contract.readReceipts)["answer"]>["items"][number] => ({
  id: row.id,
  order: { id: row.orderId, number: row.orderNumber },
  kind: row.kind,
  registrar: row.registrar,
  mode: row.mode,
  amount: toRoubles(row.amount),
  state: row.state,
  createdAt: isoMoscow(row.createdAt),
  settledAt: isoOrNull(row.settledAt),
  fiscal: row.fiscal,
  email: row.receipt.email,
  lines: row.receipt.lines.map(({ title, quantity, unitPrice, vatCode }) => ({ title, quantity, price: toRoubles(unitPrice), vatCode })),
});

/** Accounts that were erased after the legal term are not shown. */
const accountOrNull = (account: string): string | null => (/^\d{20}$/.test(account) ? account : null);

export const transferView = (row: TransferRow, named: Named) => ({
  id: row.id,
  order: { id: row.orderId, number: row.orderNumber },
  number: row.number,
  date: row.date,
  amount: toRoubles(row.amount),
  payerAccount: accountOrNull(row.payerAccount),
  enteredAt: isoMoscow(row.enteredAt),
  enteredBy: nameOrNull(named, row.actor),
});

export const refundView = (row: RefundRow, payerName: string) => ({
  id: row.id,
  order: { id: row.orderId, number: row.orderNumber },
  why: row.why,
  amount: toRoubles(row.amount),
  cause: row.cause,
  method: row.method,
  createdAt: isoMoscow(row.createdAt),
  unansweredSince: isoOrNull(row.unansweredSince),
  payer: {
    name: payerName,
    account: row.transfer && accountOrNull(row.transfer.payerAccount),
    transfer: row.transfer && `№ ${row.transfer.number} от ${row.transfer.date.split("-").reverse().join(".")}`,
  },
});
