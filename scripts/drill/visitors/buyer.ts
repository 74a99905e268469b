import { randomUUID } from "node:crypto";
import { request } from "undici";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";

/** What a buyer does on the payment page. */
export const intentions = [
  "pay",
  "pay",
  "pay",
  "pay_without_webhook",
  "pay_webhook_five_times",
  "decline_then_pay",
  "two_ways",
  "abandon",
  "cancel_paid",
  "cancel_unpaid",
] as const;
export type Intention = (typeof intentions)[number];

/** What a buyer knows for certain in the end; the stored orders must agree with it. */
export type BuyerOutcome = {
  key: string;
  intention: Intention;
  /** Ids of the orders that were answered for the idempotency key: one, however often it was repeated. */
  orderIds: Set<string>;
  /** Answers other than the expected ones. */
  surprises: string[];
  repeats: number;
};

/** Called with every answer, for tests that count them. */
export type AnswerListener = (answer: { method: string; path: string; status: number; at: number }) => void;
export type Shop = { urls: readonly string[]; onAnswer?: AnswerListener | undefined };
type Answer = { status: number; body: { data?: unknown; code?: string } };

/** Longer than a process is down. After that the buyer gives up, which is a failure of the test. */
const giveUpMs = 30_000;

/**
 * One guest: cart, quote, order, payment, perhaps cancellation. Each call goes to a random process and is repeated with the same key until
 * it is answered: a broken connection does not show what has happened.
 */
export async function buy(shop: Shop, input: { coinId: number; intention: Intention }): Promise<BuyerOutcome> {
  const outcome: BuyerOutcome = { key: randomUUID(), intention: input.intention, orderIds: new Set(), surprises: [], repeats: 0 };
  const call = createCaller(shop, outcome);

  if (!(await call("PATCH", `/api/cart/${input.coinId}`, { quantity: 1 }))) return outcome; // the cart may be empty
  const order = await placeOrder(call, outcome);
  if (!order) return outcome;
  const at = (verb: string) => `/api/orders/${order.id}${verb}?key=${encodeURIComponent(order.key)}`;
  const page = async (paymentId: number): Promise<string | null> => {
    const answer = await call("POST", at("/pay"), { paymentId }, {}, [200, 409]);
    return answer ? ((answer.body.data as { confirmationUrl?: string } | undefined)?.confirmationUrl ?? null) : null;
  };
  const press = async (url: string | null, outcome: string) => {
    if (url)
      await request(url, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: `outcome=${outcome}`,
      }).then(({ body }) => body.dump());
  };

  const card = await page(4);
  if (!card) outcome.surprises.push(`${input.intention}: no page to pay on`);
  switch (input.intention) {
    case "decline_then_pay":
      await press(card, "decline");
      await press(await page(4), "pay");
      break;
    case "two_ways":
      await Promise.all([press(card, "pay"), press(await page(5), "pay")]);
      break;
    case "cancel_paid":
      await press(card, "pay");
      await call("POST", at("/cancel"), undefined);
      break;
    case "cancel_unpaid":
      await call("POST", at("/cancel"), undefined);
      await press(card, "pay"); // the money must be refunded
      break;
    default:
      await press(card, input.intention);
  }
  await call("GET", at(""), undefined);
  return outcome;
}

type Call = (
  method: "GET" | "POST" | "PATCH",
  path: string,
  body: object | undefined,
  headers?: Record<string, string>,
  expected?: number[],
) => Promise<Answer | null>;

async function placeOrder(call: Call, outcome: BuyerOutcome): Promise<{ id: string; key: string } | null> {
  for (let round = 0; round < 5; round += 1) {
    const quoted = await call("POST", "/api/checkout/quote", {
      deliveryId: deliveryIds.office,
      city: "0000073738",
      paymentId: paymentIds.card,
    });
    const quoteId = (quoted?.body.data as { quoteId?: string } | undefined)?.quoteId;
    if (!quoteId) return null;
    const body = {
      quoteId,
      user: { name: "Иван", lastName: "Иванов", email: "buyer@example.ru", phone: "+79161234567" },
      delivery: { id: deliveryIds.office },
      paymentId: paymentIds.card,
      consent: true,
    };
    const placed = await call("POST", "/api/orders", body, { "idempotency-key": outcome.key }, [200, 201, 409]);
    if (!placed) return null;
    // The rate changed or the quote was replaced while the process was down: nothing is ordered yet, so a new quote is requested.
    if (placed.status === 409 && placed.body.code === "order.prices_changed") continue;
    if (placed.status === 409) {
      if (placed.body.code !== "order.stock_short") outcome.surprises.push(`order: ${placed.body.code}`);
      return null;
    }
    const order = placed.body.data as { id: string; key: string };
    outcome.orderIds.add(order.id);
    // The same key again must answer the same order.
    const again = await call("POST", "/api/orders", body, { "idempotency-key": outcome.key }, [200]);
    if (again) outcome.orderIds.add((again.body.data as { id: string }).id);
    return order;
  }
  outcome.surprises.push("order: five quotes ran out");
  return null;
}

/** Stores the visitor's cookies; repeats calls that were cut, that wait for their first answer, or that a stopping process refused. */
function createCaller(shop: Shop, outcome: BuyerOutcome): Call {
  const jar = new Map<string, string>();
  return async (method, path, body, headers = {}, expected = [200]) => {
    const giveUpAt = performance.now() + giveUpMs;
    for (;;) {
      const url = shop.urls[Math.floor(Math.random() * shop.urls.length)] ?? "";
      try {
        const answer = await request(url + path, {
          method,
          body: body ? JSON.stringify(body) : null,
          signal: AbortSignal.timeout(15_000),
          headers: {
            ...headers,
            ...(body ? { "content-type": "application/json" } : {}),
            cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
          },
        });
        storeCookies(jar, answer.headers["set-cookie"]);
        shop.onAnswer?.({ method, path, status: answer.statusCode, at: performance.now() });
        const read = (await answer.body.json().catch(() => ({}))) as Answer["body"];
        if (expected.includes(answer.statusCode) && read.code !== "order.in_progress") return { status: answer.statusCode, body: read };
        const isTemporary = answer.statusCode === 503 || read.code === "order.in_progress";
        if (!isTemporary || performance.now() > giveUpAt) {
          outcome.surprises.push(`${method} ${path.replace(/[?].*/, "")}: ${answer.statusCode} ${read.code ?? ""}`);
          return null;
        }
      } catch (error) {
        if (performance.now() > giveUpAt) {
          outcome.surprises.push(`${method} ${path.replace(/[?].*/, "")}: ${(error as Error).message}`);
          return null;
        }
      }
      outcome.repeats += 1;
      await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 200));
    }
  };
}

function storeCookies(jar: Map<string, string>, set: string | string[] | undefined): void {
  for (const each of [set ?? []].flat()) {
    const [pair = ""] = each.split(";");
    const at = pair.indexOf("=");
    jar.set(pair.slice(0, at), pair.slice(at + 1));
  }
}
