import { data } from "react-router";
import type * as z from "zod";
import type { ShopError } from "#contract/problems.ts";
import { problems } from "#contract/problems.ts";
import { cleanText } from "#kit/text/clean-text.ts";
import type { Result } from "#kit/result.ts";
import { days, seconds } from "#kit/time.ts";
import * as limits from "#shop/auth/limits.service.ts";
import type { Ctx } from "#shop/context.ts";
import type { InquiryKind } from "#shop/inquiries/inquiry.ts";
import type { FormOrigin } from "#shop/inquiries/review.ts";
import type { PageContext } from "#web/context.server.ts";
import { stampField, trapField, type FormAnswer, type SubmittedValues } from "./form-answer.ts";

/**
 * The signed time at which a form was rendered. It exposes a robot that submits the form at once or never fetched the page. All visitors of
 * a cached page get the same stamp.
 */
export function formStamp(ctx: Ctx): string {
  const at = String(ctx.now().getTime());
  return `${at}.${ctx.secrets.sign("form-stamp", at, stampLength)}`;
}

const stampLength = 32;

/** A person does not read and fill in a form faster; a tab may stay open for a week. */
const minFillingMs = seconds(2);
const maxFillingMs = days(7);

function isSuspect(ctx: Ctx, stamp: string): boolean {
  const [at = "", signed = ""] = stamp.split(".");
  if (!/^\d{1,15}$/.test(at) || !ctx.secrets.isSigned("form-stamp", at, signed, stampLength)) return true;
  const age = ctx.now().getTime() - Number(at);
  return age < minFillingMs || age > maxFillingMs;
}

type PostedFields = {
  text(name: string): string;
  /** Several text fields by their names. */
  texts(...names: string[]): Record<string, string>;
  /** All values of a repeated field. */
  all(name: string): string[];
  hasConsent: boolean;
};

type Form<S extends z.ZodType> = {
  kind: InquiryKind | "review";
  schema: S;
  /** The body for the schema, from the submitted fields. */
  read: (fields: PostedFields) => unknown;
  save: (value: z.output<S>, origin: FormOrigin) => Promise<Result<{ id: number; note?: string }, ShopError>>;
};

/**
 * The action of a content page's form. It uses the schema and the service of the JSON call. A refusal (415, 422, 429 or the service's own)
 * returns the submitted values and is marked in `page`, for the title.
 */
export async function handleForm<S extends z.ZodType>(
  request: Request,
  page: Pick<PageContext, "ctx" | "visitor" | "retryAfter" | "isRefused">,
  form: Form<S>,
) {
  const { ctx, visitor, retryAfter } = page;
  const posted = await request.formData().catch(() => null);
  if (!posted) throw data(null, { status: 415 }); // no browser sends a form in another shape
  const all = (name: string) => posted.getAll(name).map((value) => (typeof value === "string" ? cleanText(value) : ""));
  const text = (name: string) => all(name)[0] ?? "";
  const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text(name)]));
  const typed: SubmittedValues = Object.fromEntries([...new Set(posted.keys())].map((name) => [name, all(name)]));
  const stamp = text(stampField);
  const refused = (status: number, message: string, fields: Record<string, string> = {}) => {
    page.isRefused = true;
    return data<FormAnswer>({ kind: "refused", message, fields, typed, stamp }, { status });
  };

  // Only a robot sees the trap field; it gets the same answer as a person.
  if (text(trapField) !== "") return data<FormAnswer>({ kind: "sent" }, { status: 201 });
  const intent = text("intent");
  if (intent === "more" || intent === "count") return data<FormAnswer>({ kind: intent, fields: {}, typed, stamp }, { status: 200 });

  const parsed = form.schema.safeParse(form.read({ text, texts, all, hasConsent: text("consent") === "yes" }));
  if (!parsed.success) return refused(422, problems["request.invalid"].message, fieldErrors(parsed.error));

  const email = text("email");
  const taken = await limits.consumeInquiry(ctx, { kind: form.kind, address: visitor.address, email });
  if (!taken.isAllowed) {
    retryAfter?.(taken.retryAfterSeconds);
    return refused(429, problems["inquiry.too_many"].message);
  }
  const saved = await form.save(parsed.data, { isSuspect: isSuspect(ctx, stamp), mayThank: taken.mayThank });
  if (!saved.ok) return refused(problems[saved.error.code].status, problems[saved.error.code].message);
  return data<FormAnswer>({ kind: "sent", note: saved.value.note ?? "" }, { status: 201 });
}

/** The first error of each field, by its path: `coins.0.count`. */
function fieldErrors({ issues }: z.ZodError): Record<string, string> {
  const found = new Map<string, string>();
  for (const { path, message } of issues) {
    const name = path.join(".");
    if (!found.has(name)) found.set(name, message);
  }
  return Object.fromEntries(found);
}
