import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { timingSafeEqual, randomUUID } from "node:crypto";
import { createFault } from "#integrations/faults.ts";
import { kopecks, toDecimalString, toRoubles, type Kopecks } from "#kit/money.ts";
import { createLedger, type Ledger, type RefundOutcome } from "./simulator-ledger.ts";
import { WireRefusal } from "./simulator-requests.ts";
import type { StoredPayment, SimulatedRefund } from "./simulator-journal.ts";
import { missingPage, outcomes, paymentPage, type SimulatedOutcome } from "./simulator-page.ts";

export type YookassaSimulatorOptions = {
  now: () => Date;
  shopId: string;
  secretKey: string;
  /** 0 or absent: any free port. A fixed port keeps payment links valid across restarts. */
  port?: number;
  /** The address of notifications; null: none are sent. Can be set later with `setNotificationUrl`. */
  notificationUrl?: string | null;
  /** File that stores the ledger across restarts; absent: in memory only. */
  statePath?: string;
  /** Whether it answers as a test shop of the vendor. */
  isTest?: boolean;
};

export type SimulatedCall = { method: string; path: string; key: string | null; body: string };

/** Waits between repeats of a notification that was not answered with 200, milliseconds. */
const repeatAfter = [1_000, 2_000, 5_000, 10_000, 20_000, 40_000];

/**
 * YooKassa API v3 on loopback, below `/` and below `/v3`: credentials, idempotence keys (24 h), amounts, receipts and their register,
 * limits, lists with cursors, holds, refunds, expiry of unpaid links after an hour of its clock, notifications with repeats, and the page
 * where buyers pay.
 */
