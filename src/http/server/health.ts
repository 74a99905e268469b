import type { FastifyInstance } from "fastify";
import { sql } from "drizzle-orm";
import type { Ctx } from "#shop/context.ts";

/** Timeout of the check; a slower database is not ready. */
const checkTimeoutMs = 1000;

/**
 * `/healthz` never queries the database. `/readyz` does, and also checks `isReady` (migrated, not stopping). `/readyz?without=database` is
 * for balancers: with a database that is away every process would be taken out, and visitors would not see cached pages. Both
 * are answered under any `Host`.
 */
export function registerHealth(app: FastifyInstance, ctx: Ctx, isReady: () => Promise<boolean>): void {
  const options = { exposeHeadRoute: true, config: { kind: { probe: true as const } } };
  app.get("/healthz", options, async (_, reply) => reply.header("cache-control", "no-store").send({ status: "alive" }));
  app.get("/readyz", options, async (request, reply) => {
    const isForBalancer = request.url.endsWith("?without=database");
    const ready = await within(checkTimeoutMs, async () => (await isReady()) && (isForBalancer || (await isDatabaseReachable(ctx))));
    return reply
      .code(ready ? 200 : 503)
      .header("cache-control", "no-store")
      .send({ status: ready ? "ready" : "not ready" });
  });
}

const isDatabaseReachable = async (ctx: Ctx): Promise<boolean> => {
  await ctx.db.execute(sql`select 1`);
  return true;
};

async function within(milliseconds: number, request: () => Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([request(), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
