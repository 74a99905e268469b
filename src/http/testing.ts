import * as z from "zod";
import Fastify, { type FastifyInstance, type InjectOptions, type LightMyRequestResponse } from "fastify";
import { commonProblems } from "#contract/call.ts";
import type { ProblemBody } from "#contract/problems.ts";
import { inTransaction } from "#kit/db.ts";
import { silentLog } from "#kit/log.ts";
import { fromRoubles } from "#kit/money.ts";
import { aCoin, putCoins } from "#shop/catalog/testing.ts";
import type { Ctx } from "#shop/context.ts";
import * as delivery from "#shop/delivery/service.ts";
import { moscowCode } from "#shop/delivery/delivery.ts";
import type { DeliveryGateway } from "#shop/delivery/gateway.ts";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";
import type { PaymentGateway, ProviderPayment } from "#shop/payment/gateway.ts";
import * as pricing from "#shop/pricing/service.ts";
import type { RatesGateway } from "#shop/rates/gateway.ts";
import { openingRatesE4 } from "#shop/rates/rate.ts";
import * as rates from "#shop/rates/service.ts";
import type { Limits } from "#shop/settings.ts";
import * as stock from "#shop/stock/service.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import type { HttpConfig } from "./config.ts";
import type { DemoControls, DemoMessage } from "./demo/controls.ts";
import { registerHttp, type HttpDeps } from "./http.ts";
import { routes } from "./routes.ts";
import type { FastPath } from "./server/fast-path.ts";
import { serverOptions, type ServerTimeouts } from "./server/server-options.ts";

/** Coins of the test shop: a bullion coin with ten pieces, a memorable one with three, one that is sold out. */
export const coins = { bullion: 1, memorable: 2, soldOut: 3 } as const;
export const host = "localhost:3000";
export const pointId = "MSK1";

export type HttpBench = TestShop & {
  app: FastifyInstance;
  /** SMS that were sent, oldest first. */
  sms: { to: string; text: string }[];
  provider: { payments: ProviderPayment[]; isOut: boolean };
  market: { isOpen: boolean };
  /** Logged errors, oldest first. */
  faults: object[];
  /** Polls the exchange, as the shop does every second. */
  fetchRates(): Promise<void>;
  visitor(): Browser;
};

/** The whole HTTP side over a shop on PostgreSQL, with fake providers in this process. */
export async function openHttpBench(
  options: {
    limits?: Partial<Limits>;
    config?: Partial<HttpConfig>;
    demo?: boolean;
    deps?: Partial<HttpDeps>;
    patience?: Partial<ServerTimeouts>;
    /** Sees requests before the router; also given in `deps`. */
    fastPath?: FastPath;
  } = {},
): Promise<HttpBench> {
  const sms: HttpBench["sms"] = [];
  const provider: HttpBench["provider"] = { payments: [], isOut: false };
  const market = { isOpen: true };
  const shop = await testShop({
    ...(options.limits ? { limits: options.limits } : {}),
    gateways: {
      sms: {
        send: async (message) => {
          sms.push(message);
          return { providerId: String(sms.length) };
        },
      },
      email: { send: async () => {} },
      payment: fakePayments(provider),
      delivery: fakeDelivery,
      rates: fakeRates(market, () => shop.clock.now()),
    },
  });
  const faults: object[] = [];
  shop.ctx.log = { ...silentLog, error: (fields) => faults.push(fields) };
  await seed(shop.ctx);
  const config: HttpConfig = {
    port: 3000,
    publicUrl: undefined,
    trustProxy: [],
    isDemo: true,
    metricsToken: undefined,
    version: "test",
    ...options.config,
  };
  const app = Fastify(serverOptions(config, options.patience, options.fastPath));
  registerHttp(app, { ctx: shop.ctx, config, ...(options.demo ? { demo: fakeDemo(sms) } : {}), ...options.deps });
  await app.ready();
  return {
    ...shop,
    app,
    sms,
    provider,
    market,
    faults,
    visitor: () => browser(app),
    fetchRates: () => fetchRates(shop.ctx),
    async close() {
      await app.close();
      await shop.close();
    },
  };
}

/** The cookie of a browser with a signed id derived from `word`. */
export function uidCookie(ctx: Ctx, word: string): string {
  const name = word.padEnd(22, "x");
  return `uid=${name}${ctx.secrets.sign("browser", name, 32)}`;
}

