import { createHash, randomUUID } from "node:crypto";
import { fromDecimalString, fromRoubles, kopecks, toDecimalString } from "#kit/money.ts";
import { hours, plus } from "#kit/time.ts";
import { openJournal, type SimulatedReceipt, type SimulatedRefund, type StoredAnswer, type StoredPayment } from "./simulator-journal.ts";
import {
  WireRefusal,
  invalid,
  receipt,
  createPayment,
  createRefund,
  createReceipt,
  paged,
  parse,
  checkReceipt,
} from "./simulator-requests.ts";

/** The maximum of one payment by method, roubles; the smallest is one rouble (YooKassa, "payment methods", 2025). */
const limits = { bankCard: fromRoubles(350_000), sbp: fromRoubles(700_000) };
const keyMemory = hours(24);
const payWithin = hours(1);

export type RefundOutcome = "succeeded" | "pending" | "canceled";

/**
 * The payments, refunds and receipts of the simulated shop at YooKassa, with every rule of its API that the adapter depends on. Calls that
 * the vendor refuses throw `WireRefusal`. `statePath`: the journal that stores them across restarts; absent: in memory only.
 */
export function createLedger(options: {
  now: () => Date;
  statePath?: string;
  accountId: string;
  isTest: boolean;
  pageOf: (paymentId: string) => string;
}) {
  const { now } = options;
  const payments = new Map<string, StoredPayment>();
  const refunds = new Map<string, SimulatedRefund>();
  const receipts = new Map<string, SimulatedReceipt>();
  const answers = new Map<string, StoredAnswer>();
  /** Refunds that are temporarily missing in lists. */
  const hidden = new Set<string>();
  let isSumAhead = false;
  /** The payment's refunded amount; with `isSumAhead` it includes pending refunds. */
  const refundedSum = (payment: StoredPayment): number =>
    payment.refundedKopecks +
    (isSumAhead
      ? [...refunds.values()]
          .filter((each) => each.paymentId === payment.id && each.status === "pending")
          .reduce((sum, each) => sum + each.amountKopecks, 0)
      : 0);
  /** The register's next answers; `pending` receipts wait for `settleReceipt`. */
  let registering: RefundOutcome = "succeeded";
  const journal = openJournal(options.statePath, (each) => {
    if ("payment" in each) payments.set(each.payment.id, each.payment);
    else if ("refund" in each) refunds.set(each.refund.id, each.refund);
    else if ("receipt" in each) receipts.set(each.receipt.id, each.receipt);
    else answers.set(each.answer.key, each.answer);
  });
  journal.compact(() => [
    ...[...payments.values()].map((payment) => ({ payment })),
    ...[...refunds.values()].map((refund) => ({ refund })),
    ...[...receipts.values()].map((each) => ({ receipt: each })),
    ...[...answers.values()].map((answer) => ({ answer })),
  ]);

  const storePayment = (payment: StoredPayment) => {
    payments.set(payment.id, payment);
    journal.append({ payment });
    return payment;
  };
  const storeRefund = (refund: SimulatedRefund) => {
    refunds.set(refund.id, refund);
    journal.append({ refund });
    return refund;
  };

  const storeReceipt = (each: SimulatedReceipt) => {
    receipts.set(each.id, each);
    journal.append({ receipt: each });
    return each;
  };
  /** The register prints a receipt: automatically with a payment or refund, or on the shop's request. */
  const print = (of: Pick<SimulatedReceipt, "type" | "paymentId" | "refundId" | "items" | "settlements">) =>
    storeReceipt({ ...of, id: `rt-${randomUUID()}`, status: registering, number: receipts.size + 1, createdAt: now().toISOString() });
  const printFor = (payment: StoredPayment): StoredPayment => {
    const { items } = receipt.parse(payment.receipt);
    print({
      type: "payment",
      paymentId: payment.id,
      refundId: null,
      items,
      settlements: [{ type: "cashless", amount: wireMoney(payment.amountKopecks) }],
    });
    return payment;
  };
  const registrationOf = (of: { paymentId: string } | { refundId: string }) =>
    [...receipts.values()].find((each) =>
      "refundId" in of ? each.refundId === of.refundId : each.refundId === null && each.paymentId === of.paymentId,
    )?.status;

  /** Expires pending links; called before every read, so that only the clock decides. */
  function expire(payment: StoredPayment): StoredPayment {
    if (payment.status !== "pending" || now() < plus(new Date(payment.createdAt), payWithin)) return payment;
    return storePayment({ ...payment, status: "canceled", cancellation: { party: "yoo_money", reason: "expired_on_confirmation" } });
  }

  function find(id: string): StoredPayment {
    const payment = payments.get(id);
    if (!payment) throw new WireRefusal(404, "not_found", "Payment doesn't exist or access denied", "payment_id");
    return expire(payment);
  }

  const wirePayment = (payment: StoredPayment) => ({
    id: payment.id,
    status: payment.status,
    amount: wireMoney(payment.amountKopecks),
    description: payment.description,
    recipient: { account_id: options.accountId, gateway_id: "1000001" },
    created_at: payment.createdAt,
    ...(payment.capturedAt
      ? {
          captured_at: payment.capturedAt,
          receipt_registration: registrationOf({ paymentId: payment.id }),
          income_amount: wireMoney(payment.amountKopecks - Math.round(payment.amountKopecks * 0.028)),
        }
      : {}),
    ...(payment.status === "pending"
      ? { confirmation: { type: "redirect", return_url: payment.returnUrl, confirmation_url: options.pageOf(payment.id) } }
      : {}),
    ...(payment.method ? { payment_method: { type: payment.method, id: payment.id, saved: false } } : {}),
    ...(payment.cancellation ? { cancellation_details: payment.cancellation } : {}),
    ...(payment.status === "succeeded" ? { refunded_amount: wireMoney(refundedSum(payment)) } : {}),
    test: options.isTest,
    paid: payment.status === "succeeded" || payment.status === "waiting_for_capture",
    refundable: payment.status === "succeeded" && payment.refundedKopecks < payment.amountKopecks,
    metadata: payment.metadata,
  });
  const wireRefund = (refund: SimulatedRefund) => ({
    id: refund.id,
    payment_id: refund.paymentId,
    status: refund.status,
    created_at: refund.createdAt,
    amount: wireMoney(refund.amountKopecks),
    metadata: refund.metadata,
    ...(refund.status === "succeeded" ? { receipt_registration: registrationOf({ refundId: refund.id }) } : {}),
    ...(refund.status === "canceled" ? { cancellation_details: { party: "yoo_money", reason: "insufficient_funds" } } : {}),
  });

  const wireReceipt = (each: SimulatedReceipt) => ({
    id: each.id,
    type: each.type,
    status: each.status,
    ...(each.refundId ? { refund_id: each.refundId } : { payment_id: each.paymentId }),
    items: each.items,
    settlements: each.settlements,
    ...(each.status === "succeeded"
      ? {
          fiscal_document_number: String(1000 + each.number),
          fiscal_storage_number: "9960440300000001",
          fiscal_attribute: String(2_700_000_000 + each.number * 7919),
          fiscal_provider_id: "yoo",
          registered_at: each.createdAt,
        }
      : {}),
  });

  return {
    find,
    wirePayment,
    wireRefund,
    wireReceipt,
    findReceipt(id: string): SimulatedReceipt {
      const found = receipts.get(id);
      if (!found) throw new WireRefusal(404, "not_found", "Receipt doesn't exist or access denied", "receipt_id");
      return found;
    },
    receiptsOf: (query: URLSearchParams): SimulatedReceipt[] =>
      [...receipts.values()].filter(
        (each) =>
          (query.get("payment_id") === null || (each.paymentId === query.get("payment_id") && each.refundId === null)) &&
          (query.get("refund_id") === null || each.refundId === query.get("refund_id")),
      ),
    /** The register prints the receipt of a payment once more, after a failure was corrected. */
    printAgain: (paymentId: string): void => void printFor(find(paymentId)),
    setRegistering: (outcome: RefundOutcome): void => {
      registering = outcome;
    },
    settleReceipt(id: string, status: "succeeded" | "canceled"): SimulatedReceipt {
      const found = this.findReceipt(id);
      return found.status === "pending" ? storeReceipt({ ...found, status }) : found;
    },
    /** A receipt requested by the shop for a hand-over, of at most the remaining amount of the payment. */
    createReceipt(body: unknown): SimulatedReceipt {
      const request = parse(createReceipt, body);
      if (request.type !== "payment" || !request.payment_id)
        throw invalid("payment_id is required for a receipt of a payment", "payment_id");
      const payment = find(request.payment_id);
      if (payment.status !== "succeeded") throw invalid("Payment is not succeeded", "payment_id");
      const sum = request.settlements.reduce((total, each) => total + fromDecimalString(each.amount.value), 0);
      checkReceipt({ customer: request.customer, items: request.items }, kopecks(sum));
      if (sum <= 0 || sum > payment.amountKopecks - payment.refundedKopecks)
        throw invalid("Sum of the settlements is more than the rest of the payment", "settlements");
      return print({ type: "payment", paymentId: payment.id, refundId: null, items: request.items, settlements: request.settlements });
    },
    all: (): StoredPayment[] => [...payments.values()].map(expire),
    refundsOf: (paymentId: string | null): SimulatedRefund[] =>
      [...refunds.values()].filter((each) => paymentId === null || each.paymentId === paymentId),

    create(body: unknown): StoredPayment {
      const request = parse(createPayment, body);
      const amount = fromDecimalString(request.amount.value);
      const method = request.payment_method_data?.type ?? null;
      if (amount < fromRoubles(1)) throw invalid("Amount is less than the minimum", "amount.value");
      if (amount > (method === "bank_card" ? limits.bankCard : limits.sbp))
        throw invalid("Amount is more than the maximum of the payment method", "amount.value");
      checkReceipt(request.receipt, amount);
      return storePayment({
        id: vendorId(),
        status: "pending",
        amountKopecks: amount,
        refundedKopecks: 0,
        currency: "RUB",
        description: request.description,
        metadata: request.metadata,
        capture: request.capture,
        method,
        returnUrl: request.confirmation.return_url,
        createdAt: now().toISOString(),
        capturedAt: null,
        cancellation: null,
        receipt: request.receipt,
      });
    },

    /** The buyer pays on the page; the payment becomes a hold if the shop did not request capture. */
    pay(id: string): StoredPayment {
      const payment = find(id);
      if (payment.status !== "pending") return payment;
      const method = payment.method ?? (payment.amountKopecks > limits.bankCard ? "sbp" : "bank_card");
      return payment.capture
        ? printFor(storePayment({ ...payment, method, status: "succeeded", capturedAt: now().toISOString() }))
        : storePayment({ ...payment, method, status: "waiting_for_capture" });
    },
    decline(id: string): StoredPayment {
      const payment = find(id);
      if (payment.status !== "pending") return payment;
      return storePayment({
        ...payment,
        method: payment.method ?? "bank_card",
        status: "canceled",
        cancellation: { party: "payment_network", reason: "general_decline" },
      });
    },
    capture(id: string): StoredPayment {
      const payment = find(id);
      if (payment.status !== "waiting_for_capture") throw invalid("Incorrect payment status", "payment_id");
      return printFor(storePayment({ ...payment, status: "succeeded", capturedAt: now().toISOString() }));
    },
    cancel(id: string): StoredPayment {
      const payment = find(id);
      if (payment.status !== "waiting_for_capture") throw invalid("Incorrect payment status", "payment_id");
      return storePayment({ ...payment, status: "canceled", cancellation: { party: "merchant", reason: "canceled_by_merchant" } });
    },

    refund(body: unknown, outcome: RefundOutcome): SimulatedRefund {
      const request = parse(createRefund, body);
      const payment = find(request.payment_id);
      const amount = fromDecimalString(request.amount.value);
      if (payment.status !== "succeeded") throw invalid("Payment is not succeeded", "payment_id");
      const promised = [...refunds.values()]
        .filter((each) => each.paymentId === payment.id && each.status === "pending")
        .reduce((sum, each) => sum + each.amountKopecks, 0);
      if (amount <= 0 || amount > payment.amountKopecks - payment.refundedKopecks - promised)
        throw invalid("Refund amount is more than the rest of the payment", "amount.value");
      checkReceipt(request.receipt, amount);
      const refund = {
        id: vendorId(),
        paymentId: payment.id,
        status: "pending" as const,
        amountKopecks: amount,
        createdAt: now().toISOString(),
        receipt: request.receipt,
        metadata: request.metadata,
      };
      return outcome === "pending" ? storeRefund(refund) : this.settleRefund(storeRefund(refund).id, outcome);
    },
    findRefund(id: string): SimulatedRefund {
      const refund = refunds.get(id);
      if (!refund) throw new WireRefusal(404, "not_found", "Refund doesn't exist or access denied", "refund_id");
      return refund;
    },
    settleRefund(id: string, status: "succeeded" | "canceled"): SimulatedRefund {
      const refund = this.findRefund(id);
      if (refund.status !== "pending") return refund;
      if (status === "succeeded") {
        const payment = find(refund.paymentId);
        storePayment({ ...payment, refundedKopecks: payment.refundedKopecks + refund.amountKopecks });
        print({
          type: "refund",
          paymentId: payment.id,
          refundId: refund.id,
          items: receipt.parse(refund.receipt).items,
          settlements: [{ type: "cashless", amount: wireMoney(refund.amountKopecks) }],
        });
      }
      return storeRefund({ ...refund, status });
    },

    list(query: URLSearchParams) {
      const { items, next } = paged(query, this.all());
      return { type: "list", items: items.map(wirePayment), ...(next ? { next_cursor: next } : {}) };
    },
    /** Newest first, of one payment or of all. */
    listRefunds(query: URLSearchParams) {
      const { items, next } = paged(
        query,
        this.refundsOf(query.get("payment_id")).filter((each) => !hidden.has(each.id)),
      );
      return { type: "list", items: items.map(wireRefund), ...(next ? { next_cursor: next } : {}) };
    },

    /** The answer given under this key in the last 24 hours; the same key with another call is refused. */
    recall(key: string, call: string): string | null {
      const known = answers.get(key);
      if (!known || now() > plus(new Date(known.at), keyMemory)) return null;
      if (known.fingerprint !== fingerprint(call)) throw invalid("Idempotence key duplicated", "Idempotence-Key");
      return known.answer;
    },
    remember(key: string, call: string, answer: string): void {
      const stored = { key, fingerprint: fingerprint(call), answer, at: now().toISOString() };
      answers.set(key, stored);
      journal.append({ answer: stored });
    },
    /** Changes a payment without notification, for tests of the comparison. */
    tamper(id: string, change: Partial<StoredPayment>): void {
      storePayment({ ...find(id), ...change });
    },
    tamperRefund(id: string, change: Partial<SimulatedRefund>): void {
      storeRefund({ ...this.findRefund(id), ...change });
    },
    /** A pending refund counts in the payment's sum before its own state changes. */
    setSumAhead: (isAhead: boolean): void => {
      isSumAhead = isAhead;
    },
    /** Simulates lagging lists: hides this refund from them, or shows it again. */
    hideRefund: (id: string, isHidden: boolean): void => {
      if (isHidden) hidden.add(id);
      else hidden.delete(id);
    },
    /** Removes a payment or a refund entirely. */
    forget: (id: string): void => {
      payments.delete(id);
      refunds.delete(id);
    },
  };
}
export type Ledger = ReturnType<typeof createLedger>;

const wireMoney = (amount: number) => ({ value: toDecimalString(kopecks(amount)), currency: "RUB" });
export const fingerprint = (call: string): string => createHash("sha256").update(call).digest("hex");
// Its ids have the shape xxxxxxxx-xxxx-5xxx-8xxx-xxxxxxxxxxxx.
const vendorId = (): string => randomUUID().replace(/^(.{14})4(.{3})-./, "$15$2-8");
