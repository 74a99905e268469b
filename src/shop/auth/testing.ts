import type { SmsGateway, SmsMessage } from "#shop/notifications/gateway.ts";

/** Phones in a drawer: what was sent lies in `sent`, and `fault` decides whether the next messages are taken. */
export function aDrawerOfPhones(): SmsGateway & { sent: SmsMessage[]; fault: Error | null; codeOf(phone: string): string } {
  const drawer = {
    sent: [] as SmsMessage[],
    fault: null as Error | null,
    async send(message: SmsMessage) {
      await new Promise((resolve) => setTimeout(resolve, 5)); // a gateway takes its time, and parallel calls meet here
      if (drawer.fault) throw drawer.fault;
      drawer.sent.push(message);
      return { providerId: String(drawer.sent.length) };
    },
    codeOf(phone: string): string {
      const [code = ""] = drawer.sent.findLast((message) => message.to === phone)?.text.match(/\b\d{4}\b/) ?? [];
      return code;
    },
  };
  return drawer;
}