async function seed(ctx: Ctx): Promise<void> {
  await putCoins(ctx.db, [
    aCoin({ id: coins.bullion, slug: "georgij-pobedonosec", categories: ["gold"], series: "Георгий Победоносец" }),
    aCoin({
      id: coins.memorable,
      slug: "seyatel",
      kind: "memorable",
      fixedPriceKopecks: fromRoubles(12_500),
      fixedBuybackKopecks: fromRoubles(9_000),
      categories: ["gold"],
    }),
    aCoin({ id: coins.soldOut, slug: "rasprodana" }),
  ]);
  await inTransaction(ctx.db, (tx) =>
    stock.openStock(tx, ctx, [
      { coinId: coins.bullion, quantity: 10 },
      { coinId: coins.memorable, quantity: 3 },
      { coinId: coins.soldOut, quantity: 0 },
    ]),
  );
  await delivery.addCities(ctx, [
    { code: moscowCode, carrierCode: 44, name: "Москва", region: "Москва", lat: 55.754047, lon: 37.620405, weight: 100 },
  ]);
  await fetchRates(ctx);
}

async function fetchRates(ctx: Ctx): Promise<void> {
  await rates.poll(ctx);
  await pricing.refresh(ctx);
}

function fakeRates(market: { isOpen: boolean }, now: () => Date): RatesGateway {
  return {
    readMarket: async () => ({
      isOpen: market.isOpen,
      ticks: (["XAU_RUB", "XAG_RUB"] as const).map((code) => ({
        code,
        valueE4: openingRatesE4[code],
        previousCloseE4: openingRatesE4[code],
        observedAt: now(),
      })),
    }),
    readDollar: async (effectiveOn) => ({ valueE4: openingRatesE4.USD_RUB, previousE4: openingRatesE4.USD_RUB, effectiveOn }),
    readOfficialMetals: async () => [],
  };
}

const fakeDelivery: DeliveryGateway = {
  findCities: async () => [],
  points: async () => [
    {
      id: pointId,
      carrierCityCode: 44,
      type: "PVZ",
      name: "На Монетной",
      address: "Монетная, 1",
      lat: 55.75,
      lon: 37.62,
      workTime: "10–20",
      phone: "",
      note: "",
      hasCash: true,
      hasCard: true,
      nearestMetro: "Арбатская",
      weightMaxGrams: null,
      cells: null,
    },
  ],
  courierPrice: async () => ({ price: fromRoubles(500), minDays: 1, maxDays: 2 }),
  pointPrice: async () => ({ price: fromRoubles(300), minDays: 1, maxDays: 2 }),
  register: async () => ({ carrierId: "c1", state: "accepted", trackingNumber: null, rawCode: "", reason: null, steps: [] }),
  track: async () => ({ carrierId: "c1", state: "registered", trackingNumber: "100", rawCode: "", reason: null, steps: [] }),
  requestLabels: async () => ({ taskId: "l1" }),
  fetchLabels: async () => ({ state: "pending" }),
  countryPoints: async function* () {},
  find: async () => null,
  recall: async () => ({ outcome: "struck_out", reason: null }),
  subscribe: async () => {},
  readNotification: () => null,
};

function fakePayments(provider: HttpBench["provider"]): PaymentGateway {
  const answer = () => {
    if (provider.isOut) throw new Error("the provider is out");
  };
  return {
    provider: "yookassa",
    confirmationOrigin: "https://pay.example",
    shopAccount: "100500",
    acceptsTestPayments: false,
    async create(request) {
      answer();
      const made: ProviderPayment = {
        id: `p-${provider.payments.length + 1}`,
        status: "pending",
        amount: request.amount,
        currency: "RUB",
        refunded: fromRoubles(0),
        orderId: request.orderId,
        attemptId: request.attemptId,
        shopAccount: "100500",
        isTest: false,
        confirmationUrl: `https://pay.example/${request.attemptId}`,
        cancellationReason: null,
      };
      provider.payments.push(made);
      return made;
    },
    find: async (id) => {
      answer();
      return provider.payments.find((each) => each.id === id) ?? null;
    },
    list: async () => provider.payments,
    refund: async (request) => ({
      id: `r-${request.idempotenceKey}`,
      paymentId: request.providerPaymentId,
      status: "succeeded",
      amount: request.amount,
      key: request.idempotenceKey,
    }),
    findRefund: async () => null,
    refundsOf: async () => [],
    listRefunds: async () => [],
    registerHandover: async (request) => ({ id: `rt-${request.idempotenceKey}`, kind: "handover", status: "pending", fiscal: null }),
    findReceipt: async () => null,
    receiptsOf: async () => [],
    readNotification: (raw) => {
      try {
        const { id, status } = JSON.parse(raw) as { id: string; status: string };
        return { event: `payment.${status}`, objectKind: "payment", objectId: id, paymentId: id, status };
      } catch {
        return null;
      }
    },
  };
}

