import { z } from "zod";
import { fromDecimalString, type Kopecks } from "#kit/money.ts";

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

/** A malformed request. */
export const invalid = (description: string, parameter?: string) => new WireRefusal(400, "invalid_request", description, parameter);

const money = z.object({ value: z.string().regex(/^\d{1,12}\.\d{2}$/), currency: z.literal("RUB") });

export const receipt = z.object({
  tax_system_code: z.number().int().min(1).max(6).optional(),
  // "Чеки от ЮKassa" send the receipt by e-mail: without one the payment is refused.
  customer: z.object({
    // zod's own pattern refuses domains such as `xn--e1afmkfd.xn--p1ai`
    email: z.email({ pattern: z.regexes.html5Email }),
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

export const metadata = z
  .record(z.string().max(32), z.string().max(512))
  .refine((value) => Object.keys(value).length <= 16, "at most 16 keys")
  .default({});

export const createPayment = z.object({
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

export const createRefund = z.object({
  payment_id: z.string(),
  amount: money,
  description: z.string().max(250).optional(),
  metadata,
  receipt,
});

export const createReceipt = receipt.extend({
  type: z.enum(["payment", "refund"]),
  payment_id: z.string().optional(),
  refund_id: z.string().optional(),
  send: z.literal(true),
  settlements: z.array(z.object({ type: z.enum(["cashless", "prepayment", "postpayment", "consideration"]), amount: money })).min(1),
});

/** One page of a list as the vendor gives it: newest first, by creation time and status, `limit` at a time. */
export function paged<T extends { id: string; status: string; createdAt: string }>(
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

/** Parses a body; the first wrong field is refused with its name, as the vendor does. */
export function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const parameter = issue?.path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key)),
    "",
  );
  throw invalid(issue?.message ?? "Incorrect request", parameter);
}

/** Refuses a receipt whose items do not sum to the amount (kopecks). */
export function checkReceipt(requested: z.infer<typeof receipt>, amount: Kopecks): void {
  const sum = requested.items.reduce((total, item) => total + Math.round(fromDecimalString(item.amount.value) * item.quantity), 0);
  if (sum !== amount) throw invalid("Sum of the receipt items differs from the amount", "receipt.items");
}
