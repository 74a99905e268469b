/** At most `limit` things under `key` in a window of so many seconds, which opens with the first of them. */
export type LimitRule = { key: string; windowSeconds: number; limit: number };
