/**
 * Resilience test of a slow database connection: with 100 ms between shop and database, rare interleavings become common. Every two
 * writing calls run at once: of one visitor, and of two who want the same coin, at two processes. No call may fail, and after each batch
 * the ledger check passes. `--short`: each pair of one visitor once, and pairs with an order of two visitors; without it both, 50 times.
 */
import { request } from "undici";
import { settle } from "./database/verify-orders.ts";
import { coinsFor } from "./visitors/crowd.ts";
import { drill, isShort, say } from "./stage/run.ts";
import { openStage, type Stage } from "./stage/stage.ts";
import {
  aPhone,
  requestQuote,
  aVisitor,
  payOrder,
  placeOrder,
  putInCart,
  quoteIdOf,
  type CallResult,
  type Placed,
  type Visitor,
} from "./visitors/visitor.ts";

const rounds = isShort ? 1 : 50;
const delayMs = 100;
/** Two calls each, on two pools of ten connections: more pairs would wait for connections and not for each other. */
const pairsAtOnce = 8;

/** A buyer in the middle of everything: a full cart with a quote, an unpaid order, lists, and a code. */
type BusyBuyer = {
  here: Visitor;
  there: Visitor;
  quoteId: string;
  keys: [string, string];
  owed: Placed;
  payAt: string;
  phone: string;
  code: string;
};
/** `at` is the visitor at one of the processes, with the same cookies. */
type Action = (buyer: BusyBuyer, at: Visitor, stage: Stage) => Promise<CallResult | null>;

const actions: Record<string, Action> = {
  puts: (_, at) => putInCart(at, coins[1] ?? 0),
  "takes out": (_, at) => at.request("DELETE", "/api/cart", { productIds: [coins[0] ?? 0] }),
  clears: (_, at) => at.request("POST", "/api/cart/clear"),
  wishes: (_, at) => at.request("POST", `/api/wishlist/${coins[0]}`),
  compares: (_, at) => at.request("POST", `/api/compare/${coins[0]}`),
  quotes: (_, at) => requestQuote(at),
  orders: ({ quoteId, keys }, at) => placeOrder(at, quoteId, undefined, keys[0]),
  "orders with another key": ({ quoteId, keys }, at) => placeOrder(at, quoteId, undefined, keys[1]),
  "starts a payment": ({ owed }, at) => payOrder(at, owed),
  cancels: ({ owed }, at) => at.request("POST", `/api/orders/${owed.id}/cancel?key=${encodeURIComponent(owed.key)}`),
  async pays({ payAt }) {
    await request(payAt, { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "outcome=pay" }).then(
      ({ body }) => body.dump(),
    );
    return null;
  },
  "signs in": ({ phone, code }, at) => at.request("POST", "/api/auth/check-code", { phone, code }),
};
/** In the gate all but these run against each other: the rest are variations of one statement. */
const fullOnly = new Set(["wishes", "compares", "takes out"]);
const isOrder = (name: string): boolean => name.startsWith("orders");

/** Permitted refusals of a call at a bad moment: not any more, not yet, already. Never a server error. */
const expectedRefusals = new Set([200, 201, 404, 409, 422, 429]);

let coins: number[] = [];

async function play(stage: Stage): Promise<string[]> {
  coins = (await coinsFor(stage.urls[0] ?? "")).slice(0, 2);
  const names = Object.keys(actions).filter((name) => !isShort || !fullOnly.has(name));
  const pairs = names.flatMap((one, at) => names.slice(at).map((other) => [one, other] as const));
  const wrong: string[] = [];
  let done = 0;
  for (let round = 1; round <= rounds && wrong.length === 0; round += 1) {
    const concurrentCalls: { what: string; run: () => Promise<(CallResult | null)[]> }[] = [];
    await inTurns(pairs.length, 4, async (n) => {
      const [one = "", other = ""] = pairs[n] ?? [];
      const aBuyer = () => aBusyBuyer(stage, one === "signs in" || other === "signs in");
      const a = await aBuyer();
      concurrentCalls.push({
        what: `one visitor ${one} and ${other}`,
        run: () => Promise.all([actions[one]?.(a, a.here, stage) ?? null, actions[other]?.(a, a.there, stage) ?? null]),
      });
      if (isShort && !isOrder(one) && !isOrder(other)) return;
      const [b, c] = [await aBuyer(), await aBuyer()];
      concurrentCalls.push({
        what: `one visitor ${one}, another ${other}`,
        run: () => Promise.all([actions[one]?.(b, b.here, stage) ?? null, actions[other]?.(c, c.there, stage) ?? null]),
      });
    });
    stage.line.setFault({ kind: "latency", ms: delayMs, jitterMs: 20 });
    let slowest = 0;
    await inTurns(concurrentCalls.length, pairsAtOnce, async (n) => {
      const { what, run } = concurrentCalls[n] ?? { what: "", run: async () => [] };
      for (const answer of await run()) {
        if (!answer) continue;
        slowest = Math.max(slowest, answer.milliseconds);
        if (!expectedRefusals.has(answer.status))
          wrong.push(`${what}: ${answer.method} ${answer.path} was answered with ${answer.status} ${answer.text.slice(0, 150)}`);
      }
    });
    stage.line.setFault({ kind: "none" });
    done += concurrentCalls.length;
    wrong.push(...(await settle(stage)));
    say(`round ${round}: ${concurrentCalls.length} pairs of calls, the slowest ${Math.round(slowest)} ms, ${String(wrong.length)} faults`);
  }
  if (done < pairs.length) wrong.push("too few pairs of calls: the drill proves nothing");
  return wrong;
}

/** Unused codes would look like an attack to the shop: only buyers who sign in request one. */
async function aBusyBuyer(stage: Stage, hasCode: boolean): Promise<BusyBuyer> {
  const [first = "", second = first] = stage.urls;
  const here = aVisitor(first);
  const phone = aPhone();
  await putInCart(here, coins[0] ?? 0);
  const unpaid = (await placeOrder(here, quoteIdOf(await requestQuote(here)))).data as Placed;
  const paying = await payOrder(here, unpaid);
  await putInCart(here, coins[0] ?? 0);
  await putInCart(here, coins[1] ?? 0);
  const quoteId = quoteIdOf(await requestQuote(here));
  if (hasCode) await here.request("POST", "/api/auth/get-code", { phone });
  const code = /\b\d{4}\b/.exec(stage.sms.messages(phone)[0]?.text ?? "")?.[0] ?? "";
  const payAt = (paying.data as { confirmationUrl?: string } | null)?.confirmationUrl ?? "";
  const failed = here.takeRecordedCalls().find(({ status }) => status !== 200 && status !== 201);
  if (failed || payAt === "" || (hasCode && code === ""))
    throw new Error(`a buyer could not be prepared: ${failed?.method} ${failed?.path} ${failed?.status} ${failed?.text.slice(0, 200)}`);
  const at = performance.now().toString(36);
  return { here, there: here.at(second), quoteId, keys: [`${at}-${phone}-1`, `${at}-${phone}-2`], owed: unpaid, payAt, phone, code };
}

/** `count` times, `atOnce` at a time. */
async function inTurns<T>(count: number, atOnce: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) done.push(await work(next++));
    }),
  );
  return done;
}

await drill(openStage, play);
