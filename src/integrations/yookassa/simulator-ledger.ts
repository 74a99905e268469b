import { createHash, randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { fromDecimalString, fromRoubles, kopecks, toDecimalString, type Kopecks } from "#kit/money.ts";
import { hours, plus } from "#kit/time.ts";

/** The state of the simulated YooKassa: payments, refunds and the answers given under idempotence keys. */
const storedPayment = z.object({
  id: z.string(),
  status: z.enum(["pending", "waiting_for_capture", "succeeded", "canceled"]),
  amountKopecks: z.number().int(),
  refundedKopecks: z.number().int(),
  currency: z.string(),
  description: z.string(),
  metadata: z.record(z.string(), z.string()),
  capture: z.boolean(),
  method: z.string().nullable(),
  returnUrl: z.string(),
  createdAt: z.string(),
  capturedAt: z.string().nullable(),
  cancellation: z.object({ party: z.string(), reason: z.string() }).nullable(),
  receipt: z.unknown(),
});
export type StoredPayment = z.infer<typeof storedPayment>;
const storedRefund = z.object({
  id: z.string(),
  paymentId: z.string(),
  status: z.enum(["pending", "succeeded", "canceled"]),
  amountKopecks: z.number().int(),
  createdAt: z.string(),
  receipt: z.unknown(),
  metadata: z.record(z.string(), z.string()).default({}),
});
export type SimulatedRefund = z.infer<typeof storedRefund>;
const storedReceipt = z.object({
  id: z.string(),
  type: z.enum(["payment", "refund"]),
  status: z.enum(["pending", "succeeded", "canceled"]),
  paymentId: z.string(),
  refundId: z.string().nullable(),
  items: z.unknown(),
  settlements: z.array(z.object({ type: z.string(), amount: z.object({ value: z.string(), currency: z.string() }) })),
  number: z.number().int(),
  createdAt: z.string(),
});
export type SimulatedReceipt = z.infer<typeof storedReceipt>;
const storedAnswer = z.object({ key: z.string(), fingerprint: z.string(), answer: z.string(), at: z.string() });

const line = z.union([
  z.object({ payment: storedPayment }),
  z.object({ refund: storedRefund }),
  z.object({ receipt: storedReceipt }),
  z.object({ answer: storedAnswer }),
]);
type Line = z.infer<typeof line>;

/** A refusal in the vendor's envelope. */
export class WireRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly parameter: string | undefined;
  constructor(status: number, code: string, description: string, parameter?: string) {
    super(description);
    this.status = status;
    this.code = code;
    this.parameter = parameter;
  }
}
const invalid = (description: string, parameter?: string) => new WireRefusal(400, "invalid_request", description, parameter);

const money = z.object({ value: z.string().regex(/^\d{1,12}\.\d{2}$/), currency: z.literal("RUB") });
const receipt = z.object({
  tax_system_code: z.number().int().min(1).max(6).optional(),
  // "Чеки от ЮKassa" send the receipt by e-mail: without one the payment is refused.
  customer: z.object({
    email: z.email(),
    phone: z
      .string()
      .regex(/^79\d{9}$/)
      .optional(),
    full_name: z.string().optional(),
    inn: z.string().optional(),
  }),
  items: z
    .array(
      z.object({
        description: z.string().min(1).max(128),
        quantity: z.number().positive().max(99_999.999),
        amount: money,
        vat_code: z.number().int().min(1).max(12),
        measure: z.string().optional(),
        payment_subject: z.enum(["commodity", "excise", "service", "payment", "composite", "another", "marked", "non_marked"]),
        payment_mode: z.enum([
          "full_prepayment",
          "partial_prepayment",
          "advance",
          "full_payment",
          "partial_payment",
          "credit",
          "credit_payment",
        ]),
      }),
    )
    .min(1)
    .max(80),
});
const metadata = z
  .record(z.string().max(32), z.string().max(512))
  .refine((value) => Object.keys(value).length <= 16, "at most 16 keys")
  .default({});
