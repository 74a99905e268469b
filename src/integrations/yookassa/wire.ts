import { z } from "zod";

/**
 * Messages of YooKassa API v3 that the shop uses: all input is validated here as untrusted, unknown fields are dropped.
 * Source: the vendor's OpenAPI description (yookassa-openapi-specification.yaml, 2026-05) and yookassa.ru/developers.
 */
const amount = z.object({ value: z.string().regex(/^\d{1,12}\.\d{2}$/), currency: z.string().length(3) });
export type WireAmount = z.infer<typeof amount>;

/** Printable ASCII: ids are looked up in the database, and PostgreSQL refuses text with NUL. */
const id = z.string().regex(/^[\x21-\x7E]{1,64}$/);

export const payment = z.object({
  id,
  status: z.enum(["pending", "waiting_for_capture", "succeeded", "canceled"]),
  amount,
  created_at: z.string(),
  refunded_amount: amount.optional(),
  recipient: z.object({ account_id: z.string() }).optional(),
  /** Made with the credentials of a test shop. */
  test: z.boolean().default(false),
  metadata: z.record(z.string(), z.string()).optional(),
  /** Buyers are sent to this address. */
  confirmation: z.object({ type: z.string(), confirmation_url: z.url({ protocol: /^https?$/ }).optional() }).optional(),
  /** The list of reasons is open: an unknown one must not break us. */
  cancellation_details: z.object({ party: z.string(), reason: z.string() }).optional(),
});
export type WirePayment = z.infer<typeof payment>;

export const paymentList = z.object({ type: z.literal("list"), items: z.array(payment), next_cursor: z.string().optional() });

export const refund = z.object({
  id,
  payment_id: id,
  status: z.enum(["pending", "succeeded", "canceled"]),
  amount,
  metadata: z.record(z.string(), z.string()).optional(),
});
export type WireRefund = z.infer<typeof refund>;

export const refundList = z.object({ type: z.literal("list"), items: z.array(refund), next_cursor: z.string().optional() });

/** `settlements` distinguishes a hand-over, which settles a prepayment, from the receipt of the payment itself. */
export const receipt = z.object({
  id,
  type: z.enum(["payment", "refund"]),
  status: z.enum(["pending", "succeeded", "canceled"]),
  fiscal_document_number: z.string().max(64).optional(),
  fiscal_storage_number: z.string().max(64).optional(),
  fiscal_attribute: z.string().max(64).optional(),
  registered_at: z.string().max(64).optional(),
  settlements: z.array(z.object({ type: z.string() })).optional(),
});
export type WireReceiptAnswer = z.infer<typeof receipt>;
export const receiptList = z.object({ type: z.literal("list"), items: z.array(receipt) });

export const problem = z.object({
  type: z.literal("error"),
  code: z.string(),
  description: z.string().optional(),
  parameter: z.string().optional(),
});

/**
 * Only the names in a notification are used, because anyone can send one; and only the event names that the vendor
 * sends for payments and refunds, so that the table cannot be filled with invented ones.
 */
export const notification = z
  .object({
    type: z.literal("notification"),
    event: z.enum(["payment.waiting_for_capture", "payment.succeeded", "payment.canceled", "refund.succeeded"]),
    object: z.object({ id, status: z.string(), payment_id: id.optional() }),
  })
  .refine(({ event, object }) => event.endsWith(`.${object.status}`));

/** One line of a 54-FZ receipt; `amount` is the price of one piece. */
export type WireReceipt = {
  tax_system_code?: number;
  customer: { email?: string; phone?: string };
  items: {
    description: string;
    quantity: number;
    amount: WireAmount;
    vat_code: number;
    measure: "piece";
    payment_subject: "commodity" | "service";
    payment_mode: "full_prepayment" | "partial_prepayment" | "full_payment";
  }[];
};

export type WireCreatePayment = {
  amount: WireAmount;
  capture: boolean;
  description: string;
  metadata: Record<string, string>;
  receipt: WireReceipt;
  confirmation: { type: "redirect"; return_url: string; locale: "ru_RU" };
  payment_method_data?: { type: "sbp" };
};
export type WireCreateRefund = { payment_id: string; amount: WireAmount; metadata: Record<string, string>; receipt: WireReceipt };

/** `POST /receipts` for a hand-over: everything in it was paid before. */
export type WireCreateReceipt = WireReceipt & {
  type: "payment";
  payment_id: string;
  send: true;
  settlements: { type: "prepayment"; amount: WireAmount }[];
};
