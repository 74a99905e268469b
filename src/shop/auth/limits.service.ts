import { inTransaction, type Tx } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import type { LimitRule } from "./limit-rule.ts";
import * as rows from "./repository.ts";

/** `counts` are in the order of the rules; `by` is the rule that refused. */
export type Taken = { isAllowed: true; counts: number[] } | { isAllowed: false; by: LimitRule; retryAfterSeconds: number };

class Refused extends Error {
  readonly by: LimitRule;
  constructor(by: LimitRule) {
    super("over the limit");
    this.by = by;
  }
}

/**
 * Counts one thing under all rules, or under none when one of them is exhausted. Exact under any number of parallel calls
 * and processes. Callers that share keys must name them in the same order: rows are locked as they come.
 */
export async function take(ctx: Ctx, rules: readonly LimitRule[]): Promise<Taken> {
  const takeAll = async (tx: Tx): Promise<number[]> => {
    const counts = await rows.countAll(tx, rules, ctx.now());
    return counts.map((count, index) => {
      const rule = rules[index];
      if (count === null && rule) throw new Refused(rule);
      return count ?? 0;
    });
  };
  try {
    // One rule is one statement; several stand or fall together.
    return { isAllowed: true, counts: await (rules.length === 1 ? takeAll(ctx.db) : inTransaction(ctx.db, takeAll)) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { isAllowed: false, by: error.by, retryAfterSeconds: await rows.secondsLeft(ctx.db, error.by, ctx.now()) };
  }
}

/**
 * The first rule that is exhausted as it looks without waiting for anybody, to be asked before `take`: a flood that is refused anyhow does not
 * come near the rows that everybody waits for. Null does not mean that `take` will allow it.
 */
export function refusedAtSight(rules: readonly LimitRule[], windows: ReadonlyMap<string, rows.Window>, now: Date): Taken | null {
  const by = rules.find(({ key, limit }) => limit < 1 || (windows.get(key)?.count ?? 0) >= limit);
  const ends = by && windows.get(by.key)?.windowEnds;
  return by ? { isAllowed: false, by, retryAfterSeconds: ends ? rows.secondsUntil(ends, now) : by.windowSeconds } : null;
}

/** Takes back what `take` counted, for a thing that did not come to pass. */
export async function giveBack(ctx: Ctx, rules: readonly LimitRule[]): Promise<void> {
  const keys = rules.map(({ key }) => key);
  await inTransaction(ctx.db, (tx) => rows.uncountAll(tx, keys, ctx.now()));
}

/** Counts one thing; false when it is one too many. */
export async function count(ctx: Ctx, key: string, windowSeconds: number, limit: number): Promise<boolean> {
  return (await rows.countOne(ctx.db, { key, windowSeconds, limit }, ctx.now())) !== null;
}

/**
 * Counts one request by form (`kind` names the form) under the address it came from, or refuses it. `mayThank` is false
 * when the mailbox it names has had its letters of the day: anybody may name anybody's.
 */
export async function takeInquiry(
  ctx: Ctx,
  { kind, address, email }: { kind: string; address: string; email: string },
): Promise<{ isAllowed: true; mayThank: boolean } | { isAllowed: false; retryAfterSeconds: number }> {
  const { inquiriesPerAddressHour, inquiryLettersPerMailboxDay } = ctx.settings.limits;
  const taken = await take(ctx, [{ key: `inquiry:${kind}:${hashed(ctx, address)}`, windowSeconds: 3600, limit: inquiriesPerAddressHour }]);
  if (!taken.isAllowed) return taken;
  return {
    isAllowed: true,
    mayThank: email !== "" && (await count(ctx, `inquiry:mail:${hashed(ctx, email.toLowerCase())}`, 86_400, inquiryLettersPerMailboxDay)),
  };
}

const hashed = (ctx: Ctx, text: string): string => ctx.secrets.sign("limits", text, 32);

/** The network that a mobile operator or a household shares: the /24 of an IPv4 address, the /64 of an IPv6 one. */
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
