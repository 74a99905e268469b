import { inTransaction } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import { fullNameOf } from "#shop/customers/customer.ts";
import * as customers from "#shop/customers/service.ts";
import * as orders from "#shop/orders/service.ts";
import {
  readMailboxBeginning,
  subscribersPageSize,
  type ListedSubscriber,
  type Mailbox,
  type NewsletterError,
  type Subscriber,
} from "./newsletter.ts";

type MailboxConsent = Pick<customers.NewsletterConsent, "at" | "withdrawnAt" | "textVersion" | "customerId" | "orderId"> & {
  consentId: number;
  mailbox: string;
  name: string;
};

/**
 * The subscribers of the newsletter: each mailbox once, with its first active consent, oldest first.
 * Alerts are not included, because their consent covers one alert only.
 */
export async function subscribers(ctx: Ctx): Promise<Subscriber[]> {
  const byMailbox = new Map<string, MailboxConsent>();
  for (const each of await activeConsents(ctx)) if (!byMailbox.has(each.mailbox)) byMailbox.set(each.mailbox, each);
  const publicUrl = ctx.settings.publicUrl.replace(/\/$/, "");
  return [...byMailbox.values()].map(({ consentId, mailbox, name, at, textVersion }) => ({
    email: mailbox,
    name,
    since: at,
    textVersion,
    unsubscribe: `${publicUrl}/newsletter/${tokenOf(ctx, consentId)}`,
  }));
}

/**
 * Every mailbox that ever agreed, once, in the order of its first consent, in parts, so that memory does not grow with the list. With
 * several consents the active one counts, else the one withdrawn last. Reads part by part outside of a transaction: what changes meanwhile
 * may be in the list or not. `partSize`: consents read at once.
 */
export async function* mailboxes(ctx: Ctx, { partSize = 1_000 } = {}): AsyncGenerator<Mailbox[]> {
  let after: customers.ConsentCursor | null = null;
  for (;;) {
    const part: customers.NewsletterConsent[] = await customers.nextNewsletterConsents(ctx.db, after, partSize);
    const last = part.at(-1);
    if (!last) return;
    after = { at: last.at, id: last.id };
    yield await firstSeenIn(ctx, part);
    if (part.length < partSize) return;
  }
}

/** The mailboxes whose first consent is in this part. */
async function firstSeenIn(ctx: Ctx, part: readonly customers.NewsletterConsent[]): Promise<Mailbox[]> {
  const candidates = await withMailboxes(ctx, part);
  const consentsOf = Map.groupBy(await ofMailboxes(ctx, [...new Set(candidates.map(({ mailbox }) => mailbox))]), ({ mailbox }) => mailbox);
  return candidates.flatMap((candidate) => {
    const all = consentsOf.get(candidate.mailbox) ?? [candidate];
    if (all[0]?.consentId !== candidate.consentId) return [];
    const { mailbox: email, name, at: since, textVersion, withdrawnAt: unsubscribedAt } = all.reduce(newer);
    return [{ email, name, since, textVersion, unsubscribedAt }];
  });
}

/**
 * A page of the mailboxes that may be written to, newest first: each once, with its first active consent, as in the file. `typed`: the
 * beginning of the mailbox; one letter finds nothing.
 */
export async function list(
  ctx: Ctx,
  typed: string,
  after: customers.ConsentCursor | null,
): Promise<{ items: ListedSubscriber[]; next: customers.ConsentCursor | null }> {
  const beginning = readMailboxBeginning(typed);
  if (beginning === null) return { items: [], next: null };
  const found: MailboxConsent[] = [];
  let place = after;
  // Consents that are not the first of their mailbox leave gaps, which the next consents fill.
  for (;;) {
    const of = { beginning, after: place, orderMailboxes: orders.allMailboxes() };
    const part: customers.NewsletterConsent[] = await customers.activeNewsletters(ctx.db, of, subscribersPageSize + 1);
    found.push(...(await firstActiveOnes(ctx, part)));
    const last = part.at(-1);
    if (!last || part.length <= subscribersPageSize || found.length > subscribersPageSize) break;
    place = { at: last.at, id: last.id };
  }
  const shown = found.slice(0, subscribersPageSize);
  const last = shown.at(-1);
  return {
    items: shown.map(({ consentId, mailbox: email, name, at: since, textVersion, customerId, orderId }) => ({
      consentId,
      email,
      name,
      since,
      textVersion,
      customerId,
      orderId,
    })),
    next: last && found.length > shown.length ? { at: last.at, id: last.consentId } : null,
  };
}

/** Those of these active consents that are the first active one of their mailbox. */
async function firstActiveOnes(ctx: Ctx, part: readonly customers.NewsletterConsent[]): Promise<MailboxConsent[]> {
  const candidates = await withMailboxes(ctx, part);
  const all = await ofMailboxes(ctx, [...new Set(candidates.map(({ mailbox }) => mailbox))]);
  const firstOf = new Map<string, number>();
  for (const { mailbox, withdrawnAt, consentId } of all) if (withdrawnAt === null && !firstOf.has(mailbox)) firstOf.set(mailbox, consentId);
  return candidates.filter(({ mailbox, consentId }) => firstOf.get(mailbox) === consentId);
}

