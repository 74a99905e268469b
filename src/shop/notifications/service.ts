import { createSemaphore } from "#kit/concurrency/semaphore.ts";
import type { QueryBatch, Db, Expression, IdQuery, Tx } from "#kit/db.ts";
import { toRoubles } from "#kit/money.ts";
import { days, hours, minutes, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import type { AccountLetterData } from "./account-letter.ts";
import { accountLetter } from "./account-texts.ru.ts";
import type { AlertLetterData } from "./alert-letter.ts";
import { alertLetter } from "./alert-texts.ru.ts";
import { letterHtml } from "./letter-html.ts";
import { letterText, type Letter } from "./letter.ts";
import { AccountRefused, MessageOutcomeUnknown, MessageRefused, type EmailMessage, type SmsAccepted } from "./gateway.ts";
import type { InquiryLetterData } from "./inquiry-letter.ts";
import { deskLetter, thanksLetter } from "./inquiry-texts.ru.ts";
import {
  giveUpAfterHours,
  retryDelay,
  type AttachmentKind,
  type MessageChannel,
  type OrderMessage,
  type OutgoingMessage,
  type SendingVerdict,
  type SentMessage,
} from "./message.ts";
import * as rows from "./repository.ts";
import { letterOf, smsOf, type Sender } from "./texts.ru.ts";

/**
 * Adds the letter and the SMS about an order to the outbox, in the transaction of the change that they report.
 * Idempotent by subject, kind and channel.
 */
export const notify = (tx: Tx, ctx: Ctx, data: OrderMessage): Promise<void> => rows.add(tx, messagesOf(ctx, data), ctx.now());

/** The same as a part of another module's round trip. */
export const notifyBatch = (tx: Tx, ctx: Ctx, data: OrderMessage): QueryBatch<void> => rows.addBatch(tx, messagesOf(ctx, data), ctx.now());

function messagesOf(ctx: Ctx, data: OrderMessage): rows.NewMessage[] {
  const sender = senderOf(ctx);
  const base = {
    kind: data.kind,
    about: data.about,
    orderId: data.order.id,
    ...(data.origin === undefined ? {} : { origin: data.origin }),
  };
  return [
    ...(data.email === ""
      ? []
      : [
          {
            ...base,
            channel: "email" as const,
            recipient: data.email,
            ...renderLetter(letterOf(data, sender), sender),
            ...(data.attachment ? { attachment: data.attachment } : {}),
          },
        ]),
    ...(data.phone === "" ? [] : [{ ...base, channel: "sms" as const, recipient: data.phone, subject: "", text: smsOf(data, sender) }]),
  ];
}

/** The messages about an order, newest first. */
export const messagesOfOrder = (db: Db, orderId: string): Promise<SentMessage[]> => rows.ofOrder(db, orderId);

/** Messages that did not arrive are shown for a week. */
const undeliveredSince = (now: Date): Date => plus(now, -days(7));

/** How many orders have a message of the last week that was given up and not sent again; counting stops at `limit`. */
export const countUndelivered = (ctx: Ctx, limit: number): Promise<{ count: number; since: Date | null }> =>
  rows.countUndelivered(ctx.db, undeliveredSince(ctx.now()), limit);

/** These orders, for the condition of another query. */
export const undeliveredOrderIds = (now: Date): IdQuery => rows.undeliveredOrderIds(undeliveredSince(now));

/** The outcome of a request to send a message again. */
export type SentAgain = "queued" | "unknown" | "waiting" | "erased" | "no_recipient";

/**
 * Puts a copy of an order's message into the outbox, to this e-mail or phone. While the message, or a copy of it for the same recipient,
 * is in the queue or with its provider there is no other one: two presses send one letter and pay for one SMS. The caller has locked the
 * order.
 */
export async function sendAgain(
  tx: Tx,
  ctx: Ctx,
  { orderId, messageId, email, phone }: { orderId: string; messageId: number; email: string; phone: string },
): Promise<SentAgain> {
  const all = await rows.ofOrder(tx, orderId);
  const known = all.find(({ id }) => id === messageId);
  const stored = known && (await rows.textOf(tx, messageId));
  if (!known || !stored) return "unknown";
  if (known.state === "waiting") return "waiting";
  if (stored.text === "") return "erased";
  const recipient = known.channel === "sms" ? phone : email;
  if (recipient === "") return "no_recipient";
  if (await rows.isWaiting(tx, { id: messageId, orderId, recipient })) return "waiting";
  await rows.copy(tx, { id: messageId, orderId, recipient, about: `again:${stored.about}:${all.length}` }, ctx.now());
  return "queued";
}

/**
 * Adds the letters about a submitted form to the outbox, in the transaction that stores it: one to the staff, and one of thanks if an
 * address is given. Idempotent.
 */
export async function addInquiryLetters(tx: Tx, ctx: Ctx, data: InquiryLetterData): Promise<void> {
  const sender = senderOf(ctx);
  const base = { about: data.about, channel: "email" as const };
  await rows.add(
    tx,
    [
      { ...base, kind: "inquiry_for_desk", recipient: ctx.settings.shop.email, ...renderLetter(deskLetter(data, sender), sender) },
      ...(data.thanksTo === ""
        ? []
        : [{ ...base, kind: "inquiry_received", recipient: data.thanksTo, ...renderLetter(thanksLetter(data, sender), sender) }]),
    ],
    ctx.now(),
  );
}

/** Adds a letter about an alert to the outbox, in the transaction of its change. Idempotent. */
export async function addAlertLetter(tx: Tx, ctx: Ctx, data: AlertLetterData): Promise<void> {
  const sender = senderOf(ctx);
  const unsubscribe = `${sender.publicUrl}/api/alerts/unsubscribe/${data.facts.token}`;
  const letter = renderLetter(alertLetter(data, sender), sender);
  await rows.add(tx, [{ about: data.about, kind: data.kind, channel: "email", recipient: data.email, unsubscribe, ...letter }], ctx.now());
}

/** Adds a letter about the account to the outbox, in the transaction of its change; nothing when the account has no e-mail. Idempotent. */
export const addAccountLetter = (tx: Tx, ctx: Ctx, data: AccountLetterData): Promise<void> =>
  rows.add(tx, accountMessages(ctx, data), ctx.now());

/** The same as a part of another module's round trip. */
export const addAccountLetterBatch = (tx: Tx, ctx: Ctx, data: AccountLetterData): QueryBatch<void> =>
  rows.addBatch(tx, accountMessages(ctx, data), ctx.now());

function accountMessages(ctx: Ctx, data: AccountLetterData): rows.NewMessage[] {
  if (data.email === "") return [];
  const sender = senderOf(ctx);
  const letter = renderLetter(accountLetter(data, sender), sender);
  return [{ about: data.about, kind: data.kind, channel: "email", recipient: data.email, ...letter }];
}

/** Erases text and recipient of messages that were sent or given up long ago (`messagePersonalDays`); the rows stay. */
export async function eraseOld(ctx: Ctx): Promise<void> {
  const { messagePersonalDays, recordDays } = ctx.settings.limits;
  await rows.erasePersonalData(ctx.db, plus(ctx.now(), -days(messagePersonalDays)));
  await rows.deleteSettled(ctx.db, plus(ctx.now(), -days(recordDays)));
}

/** Plain text and HTML of a letter, as the outbox stores them. */
function renderLetter(letter: Letter, sender: Sender): { subject: string; text: string; html: string } {
  return { subject: letter.subject, text: letterText(letter), html: letterHtml(letter, sender) };
}

function senderOf(ctx: Ctx): Sender {
  const { shop, publicUrl } = ctx.settings;
  return { shopName: shop.name, publicUrl, phone: shop.phones[0]?.display ?? "", email: shop.email };
}

const batchSize = 20;
/** Longer than the timeout of a mail server. */
const leaseMinutes = 5;

/** Makes the file of an attachment; null when it is no longer needed. */
export type AttachmentMaker = (ctx: Ctx, id: string) => Promise<{ name: string; bytes: Buffer } | null>;
export type AttachmentMakers = Readonly<Record<AttachmentKind, AttachmentMaker>>;

/** Counts a message under the limits; implemented by a module that this one does not import. */
export type SendingLimit = (ctx: Ctx, message: OutgoingMessage) => Promise<SendingVerdict>;

const unlimited: SendingLimit = async () => ({ kind: "send", undoCount: async () => {} });

/** Sends due messages and returns how many it claimed. Safe to run in several processes at once. */
export async function sendDue(ctx: Ctx, makers?: AttachmentMakers, limit: SendingLimit = unlimited): Promise<number> {
  const now = ctx.now();
  for (const { kind } of await rows.giveUpLost(ctx.db, now)) ctx.alarm("mail.failed", { channel: "sms", kind });
  const due = await rows.claimDue(ctx.db, batchSize, { now, until: plus(now, minutes(leaseMinutes)) });
  await Promise.all(due.map((message) => sendOne(ctx, message, makers, limit)));
  return due.length;
}

/** Whether `sendDue` has something to do. */
export const hasDue = (ctx: Ctx): Expression => rows.hasDue(ctx.now());

/**
 * Messages are sent side by side, but few at a time use the database: their transactions wait for each other's limits, and with a slow
 * database those of one batch would take all connections of the process, for which buyers would wait.
 */
const concurrentStatements = 3;

async function sendOne(ctx: Ctx, message: OutgoingMessage, makers: AttachmentMakers | undefined, limit: SendingLimit): Promise<void> {
  const inTurn = ctx.singleton("notifications.statements", () => createSemaphore(concurrentStatements));
  const verdict = await inTurn(() => judge(ctx, message, limit));
  if (!verdict) return;
  try {
    if (message.channel === "sms") alarmLowBalance(ctx, await ctx.gateways.sms.send({ to: message.recipient, text: message.text }));
    else await ctx.gateways.email.send({ messageId: messageIdOf(ctx, message.id), ...(await letterToSend(ctx, message, makers)) });
  } catch (error) {
    return inTurn(async () => {
      if (!(error instanceof MessageOutcomeUnknown)) await verdict.undoCount();
      await postpone(ctx, message, error);
    });
  }
  await inTurn(() => rows.markSent(ctx.db, message.id, ctx.now()));
}

/** Counts the message under the limits; null when it is not sent now, which is then stored. */
async function judge(ctx: Ctx, message: OutgoingMessage, limit: SendingLimit): Promise<{ undoCount(): Promise<void> } | null> {
  // If the letter about an order was suppressed, its cancellation is suppressed too.
  if (message.kind === "order_cancelled" && (await rows.isOnlySuppressed(ctx.db, message))) {
    await suppress(ctx, message, "order not announced");
    return null;
  }
  const verdict = await limit(ctx, message);
  if (verdict.kind === "send") return verdict;
  if (verdict.kind === "later") {
    await rows.scheduleRetry(ctx.db, message.id, verdict.at);
    return null;
  }
  ctx.alarm("mail.suppressed", { channel: message.channel, reason: verdict.because });
  await suppress(ctx, message, verdict.because);
  return null;
}

async function suppress(ctx: Ctx, message: OutgoingMessage, because: string): Promise<void> {
  ctx.log.warn({ event: "notifications.suppressed", kind: message.kind, channel: message.channel, reason: because });
  await rows.markSuppressed(ctx.db, message.id, because, ctx.now());
}

async function letterToSend(
  ctx: Ctx,
  message: OutgoingMessage,
  makers: AttachmentMakers | undefined,
): Promise<Omit<EmailMessage, "messageId">> {
  const { recipient, subject, text, html, unsubscribe } = message;
  return {
    to: recipient,
    subject,
    text,
    ...(html === null ? {} : { html }),
    ...(unsubscribe === null ? {} : { unsubscribe }),
    ...(await attachmentOf(ctx, message, makers)),
  };
}

/** A failure to make the attachment postpones the letter: it is not sent without its invoice. */
async function attachmentOf(
  ctx: Ctx,
  { attachment }: OutgoingMessage,
  makers: AttachmentMakers | undefined,
): Promise<Pick<EmailMessage, "attachments">> {
  const [kind = "", id = ""] = attachment?.split(":") ?? [];
  const maker = makers?.[kind as AttachmentKind];
  const file = maker ? await maker(ctx, id) : null;
  return file ? { attachments: [{ ...file, type: "application/pdf" }] } : {};
}

/** The same id for every try of one message, so that mail programs show a repeated letter once. */
const messageIdOf = (ctx: Ctx, id: number): string => `<outbox-${id}@${new URL(ctx.settings.publicUrl).hostname}>`;

/** While nothing is sent, a process repeats the alarm about it at this interval. */
const accountAlarmEvery = minutes(10);

/**
 * Raises `mail.account_refused` when `error` says that the provider refuses the shop's account, at most once in ten minutes per channel and
 * process. Such messages are only retried, so staff would not notice otherwise that none is sent. For every module that sends.
 */
export function alarmAccountRefused(ctx: Ctx, channel: MessageChannel, error: unknown): void {
  if (!(error instanceof AccountRefused)) return;
  const alarmed = ctx.singleton("notifications.account_refused", () => new Map<MessageChannel, Date>());
  const last = alarmed.get(channel);
  if (last && plus(last, accountAlarmEvery) > ctx.now()) return;
  alarmed.set(channel, ctx.now());
  ctx.alarm("mail.account_refused", { channel, reason: error.message });
}

/**
 * Raises `sms.balance_low` when a sent SMS left less than `smsBalanceRoubles` on the shop's account at the gateway, at most once a day and
 * process. For every module that sends SMS.
 */
export function alarmLowBalance(ctx: Ctx, { balance }: SmsAccepted): void {
  if (balance === undefined || toRoubles(balance) >= ctx.settings.limits.smsBalanceRoubles) return;
  const raised = ctx.singleton("notifications.balance_low", () => ({ until: new Date(0) }));
  if (raised.until > ctx.now()) return;
  raised.until = plus(ctx.now(), days(1));
  ctx.alarm("sms.balance_low", { roubles: toRoubles(balance) });
}

async function postpone(ctx: Ctx, message: OutgoingMessage, error: unknown): Promise<void> {
  alarmAccountRefused(ctx, message.channel, error);
  const next = plus(ctx.now(), retryDelay(message.tries));
  const isFinal =
    error instanceof MessageRefused ||
    (message.channel === "sms" && error instanceof MessageOutcomeUnknown) ||
    next >= plus(message.createdAt, hours(giveUpAfterHours));
  ctx.log.warn({
    event: "notifications.not_sent",
    kind: message.kind,
    attempt: message.tries,
    reason: error instanceof Error ? error.name : "unknown",
  });
  await rows.scheduleRetry(ctx.db, message.id, isFinal ? null : next);
  if (isFinal) ctx.alarm("mail.failed", { channel: message.channel, kind: message.kind });
}
