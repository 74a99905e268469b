/** A rate limit: at most `limit` events under `key` in a window of `windowSeconds`, which opens with the first event. */
export type LimitRule = { key: string; windowSeconds: number; limit: number };
