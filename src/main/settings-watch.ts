import type { Ctx } from "#shop/context.ts";
import * as settings from "#shop/settings/service.ts";

/** Two polls and a slow query stay below the two seconds in which a change has to be everywhere. */
const everyMs = 1_000;

/** Takes over the settings that staff changed, every second, in every process. While the database is away the settings stay as they are. */
export function watchSettings(ctx: Ctx): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  let hasFailed = false;
  const look = async (): Promise<void> => {
    try {
      await settings.refresh(ctx);
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) ctx.log.warn({ err: error }, "the settings cannot be read");
      hasFailed = true;
    }
  };
  const timer = setInterval(() => {
    running ??= look().finally(() => (running = null));
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