export async function startYookassaSimulator(options: YookassaSimulatorOptions) {
  const fault = createFault();
  let answersToLose = 0;
  let refundOutcome: RefundOutcome = "succeeded";
  let refundsToRefuse = 0;
  let notificationUrl = options.notificationUrl ?? null;
  let origin = "";
  const calls: SimulatedCall[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const sending = new Set<Promise<void>>();
  const ledger = createLedger({
    now: options.now,
    statePath: options.statePath,
    accountId: options.shopId,
    isTest: options.isTest ?? false,
    pageOf: (id) => `${origin}/checkout/payments/${id}`,
  });

  const server = createServer((request, response) => {
    handle(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://simulator");
    const body = await bodyOf(request);
    const paymentId = /^\/checkout\/payments\/([\w-]+)$/.exec(url.pathname)?.[1];
    if (paymentId !== undefined) return visit(request, response, paymentId, body);

    const path = url.pathname.replace(/^\/v3(?=\/)/, "");
    const key = request.headers["idempotence-key"];
    calls.push({ method: request.method ?? "", path: path + url.search, key: typeof key === "string" ? key : null, body });
    if (calls.length > 2_000) calls.shift();
    if (await fault.apply(response)) return;
    const { status, text } = answerTo(request, path, url.searchParams, body);
    if (answersToLose > 0) {
      answersToLose -= 1;
      response.socket?.resetAndDestroy();
      return;
    }
    response.writeHead(status, { "content-type": "application/json;charset=UTF-8" }).end(text);
  }

  function answerTo(request: IncomingMessage, path: string, query: URLSearchParams, body: string): { status: number; text: string } {
    try {
      return { status: 200, text: obey(request, path, query, body) };
    } catch (error) {
      if (!(error instanceof WireRefusal)) throw error;
      const { status, code, parameter, message } = error;
      return {
        status,
        text: JSON.stringify({ type: "error", id: randomUUID(), code, description: message, ...(parameter ? { parameter } : {}) }),
      };
    }
  }

  function obey(request: IncomingMessage, path: string, query: URLSearchParams, body: string): string {
    if (!isAuthorized(request, options)) throw new WireRefusal(401, "invalid_credentials", "Authentication by given credentials failed");
    const [, resource, id, verb] = /^\/(payments|refunds|receipts|me)(?:\/([\w-]+))?(?:\/(capture|cancel))?$/.exec(path) ?? [];
    if (!resource) throw new WireRefusal(404, "not_found", "No such resource");
    if (request.method === "GET" && !verb) return JSON.stringify(readOf(ledger, resource, id, query, options));
    const isWritable = request.method === "POST" && resource !== "me" && (verb ? resource === "payments" : !id);
    if (!isWritable) throw new WireRefusal(405, "invalid_request", "Method is not supported for this resource");
    if (!/^application\/json\b/.test(request.headers["content-type"] ?? ""))
      throw new WireRefusal(415, "invalid_request", "Content-Type must be application/json");
    const key = request.headers["idempotence-key"];
    if (typeof key !== "string" || !/^[0-9A-Za-z+\-_.]{1,64}$/.test(key))
      throw new WireRefusal(400, "invalid_request", "Idempotence key is missing or wrong", "Idempotence-Key");

    const call = `${request.method} ${path} ${body}`;
    const known = ledger.recall(key, call);
    if (known !== null) return known;
    const answer = JSON.stringify(writeOf(resource, id, verb, jsonOf(body)));
    ledger.remember(key, call, answer);
    return answer;
  }

  function writeOf(resource: string, id: string | undefined, verb: string | undefined, body: unknown): object {
    if (resource === "refunds") {
      if (refundsToRefuse > 0) {
        refundsToRefuse -= 1;
        throw new WireRefusal(400, "invalid_request", "Refund is refused", "payment_id");
      }
      const refund = ledger.refund(body, refundOutcome);
      if (refund.status === "succeeded") notify("refund.succeeded", ledger.wireRefund(refund));
      return ledger.wireRefund(refund);
    }
    if (resource === "receipts") return ledger.wireReceipt(ledger.createReceipt(body));
    if (!verb || !id) return ledger.wirePayment(ledger.create(body));
    const payment = verb === "capture" ? ledger.capture(id) : ledger.cancel(id);
    notify(`payment.${payment.status}`, ledger.wirePayment(payment));
    return ledger.wirePayment(payment);
  }

  /** The payment page: its content and the actions of its buttons. */
  function visit(request: IncomingMessage, response: ServerResponse, paymentId: string, body: string): void {
    let payment: StoredPayment;
    try {
      payment = ledger.find(paymentId);
    } catch {
      return html(response, 404, missingPage());
    }
    if (request.method !== "POST") return html(response, 200, paymentPage(payment));
    const outcome = outcomeOf(body, request.headers["content-type"] ?? "");
    if (outcome === null) return html(response, 422, paymentPage(payment));
    act(paymentId, outcome);
    response.writeHead(303, { location: payment.returnUrl, "cache-control": "no-store" }).end();
  }

  /** Performs the action of the button; no effect when the payment is finished. */
  function act(paymentId: string, outcome: SimulatedOutcome): void {
    const wasPending = ledger.find(paymentId).status === "pending";
    if (!wasPending || outcome === "abandon") return;
    const payment = outcome === "decline" ? ledger.decline(paymentId) : ledger.pay(paymentId);
    const times = { pay: 1, decline: 1, pay_without_webhook: 0, pay_webhook_five_times: 5 }[outcome];
    for (let n = 0; n < times; n += 1) notify(`payment.${payment.status}`, ledger.wirePayment(payment));
  }

  function notify(event: string, object: object): void {
    if (notificationUrl !== null) deliver(JSON.stringify({ type: "notification", event, object }), 0);
  }

  function deliver(text: string, attempt: number): void {
    const target = notificationUrl;
    if (target === null) return;
    const delivery = send(target, text).then((isReceived) => {
      const wait = isReceived ? undefined : repeatAfter[attempt];
      return wait === undefined ? undefined : later(wait, () => deliver(text, attempt + 1));
    });
    sending.add(delivery);
    void delivery.finally(() => sending.delete(delivery));
  }

  function later(wait: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, wait).unref();
    timers.add(timer);
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : options.port}`;

  return {
    /** Base address of the API and origin of the payment page. */
    url: origin,
    setFault: fault.set,
    setNotificationUrl: (target: string | null): void => {
      notificationUrl = target;
    },
    /** The provider's ledger, amounts in roubles; `orderId` is the shop's. */
    payments: () =>
      ledger.all().map((each) => ({
        id: each.id,
        orderId: each.metadata.order_id ?? null,
        amount: toRoubles(kopecks(each.amountKopecks)),
        status: each.status,
        refunded: toRoubles(kopecks(each.refundedKopecks)),
      })),
    act,
    /** The next `count` answers are lost after the work was done. */
    loseAnswers: (count: number): void => {
      answersToLose = count;
    },
    /** The result of further refunds; `pending` ones wait for `settleRefund`. */
    setRefunds: (outcome: RefundOutcome): void => {
      refundOutcome = outcome;
    },
    settleRefund(id: string, status: "succeeded" | "canceled"): void {
      const refund = ledger.settleRefund(id, status);
      if (refund.status === "succeeded") notify("refund.succeeded", ledger.wireRefund(refund));
    },
    /** The next `count` refunds are refused with a 400 and not created. */
    refuseRefunds: (count: number): void => {
      refundsToRefuse = count;
    },
    /** A pending refund counts in the sum of its payment before its own state changes. */
    setSumAhead: (isAhead: boolean): void => ledger.setSumAhead(isAhead),
    /** Whether lists omit a refund, as lagging lists do. */
    hideRefund: (id: string, isHidden: boolean): void => ledger.hideRefund(id, isHidden),
    tamperRefund: (id: string, change: Partial<SimulatedRefund>): void => ledger.tamperRefund(id, change),
    /** A refund made in the provider's account, not by the shop. */
    refundInCabinet: (paymentId: string, amount: Kopecks): string =>
      ledger.refund(
        {
          payment_id: paymentId,
          amount: { value: toDecimalString(amount), currency: "RUB" },
          receipt: {
            customer: { email: "b@example.ru" },
            items: [
              {
                description: "Монета",
                quantity: 1,
                amount: { value: toDecimalString(amount), currency: "RUB" },
                vat_code: 1,
                payment_subject: "commodity",
                payment_mode: "full_prepayment",
              },
            ],
          },
        },
        "succeeded",
      ).id,
    /** The cash register's next answers; `pending` receipts wait for `settleReceipt`. */
    setReceipts: (outcome: RefundOutcome): void => ledger.setRegistering(outcome),
    printReceiptAgain: (paymentId: string): void => ledger.printAgain(paymentId),
    settleReceipt: (id: string, status: "succeeded" | "canceled"): void => {
      ledger.settleReceipt(id, status);
    },
    receipts: (providerPaymentId: string) => ledger.receiptsOf(new URLSearchParams({ payment_id: providerPaymentId })),
    refundIds: (paymentId: string | null = null): string[] => ledger.refundsOf(paymentId).map((each) => each.id),
    tamper: (id: string, change: Partial<StoredPayment>): void => ledger.tamper(id, change),
    forget: (id: string): void => ledger.forget(id),
    /** The last 2,000 requests, oldest first. */
    calls: (): readonly SimulatedCall[] => calls,
    /** Resolves when no notification is being sent; repeats that are scheduled do not count. */
    async quiet(): Promise<void> {
      while (sending.size > 0) await Promise.all(sending);
    },
    async close(): Promise<void> {
      notificationUrl = null;
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all(sending);
    },
  };
}
export type YookassaSimulator = Awaited<ReturnType<typeof startYookassaSimulator>>;

/** Whether the shop acknowledged it, which only a 200 does. */
const send = (target: string, text: string): Promise<boolean> =>
  fetch(target, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: text,
    redirect: "manual",
    signal: AbortSignal.timeout(10_000),
  }).then(
    (answer) => answer.status === 200,
    () => false,
  );

function readOf(
  ledger: Ledger,
  resource: string,
  id: string | undefined,
  query: URLSearchParams,
  { shopId, isTest = false }: YookassaSimulatorOptions,
): object {
  if (resource === "me")
    return {
      account_id: shopId,
      status: "enabled",
      test: isTest,
      payment_methods: ["bank_card", "sbp", "yoo_money"],
      fiscalization: { enabled: true, provider: "yoo_receipt" },
    };
  if (resource === "payments") return id ? ledger.wirePayment(ledger.find(id)) : ledger.list(query);
  if (resource === "receipts")
    return id ? ledger.wireReceipt(ledger.findReceipt(id)) : { type: "list", items: ledger.receiptsOf(query).map(ledger.wireReceipt) };
  if (id) return ledger.wireRefund(ledger.findRefund(id));
  return ledger.listRefunds(query);
}

function isAuthorized(request: IncomingMessage, { shopId, secretKey }: { shopId: string; secretKey: string }): boolean {
  const expected = Buffer.from(`Basic ${Buffer.from(`${shopId}:${secretKey}`).toString("base64")}`);
  const given = Buffer.from(request.headers.authorization ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The form field `outcome`, from either encoding of a form. */
function outcomeOf(body: string, contentType: string): SimulatedOutcome | null {
  const text = contentType.startsWith("multipart/form-data")
    ? /name="outcome"\r\n(?:[^\r\n]+\r\n)*\r\n([a-z_]+)\r\n/.exec(body)?.[1]
    : new URLSearchParams(body).get("outcome");
  return outcomes.find((each) => each === text) ?? null;
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new WireRefusal(400, "invalid_request", "Malformed JSON");
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function html(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    })
    .end(text);
}
