import { buy, intentions, type AnswerListener, type BuyerOutcome } from "./buyer.ts";
import { pause } from "../stage/run.ts";

/** Buyers arrive, buy, and are followed by others until `isOver`; returns the result of each. */
export async function crowd(
  urls: readonly string[],
  request: { buyers: number; ordersPerSecond: number; isOver: () => boolean; coins: readonly number[]; onAnswer?: AnswerListener },
): Promise<BuyerOutcome[]> {
  const outcomes: BuyerOutcome[] = [];
  const turnMs = (request.buyers / request.ordersPerSecond) * 1000;
  let begun = 0;
  await Promise.all(
    Array.from({ length: request.buyers }, async (_, n) => {
      await pause((n / request.ordersPerSecond) * 1000);
      while (!request.isOver()) {
        const turnEndsAt = performance.now() + turnMs;
        begun += 1;
        outcomes.push(
          await buy(
            { urls, onAnswer: request.onAnswer },
            { coinId: request.coins[begun % request.coins.length] ?? 0, intention: intentions[begun % intentions.length] ?? "pay" },
          ),
        );
        await pause(Math.max(0, turnEndsAt - performance.now()));
      }
    }),
  );
  return outcomes;
}

/** Coins with a fixed price and enough pieces for all buyers. A shop that has just started may answer 503 at first. */
export async function coinsFor(url: string): Promise<number[]> {
  const found: number[] = [];
  for (let page = 1; page <= 12; page += 1) {
    const { items } = await listing(`${url}/api/catalog?kind=memorable&inStock=1&page=${page}`);
    found.push(...items.filter((each) => each.price < 300_000 && each.available >= 5).map((each) => each.id));
  }
  if (found.length === 0) throw new Error("no coins to buy");
  return found;
}

type Listing = { items: { id: number; price: number; available: number }[] };

async function listing(address: string): Promise<Listing> {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(address);
    const body = await answer.text();
    if (answer.ok) return (JSON.parse(body) as { data: Listing }).data;
    if (tries === 10) throw new Error(`${address}: ${answer.status} ${body.slice(0, 200)}`);
    await pause(1_000);
  }
}
