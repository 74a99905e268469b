/**
 * Resilience test of crashes: buyers order and pay at two processes of the shop while one of them is killed with `kill -9` repeatedly.
 * Afterwards every acknowledged order exists once, every received kopeck has its order or was refunded, and the ledger check passes.
 * `--short`: 3 kills in twenty seconds, for the gate; without it 50.
 */
import { settleAndVerify } from "./database/verify-orders.ts";
import { coinsFor, crowd } from "./visitors/crowd.ts";
import { drill, isShort, pause, say } from "./stage/run.ts";
import { openStage, type Stage } from "./stage/stage.ts";

const kills = isShort ? 3 : 50;
const loadMs = isShort ? 20_000 : 330_000;
/** On a slower machine the result proves nothing. */
const minOrders = 20;

await drill(openStage, play);

async function play(stage: Stage): Promise<string[]> {
  const { members, payment, urls } = stage;
  say(`two processes stand: ${urls.join(", ")}`);
  const coins = await coinsFor(urls[0] ?? "");
  const endAt = performance.now() + loadMs;
  const shopping = crowd(urls, { buyers: 40, ordersPerSecond: 20, isOver: () => performance.now() > endAt, coins });

  const away: number[] = [];
  for (let n = 0; n < kills; n += 1) {
    const due = endAt - loadMs + ((n + Math.random()) / kills) * (loadMs - 3_000);
    await pause(Math.max(0, due - performance.now()));
    const victim = members[Math.random() < 0.5 ? 0 : 1];
    payment.setNotificationUrl(`${urls[Math.random() < 0.5 ? 0 : 1]}/api/payments/yookassa/webhook`);
    if (victim) away.push(await victim.crash());
  }
  const outcomes = await shopping;
  const repeats = outcomes.reduce((sum, each) => sum + each.repeats, 0);
  say(
    `${outcomes.length} buyers, ${kills} kills, ${repeats} calls repeated, ` +
      `a killed process was back after ${Math.round(away.toSorted((a, b) => a - b)[away.length >> 1] ?? 0)} ms in the ` +
      "middle",
  );
  return settleAndVerify(stage, outcomes, minOrders);
}
