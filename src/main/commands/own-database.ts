import { sql } from "drizzle-orm";
import { Registry } from "prom-client";
import { isTrue } from "#kit/db.ts";
import { minutes, seconds } from "#kit/time.ts";
import type { Actor } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import { refresh as refreshSettings } from "#shop/settings/service.ts";
import type { Config } from "../config.ts";
import { createContext, measureCalls } from "../context.ts";
import type { Database } from "../database/database.ts";
import { openConfiguredDatabase } from "../database/configured-database.ts";
import { openQueue } from "../database/queue.ts";
import { connectGateways, realProviders } from "../gateways.ts";
import { createLog } from "../log/log.ts";

/** The database has no tables of a shop. A command prints it as one line. */
export class NoShopError extends Error {
  constructor() {
    super("there is no shop in this database yet: start it once; its log says what prevents that (installed: journalctl -u chekan@1)");
  }
}

/** How a command waits for the tables and says so; tests pass a clock of their own. */
export type WaitControls = { now(): number; pause(milliseconds: number): Promise<void>; say(line: string): void };
const realWait: WaitControls = {
  now: () => performance.now(),
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  say: (line) => console.error(line),
};
const maxWaitMs = minutes(1);
const lookMs = seconds(1);

/**
 * Runs `work` of a command on the shop's database as `actor`; null when another process has locked the embedded one. A shop that was
 * started a moment ago still makes its tables: on PostgreSQL they are waited for, for a minute. Throws `NoShopError` when there are none.
 */
export async function onOwnDatabase<T>(
  config: Config,
  actor: Actor,
  work: (ctx: Ctx) => Promise<T>,
  time: WaitControls = realWait,
): Promise<{ value: T } | null> {
  const log = createLog("warn");
  const own = await openConfiguredDatabase(config, log);
  if (!own) return null;
  if (!(await hasShop(own.database, time))) {
    await own.close();
    throw new NoShopError();
  }
  const queue = await openQueue(own.database, { log, supervise: false });
  const registry = new Registry();
  // This process calls no provider: jobs and messages that follow are handled by the running shop.
  const providers = realProviders(config);
  // The demo's SMTP address is known to the running shop only.
  const smtp = { ...providers.smtp, url: providers.smtp.url || "smtp://127.0.0.1" };
  const { gateways, close } = connectGateways({ ...providers, smtp }, { now: () => new Date(), onCall: measureCalls(registry) });
  const ctx = createContext({ config, db: own.database.db, enqueue: queue.enqueue, log, gateways, registry, actor });
  await refreshSettings(ctx);
  const value = await work(ctx);
  await queue.stop();
  await close();
  await own.close();
  return { value };
}

/**
 * The first start makes all tables in one transaction. Those of the embedded database can only be made by this process, so none are
 * awaited.
 */
async function hasShop({ db, engine }: Database, { now, pause, say }: WaitControls): Promise<boolean> {
  const giveUpAt = engine === "postgresql" ? now() + maxWaitMs : 0;
  for (let looks = 1; !(await isTrue(db, sql`to_regclass('public.orders') is not null`)); looks += 1) {
    if (now() >= giveUpAt) return false;
    if (looks === 1) say("there is no shop in this database yet: waiting a minute for its first start");
    await pause(lookMs);
  }
  return true;
}