const createPayment = z.object({
  amount: money,
  // Documented default: a payment without `capture` is a hold.
  capture: z.boolean().default(false),
  description: z.string().max(128).default(""),
  metadata,
  confirmation: z.object({
    type: z.literal("redirect"),
    return_url: z.url().max(2048),
    locale: z.enum(["ru_RU", "en_US"]).optional(),
    enforce: z.boolean().optional(),
  }),
  payment_method_data: z.object({ type: z.enum(["bank_card", "sbp", "sberbank", "tinkoff_bank", "yoo_money"]) }).optional(),
  receipt,
});
const createRefund = z.object({ payment_id: z.string(), amount: money, description: z.string().max(250).optional(), metadata, receipt });

const createReceipt = receipt.extend({
  type: z.enum(["payment", "refund"]),
  payment_id: z.string().optional(),
  refund_id: z.string().optional(),
  send: z.literal(true),
  settlements: z.array(z.object({ type: z.enum(["cashless", "prepayment", "postpayment", "consideration"]), amount: money })).min(1),
});

/** Most of one payment by method, roubles; the smallest is one rouble (YooKassa, "payment methods", 2025). */
const limits = { bankCard: fromRoubles(350_000), sbp: fromRoubles(700_000) };
const keyMemory = hours(24);
const payWithin = hours(1);

export type RefundOutcome = "succeeded" | "pending" | "canceled";

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
  const answers = new Map<string, z.infer<typeof storedAnswer>>();
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

  const keepPayment = (payment: StoredPayment) => {
    payments.set(payment.id, payment);
    journal.append({ payment });
    return payment;
  };
  const keepRefund = (refund: SimulatedRefund) => {
    refunds.set(refund.id, refund);
    journal.append({ refund });
    return refund;
  };

  const keepReceipt = (each: SimulatedReceipt) => {
    receipts.set(each.id, each);
    journal.append({ receipt: each });
    return each;
  };
  /** The register prints a receipt: automatically with a payment or refund, or on the shop's request. */
  const print = (of: Pick<SimulatedReceipt, "type" | "paymentId" | "refundId" | "items" | "settlements">) =>
    keepReceipt({ ...of, id: `rt-${randomUUID()}`, status: registering, number: receipts.size + 1, createdAt: now().toISOString() });
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
    return keepPayment({ ...payment, status: "canceled", cancellation: { party: "yoo_money", reason: "expired_on_confirmation" } });
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
      return found.status === "pending" ? keepReceipt({ ...found, status }) : found;
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
      return keepPayment({
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
        ? printFor(keepPayment({ ...payment, method, status: "succeeded", capturedAt: now().toISOString() }))
        : keepPayment({ ...payment, method, status: "waiting_for_capture" });
    },
    decline(id: string): StoredPayment {
      const payment = find(id);
      if (payment.status !== "pending") return payment;
      return keepPayment({
        ...payment,
        method: payment.method ?? "bank_card",
        status: "canceled",
        cancellation: { party: "payment_network", reason: "general_decline" },
      });
    },
    capture(id: string): StoredPayment {
      const payment = find(id);
      if (payment.status !== "waiting_for_capture") throw invalid("Incorrect payment status", "payment_id");
      return printFor(keepPayment({ ...payment, status: "succeeded", capturedAt: now().toISOString() }));
    },
    cancel(id: string): StoredPayment {
      const payment = find(id);
      if (payment.status !== "waiting_for_capture") throw invalid("Incorrect payment status", "payment_id");
      return keepPayment({ ...payment, status: "canceled", cancellation: { party: "merchant", reason: "canceled_by_merchant" } });
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
      return outcome === "pending" ? keepRefund(refund) : this.settleRefund(keepRefund(refund).id, outcome);
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
        keepPayment({ ...payment, refundedKopecks: payment.refundedKopecks + refund.amountKopecks });
        print({
          type: "refund",
          paymentId: payment.id,
          refundId: refund.id,
          items: receipt.parse(refund.receipt).items,
          settlements: [{ type: "cashless", amount: wireMoney(refund.amountKopecks) }],
        });
      }
      return keepRefund({ ...refund, status });
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
      const kept = { key, fingerprint: fingerprint(call), answer, at: now().toISOString() };
      answers.set(key, kept);
      journal.append({ answer: kept });
    },
    /** Changes a payment without notification, for tests of the comparison. */
    tamper(id: string, change: Partial<StoredPayment>): void {
      keepPayment({ ...find(id), ...change });
    },
    tamperRefund(id: string, change: Partial<SimulatedRefund>): void {
      keepRefund({ ...this.findRefund(id), ...change });
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

/** One page of a list as the vendor gives it: newest first, by creation time and status, `limit` at a time. */
function paged<T extends { id: string; status: string; createdAt: string }>(
  query: URLSearchParams,
  all: readonly T[],
): { items: T[]; next: string | null } {
  const limit = Number(query.get("limit") ?? "10");
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw invalid("Incorrect value", "limit");
  const at = (name: string) => {
    const value = query.get(`created_at.${name}`);
    if (value !== null && Number.isNaN(Date.parse(value))) throw invalid("Incorrect value", `created_at.${name}`);
    return value === null ? null : Date.parse(value);
  };
  const [gte, gt, lte, lt] = [at("gte"), at("gt"), at("lte"), at("lt")];
  const status = query.get("status");
  const matching = all
    .filter((each) => {
      const made = Date.parse(each.createdAt);
      return (
        (gte === null || made >= gte) &&
        (gt === null || made > gt) &&
        (lte === null || made <= lte) &&
        (lt === null || made < lt) &&
        (status === null || each.status === status)
      );
    })
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id));
  const cursor = query.get("cursor");
  const start = cursor === null ? 0 : matching.findIndex((each) => each.id === cursor);
  if (start < 0) throw invalid("Incorrect cursor", "cursor");
  return { items: matching.slice(start, start + limit), next: matching[start + limit]?.id ?? null };
}

