import { fieldMessages } from "#contract/fields.ts";
import { problems, type ProblemCode, type ShopError } from "#contract/problems.ts";
import { toRoubles } from "#kit/money.ts";
import type { Problem } from "../problems.ts";
import { quoteView } from "../views.ts";

/** Refusals of handlers, beside those of the services. */
export type EdgeError = { code: Exclude<ProblemCode, ShopError["code"]> } | { code: "request.invalid"; fields: Record<string, string> };

/** A service's refusal in the contract's format: only the listed details are sent, as `data`. */
export function refusalView(error: ShopError | EdgeError): Problem {
  const { code } = error;
  switch (error.code) {
    case "cart.stock_short":
      return { code, data: "short" in error ? { short: error.short } : { available: error.available } };
    case "order.stock_short":
      return { code, data: { short: error.short } };
    case "cart.limit":
    case "cart.full":
    case "wishlist.full":
    case "compare.full":
    case "order.too_many_unpaid":
      return { code, data: { limit: error.limit } };
    case "order.phone_unconfirmed":
      return { code, data: { limit: toRoubles(error.limit) } };
    case "market.closed":
      return { code, data: { ids: error.ids } };
    case "order.not_payable":
      return { code, ...("state" in error ? { data: { status: error.state } } : {}) };
    case "order.transfer_known":
    case "order.seal_taken":
      return { code, data: { orderNumber: error.orderNumber } };
    case "order.seal_is_coin":
      return { code, data: { title: error.title } };
    case "payment.not_allowed":
      return { code, data: { allowed: error.allowed } };
    case "payment.over_limit":
      return { code, ...("limit" in error && error.limit !== null ? { data: { limit: toRoubles(error.limit) } } : {}) };
    case "quote.used":
      return { code, data: { id: error.orderId, orderId: error.orderId } };
    case "order.prices_changed":
      return { code, data: quoteView(error.quote) };
    case "order.in_progress":
      return { code, retryAfterSeconds: 1 };
    case "auth.too_many_codes":
    case "auth.too_many_attempts":
    case "inquiry.too_many":
      return { code, retryAfterSeconds: error.retryAfterSeconds };
    case "auth.proof_needed":
      return { code, data: { puzzle: error.puzzle, bits: error.bits }, retryAfterSeconds: 1 };
    case "promo.unknown":
    case "promo.ended":
    case "promo.not_started":
    case "promo.spent":
    case "promo.spent_by_person":
      return { code, fields: { code: problems[error.code].message } };
    case "request.invalid":
      return {
        code,
        fields: Array.isArray(error.fields) ? Object.fromEntries(error.fields.map(wireField)) : error.fields,
      };
    default:
      return { code };
  }
}

/** The contract's name of a field, and its message. */
const wireField = (field: string): [name: string, message: string] =>
  field === "pointId" ? ["pvzId", fieldMessages.point] : [field, fieldMessages.wrong];