const newer = (known: MailboxConsent, next: MailboxConsent): MailboxConsent =>
  isNewer(next.withdrawnAt, known.withdrawnAt) ? next : known;

/** Whether a withdrawal says more than the known one: an active consent beats all. */
const isNewer = (withdrawn: Date | null, known: Date | null): boolean => known !== null && (withdrawn === null || withdrawn > known);

/** Whether the mailbox of a letter's link is subscribed; refuses a forged link. */
export async function read(ctx: Ctx, token: string): Promise<Result<{ isSubscribed: boolean }, NewsletterError>> {
  const consentId = idOf(ctx, token);
  if (consentId === null) return fail({ code: "newsletter.not_found" });
  return done({ isSubscribed: (await sameMailbox(ctx, consentId)).length > 0 });
}

/** Withdraws all newsletter consents of the mailbox of a letter's link, of the account and of orders. Idempotent. */
export async function unsubscribe(ctx: Ctx, token: string): Promise<Result<true, NewsletterError>> {
  const consentId = idOf(ctx, token);
  if (consentId === null) return fail({ code: "newsletter.not_found" });
  await withdrawAll(ctx, consentId);
  return done(true);
}

/**
 * Does the same when the buyer asks staff for it. `ended`: how many consents were active, none the second time. `customerId` and `orderId`
 * are those of this consent. Refuses with `newsletter.not_found`.
 */
export async function unsubscribeFor(
  ctx: Ctx,
  consentId: number,
): Promise<Result<{ ended: number; customerId: string | null; orderId: string | null }, NewsletterError>> {
  const [consent] = await customers.newsletterConsents(ctx.db, consentId);
  if (!consent) return fail({ code: "newsletter.not_found" });
  const { customerId, orderId } = consent;
  return done({ ended: await withdrawAll(ctx, consentId), customerId, orderId });
}

/** Withdraws the active consents of the mailbox of this consent; returns how many there were. */
async function withdrawAll(ctx: Ctx, consentId: number): Promise<number> {
  const subscriptions = await sameMailbox(ctx, consentId);
  await inTransaction(ctx.db, (tx) =>
    customers.withdrawNewsletters(
      tx,
      subscriptions.map((each) => each.consentId),
      ctx.now(),
    ),
  );
  return subscriptions.length;
}

async function sameMailbox(ctx: Ctx, consentId: number): Promise<MailboxConsent[]> {
  const [own] = await withMailboxes(ctx, await customers.newsletterConsents(ctx.db, consentId));
  return own ? (await ofMailboxes(ctx, [own.mailbox])).filter(({ withdrawnAt }) => withdrawnAt === null) : [];
}

/** All consents of these mailboxes, oldest first. */
async function ofMailboxes(ctx: Ctx, wanted: readonly string[]): Promise<MailboxConsent[]> {
  if (wanted.length === 0) return [];
  const found = await customers.newsletterConsentsOf(ctx.db, { mailboxes: wanted, guestOrders: orders.idsOfMailboxes(wanted) });
  const isWanted = new Set(wanted);
  return (await withMailboxes(ctx, found)).filter(({ mailbox }) => isWanted.has(mailbox));
}

const activeConsents = async (ctx: Ctx): Promise<MailboxConsent[]> => withMailboxes(ctx, await customers.newsletterConsents(ctx.db));

/** The mailbox of each consent: the account's current e-mail, or for a guest that of the order. Consents without one are left out. */
async function withMailboxes(ctx: Ctx, consents: readonly customers.NewsletterConsent[]): Promise<MailboxConsent[]> {
  const guests = await orders.recipients(
    ctx.db,
    consents.flatMap(({ customer, orderId }) => (customer === null && orderId !== null ? [orderId] : [])),
  );
  return consents.flatMap(({ id: consentId, customer, ...consent }) => {
    const who = customer ?? guests.get(consent.orderId ?? "");
    return who && who.email !== "" ? [{ ...consent, consentId, mailbox: who.email.toLowerCase(), name: fullNameOf(who) }] : [];
  });
}

/** The token is derived from the id and not stored: only the link in a letter gives access. */
const tokenOf = (ctx: Ctx, consentId: number): string => `${consentId}.${ctx.secrets.sign("newsletter", String(consentId), 32)}`;

function idOf(ctx: Ctx, token: string): number | null {
  const [id = "", signed = "", ...rest] = token.split(".");
  return /^[1-9]\d{0,14}$/.test(id) && rest.length === 0 && ctx.secrets.isSigned("newsletter", id, signed, 32) ? Number(id) : null;
}
