import type { Batch, Tx } from "#kit/db.ts";
import { days, hours, minutes, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import type { AccountNotice } from "./account-letter.ts";
import { accountLetter } from "./account-texts.ru.ts";
import type { AlertNotice } from "./alert-letter.ts";
import { alertLetter } from "./alert-texts.ru.ts";
import { letterHtml } from "./letter-html.ts";
import { letterText, type Letter } from "./letter.ts";
import { MessageOutcomeUnknown, MessageRefused, type EmailMessage } from "./gateway.ts";
import type { InquiryNotice } from "./inquiry-letter.ts";
import { deskLetter, thanksLetter } from "./inquiry-texts.ru.ts";
import { givenUpAfterHours, retryDelay, type AttachmentKind, type Notice, type OutgoingMessage, type SendingVerdict } from "./notice.ts";
import * as rows from "./repository.ts";
import { letterOf, smsOf, type Sender } from "./texts.ru.ts";

/**
 * Writes the letter and the SMS to a notice into the outbox, in the transaction of the change they tell of: no change, no message.
 * Telling the same thing twice writes nothing the second time.
 */
export const notify = (tx: Tx, ctx: Ctx, notice: Notice): Promise<void> => rows.add(tx, messagesOf(ctx, notice), ctx.now());

export const notifyBatch = (tx: Tx, ctx: Ctx, notice: Notice): Batch<void> => rows.addBatch(tx, messagesOf(ctx, notice), ctx.now());

function messagesOf(ctx: Ctx, notice: Notice): rows.NewMessage[] {
  const sender = senderOf(ctx);
  const base = { kind: notice.kind, about: notice.about, ...(notice.origin === undefined ? {} : { origin: notice.origin }) };
  return [
    ...(notice.email === ""
      ? []
      : [
          {
            ...base,
            channel: "email" as const,
            recipient: notice.email,
            ...written(letterOf(notice, sender), sender),
            ...(notice.attachment ? { attachment: notice.attachment } : {}),
          },
        ]),
    ...(notice.phone === ""
      ? []
      : [{ ...base, channel: "sms" as const, recipient: notice.phone, subject: "", text: smsOf(notice, sender) }]),
  ];
}

/**
 * Writes the letters about a request by form into the outbox, in the transaction that keeps it: one to the desk, and thanks
 * to whom the notice names. Telling twice writes nothing the second time.
 */
export async function tellOfInquiry(tx: Tx, ctx: Ctx, notice: InquiryNotice): Promise<void> {
  const sender = senderOf(ctx);
  const base = { about: notice.about, channel: "email" as const };
  await rows.add(
    tx,
    [
      { ...base, kind: "inquiry_for_desk", recipient: ctx.settings.shop.email, ...written(deskLetter(notice, sender), sender) },
      ...(notice.thanksTo === ""
        ? []
        : [{ ...base, kind: "inquiry_received", recipient: notice.thanksTo, ...written(thanksLetter(notice, sender), sender) }]),
    ],
    ctx.now(),
  );
}

/** Writes a letter about an alert into the outbox, in the transaction of its change. Telling twice writes nothing the second time. */
export async function tellOfAlert(tx: Tx, ctx: Ctx, notice: AlertNotice): Promise<void> {
  const sender = senderOf(ctx);
  const unsubscribe = `${sender.publicUrl}/api/alerts/unsubscribe/${notice.facts.token}`;
  const letter = written(alertLetter(notice, sender), sender);
  await rows.add(
    tx,
    [{ about: notice.about, kind: notice.kind, channel: "email", recipient: notice.email, unsubscribe, ...letter }],
    ctx.now(),
  );
}

/** Writes a letter about the account itself into the outbox, in the transaction of what happened to it; none when there is no e-mail. */
export const tellOfAccount = (tx: Tx, ctx: Ctx, notice: AccountNotice): Promise<void> =>
  rows.add(tx, accountMessages(ctx, notice), ctx.now());

export const tellOfAccountBatch = (tx: Tx, ctx: Ctx, notice: AccountNotice): Batch<void> =>
  rows.addBatch(tx, accountMessages(ctx, notice), ctx.now());

function accountMessages(ctx: Ctx, notice: AccountNotice): rows.NewMessage[] {
  if (notice.email === "") return [];
  const sender = senderOf(ctx);
  const letter = written(accountLetter(notice, sender), sender);
  return [{ about: notice.about, kind: notice.kind, channel: "email", recipient: notice.email, ...letter }];
}

/** Messages that were sent or given up long ago keep neither their text nor to whom they went; that they were told stays known. */
export const forgetOld = (ctx: Ctx): Promise<void> => rows.blank(ctx.db, plus(ctx.now(), -days(ctx.settings.limits.messagePersonalDays)));

/** Both forms of a letter, as the outbox stores them. */
function written(letter: Letter, sender: Sender): { subject: string; text: string; html: string } {
  return { subject: letter.subject, text: letterText(letter), html: letterHtml(letter, sender) };
}

function senderOf(ctx: Ctx): Sender {
  const { shop, publicUrl } = ctx.settings;
  return { shopName: shop.name, publicUrl, phone: shop.phones[0]?.display ?? "", email: shop.email };
}

const atOnce = 20;
/** Longer than any mail server is waited for. */
const leaseMinutes = 5;

/** How a file that goes along with a letter is made; null when there is nothing to send along any more. */
export type AttachmentMaker = (ctx: Ctx, id: string) => Promise<{ name: string; bytes: Buffer } | null>;
export type AttachmentMakers = Readonly<Record<AttachmentKind, AttachmentMaker>>;

/** Counts a message under the limits of messages; which they are is known to a module that this one does not know. */
export type SendingLimit = (ctx: Ctx, message: OutgoingMessage) => Promise<SendingVerdict>;

const unlimited: SendingLimit = async () => ({ kind: "send", unsend: async () => {} });

/** Sends what is due and returns how many messages it took in hand. Several processes may do so at once. */
export async function sendDue(ctx: Ctx, makers?: AttachmentMakers, limit: SendingLimit = unlimited): Promise<number> {
  const now = ctx.now();
  const due = await rows.claimDue(ctx.db, atOnce, { now, until: plus(now, minutes(leaseMinutes)) });
  await Promise.all(due.map((message) => sendOne(ctx, message, makers, limit)));
  return due.length;
}

async function sendOne(ctx: Ctx, message: OutgoingMessage, makers: AttachmentMakers | undefined, limit: SendingLimit): Promise<void> {
  // An order whose letter was suppressed is not heard of by its cancellation first.
  if (message.kind === "order_cancelled" && (await rows.isUntold(ctx.db, message))) return suppress(ctx, message, "never told of");
  const verdict = await limit(ctx, message);
  if (verdict.kind === "never") return suppress(ctx, message, verdict.because);
  if (verdict.kind === "later") return rows.tryAgainAt(ctx.db, message.id, verdict.at);
  try {
    if (message.channel === "sms") await ctx.gateways.sms.send({ to: message.recipient, text: message.text });
    else await ctx.gateways.email.send({ messageId: messageIdOf(ctx, message.id), ...(await letterToSend(ctx, message, makers)) });
  } catch (error) {
    if (!(error instanceof MessageOutcomeUnknown)) await verdict.unsend();
    return postpone(ctx, message, error);
  }
  await rows.markSent(ctx.db, message.id, ctx.now());
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

/** A fault here postpones the letter like any other: without its invoice it would be half a letter. */
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

/** The same for every try of one message, so that a letter that arrives twice is shown once. */
const messageIdOf = (ctx: Ctx, id: number): string => `<outbox-${id}@${new URL(ctx.settings.publicUrl).hostname}>`;

async function postpone(ctx: Ctx, message: OutgoingMessage, error: unknown): Promise<void> {
  const next = plus(ctx.now(), retryDelay(message.tries));
  const isFinal =
    error instanceof MessageRefused ||
    (message.channel === "sms" && error instanceof MessageOutcomeUnknown) ||
    next >= plus(message.createdAt, hours(givenUpAfterHours));
  ctx.log.warn({
    event: "notifications.not_sent",
    kind: message.kind,
    attempt: message.tries,
    reason: error instanceof Error ? error.name : "unknown",
  });
  await rows.tryAgainAt(ctx.db, message.id, isFinal ? null : next);
  if (isFinal) ctx.alarm("mail.failed", { channel: message.channel, kind: message.kind });
}
