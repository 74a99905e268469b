import type { FastifyInstance } from "fastify";
import * as contract from "#contract/public/rates.ts";
import { createCoalescer } from "#kit/concurrency/coalesce.ts";
import { seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as processes from "#shop/processes/service.ts";
import * as rates from "#shop/rates/service.ts";
import * as search from "#shop/search/service.ts";
import { rateLimitVisitor, countRequest, type EndpointTools } from "../endpoint.ts";
import type { HttpMetrics } from "../server/metrics.ts";
import { RequestRefused } from "../problems.ts";
import { addressOf, browserOf, issueBrowserId, openCookieJar } from "../request/session.ts";
import { coursesView, workView } from "../views.ts";
import { heartbeat, createFanOut } from "./fan-out.ts";

export const streamPath = "/api/courses/stream";

const pollIntervalMs = seconds(1);
const heartbeatIntervalMs = seconds(20);
/** Browsers reconnect after a random 3 to 8 s, so that they do not all reconnect at once after a restart. */
const retryMs = (): number => 3_000 + Math.floor(Math.random() * 5_000);

/**
 * `GET /api/courses/stream`: the accepted rates, to all clients. The id of an event names the rates, the price list and the state of the
 * market, so it changes with each of them. Every process checks for changes once a second while it has clients.
 */
export function registerStream(app: FastifyInstance, { ctx, rateLimiter, isSecure }: EndpointTools, metrics: HttpMetrics): void {
  const fanOut = createFanOut(ctx.settings.limits);
  metrics.streamsCounted(() => fanOut.size().taken);
  const news = createRatesMessage(ctx);
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking || fanOut.size().taken === 0) return;
    isLooking = true;
    try {
      if (await news.look()) {
        await search.cards(ctx, []); // computes the prices of the new list once, before all clients reload their pages
        await fanOut.publish(news.message());
      }
    } catch (error) {
      ctx.log.warn({ err: error }, "no look at the rates for the stream");
    } finally {
      isLooking = false;
    }
  }
  const timers = [setInterval(() => void look(), pollIntervalMs), setInterval(() => void fanOut.beat(), heartbeatIntervalMs)];
  for (const timer of timers) timer.unref();
  /** Whether the other processes know how many streams are open here. */
  let isShared = false;
  const coalesce = createCoalescer();
  /**
   * Tells the other processes which numbers of streams changed here and returns theirs for the same visitors and addresses. One statement
   * at a time, for all streams that opened during the one before: after a restart thousands reconnect within seconds.
   */
  const shareCounts = (): Promise<Map<string, number>> =>
    coalesce("counts", async () => {
      const counts = fanOut.changedCounts(!isShared);
      isShared = false;
      const elsewhere = counts.size > 0 ? await processes.shareOpenStreams(ctx, counts) : new Map<string, number>();
      isShared = true;
      return elsewhere;
    });
  const endSharing = processes.takePart(ctx, async (others) => {
    if (others > 0) await shareCounts();
    else isShared = false;
  });

  /**
   * Whether the limits allow another stream, counting those at other processes. Without the database only those of this process count.
   */
  async function hasRoomTogether(visitor: string, address: string): Promise<boolean> {
    if (processes.others(ctx) === 0) return true;
    const elsewhere = await shareCounts().catch((error: unknown) => {
      ctx.log.warn({ err: error }, "streams are not counted with those of other processes");
      return new Map<string, number>();
    });
    return fanOut.isWithinLimits(visitor, address, elsewhere);
  }

  app.addHook("preClose", async () => {
    timers.forEach(clearInterval);
    endSharing();
    fanOut.end();
  });

  app.get(streamPath, { exposeHeadRoute: false }, async (request, reply) => {
    const jar = openCookieJar(request, reply, { ctx, isSecure });
    const visitor = rateLimitVisitor(browserOf(ctx, jar));
    const address = addressOf(request);
    await countRequest(rateLimiter, "request", { visitor, address });
    const name = visitor ?? `unnamed at ${address}`;
    const place = fanOut.enter(name, address);
    if (!place) throw new RequestRefused({ code: "request.too_many", retryAfterSeconds: 30 });
    const response = reply.raw;
    response.once("close", place.leave);
    if (!(await hasRoomTogether(name, address))) {
      place.leave();
      throw new RequestRefused({ code: "request.too_many", retryAfterSeconds: 30 });
    }

    // A client that comes from a process with newer prices does not get older ones.
    const lastId = [request.headers["last-event-id"]].join("");
    if (priceListOf(lastId) > priceListOf(news.id())) await look();
    // Without other clients the state is not refreshed, so the first client refreshes it.
    if (fanOut.size().listeners === 0)
      await news.look().catch((error: unknown) => ctx.log.warn({ err: error }, "a stream opens without rates"));
    issueBrowserId(ctx, jar);
    reply.hijack();
    // No chunked encoding and no keep-alive: the stream ends with its socket, and one buffer serves all clients.
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) response.setHeader(name, value);
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "private, no-store, no-transform",
      "x-accel-buffering": "no",
    });
    const isCurrent = lastId === news.id();
    place.open(response, Buffer.concat([Buffer.from(`retry: ${retryMs()}\n`), isCurrent ? Buffer.alloc(0) : news.message(), heartbeat]));
  });
}

/** The price list that the id of an event names; 0: none. */
const priceListOf = (id: string): number => Number(/^\d+\.(\d{1,15})/.exec(id)?.[1] ?? 0);

/** The message to clients, built once per change. */
function createRatesMessage(ctx: Ctx) {
  let id = "";
  let message = Buffer.alloc(0);
  return {
    id: () => id,
    /** Empty until a rate was received. */
    message: () => message,
    /** Reads the current state; true if it differs from the last message. */
    async look(): Promise<boolean> {
      rates.invalidateCache(ctx);
      pricing.invalidateCache(ctx);
      const [shown, market, list] = await Promise.all([rates.shown(ctx), rates.market(ctx), pricing.current(ctx)]);
      if (!shown) return false;
      const now = `${shown.version}.${list.version}${shown.stale ? "s" : ""}${market.isOpen ? "" : "c"}`;
      if (now === id) return false;
      id = now;
      const body = JSON.stringify(contract.readCourses.answer.parse(coursesView(shown)));
      const work = JSON.stringify(contract.readWork.answer.parse(workView(market)));
      message = Buffer.from(`id: ${id}\nevent: courses\ndata: ${body}\n\nevent: work\ndata: ${work}\n\n`);
      return true;
    },
  };
}
