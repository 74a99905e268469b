import type { Kopecks } from "#kit/money.ts";

/** `address` is the end user's IP address, for the gateway's own rate limit. */
export type SmsMessage = { to: string; text: string; address?: string };

/**
 * Sends one SMS. Throws when the message was not or possibly not accepted; never retries, because gateways have no idempotency key.
 * `providerId`: null when the gateway accepted the message without naming it. `balance`: what is left on the shop's account, if the gateway
 * said so.
 */
export type SmsGateway = { send(message: SmsMessage): Promise<SmsAccepted> };
export type SmsAccepted = { providerId: string | null; balance?: Kopecks };

/** `unsubscribe`: URL of the one-click unsubscribe POST (RFC 8058); mail programs show a button for it. */
export type EmailMessage = {
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
  unsubscribe?: string;
  attachments?: { name: string; type: string; bytes: Buffer }[];
};
/** Sends one letter. Throws when the mail server did not confirm it. Mail programs treat a repeated `messageId` as the same letter. */
export type EmailGateway = { send(message: EmailMessage): Promise<void> };

/** The recipient's side rejects this message permanently: wrong number, no such mailbox. A retry is useless. */
export class MessageRefused extends Error {
  override name = "MessageRefused";
}

/** The provider refuses the shop's own account (no money, a wrong key or sender): every message fails until that is corrected. */
export class AccountRefused extends Error {
  override name = "AccountRefused";
}

/** No answer or an invalid one: the message may have been sent. */
export class MessageOutcomeUnknown extends Error {
  override name = "MessageOutcomeUnknown";
}
