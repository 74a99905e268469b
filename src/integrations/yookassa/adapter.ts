import { z } from "zod";
import { asciiEmail } from "#integrations/ascii-email.ts";
import { fromDecimalString, kopecks, toDecimalString, type Kopecks } from "#kit/money.ts";
import { cutText } from "#kit/text/cut-text.ts";
import { createOutbound, type Connection, type OutboundAnswer, type OutboundOptions } from "#kit/network/outbound.ts";
import {
  PaymentRefused,
  type CreatePayment,
  type Notification,
  type PaymentGateway,
  type ProviderPayment,
  type ProviderReceipt,
  type ProviderRefund,
  type Receipt,
  type ReceiptMode,
} from "#shop/payment/gateway.ts";
import * as wire from "./wire.ts";

export type YookassaOptions = {
  /** `https://api.yookassa.ru/v3` in production. */
  baseUrl: string;
  shopId: string;
  secretKey: string;
  /** Origin of the page that `confirmation_url` leads to. */
  confirmationOrigin?: string;
  /** Code of the seller's tax system for registers that require it in each receipt; absent: not sent. */
  taxSystemCode?: number;
  /** Whether payments of a test shop pay orders; absent: they do not. */
  acceptsTestPayments?: boolean;
  now?: () => Date;
  onCall?: OutboundOptions["onCall"];
};

/** YooKassa API v3: one-stage payments through its own page, refunds, receipts by its cash register ("Чеки от ЮKassa"). */
export function createYookassaGateway(options: YookassaOptions): PaymentGateway & Connection {
  const outbound = createOutbound({
    provider: "yookassa",
    baseUrl: options.baseUrl,
    timeoutMs: 10_000,
    now: options.now,
    onCall: options.onCall,
  });
  const authorization = `Basic ${Buffer.from(`${options.shopId}:${options.secretKey}`).toString("base64")}`;

  const toReceipt = (receipt: Receipt, mode: ReceiptMode): wire.WireReceipt => receiptBody(receipt, mode, options.taxSystemCode);

  const read = async (op: string, path: string): Promise<unknown> =>
    answered(await outbound.call({ op, path, headers: { authorization } }));
  /** null for an object that does not exist there. */
  const readOne = async <T>(op: string, path: string, schema: z.ZodType<T>): Promise<T | null> => {
    const answer = await outbound.call({ op, path, headers: { authorization } });
    return answer.status === 404 && problemOf(answer)?.code === "not_found" ? null : schema.parse(answered(answer));
  };
  /** Every page of a list. */
  async function readList<T>(
    op: string,
    path: string,
    filter: Record<string, string>,
    schema: z.ZodType<{ items: T[]; next_cursor?: string }>,
  ): Promise<T[]> {
    const found: T[] = [];
    for (let cursor: string | undefined; ;) {
      const page = schema.parse(
        await read(op, `${path}?${new URLSearchParams({ ...filter, limit: "100", ...(cursor ? { cursor } : {}) })}`),
      );
      found.push(...page.items);
      if (!page.next_cursor || page.items.length === 0) return found;
      cursor = page.next_cursor;
    }
  }
  const write = async (op: string, path: string, key: string, body: object): Promise<unknown> =>
    answered(
      await outbound.call({
        op,
        path,
        method: "POST",
        body: JSON.stringify(body),
        headers: { authorization, "content-type": "application/json", "idempotence-key": keyOnTheWire(key) },
      }),
    );

  return {
    provider: "yookassa",
    shopAccount: options.shopId,
    acceptsTestPayments: options.acceptsTestPayments ?? false,
    confirmationOrigin: options.confirmationOrigin ?? "https://yoomoney.ru",
    async create(request) {
      return toPayment(
        wire.payment.parse(
          await write(
            "create_payment",
            "/payments",
            request.idempotenceKey,
            paymentBody(request, toReceipt(request.receipt, "full_prepayment")),
          ),
        ),
      );
    },
    async find(providerPaymentId) {
      const found = await readOne("read_payment", `/payments/${encodeURIComponent(providerPaymentId)}`, wire.payment);
      return found && toPayment(found);
    },
    list: async (span) => (await readList("list_payments", "/payments", createdIn(span), wire.paymentList)).map(toPayment),
    async refund(request) {
      const body: wire.WireCreateRefund = {
        payment_id: request.providerPaymentId,
        amount: toAmount(request.amount),
        metadata: { refund_key: request.idempotenceKey },
        receipt: toReceipt(request.receipt, request.mode),
      };
      return toRefund(wire.refund.parse(await write("create_refund", "/refunds", request.idempotenceKey, body)));
    },
    async findRefund(providerRefundId) {
      const found = await readOne("read_refund", `/refunds/${encodeURIComponent(providerRefundId)}`, wire.refund);
      return found && toRefund(found);
    },
    refundsOf: async (providerPaymentId) =>
      (await readList("list_refunds", "/refunds", { payment_id: providerPaymentId }, wire.refundList)).map(toRefund),
    listRefunds: async (span) => (await readList("list_refunds", "/refunds", createdIn(span), wire.refundList)).map(toRefund),
    async registerHandover(request) {
      const receipt = toReceipt(request.receipt, "full_payment");
      const sum = kopecks(request.receipt.lines.reduce((total, line) => total + line.unitPrice * line.quantity, 0));
      const body: wire.WireCreateReceipt = {
        ...receipt,
        type: "payment",
        payment_id: request.providerPaymentId,
        send: true,
        settlements: [{ type: "prepayment", amount: toAmount(sum) }],
      };
      return toProviderReceipt(wire.receipt.parse(await write("create_receipt", "/receipts", request.idempotenceKey, body)));
    },
    async findReceipt(providerReceiptId) {
      const found = await readOne("read_receipt", `/receipts/${encodeURIComponent(providerReceiptId)}`, wire.receipt);
      return found && toProviderReceipt(found);
    },
    async receiptsOf(of) {
      const query = new URLSearchParams({
        limit: "100",
        ...("providerPaymentId" in of ? { payment_id: of.providerPaymentId } : { refund_id: of.providerRefundId }),
      });
      return wire.receiptList.parse(await read("list_receipts", `/receipts?${query}`)).items.map(toProviderReceipt);
    },
    readNotification,
    close: outbound.close,
    resetBreaker: outbound.resetBreaker,
  };
}

