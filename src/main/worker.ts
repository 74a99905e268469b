import type { Ctx } from "#shop/context.ts";
import { OutboundError } from "#kit/outbound.ts";
import type { Leadership } from "./database/leadership.ts";
import type { Queue } from "./database/queue.ts";
import { jobs, sweepsOf } from "./work.ts";

/**
 * Runs the background work: jobs on every process, sweeps on the leader. Runs of one sweep never overlap; a failed run is logged and
 * repeated at its next interval.
 */
export async function startWorker(
  ctx: Ctx,
  deps: { queue: Queue; leadership: Leadership; ratesPollSeconds: number },
): Promise<{ stop(): Promise<void> }> {
  await deps.queue.work(ctx, jobs);
  const running = new Set<Promise<void>>();
  const timers = Object.entries(sweepsOf(deps.ratesPollSeconds)).map(([name, sweep]) => {
    let isRunning = false;
    const turn = async () => {
      if (isRunning || !deps.leadership.isLeader()) return;
      isRunning = true;
      try {
        await sweep.run({ ...ctx, actor: { kind: "job", name } });
      } catch (error) {
        // A provider outage is already counted in its metric; anything else is an error of the shop.
        if (error instanceof OutboundError) ctx.log.debug({ sweep: name, failure: error.failure }, "a sweep waits for its provider");
        else ctx.log.warn({ err: error, sweep: name }, "a sweep failed");
      } finally {
        isRunning = false;
      }
    };
    const timer = setInterval(() => {
      const one = turn();
      running.add(one);
      void one.finally(() => running.delete(one));
    }, sweep.everySeconds * 1000);
    timer.unref();
    return timer;
  });
  return {
    async stop() {
      timers.forEach(clearInterval);
      await Promise.all([Promise.allSettled(running), deps.queue.stop()]);
    },
  };
}