/** Throws if a call was refused with a code or data that its contract entry does not declare. */
function checkRefusal(method: string, url: string, { statusCode, body }: LightMyRequestResponse): void {
  const path = url.split("?", 1)[0] ?? "";
  const found = contractCalls.find(
    ({ call, pattern }) => pattern.test(path) && (method === call.method || (method === "GET" && call.isLegacyGet)),
  );
  if (statusCode < 400 || !found) return;
  const { call } = found;
  const { code, data } = JSON.parse(body) as ProblemBody;
  const declared = ["request.not_found", ...call.problems, ...commonProblems(call), ...Object.values(call.fieldCodes ?? {})];
  if (!declared.includes(code)) throw new Error(`${method} ${call.path} does not declare ${code}`);
  const schema = call.refusalData?.[code] ?? z.undefined();
  const checked = schema.safeParse(data);
  if (!checked.success) throw new Error(`${method} ${call.path} brings other data with ${code}: ${checked.error.message}`);
}

const contractCalls = routes("test").map(({ call }) => ({ call, pattern: new RegExp(`^${call.path.replace(/{\w+}/, "[^/]+")}$`) }));

const fakeDemo = (sms: HttpBench["sms"]): DemoControls => ({
  outbox: (to) =>
    sms
      .filter((message) => to === undefined || message.to === to)
      .map((message): DemoMessage => ({ at: new Date(0), channel: "sms", ...message })),
  setRates: () => true,
  setMarket: () => {},
  setFault: () => {},
  moveParcel: () => true,
  payments: () => [],
});

export type Browser = {
  jar: Map<string, string>;
  request(
    method: "GET" | "POST" | "PATCH" | "DELETE" | "HEAD",
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  /** Signs in with the SMS that the bench recorded. */
  signIn(bench: HttpBench, phone: string): Promise<void>;
};

/** A browser on our own pages: stores cookies, sends JSON and the headers that browsers send. */
export function browser(app: FastifyInstance): Browser {
  const jar = new Map<string, string>();
  const send: Browser["request"] = async (method, url, body, headers = {}) => {
    const request: InjectOptions = {
      method,
      url,
      headers: {
        host,
        "sec-fetch-site": "same-origin",
        "sec-fetch-mode": "cors",
        "sec-fetch-dest": "empty",
        ...(jar.size > 0 ? { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === "string" ? body : JSON.stringify(body) }),
    };
    const response = await app.inject(request);
    for (const { name, value, maxAge } of response.cookies as { name: string; value: string; maxAge?: number }[]) {
      if (maxAge === 0) jar.delete(name);
      else jar.set(name, value);
    }
    checkRefusal(method, url, response);
    return response;
  };
  return {
    jar,
    request: send,
    async signIn(bench, phone) {
      const sent = await send("POST", "/api/auth/get-code", { phone });
      if (sent.statusCode !== 200) throw new Error(`get-code: ${sent.statusCode} ${sent.body}`);
      const code = /\b\d{4}\b/.exec(bench.sms.findLast((message) => message.to === phone)?.text ?? "")?.[0];
      const checked = await send("POST", "/api/auth/check-code", { phone, code });
      if (checked.statusCode !== 200) throw new Error(`check-code: ${checked.statusCode} ${checked.body}`);
    },
  };
}

const anOrderForm = (quoteId: string) => ({
  quoteId,
  user: { name: "Иван", lastName: "Иванов", secondName: "", email: "ivan@example.ru", phone: "+79161234567" },
  delivery: { id: deliveryIds.free_pickup_point, pvzId: pointId },
  paymentId: paymentIds.card,
  consent: true,
});

/** Puts one memorable coin into the cart, locks its price and orders it. */
export async function placeOrder(
  who: Browser,
  coinId: number = coins.memorable,
  key = "key-1",
  more: object = {},
): Promise<LightMyRequestResponse> {
  await who.request("PATCH", `/api/cart/${coinId}`, { quantity: 1 });
  const quote = await who.request("POST", "/api/checkout/quote", {
    deliveryId: deliveryIds.free_pickup_point,
    pvzId: pointId,
    city: moscowCode,
    paymentId: paymentIds.card,
  });
  if (quote.statusCode !== 200) throw new Error(`quote: ${quote.statusCode} ${quote.body}`);
  const { quoteId } = quote.json<{ data: { quoteId: string } }>().data;
  return who.request("POST", "/api/orders", { ...anOrderForm(quoteId), ...more }, { "idempotency-key": key });
}
