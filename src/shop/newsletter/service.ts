import { inTransaction } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import { fullNameOf } from "#shop/customers/customer.ts";
import * as customers from "#shop/customers/service.ts";
import * as orders from "#shop/orders/service.ts";
import type { NewsletterError, Subscriber } from "./newsletter.ts";

type ActiveConsent = { consentId: number; mailbox: string; name: string; at: Date; textVersion: string };

/**
 * Who agreed to the shop's letters and has not taken it back, each mailbox once with its first consent that stands, oldest first.
 * Alerts are not among them: who asked to be told of a price agreed to that alone.
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

/** Whether the mailbox behind a link of a letter is still written to; refuses a forged link. */
export async function read(ctx: Ctx, token: string): Promise<Result<{ isStanding: boolean }, NewsletterError>> {
  const consentId = idOf(ctx, token);
  if (consentId === null) return fail({ code: "newsletter.not_found" });
  return done({ isStanding: (await sameMailbox(ctx, consentId)).length > 0 });
}

/** Takes back every consent of the mailbox that a letter's link stands for, an account's and those of orders alike. Safe to repeat. */
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

/** A customer's mailbox is that of the account as it is now, a guest's that of the order. Who has none is not written to. */
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

/** Derived, not stored: the link in a letter is the only key. */
const tokenOf = (ctx: Ctx, consentId: number): string => `${consentId}.${ctx.secrets.sign("newsletter", String(consentId), 32)}`;

function idOf(ctx: Ctx, token: string): number | null {
  const [id = "", signed = "", ...rest] = token.split(".");
  return /^[1-9]\d{0,14}$/.test(id) && rest.length === 0 && ctx.secrets.isSigned("newsletter", id, signed, 32) ? Number(id) : null;
}
