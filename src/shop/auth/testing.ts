import type { SmsGateway, SmsMessage } from "#shop/notifications/gateway.ts";

/** An in-memory SMS gateway: sent messages are in `sent`; `fault` makes the next messages fail. */
export function anSmsInbox(): SmsGateway & { sent: SmsMessage[]; fault: Error | null; codeOf(phone: string): string } {
  const inbox = {
    sent: [] as SmsMessage[],
    fault: null as Error | null,
    async send(message: SmsMessage) {
      await new Promise((resolve) => setTimeout(resolve, 5)); // a short delay, so that parallel calls overlap
      if (inbox.fault) throw inbox.fault;
      inbox.sent.push(message);
      return { providerId: String(inbox.sent.length) };
    },
    codeOf(phone: string): string {
      const [code = ""] = inbox.sent.findLast((message) => message.to === phone)?.text.match(/\b\d{4}\b/) ?? [];
      return code;
    },
  };
  return inbox;
}
