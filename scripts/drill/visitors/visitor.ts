import { randomUUID } from "node:crypto";
import { request } from "undici";
import type { SmsSimulator } from "#integrations/sms/simulator.ts";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";

export type RecordedCall = { method: string; path: string; status: number; text: string; milliseconds: number };
export type CallResult = RecordedCall & { data: unknown; code: string };

/** The cookies of one visitor and the results of its calls. `status` 0: the connection broke. */
export function aVisitor(url: string, jar = new Map<string, string>()): Visitor {
  const recorded: RecordedCall[] = [];

  async function send(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<CallResult> {
    const from = performance.now();
    const received = { status: 0, text: "" };
    try {
      const answer = await request(url + path, {
        method,
        body: body ? JSON.stringify(body) : null,
        signal: AbortSignal.timeout(30_000),
        headers: {
          ...(body ? { "content-type": "application/json" } : {}),
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
          ...headers,
        },
      });
      for (const each of [answer.headers["set-cookie"] ?? []].flat()) {
        const [pair = ""] = each.split(";");
        jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
      }
      Object.assign(received, { status: answer.statusCode, text: await answer.body.text() });
    } catch (error) {
      received.text = (error as Error).message;
    }
    const call = { method, path: path.replace(/[?].*/, ""), ...received, milliseconds: performance.now() - from };
    recorded.push(call);
    return { ...call, ...parsed(received.text) };
  }

  return {
    request: send,
    page: (path: string): Promise<CallResult> => send("GET", path, undefined, { accept: "text/html" }),
    /** The same browser at another process. */
    at: (other: string): Visitor => aVisitor(other, jar),
    /** The answers since the last call of this function. */
    takeRecordedCalls: (): RecordedCall[] => recorded.splice(0),
  };
}
export type Visitor = {
  request(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object, headers?: Record<string, string>): Promise<CallResult>;
  page(path: string): Promise<CallResult>;
  at(other: string): Visitor;
  takeRecordedCalls(): RecordedCall[];
};

function parsed(text: string): { data: unknown; code: string } {
  try {
    const { data, code } = JSON.parse(text) as { data?: unknown; code?: string };
    return { data, code: code ?? "" };
  } catch {
    return { data: null, code: "" };
  }
}

const moscow = "0000073738";
let phones = 0;
/** A new Russian mobile number each time. */
export const aPhone = (): string => `+7916${String(2_000_000 + (phones += 1))}`;

/** Sets the quantity of a coin in the cart to one. */
export const putInCart = (visitor: Visitor, coin: number): Promise<CallResult> =>
  visitor.request("PATCH", `/api/cart/${coin}`, { quantity: 1 });

/** Locks prices: collection at the office by card by default. */
export const requestQuote = (visitor: Visitor, input: object = {}): Promise<CallResult> =>
  visitor.request("POST", "/api/checkout/quote", { deliveryId: deliveryIds.office, city: moscow, paymentId: paymentIds.card, ...input });

/** Orders a quote; the same `key` returns the same order. */
export const placeOrder = (
  visitor: Visitor,
  quoteId: string,
  email = "buyer@example.ru",
  key: string = randomUUID(),
): Promise<CallResult> =>
  visitor.request(
    "POST",
    "/api/orders",
    {
      quoteId,
      user: { name: "Иван", lastName: "Иванов", email, phone: "+79161234567" },
      delivery: { id: deliveryIds.office },
      paymentId: paymentIds.card,
      consent: true,
    },
    { "idempotency-key": key },
  );

export type Placed = { id: string; key: string };
/** 4 is a card, 5 is SBP. */
export const payOrder = (visitor: Visitor, { id, key }: Placed, paymentId: number = paymentIds.card): Promise<CallResult> =>
  visitor.request("POST", `/api/orders/${id}/pay?key=${encodeURIComponent(key)}`, { paymentId });

/** The id in the answer of `requestQuote`; empty when it was refused. */
export const quoteIdOf = (quoted: CallResult): string => (quoted.data as { quoteId?: string } | null)?.quoteId ?? "";

/** Requests a code, reads it from the SMS, signs in. Returns the last answer: the refusal, or that of `check-code`. */
export async function signIn(visitor: Visitor, sms: SmsSimulator, phone: string): Promise<CallResult> {
  const sent = await visitor.request("POST", "/api/auth/get-code", { phone });
  if (sent.status !== 200) return sent;
  const code = /\b\d{4}\b/.exec(sms.messages(phone)[0]?.text ?? "")?.[0] ?? "0000";
  return visitor.request("POST", "/api/auth/check-code", { phone, code });
}
