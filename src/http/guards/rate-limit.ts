import type { RateLimitName } from "#contract/call.ts";
import type { Limits } from "#shop/settings.ts";

/** Maximum number of buckets; beyond it the least recently used are dropped. */
const maxBuckets = 50_000;

const perMinute: Record<RateLimitName, { visitor: keyof Limits; address: keyof Limits }> = {
  request: { visitor: "requestsPerMinute", address: "addressRequestsPerMinute" },
  write: { visitor: "writesPerMinute", address: "addressWritesPerMinute" },
  search: { visitor: "searchesPerMinute", address: "addressSearchesPerMinute" },
  quote: { visitor: "quotesPerMinute", address: "addressQuotesPerMinute" },
  order: { visitor: "ordersPerMinute", address: "addressOrdersPerMinute" },
  promo: { visitor: "promoCodesPerMinute", address: "addressPromoCodesPerMinute" },
};

/** `visitor`: a customer, or a browser with a signed id; null for all other clients at this address, which share one limit. */
export type RateLimitKey = { visitor: string | null; address: string };

/**
 * Rate limiter of this process (token buckets): the limit of a minute may be used at once and refills evenly. Every request counts for its
 * visitor and for its address, whose limit is higher, because mobile networks put many visitors behind one address.
 * Limits that protect money or SMS are counted in the database by their services.
 */
export function createRateLimiter(limits: Limits, now: () => Date) {
  /** In order of last use. */
  const buckets = new Map<string, { tokens: number; at: number }>();

  /** Takes one token for the visitor and one for the address. Returns 0 if both were available, else the seconds until the next one. */
  function take(limit: RateLimitName, { visitor, address }: RateLimitKey): number {
    const names = perMinute[limit];
    // The visitor's bucket first: a refused visitor does not use up the limit of others at its address.
    return (
      takeOne(`${limit} ${visitor ?? `unnamed at ${address}`}`, limits[names.visitor]) ||
      takeOne(`${limit} at ${address}`, limits[names.address])
    );
  }

  function takeOne(key: string, limit: number): number {
    const at = now().getTime();
    const bucket = buckets.get(key) ?? { tokens: limit, at };
    const tokens = Math.min(limit, bucket.tokens + (Math.max(0, at - bucket.at) * limit) / 60_000);
    const isThere = tokens >= 1;
    buckets.delete(key);
    buckets.set(key, { tokens: isThere ? tokens - 1 : tokens, at });
    if (buckets.size > maxBuckets) forgetOldest();
    if (isThere) return 0;
    return limit > 0 ? Math.max(1, Math.ceil(((1 - tokens) * 60) / limit)) : 60;
  }

  /** Drops a tenth at once: iterating a Map from its start passes over all keys deleted before, so dropping one by one is slow. */
  function forgetOldest(): void {
    const fewer = maxBuckets * 0.9;
    for (const oldest of buckets.keys()) {
      if (buckets.size <= fewer) break;
      buckets.delete(oldest);
    }
  }

  return { take, size: () => buckets.size };
}
export type RateLimiter = ReturnType<typeof createRateLimiter>;
