import { minutes, plus } from "#kit/time.ts";
import type { Ctx, PreviewSubject } from "#shop/context.ts";

/**
 * The parameter of a page's address that carries the token. A page request with a valid one gets its subject in `ctx.preview`; the services
 * of that subject then return what is stored as a draft. The page is rendered for this request only and not indexed.
 */
export const previewParameter = "preview";

const subjectShape = /^[a-z-]{1,30}:[1-9]\d{0,14}$/;
const signatureLength = 32;

/** A token for the address of a page. It shows one subject, for `previewMinutes`, to any visitor with the address. */
export function previewToken(ctx: Pick<Ctx, "now" | "secrets" | "settings">, subject: PreviewSubject): string {
  const until = plus(ctx.now(), minutes(ctx.settings.limits.previewMinutes)).getTime().toString(36);
  const text = `${subject}.${until}`;
  return `${text}.${ctx.secrets.sign("preview", text, signatureLength)}`;
}

/** The subject that a token shows; null: not signed by the shop, or its time is over. */
export function previewSubject(ctx: Pick<Ctx, "now" | "secrets">, token: string): PreviewSubject | null {
  const [subject = "", until = "", signature = "", ...rest] = token.split(".");
  if (rest.length > 0 || !subjectShape.test(subject)) return null;
  if (!ctx.secrets.isSigned("preview", `${subject}.${until}`, signature, signatureLength)) return null;
  return Number.parseInt(until, 36) > ctx.now().getTime() ? (subject as PreviewSubject) : null;
}
