import type { RateLimitName } from "#contract/call.ts";
import { minutes } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as processes from "#shop/processes/service.ts";
import type { Limits } from "#shop/settings.ts";

/** Maximum number of buckets; beyond it the fullest are dropped, which lose least. */
const maxBuckets = 50_000;
/** How many levels `dropFullest` distinguishes. */
const levels = 64;
/** Limits are of a minute. */
const windowMs = minutes(1);
/** Rounding of sums of fractions of a millisecond. */
const roundingMs = 0.01;

/**
 * What the other processes together may use without this process knowing, as a share of the limit: once, at a moment, and again of what
 * refills. So all processes together stay within 1.1 times the limit of one.
 */
const unsharedShare = 0.05;
/** How many buckets one exchange shares. */
const maxShared = 1_000;
/** How long a request waits for the other processes. After it, as without the database, this process decides by itself. */
const patienceMs = 500;

const perMinute: Record<RateLimitName, { visitor: keyof Limits; address: keyof Limits; isStrict?: true }> = {
  request: { visitor: "requestsPerMinute", address: "addressRequestsPerMinute" },
  page: { visitor: "pagesPerMinute", address: "addressPagesPerMinute" },
  write: { visitor: "writesPerMinute", address: "addressWritesPerMinute" },
  search: { visitor: "searchesPerMinute", address: "addressSearchesPerMinute" },
  // Rare, and each reserves or guesses something: every one is counted with the other processes.
  quote: { visitor: "quotesPerMinute", address: "addressQuotesPerMinute", isStrict: true },
  order: { visitor: "ordersPerMinute", address: "addressOrdersPerMinute", isStrict: true },
  promo: { visitor: "promoCodesPerMinute", address: "addressPromoCodesPerMinute", isStrict: true },
};

/**
 * `visitor`: a customer, or a browser with a signed id; null for all other clients at this address, which share one limit. `names`: filled
 * by the limiter, for a key that is used for many requests; both other fields must then stay as they are.
 */
export type RateLimitKey = { visitor: string | null; address: string; names?: Map<RateLimitName, BucketNames> };
type BucketNames = readonly [ofVisitor: string, ofAddress: string];