const wireMoney = (amount: number) => ({ value: toDecimalString(kopecks(amount)), currency: "RUB" });
const fingerprint = (call: string): string => createHash("sha256").update(call).digest("hex");
// Its ids have the shape xxxxxxxx-xxxx-5xxx-8xxx-xxxxxxxxxxxx.
const vendorId = (): string => randomUUID().replace(/^(.{14})4(.{3})-./, "$15$2-8");

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const parameter = issue?.path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key)),
    "",
  );
  throw invalid(issue?.message ?? "Incorrect request", parameter);
}

function checkReceipt(requested: z.infer<typeof receipt>, amount: Kopecks): void {
  const sum = requested.items.reduce((total, item) => total + Math.round(fromDecimalString(item.amount.value) * item.quantity), 0);
  if (sum !== amount) throw invalid("Sum of the receipt items differs from the amount", "receipt.items");
}

/** One JSON line per change: an append survives `kill -9`, and a truncated last line is ignored when the file is read. */
function openJournal(path: string | undefined, replay: (line: Line) => void) {
  if (path === undefined) return { append: () => {}, compact: () => {} };
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path)) {
    for (const text of readFileSync(path, "utf8").split("\n")) {
      const read = line.safeParse(jsonOrNull(text));
      if (read.success) replay(read.data);
    }
  }
  return {
    append: (each: Line) => appendFileSync(path, `${JSON.stringify(each)}\n`),
    /** Rewrites the file atomically with the current state. */
    compact(lines: () => Line[]) {
      writeFileSync(
        `${path}.new`,
        lines()
          .map((each) => `${JSON.stringify(each)}\n`)
          .join(""),
      );
      renameSync(`${path}.new`, path);
    },
  };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
