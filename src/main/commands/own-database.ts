import { Registry } from "prom-client";
import type { Actor } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import { refresh as refreshSettings } from "#shop/settings/service.ts";
import type { Config } from "../config.ts";
import { createContext, measureCalls } from "../context.ts";
import { openConfiguredDatabase } from "../database/database.ts";
import { openQueue } from "../database/queue.ts";
import { connectGateways, realProviders } from "../gateways.ts";
import { createLog } from "../log/log.ts";

/** Runs `work` of a command on the shop's database as `actor`; null when another process has locked the embedded one. */
export async function onOwnDatabase<T>(config: Config, actor: Actor, work: (ctx: Ctx) => Promise<T>): Promise<{ value: T } | null> {
  const log = createLog("warn");
  const own = await openConfiguredDatabase(config, log);
  if (!own) return null;
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