/** What the processes of the shop have used together. */
export type SharedUse = {
  /** How many other processes run. */
  others(): number;
  /** Adds the milliseconds that were used of buckets and returns when each is full again, with the use of all processes. */
  add(uses: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
};
const alone: SharedUse = { others: () => 0, add: async () => new Map() };

/** `fullAt`: when everything that was taken has refilled. `unshared`: what the other processes do not know of it, in milliseconds. */
type Bucket = { fullAt: number; unshared: number; drainedAt: number; isShared: boolean };
/** A request that waits for the other processes; `settle` takes the seconds until there is room, 0: granted. */
type Waiter = { takes: Take[]; settle: (seconds: number) => void };
/** One event in one bucket. `step`: how long it needs to refill. */
type Take = { key: string; bucket: Bucket; step: number; isStrict: boolean };

/**
 * Rate limiter (token buckets): the limit of a minute may be used at once and refills evenly. Every request counts for its visitor and for
 * its address, whose limit is higher, because mobile networks put many visitors behind one address.
 *
 * Several processes share the buckets through `shared` (docs/decisions/0080): a process grants a small share of a limit by itself, and adds
 * up with the others before it grants more. Alone it decides everything by itself. Limits that protect SMS are counted by their services.
 */
export function createRateLimiter(limits: Limits, now: () => Date, shared: SharedUse = alone) {
  const buckets = new Map<string, Bucket>();
  /** Keys of buckets with unshared use. */
  const unshared = new Set<string>();
  let waiting: Waiter[] = [];
  /** Whether the next sharing takes in all use; otherwise only what requests wait for. */
  let isTurn = false;
  let sharing: Promise<void> | null = null;
  let sharingNext: Promise<void> | null = null;

  /** Takes one token for the visitor and one for the address if this process may decide that by itself; false: `take` must be called. */
  function tryTake(limit: RateLimitName, who: RateLimitKey): boolean {
    const at = now().getTime();
    const others = shared.others();
    const [ofVisitor, ofAddress] = takesOf(limit, who, at, others);
    if (!isDecidedHere(ofVisitor, at, others) || !isDecidedHere(ofAddress, at, others)) return false;
    use(ofVisitor, at, others);
    use(ofAddress, at, others);
    return true;
  }

  /** Whether there is room, and the other processes need not know before it is granted. */
  const isDecidedHere = (take: Take, at: number, others: number): boolean =>
    secondsUntilRoom(take, at) === 0 && !mustShare(take, at, others);

  /** Takes one token for the visitor and one for the address. Returns 0 if both were available, else the seconds until the next one. */
  async function take(limit: RateLimitName, who: RateLimitKey): Promise<number> {
    const at = now().getTime();
    const others = shared.others();
    const takes = takesOf(limit, who, at, others);
    for (const each of takes) {
      const seconds = secondsUntilRoom(each, at);
      if (seconds > 0) return seconds;
    }
    const isDecided = !takes.some((each) => mustShare(each, at, others));
    for (const each of takes) use(each, at, others);
    if (isDecided) return 0;

    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(0), patienceMs);
      waiting.push({
        takes,
        settle(seconds) {
          clearTimeout(timer);
          resolve(seconds);
        },
      });
      void share();
    });
  }

  /** `others`: how many other processes run, looked up once for each request. */
  function takesOf(limit: RateLimitName, who: RateLimitKey, at: number, others: number): [ofVisitor: Take, ofAddress: Take] {
    const { visitor: ofVisitor, address: ofAddress, isStrict = false } = perMinute[limit];
    const [visitorName, addressName] = namesOf(limit, who);
    return [takeOf(visitorName, limits[ofVisitor], isStrict, at, others), takeOf(addressName, limits[ofAddress], isStrict, at, others)];
  }

  function takeOf(key: string, limit: number, isStrict: boolean, at: number, others: number): Take {
    let bucket = buckets.get(key);
    if (!bucket) {
      if (buckets.size >= maxBuckets) dropFullest(at);
      bucket = { fullAt: at, unshared: 0, drainedAt: at, isShared: false };
      buckets.set(key, bucket);
    }
    // A clock that was set back does not close the limit for longer than a minute.
    bucket.fullAt = Math.min(bucket.fullAt, at + Math.max(1, others + 1) * windowMs);
    return { key, bucket, step: limit > 0 ? windowMs / limit : Infinity, isStrict };
  }

  function secondsUntilRoom({ bucket, step }: Take, at: number): number {
    return step === Infinity ? 60 : secondsLeft(Math.max(bucket.fullAt, at) + step - at - windowMs);
  }

  /** Whether the other processes must know of this one before it is granted. */
  function mustShare({ bucket, step, isStrict }: Take, at: number, others: number): boolean {
    if (others === 0) return false;
    drain(bucket, at);
    return isStrict || bucket.unshared + step > unsharedLimit();
  }

  /** How much of a bucket this process may use before the others know. */
  const unsharedLimit = (): number => (unsharedShare * windowMs) / (shared.others() + 1);

  /** Slow use is never shared: what refills at a small share of the limit's pace is forgotten. */
  function drain(bucket: Bucket, at: number): void {
    const drained = (Math.max(0, at - bucket.drainedAt) * unsharedShare) / (shared.others() + 1);
    if (bucket.unshared > 0) bucket.unshared = Math.max(0, bucket.unshared - drained);
    bucket.drainedAt = at;
  }

  function use({ key, bucket, step }: Take, at: number, others: number): void {
    if (others === 0) bucket.isShared = false;
    else {
      // What was used while no other process ran.
      if (!bucket.isShared) Object.assign(bucket, { unshared: Math.max(0, bucket.fullAt - at), drainedAt: at, isShared: true });
      bucket.unshared += step;
      unshared.add(key);
    }
    bucket.fullAt = Math.max(bucket.fullAt, at) + step;
  }

  /** Adds up all notable use with the other processes. Called every second while there are any. */
  function shareAll(): Promise<void> {
    isTurn = true;
    return share();
  }

  /** Adds up with the other processes. While that runs, later callers wait together for the next time. */
  function share(): Promise<void> {
    if (!sharing) {
      sharing = shareNow().finally(() => (sharing = null));
      return sharing;
    }
    sharingNext ??= sharing.then(() => {
      sharingNext = null;
      return share();
    });
    return sharingNext;
  }

  async function shareNow(): Promise<void> {
    const waiters = waiting;
    waiting = [];
    const awaited = new Set(waiters.flatMap(({ takes }) => takes.map(({ key }) => key)));
    const uses = new Map<string, number>();
    const at = now().getTime();
    const enough = unsharedLimit() / 2;
    for (const key of isTurn ? [...awaited, ...unshared] : [...awaited]) {
      const bucket = buckets.get(key);
      if (bucket) drain(bucket, at);
      if (!bucket || (bucket.unshared === 0 && !awaited.has(key))) unshared.delete(key);
      else if (awaited.has(key) || (uses.size < maxShared && Math.abs(bucket.unshared) >= enough)) {
        uses.set(key, bucket.unshared);
        bucket.unshared = 0;
        unshared.delete(key);
      }
    }
    isTurn = false;
    if (uses.size === 0) return;
    const found = await shared.add(uses).catch(() => null); // without the database each process limits by itself
    const ends = new Map<string, number>();
    for (const [key, used] of uses) {
      const end = found?.get(key);
      if (end === undefined) addUnshared(key, used);
      else ends.set(key, Math.max(end, now().getTime()));
    }
    const decided = new Map(ends);
    for (const { takes, settle } of waiters) {
      const after = now().getTime();
      const seconds = Math.max(...takes.map(({ key }) => secondsLeft((decided.get(key) ?? 0) - after - windowMs)));
      for (const { key, step } of seconds > 0 ? takes : []) {
        addUnshared(key, -step); // given back
        decided.set(key, (decided.get(key) ?? 0) - step);
      }
      settle(seconds);
    }
    for (const [key, end] of ends) {
      const bucket = buckets.get(key);
      if (bucket) bucket.fullAt = end + bucket.unshared;
    }
  }

  function addUnshared(key: string, ms: number): void {
    const bucket = buckets.get(key);
    if (!bucket) return;
    bucket.unshared += ms;
    unshared.add(key);
  }

  /**
   * Drops a tenth at once: those that need the least time to be full. A client that used up its limit is never forgotten for fresh ones.
   */
  function dropFullest(at: number): void {
    const levelOf = ({ fullAt }: Bucket): number => Math.min(levels, Math.max(0, Math.ceil(((fullAt - at) / windowMs) * levels)));
    const sizes = new Uint32Array(levels + 1);
    for (const bucket of buckets.values()) sizes[levelOf(bucket)] = (sizes[levelOf(bucket)] ?? 0) + 1;
    let surplus = Math.ceil(buckets.size - maxBuckets * 0.9);
    let whole = 0;
    for (; whole < levels && surplus >= (sizes[whole] ?? 0); whole += 1) surplus -= sizes[whole] ?? 0;
    for (const [key, bucket] of buckets) {
      const level = levelOf(bucket);
      if (level > whole || (level === whole && (surplus -= 1) < 0)) continue;
      buckets.delete(key);
      unshared.delete(key);
    }
  }

  return { tryTake, take, shareAll, size: () => buckets.size };
}
export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** The rate limiter of a surface (`name`), shared with the other processes of the shop. */
export function createSharedRateLimiter(ctx: Ctx, name: string, limits: Limits = ctx.settings.limits): RateLimiter {
  const limiter = createRateLimiter(limits, ctx.now, {
    others: () => processes.others(ctx),
    async add(uses) {
      const prefix = `${name}.`;
      const ends = await processes.addUse(ctx, new Map([...uses].map(([key, ms]) => [prefix + key, ms])));
      return new Map([...ends].map(([key, end]) => [key.slice(prefix.length), end]));
    },
  });
  processes.takePart(ctx, async (others) => {
    if (others > 0) await limiter.shareAll();
  });
  return limiter;
}

/** Joining and hashing the names costs as much as the rest of the limiter. */
function namesOf(limit: RateLimitName, { visitor, address, names }: RateLimitKey): BucketNames {
  const known = names?.get(limit);
  if (known) return known;
  const made: BucketNames = [`${limit} ${visitor ?? `unnamed at ${address}`}`, `${limit} at ${address}`];
  names?.set(limit, made);
  return made;
}

const secondsLeft = (ms: number): number => (ms > roundingMs ? Math.max(1, Math.ceil((ms - roundingMs) / 1000)) : 0);
