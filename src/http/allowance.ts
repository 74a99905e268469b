import type { Allowance } from "#contract/call.ts";
import type { Limits } from "#shop/settings.ts";

/** Kept buckets at most; beyond it the full ones (whose owners rest) are forgotten. */
const mostBuckets = 50_000;

const perMinute: Record<Allowance, (limits: Limits) => number> = {
  request: (limits) => limits.requestsPerMinute,
  write: (limits) => limits.writesPerMinute,
  search: (limits) => limits.searchesPerMinute,
  quote: (limits) => limits.quotesPerMinute,
  order: (limits) => limits.ordersPerMinute,
};

/**
 * Token buckets of this process: a minute's allowance may be used at once and comes back evenly.
 * They keep one client from taking everything; limits that guard money or SMS are counted in the database by their services.
 */
export function createAllowances(limits: Limits, now: () => Date) {
  const buckets = new Map<string, { tokens: number; at: number }>();

  /** Takes one token. Returns 0 when it was there, else the seconds until the next one. */
  function take(allowance: Allowance, who: string): number {
    const limit = perMinute[allowance](limits);
    const key = `${allowance} ${who}`;
    const at = now().getTime();
    const bucket = buckets.get(key) ?? { tokens: limit, at };
    const tokens = Math.min(limit, bucket.tokens + (Math.max(0, at - bucket.at) * limit) / 60_000);
    if (tokens < 1) return limit > 0 ? Math.max(1, Math.ceil(((1 - tokens) * 60) / limit)) : 60;
    if (buckets.size >= mostBuckets && !buckets.has(key)) forgetResting(at);
    buckets.set(key, { tokens: tokens - 1, at });
    return 0;
  }

  function forgetResting(at: number): void {
    for (const [key, bucket] of buckets) if (at - bucket.at > 60_000) buckets.delete(key);
    if (buckets.size >= mostBuckets) buckets.clear(); // a flood from more clients than we can count: start over rather than grow
  }

  return { take, size: () => buckets.size };
}
export type Allowances = ReturnType<typeof createAllowances>;
