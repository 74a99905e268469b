import type { Allowance } from "#contract/call.ts";
import type { Limits } from "#shop/settings.ts";

/** Kept buckets at most; beyond it those are forgotten that were used the longest ago. */
const mostBuckets = 50_000;

const perMinute: Record<Allowance, { visitor: keyof Limits; address: keyof Limits }> = {
  request: { visitor: "requestsPerMinute", address: "addressRequestsPerMinute" },
  write: { visitor: "writesPerMinute", address: "addressWritesPerMinute" },
  search: { visitor: "searchesPerMinute", address: "addressSearchesPerMinute" },
  quote: { visitor: "quotesPerMinute", address: "addressQuotesPerMinute" },
  order: { visitor: "ordersPerMinute", address: "addressOrdersPerMinute" },
};

/** Who is counted. `visitor`: a customer, or a browser whose name we signed; null for everybody else at this address, who share one limit. */
export type Counted = { visitor: string | null; address: string };

/**
 * Token buckets of this process: a minute's allowance may be used at once and comes back evenly. Every request counts for its visitor and for
 * its address, whose limit is higher, since mobile networks put many visitors behind one.
 * They keep one client from taking everything; limits that guard money or SMS are counted in the database by their services.
 */
export function createAllowances(limits: Limits, now: () => Date) {
  /** In the order of their last use. */
  const buckets = new Map<string, { tokens: number; at: number }>();

  /** Takes one token for the visitor and one for the address. Returns 0 when both were there, else the seconds until the next one. */
  function take(allowance: Allowance, { visitor, address }: Counted): number {
    const names = perMinute[allowance];
    // The visitor first: one that is refused takes nothing from the others at its address.
    return (
      takeOne(`${allowance} ${visitor ?? `unnamed at ${address}`}`, limits[names.visitor]) ||
      takeOne(`${allowance} at ${address}`, limits[names.address])
    );
  }

  function takeOne(key: string, limit: number): number {
    const at = now().getTime();
    const bucket = buckets.get(key) ?? { tokens: limit, at };
    const tokens = Math.min(limit, bucket.tokens + (Math.max(0, at - bucket.at) * limit) / 60_000);
    const isThere = tokens >= 1;
    buckets.delete(key);
    buckets.set(key, { tokens: isThere ? tokens - 1 : tokens, at });
    if (buckets.size > mostBuckets) forgetOldest();
    if (isThere) return 0;
    return limit > 0 ? Math.max(1, Math.ceil(((1 - tokens) * 60) / limit)) : 60;
  }

  /** A tenth at once: the first key of a Map that lost its first keys one by one is found only past all of their places. */
  function forgetOldest(): void {
    const fewer = mostBuckets * 0.9;
    for (const oldest of buckets.keys()) {
      if (buckets.size <= fewer) break;
      buckets.delete(oldest);
    }
  }

  return { take, size: () => buckets.size };
}
export type Allowances = ReturnType<typeof createAllowances>;
