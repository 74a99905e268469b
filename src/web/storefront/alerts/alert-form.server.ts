import { alertForm, alertOf } from "#contract/public/alerts.ts";
import { fieldMessages } from "#contract/fields.ts";
import { problems, type ProblemCode } from "#contract/problems.ts";
import * as alerts from "#shop/alerts/service.ts";
import * as limits from "#shop/auth/limits.service.ts";
import type { Ctx, Visitor } from "#shop/context.ts";
import { cleanText } from "#kit/text/clean-text.ts";

/** `was`: the submitted values, so that a page without scripts can show them again. `status`: as of the JSON call. */
export type RefusedAlert = {
  kind: "refused";
  status: number;
  retryAfterSeconds?: number;
  message: string;
  fields: Record<string, string>;
  was: Record<"productId" | "course" | "condition" | "mark" | "email", string>;
};
export type AlertAnswer = { kind: "sent"; email: string } | RefusedAlert;

/**
 * Creates an alert from a submitted form: `condition` is `below`, `above`, `inStock` or `marketOpen`; the limit (`mark`) may have spaces,
 * a comma and the unit. A refusal returns the submitted values.
 */
export async function submitAlertForm(ctx: Ctx, visitor: Visitor, form: FormData): Promise<AlertAnswer> {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === "string" ? cleanText(value) : "";
  };
  const condition = text("condition");
  const was = { productId: text("productId"), course: text("course"), condition, mark: text("mark"), email: text("email") };
  const refused = (code: ProblemCode, more: { fields?: Record<string, string>; retryAfterSeconds?: number } = {}): AlertAnswer => ({
    kind: "refused",
    ...problems[code],
    fields: {},
    ...more,
    was,
  });
  const mark = numberOf(text("mark"));
  const parsed = alertForm.safeParse({
    ...(text("productId") ? { productId: Number(text("productId")) } : {}),
    ...(text("course") ? { course: text("course") } : {}),
    ...(condition === "inStock"
      ? { inStock: true }
      : condition === "marketOpen"
        ? { marketOpen: true }
        : condition === "above"
          ? { above: mark }
          : { below: mark }),
    email: text("email"),
  });
  if (!parsed.success) {
    const fields = Object.fromEntries(
      parsed.error.issues.map(({ path, message }) =>
        path[0] === "above" || path[0] === "below" ? ["mark", mark > 1 ? "Слишком большое число" : wrongMark] : [String(path[0]), message],
      ),
    );
    if (condition !== "inStock" && condition !== "marketOpen" && was.mark === "") fields.mark = fieldMessages.required;
    if (was.email === "") fields.email = fieldMessages.required;
    return refused("request.invalid", { fields });
  }
  const { email } = parsed.data;
  const taken = await limits.consumeInquiry(ctx, { kind: "alert", address: visitor.address, email: "" });
  if (!taken.isAllowed) return refused("inquiry.too_many", { retryAfterSeconds: taken.retryAfterSeconds });
  const created = await alerts.create(ctx, { ...alertOf(parsed.data), email, customerId: visitor.customerId });
  return created.ok ? { kind: "sent", email } : refused(created.error.code);
}

const wrongMark = "Напишите цену числом больше нуля";

/** A written amount; NaN for another text, also for numbers that only programs write («1e5»). */
function numberOf(typed: string): number {
  const digits = typed
    .normalize("NFKC")
    .replaceAll(/[\s₽$]|руб(лей|ля|ль|\.)?/giu, "")
    .replace(",", ".");
  return /^\d+(\.\d+)?$/.test(digits) ? Number(digits) : Number.NaN;
}