const createdIn = ({ from, till }: { from: Date; till: Date }) => ({
  "created_at.gte": from.toISOString(),
  "created_at.lt": till.toISOString(),
});

/** YooKassa's alphabet for keys has no colon (`[0-9a-zA-Z+-_.]`, at most 64 characters); ours has no dot, so keys stay unique. */
const keyOnTheWire = (key: string): string => key.replaceAll(":", ".");

/**
 * 4xx is final, except 429 (try later) and 401 (the credentials are being changed: the money is still owed).
 * Any other answer that is not a valid 200 leaves the outcome open: repeat with the same key. So does a 4xx without the vendor's error
 * object, which is the answer of a proxy.
 */
function answered(answer: OutboundAnswer): unknown {
  if (answer.status === 200) return answer.json();
  const problem = problemOf(answer);
  const why = problem ? ` ${problem.code} ${problem.parameter ?? ""} ${problem.description ?? ""}` : "";
  const words = `yookassa answered ${answer.status}${why}`.trimEnd();
  const isFinal = problem !== null && answer.status >= 400 && answer.status < 500 && answer.status !== 429 && answer.status !== 401;
  throw isFinal ? new PaymentRefused(words) : new Error(words);
}

/** The vendor's error object; null: the answer has none. */
const problemOf = (answer: OutboundAnswer) => wire.problem.safeParse(safeJson(answer.text())).data ?? null;

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function paymentBody(request: CreatePayment, receipt: wire.WireReceipt): wire.WireCreatePayment {
  return {
    amount: toAmount(request.amount),
    capture: true, // the vendor's default is a hold
    description: `Заказ № ${request.orderNumber}`.slice(0, 128),
    metadata: { order_id: request.orderId, attempt_id: request.attemptId },
    confirmation: { type: "redirect", return_url: request.returnUrl, locale: "ru_RU" },
    // Without a method the buyer chooses on the vendor's page.
    ...(request.method === "sbp" ? { payment_method_data: { type: "sbp" } } : {}),
    receipt, // a prepayment: every sale of the site is paid before it is handed over
  };
}

const toAmount = (amount: Kopecks): wire.WireAmount => ({ value: toDecimalString(amount), currency: "RUB" });

/**
 * The e-mail is required and receives the receipt. A phone that gets no SMS (a city number, another country) is left out: the vendor would
 * refuse the receipt and with it the payment.
 */
function receiptBody(receipt: Receipt, mode: ReceiptMode, taxSystemCode: number | undefined): wire.WireReceipt {
  const phone = receipt.phone.replaceAll(/\D/g, "");
  return {
    ...(taxSystemCode === undefined ? {} : { tax_system_code: taxSystemCode }),
    customer: { email: asciiEmail(receipt.email), ...(/^79\d{9}$/.test(phone) ? { phone } : {}) },
    items: receipt.lines.map((line) => ({
      description: cutText(line.title, 128),
      quantity: line.quantity,
      amount: toAmount(line.unitPrice),
      vat_code: line.vatCode,
      measure: "piece",
      payment_subject: line.subject,
      payment_mode: mode,
    })),
  };
}

const toPayment = (payment: wire.WirePayment): ProviderPayment => ({
  id: payment.id,
  status: payment.status,
  amount: fromDecimalString(payment.amount.value),
  currency: payment.amount.currency,
  refunded: payment.refunded_amount ? fromDecimalString(payment.refunded_amount.value) : kopecks(0),
  orderId: payment.metadata?.order_id ?? null,
  attemptId: payment.metadata?.attempt_id ?? null,
  shopAccount: payment.recipient?.account_id ?? null,
  isTest: payment.test,
  confirmationUrl: payment.confirmation?.confirmation_url ?? null,
  cancellationReason: payment.cancellation_details?.reason ?? null,
});

const toRefund = (refund: wire.WireRefund): ProviderRefund => ({
  id: refund.id,
  paymentId: refund.payment_id,
  status: refund.status,
  amount: fromDecimalString(refund.amount.value),
  key: refund.metadata?.refund_key ?? null,
});

function toProviderReceipt(receipt: wire.WireReceiptAnswer): ProviderReceipt {
  const {
    fiscal_document_number: documentNumber,
    fiscal_storage_number: storageNumber,
    fiscal_attribute: attribute,
    registered_at: registeredAt,
  } = receipt;
  const isHandover = receipt.type === "payment" && (receipt.settlements ?? []).some((each) => each.type === "prepayment");
  return {
    id: receipt.id,
    kind: isHandover ? "handover" : receipt.type,
    status: receipt.status,
    fiscal:
      documentNumber && storageNumber && attribute && registeredAt ? { documentNumber, storageNumber, attribute, registeredAt } : null,
  };
}

/** Notifications are not signed: only the object's id is used, to request its status. */
function readNotification(raw: string): Notification | null {
  const read = wire.notification.safeParse(safeJson(raw));
  if (!read.success) return null;
  const { event, object } = read.data;
  const objectKind = event.startsWith("refund.") ? "refund" : "payment";
  const paymentId = objectKind === "payment" ? object.id : object.payment_id;
  return paymentId ? { event, objectKind, objectId: object.id, paymentId, status: object.status } : null;
}
