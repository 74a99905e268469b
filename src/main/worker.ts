import type { Ctx } from "#shop/context.ts";
import { OutboundError } from "#kit/outbound.ts";
import type { Leadership } from "./database/leadership.ts";
import type { Queue } from "./database/queue.ts";
import { jobs, sweepsOf } from "./work.ts";

/**
 * Everything that happens without a visitor: jobs on every process, sweeps on the one that leads.
 * A sweep never overlaps itself; one that fails is logged and tried again at its next turn.
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
        // A provider that is out already counts in its own metric; the rest is a fault of ours.
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
