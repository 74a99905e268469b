/** `address` is the end user's IP, which feeds the gateway's own flood limiter. */
export type SmsMessage = { to: string; text: string; address?: string };

/** Throws when the message certainly or possibly was not accepted; never retries by itself (gateways have no idempotency key). */
export type SmsGateway = { send(message: SmsMessage): Promise<{ providerId: string }> };

/** `unsubscribe`: where one POST ends such letters; mail programs show a button for it. */
export type EmailMessage = {
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
  unsubscribe?: string;
  attachments?: { name: string; type: string; bytes: Buffer }[];
};
/** Throws when the mail server did not confirm the message. Repeating it with the same `messageId` is seen as the same letter by mail programs. */
export type EmailGateway = { send(message: EmailMessage): Promise<void> };

/** The other side will never take this message: wrong number, no such mailbox. Repeating is useless. */
export class MessageRefused extends Error {
  override name = "MessageRefused";
}

/** No answer, or one that makes no sense: the message may be on its way all the same. */
export class MessageOutcomeUnknown extends Error {
  override name = "MessageOutcomeUnknown";
}
