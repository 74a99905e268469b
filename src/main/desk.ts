/**
 * `npm run desk -- order <id> <event>`: what staff did with an order, through the same service as the demo call.
 * `npm run desk -- differences`: where the payment provider's ledger and ours did not agree, newest first.
 * Beside a running shop on the embedded database, which belongs to one process, the shop itself is asked to do it.
 */
import { Registry } from "prom-client";
import { staffEvents, type StaffEvent } from "#shop/orders/order.ts";
import { isoMoscow } from "#kit/time.ts";
import * as orders from "#shop/orders/service.ts";
import * as payment from "#shop/payment/service.ts";
import { readConfig, type Config } from "./config.ts";
import { createContext, measureCalls } from "./context.ts";
import { openOwnDatabase } from "./database.ts";
import { connectGateways, realProviders } from "./gateways.ts";
import { createLog } from "./log.ts";
import { openQueue } from "./queue.ts";

const usage = `usage: npm run desk -- order <id> <${staffEvents.join("|")}> | differences`;

const [what, orderId, event] = process.argv.slice(2);
if (what === "differences") await listDifferences(readConfig({ ...process.env, SHOP_DEMO: process.env.SHOP_DEMO ?? "1" }));
if (what !== "order" || !orderId || !staffEvents.includes(event as StaffEvent)) {
  console.error(usage);
  process.exit(2);
}
const config = readConfig({ ...process.env, SHOP_DEMO: process.env.SHOP_DEMO ?? "1" });
const said = (await applyHere(config, orderId, event as StaffEvent)) ?? (await askRunningShop(config, orderId, event as StaffEvent));
console.log(said.text);
process.exit(said.isDone ? 0 : 1);

async function listDifferences(settings: Config): Promise<never> {
  const own = await openOwnDatabase(settings, createLog("warn"));
  if (!own) {
    console.error(`the data folder ${settings.dataDir} is in use: stop the shop first, or set DATABASE_URL`);
    process.exit(1);
  }
  const found = await payment.differences(own.database.db);
  for (const { foundAt, kind, providerId, orderId: of, ours, theirs } of found) console.log(`${isoMoscow(foundAt)}  ${kind}  payment ${providerId}  order ${of ?? "unknown"}  ours: ${ours || "nothing"}  theirs: ${theirs || "nothing"}`);
  console.log(`${found.length} differences`);
  await own.close();
  process.exit(0);
}

type Said = { isDone: boolean; text: string };

/** Null when another process holds the embedded database. */
async function applyHere(settings: Config, id: string, staffEvent: StaffEvent): Promise<Said | null> {
  const log = createLog("warn");
  const own = await openOwnDatabase(settings, log);
  if (!own) return null;
  const queue = await openQueue(own.database, { log, supervise: false });
  const registry = new Registry();
  // Nobody is called from here: what follows from the event are jobs and messages, and the running shop works them off.
  const { gateways, close } = connectGateways(realProviders(settings), { now: () => new Date(), onCall: measureCalls(registry) });
  const ctx = createContext({ config: settings, db: own.database.db, enqueue: queue.enqueue, log, gateways, registry });
  const result = await orders.apply(ctx, id, staffEvent);
  await queue.stop();
  await close();
  await own.close();
  return result.ok ? { isDone: true, text: `order ${result.value.number}: ${result.value.state}` } : { isDone: false, text: `refused: ${JSON.stringify(result.error)}` };
}

async function askRunningShop(settings: Config, id: string, staffEvent: StaffEvent): Promise<Said> {
  const answer = await fetch(`http://127.0.0.1:${settings.PORT}/_demo/orders/${encodeURIComponent(id)}`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ event: staffEvent }),
  });
  const body = (await answer.json()) as { data?: { status: string }; code?: string; message?: string };
  return answer.ok ? { isDone: true, text: `order ${id}: ${body.data?.status}` } : { isDone: false, text: `refused: ${body.code} ${body.message}` };
}
