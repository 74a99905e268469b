import { constants, setPriority } from "node:os";
import { collectDefaultMetrics, Registry } from "prom-client";
import * as processes from "#shop/processes/service.ts";
import * as settings from "#shop/settings/service.ts";
import { createHttpMetrics } from "#http/server/metrics.ts";
import type { Ctx } from "#shop/context.ts";
import type { Log } from "#kit/log.ts";
import { seedRates } from "../../db/seed/invented-rates.ts";
import { seed } from "../../db/seed/seed.ts";
import type { Config } from "./config.ts";
import { createContext, measureCalls } from "./context.ts";
import type { Database } from "./database/database.ts";
import { pgliteFolder } from "./database/configured-database.ts";
import { alwaysLeader, electLeader } from "./database/leadership.ts";
import { openQueue, type Queue } from "./database/queue.ts";
import { openWithRates } from "./first-rates.ts";
import { connectGateways, realProviders } from "./gateways.ts";
import { buildFolder } from "./pages/build-folder.ts";
import { startProbes, type Listening } from "./probes.ts";
import { serveBackups } from "./process/backup-socket.ts";
import { disksToWatch, watchDisks } from "./process/disk-watch.ts";
import { presencePart, settingsPart } from "./process/pulse-parts.ts";
import { startPulse } from "./process/pulse.ts";
import { once, shutdownStep } from "./process/shutdown.ts";
import { startWorker } from "./worker.ts";

/** `officeUrl`: null in a process without the back office. */
export type Shop = { url: string; officeUrl: string | null; ctx: Ctx; stop(): Promise<void> };

/**
 * Starts the shop: providers (simulators in demo), seed, first rates, HTTP, back office, worker; `PROCESS` says which of the last three.
 * `now` is the shop's only clock. Drills pass one that they can move, and their own build in `buildFolder`.
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
  const servesVisitors = config.PROCESS === "all" || config.PROCESS === "web";
  const takesJobs = config.PROCESS === "all" || config.PROCESS === "worker";

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

  const metrics = createHttpMetrics(registry);
  const { opened: site, polled } = await openWithRates(ctx, config.ratesPollSeconds, listen);

  // Only a process that serves visitors loads the pages.
  async function listen(): Promise<Listening> {
    if (config.PROCESS === "worker") return startProbes({ ctx, config, metrics });
    if (config.PROCESS === "office") {
      // On a machine that it shares with processes for visitors, these come first.
      setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
      const { startOfficeAlone } = await import("./office.ts");
      return startOfficeAlone({ ctx, config, metrics, onCall, buildFolder: parts.buildFolder ?? buildFolder });
    }
    const { startSite } = await import("./site.ts");
    return startSite({ ctx, config, metrics, demo, onCall, buildFolder: parts.buildFolder, pages: parts.pages });
  }

  const diskWatch = watchDisks(ctx, { disks: await disksToWatch(ctx, config), registry });
  await diskWatch.check();
  const backups = database.dump ? await serveBackups(pgliteFolder(config.dataDir), { dump: database.dump, log }) : null;
  const background = takesJobs ? await startBackground(ctx, { queue, config, log }) : null;
  // The embedded database belongs to one process; one that only works, or has only the back office, answers no visitors.
  const isAmongOthers = config.DATABASE_URL !== undefined && servesVisitors;
  const pulse = startPulse(ctx, [settingsPart(ctx), ...(isAmongOthers ? [presencePart(ctx)] : []), ...(background?.parts ?? [])]);

  return {
    url: site.url,
    officeUrl: site.officeUrl,
    ctx,
    stop: once(async () => {
      await site.stop();
      diskWatch.stop();
      await backups?.stop();
      const left = pulse.stop().then(() => (isAmongOthers ? leave(ctx) : undefined));
      await shutdownStep("worker", Promise.all([left, polled, background?.stopWork() ?? queue.stop()]), log);
      await shutdownStep("providers", Promise.all([background?.resign(), closeGateways(), demo?.stop()]), log);
    }),
  };
}

/** Jobs, and the scheduled work if this process is elected. */
async function startBackground(ctx: Ctx, { queue, config, log }: { queue: Queue; config: Config; log: Log }) {
  const address = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  const leadership = address === undefined ? alwaysLeader : electLeader(address, log);
  const worker = await startWorker(ctx, { queue, leadership, ratesPollSeconds: config.ratesPollSeconds });
  return { parts: worker.parts, stopWork: () => worker.stop(), resign: () => leadership.stop() };
}

/** Without it the other processes forget this one after a while. */
const leave = (ctx: Ctx): Promise<void> => processes.leave(ctx).catch(() => {});
