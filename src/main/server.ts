import { collectDefaultMetrics, Registry } from "prom-client";
import * as pricing from "#shop/pricing/service.ts";
import * as rates from "#shop/rates/service.ts";
import * as settings from "#shop/settings/service.ts";
import { createHttpMetrics } from "#http/server/metrics.ts";
import type { Ctx } from "#shop/context.ts";
import type { Log } from "#kit/log.ts";
import { seedRates } from "../../db/seed/invented-rates.ts";
import { seed } from "../../db/seed/seed.ts";
import type { Config } from "./config.ts";
import { createContext, measureCalls } from "./context.ts";
import { pgliteFolder, type Database } from "./database/database.ts";
import { alwaysLeader, electLeader } from "./database/leadership.ts";
import { openQueue, type Queue } from "./database/queue.ts";
import { connectGateways, realProviders } from "./gateways.ts";
import { startProbes } from "./probes.ts";
import { serveBackups } from "./process/backup-socket.ts";
import { databaseFolder, watchDisks } from "./process/disk-watch.ts";
import { keepPresence } from "./process/presence.ts";
import { shutdownStep } from "./process/shutdown.ts";
import { watchSettings } from "./settings-watch.ts";
import { startWorker } from "./worker.ts";

/** `officeUrl`: null in a process that only works. */
export type Shop = { url: string; officeUrl: string | null; ctx: Ctx; stop(): Promise<void> };

/**
 * Starts the shop: providers (simulators in demo), seed, first rates, HTTP, worker; `PROCESS` leaves out one of the last two. `now` is the
 * shop's only clock. Drills pass one that they can move, and their own build in `buildFolder`.
 */
export async function startShop(parts: {
  config: Config;
  log: Log;
  database: Database;
  progress: (line: string) => void;
  now?: () => Date;
  buildFolder?: string | undefined;
  /** The module with the pages; that of the build folder by default. */
  pages?: string | undefined;
}): Promise<Shop> {
  const { config, log, database, progress } = parts;
  const now = parts.now ?? (() => new Date());
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const takesJobs = config.PROCESS !== "web";

  const demo = config.isDemo ? await import("./demo.ts").then(({ startDemo }) => startDemo(config, now)) : null;
  const onCall = measureCalls(registry);
  const { gateways, resetBreaker, close: closeGateways } = connectGateways(demo?.providers ?? realProviders(config), { now, onCall });
  demo?.onRepaired(resetBreaker);
  const queue = await openQueue(database, { log, supervise: takesJobs });
  const ctx = createContext({
    config,
    db: database.db,
    enqueue: queue.enqueue,
    log,
    gateways,
    registry,
    now,
    actor: { kind: "job", name: "server" },
  });
  if (demo) ctx.settings.mapScriptUrl = demo.mapScriptUrl;
  await settings.refresh(ctx);
  const stored = await settings.storedKeys(ctx);
  if (stored.length > 0) progress(`settings from the database: ${stored.join(", ")}`);

  await seed(ctx, { progress });
  if (config.isDemo) {
    const candles = await seedRates(ctx);
    if (candles > 0) progress(`${candles} candles of an invented past`);
  }
  await fetchFirstRates(ctx);

  const metrics = createHttpMetrics(registry);
  // A process that only works does not load the pages.
  const site =
    config.PROCESS === "worker"
      ? await startProbes({ ctx, config, metrics })
      : await import("./site.ts").then(({ startSite }) =>
          startSite({ ctx, config, metrics, demo, onCall, buildFolder: parts.buildFolder, pages: parts.pages }),
        );

  const settingsWatch = watchSettings(ctx);
  // The embedded database belongs to one process; one that only works answers no visitors.
  const presence = config.DATABASE_URL && config.PROCESS !== "worker" ? keepPresence(ctx) : null;
  const folderOfDatabase = await databaseFolder(ctx.db, config);
  const diskWatch = watchDisks(ctx, {
    disks: { data: config.dataDir, ...(folderOfDatabase === null ? {} : { database: folderOfDatabase }) },
    registry,
  });
  await diskWatch.check();
  const backups = database.dump ? await serveBackups(pgliteFolder(config.dataDir), { dump: database.dump, log }) : null;
  const background = takesJobs ? await startBackground(ctx, { queue, config, log }) : null;

  return {
    url: site.url,
    officeUrl: site.officeUrl,
    ctx,
    async stop() {
      await site.stop();
      await settingsWatch.stop();
      diskWatch.stop();
      await backups?.stop();
      await shutdownStep("worker", Promise.all([background?.stopWork() ?? queue.stop(), presence?.stop()]), log);
      await shutdownStep("providers", Promise.all([background?.resign(), closeGateways(), demo?.stop()]), log);
    },
  };
}

/** Jobs, and the scheduled work if this process is elected. */
async function startBackground(ctx: Ctx, { queue, config, log }: { queue: Queue; config: Config; log: Log }) {
  const address = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  const leadership = address === undefined ? alwaysLeader : electLeader(address, log);
  const worker = await startWorker(ctx, { queue, leadership, ratesPollSeconds: config.ratesPollSeconds });
  return { stopWork: () => worker.stop(), resign: () => leadership.stop() };
}

/** A shop starts even if the exchange does not answer: memorable coins have fixed prices, bullion waits for a rate. */
async function fetchFirstRates(ctx: Ctx): Promise<void> {
  try {
    await rates.poll(ctx);
    await pricing.refresh(ctx);
  } catch (error) {
    ctx.log.warn({ err: error }, "no rates at the start");
  }
}
