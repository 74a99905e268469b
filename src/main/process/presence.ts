import type { Ctx } from "#shop/context.ts";
import * as processes from "#shop/processes/service.ts";

const everyMs = 1_000;

/**
 * Announces this process to the other processes of the shop and exchanges with them what each has counted, every second. While the database is
 * away each process goes by what it knows.
 */
export function keepPresence(ctx: Ctx): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  let hasFailed = false;
  const exchange = async (): Promise<void> => {
    try {
      await processes.exchange(ctx);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) ctx.log.warn({ err: error }, "no exchange with the other processes");
      hasFailed = true;
    }
  };
  const run = (): void => {
    running ??= exchange().finally(() => (running = null));
  };
  run();
  const timer = setInterval(run, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
      await processes.leave(ctx).catch(() => {}); // it is forgotten after a while in any case
    },
  };
}
