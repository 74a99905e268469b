import { inTransaction } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import { fullNameOf } from "#shop/customers/customer.ts";
import * as customers from "#shop/customers/service.ts";
import * as orders from "#shop/orders/service.ts";
import type { NewsletterError, Subscriber } from "./newsletter.ts";

type ActiveConsent = { consentId: number; mailbox: string; name: string; at: Date; textVersion: string };

/**
 * The subscribers of the newsletter: each mailbox once, with its first active consent, oldest first.
 * Alerts are not included, because their consent covers one alert only.
 */
export async function subscribers(ctx: Ctx): Promise<Subscriber[]> {
  const byMailbox = new Map<string, ActiveConsent>();
  for (const each of await allStanding(ctx)) if (!byMailbox.has(each.mailbox)) byMailbox.set(each.mailbox, each);
  const publicUrl = ctx.settings.publicUrl.replace(/\/$/, "");
  return [...byMailbox.values()].map(({ consentId, mailbox, name, at, textVersion }) => ({
    email: mailbox,
    name,
    since: at,
    textVersion,
    unsubscribe: `${publicUrl}/newsletter/${tokenOf(ctx, consentId)}`,
  }));
}

/** Whether the mailbox of a letter's link is subscribed; refuses a forged link. */
export async function read(ctx: Ctx, token: string): Promise<Result<{ isStanding: boolean }, NewsletterError>> {
  const consentId = idOf(ctx, token);
  if (consentId === null) return fail({ code: "newsletter.not_found" });
  return done({ isStanding: (await sameMailbox(ctx, consentId)).length > 0 });
}

/** Withdraws all newsletter consents of the mailbox of a letter's link, of the account and of orders. Idempotent. */
export async function unsubscribe(ctx: Ctx, token: string): Promise<Result<true, NewsletterError>> {
  const consentId = idOf(ctx, token);
  if (consentId === null) return fail({ code: "newsletter.not_found" });
  const standing = await sameMailbox(ctx, consentId);
  await inTransaction(ctx.db, (tx) =>
    customers.withdrawNewsletters(
      tx,
      standing.map((each) => each.consentId),
      ctx.now(),
    ),
  );
  return done(true);
}

async function sameMailbox(ctx: Ctx, consentId: number): Promise<ActiveConsent[]> {
  const [own] = await withMailboxes(ctx, await customers.newsletterConsents(ctx.db, consentId));
  return own ? (await allStanding(ctx)).filter(({ mailbox }) => mailbox === own.mailbox) : [];
}

const allStanding = async (ctx: Ctx): Promise<ActiveConsent[]> => withMailboxes(ctx, await customers.newsletterConsents(ctx.db));

/** The mailbox of each consent: the account's current e-mail, or for a guest that of the order. Consents without one are left out. */
async function withMailboxes(ctx: Ctx, consents: readonly customers.NewsletterConsent[]): Promise<ActiveConsent[]> {
  const guests = await orders.recipients(
    ctx.db,
    consents.flatMap(({ customer, orderId }) => (customer === null && orderId !== null ? [orderId] : [])),
  );
  return consents.flatMap(({ id, customer, orderId, at, textVersion }) => {
    const who = customer ?? guests.get(orderId ?? "");
    return who && who.email !== "" ? [{ consentId: id, mailbox: who.email.toLowerCase(), name: fullNameOf(who), at, textVersion }] : [];
  });
}

/** The token is derived from the id and not stored: only the link in a letter gives access. */
const tokenOf = (ctx: Ctx, consentId: number): string => `${consentId}.${ctx.secrets.sign("newsletter", String(consentId), 32)}`;

function idOf(ctx: Ctx, token: string): number | null {
  const [id = "", signed = "", ...rest] = token.split(".");
  return /^[1-9]\d{0,14}$/.test(id) && rest.length === 0 && ctx.secrets.isSigned("newsletter", id, signed, 32) ? Number(id) : null;
}
