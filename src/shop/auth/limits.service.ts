import { inTransaction, type Tx } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import type { LimitRule } from "./limit-rule.ts";
import * as limitRows from "./limits.repository.ts";

/** Result of a rate limit check. `counts` are in the order of the rules; `by` is the rule that refused. */
export type LimitResult = { isAllowed: true; counts: number[] } | { isAllowed: false; by: LimitRule; retryAfterSeconds: number };

class LimitExceeded extends Error {
  readonly by: LimitRule;
  constructor(by: LimitRule) {
    super("over the limit");
    this.by = by;
  }
}

/**
 * Counts one event under all rules, or under none when one of them is exhausted. Exact with any number of parallel calls and processes.
 * Callers that share keys must pass them in the same order, because the rows are locked in the order of the rules.
 */
export async function consume(ctx: Ctx, rules: readonly LimitRule[]): Promise<LimitResult> {
  const countAll = async (tx: Tx): Promise<number[]> => {
    const counts = await limitRows.countAll(tx, rules, ctx.now());
    return counts.map((count, index) => {
      const rule = rules[index];
      if (count === null && rule) throw new LimitExceeded(rule);
      return count ?? 0;
    });
  };
  try {
    // One rule is one statement; several need a transaction.
    return { isAllowed: true, counts: await (rules.length === 1 ? countAll(ctx.db) : inTransaction(ctx.db, countAll)) };
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error;
    return { isAllowed: false, by: error.by, retryAfterSeconds: await limitRows.secondsLeft(ctx.db, error.by, ctx.now()) };
  }
}

/**
 * The first exhausted rule, read without locks. Call it before `consume`, so that a flood that is refused anyway does not lock shared rows.
 * Null does not guarantee that `consume` will allow the event.
 */
export function findExhausted(
  rules: readonly LimitRule[],
  windows: ReadonlyMap<string, limitRows.LimitWindow>,
  now: Date,
): LimitResult | null {
  const by = rules.find(({ key, limit }) => limit < 1 || (windows.get(key)?.count ?? 0) >= limit);
  const ends = by && windows.get(by.key)?.windowEnds;
  return by ? { isAllowed: false, by, retryAfterSeconds: ends ? limitRows.secondsUntil(ends, now) : by.windowSeconds } : null;
}

/** Undoes what `consume` counted, for an event that did not happen. */
export async function undoCount(ctx: Ctx, rules: readonly LimitRule[]): Promise<void> {
  const keys = rules.map(({ key }) => key);
  await inTransaction(ctx.db, (tx) => limitRows.decrementAll(tx, keys, ctx.now()));
}

/** Counts one event; false when the limit is exhausted. */
export async function count(ctx: Ctx, key: string, windowSeconds: number, limit: number): Promise<boolean> {
  return (await limitRows.countOne(ctx.db, { key, windowSeconds, limit }, ctx.now())) !== null;
}

/**
 * Counts a submitted form (`kind` names the form) under its network address, or refuses it. `mayThank` is false when the given mailbox
 * has received its daily number of letters, because the form may contain the address of another person.
 */
export async function consumeInquiry(
  ctx: Ctx,
  { kind, address, email }: { kind: string; address: string; email: string },
): Promise<{ isAllowed: true; mayThank: boolean } | { isAllowed: false; retryAfterSeconds: number }> {
  const { inquiriesPerAddressHour, inquiryLettersPerMailboxDay } = ctx.settings.limits;
  const result = await consume(ctx, [
    { key: `inquiry:${kind}:${hashed(ctx, address)}`, windowSeconds: 3600, limit: inquiriesPerAddressHour },
  ]);
  if (!result.isAllowed) return result;
  return {
    isAllowed: true,
    mayThank: email !== "" && (await count(ctx, `inquiry:mail:${hashed(ctx, email.toLowerCase())}`, 86_400, inquiryLettersPerMailboxDay)),
  };
}

const hashed = (ctx: Ctx, text: string): string => ctx.secrets.sign("limits", text, 32);

/** The network of an address: /24 for IPv4, /64 for IPv6. */
export function networkOf(address: string): string {
  const four = /^(?:::ffff:)?([0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3})\.[0-9]{1,3}$/i.exec(address);
  if (four) return `${four[1]}.0/24`;
  const [head = "", tail] = (address.split("%")[0] ?? "").toLowerCase().split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0");
  return `${[...front, ...gap, ...back]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
