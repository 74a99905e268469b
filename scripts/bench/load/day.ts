import { randomUUID } from "node:crypto";
import { request } from "undici";
import { seededRandom } from "#kit/seeded-random.ts";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";
import { coinsFor } from "../../drill/visitors/crowd.ts";
import type { Stage } from "../../drill/stage/stage.ts";
import { aBrowser, clientsAt, type Answer, type Browser, type ScheduledCall } from "./open-loop.ts";

const words = [
  "победоносец",
  "георгий",
  "золото",
  "серебро",
  "сеятель",
  "3 рубля",
  "червонец",
  "олимпиада",
  "знаки зодиака",
  "москва",
  "1 oz",
  "монета 2024",
];
const moscow = "0000073738";
const recipient = { name: "Иван", lastName: "Пробный", email: "day@example.ru", phone: "+79161234567" };

/**
 * An ordinary day in the shop: 70 % pages, 15 % search, 10 % cart, 3 % sign-in, 2 % paid orders by card. `calls` makes the calls of so many
 * seconds at a rate; it may be repeated.
 */
export async function openDay(stage: Pick<Stage, "urls" | "database" | "sms">): Promise<{
  calls(seconds: number, perSecond: number): ScheduledCall[];
  isFault(answer: Answer): boolean;
  close(): Promise<unknown>;
}> {
  const [url = ""] = stage.urls;
  const coins = (await coinsFor(url)).slice(0, 60);
  const pages = await somePages(url);
  const clients = clientsAt(48);
  const random = seededRandom(20_261_121);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const regulars = Array.from({ length: 200 }, (_, n) => aBrowser(url, clients.agent(n)));

  const page = async (): Promise<Answer> =>
    aBrowser(url, pick(agents))("GET", pick(pages), undefined, { accept: "text/html", "accept-encoding": "br" });
  const agents = Array.from({ length: 48 }, (_, n) => clients.agent(n));
  const search = async (): Promise<Answer> =>
    aBrowser(url, pick(agents))("GET", `/api/search${random() < 0.5 ? "" : "/suggest"}?q=${encodeURIComponent(pick(words))}`);
  const cart = async (): Promise<Answer> =>
    random() < 0.5
      ? pick(regulars)("GET", "/api/cart")
      : pick(regulars)("PATCH", `/api/cart/${pick(coins)}`, { quantity: 1 + Math.floor(random() * 3) });

  /** The steps of a story are sequential: a step that is due before the previous one has ended waits, and its waiting counts. */
  function story(at: number, parts: { kind: string; after: number; run: () => Promise<Answer> }[]): ScheduledCall[] {
    let ahead: Promise<unknown> = Promise.resolve();
    return parts.map(({ kind, after, run }) => ({
      at: at + after,
      kind,
      run: () => {
        const one = ahead.then(run);
        ahead = one;
        return one;
      },
    }));
  }
  let phones = 0;
  function signIn(at: number): ScheduledCall[] {
    const browser = aBrowser(url, pick(agents));
    const phone = `+7916${3_000_000 + (phones += 1)}`;
    return story(at, [
      { kind: "sign-in", after: 0, run: () => browser("POST", "/api/auth/get-code", { phone }) },
      {
        kind: "sign-in",
        after: 2_000,
        run: () =>
          browser("POST", "/api/auth/check-code", {
            phone,
            code: /\b\d{4}\b/.exec(stage.sms.messages(phone)[0]?.text ?? "")?.[0] ?? "0000",
          }),
      },
    ]);
  }
  function order(at: number): ScheduledCall[] {
    const browser: Browser = aBrowser(url, pick(agents));
    const coin = pick(coins);
    let quoteId = "";
    return story(at, [
      { kind: "cart", after: 0, run: () => browser("PATCH", `/api/cart/${coin}`, { quantity: 1 }) },
      {
        kind: "quote",
        after: 1_000,
        run: async () => {
          const quoted = await browser("POST", "/api/checkout/quote", {
            deliveryId: deliveryIds.office,
            city: moscow,
            paymentId: paymentIds.card,
          });
          quoteId = (quoted.data as { quoteId?: string } | null)?.quoteId ?? "";
          return quoted;
        },
      },
      {
        kind: "order",
        after: 2_000,
        run: async () => {
          const placed = await browser(
            "POST",
            "/api/orders",
            { quoteId, user: recipient, delivery: { id: deliveryIds.office }, paymentId: paymentIds.card, consent: true },
            { "idempotency-key": randomUUID() },
          );
          const payAt = (placed.data as { payment?: { confirmationUrl?: string } } | null)?.payment?.confirmationUrl;
          if (payAt)
            void request(payAt, { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "outcome=pay" })
              .then(({ body }) => body.dump())
              .catch(() => {});
          return placed;
        },
      },
    ]);
  }

  function calls(seconds: number, perSecond: number): ScheduledCall[] {
    const dues: ScheduledCall[] = [];
    for (let n = 0; n < seconds * perSecond; n += 1) {
      const at = (n / perSecond) * 1000;
      const dice = random();
      if (dice < 0.7) dues.push({ at, kind: "page", run: page });
      else if (dice < 0.85) dues.push({ at, kind: "search", run: search });
      else if (dice < 0.93) dues.push({ at, kind: "cart", run: cart });
      else if (dice < 0.945) dues.push(...signIn(at)); // two calls each
      else if (dice < 0.96) dues.push({ at, kind: "page", run: page });
      else if (dice < 0.98) dues.push(...order(at)); // with a change of the cart, and a quote besides the count
      else dues.push({ at, kind: "cart", run: () => pick(regulars)("GET", "/api/state") });
    }
    return dues;
  }

  return { calls, isFault: ({ status }) => status !== 200 && status !== 201, close: () => clients.close() };
}

/** A realistic mix of pages: front pages often, then products, listings, texts. */
async function somePages(url: string): Promise<string[]> {
  const listed = await Promise.all(
    [1, 2, 3, 4].map(
      async (page) =>
        ((await (await fetch(`${url}/api/catalog?page=${page}`)).json()) as { data: { items: { slug: string }[] } }).data.items,
    ),
  );
  const products = listed.flat().map(({ slug }) => `/products/${slug}`);
  return [
    ...Array.from({ length: 20 }, () => "/"),
    ...Array.from({ length: 20 }, () => "/catalog"),
    "/catalog/gold",
    "/catalog/silver",
    "/catalog?metal=gold&sort=price_asc",
    "/catalog/page/2",
    "/quotes-online",
    "/delivery",
    "/news",
    ...products,
  ];
}
