/** `address` is the end user's IP, which feeds the gateway's own flood limiter. */
export type SmsMessage = { to: string; text: string; address?: string };
/** Throws when the message certainly or possibly was not accepted; never retries by itself (gateways have no idempotency key). */
export type SmsGateway = { send(message: SmsMessage): Promise<{ providerId: string }> };

export type EmailMessage = { messageId: string; to: string; subject: string; text: string; html?: string };
export type EmailGateway = { send(message: EmailMessage): Promise<void> };
