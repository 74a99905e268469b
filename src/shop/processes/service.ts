import type { Expression } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import { withoutDeadline } from "#kit/concurrency/deadline.ts";
import { minutes, plus, seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as rows from "./repository.ts";

/** A process without a heartbeat for so long has ended. Heartbeats are sent every second. */
const silenceMs = seconds(10);
/** A clock that was wrong for a moment must not close a limit for longer. */
const maxDebtMs = minutes(5);

/** What a part of this process does with each exchange; `others`: how many other processes run. */
type Part = (others: number) => Promise<void>;

type Membership = { id: string; others: number; parts: Set<Part> };
const membership = (ctx: Ctx): Membership => ctx.singleton("processes", () => ({ id: randomId(), others: 0, parts: new Set() }));

const aliveSince = (ctx: Ctx): Date => plus(ctx.now(), -silenceMs);

/** How many other processes ran at the last exchange; 0 before the first one. */
export const others = (ctx: Ctx): number => membership(ctx).others;

/** Lets `part` run with each exchange, until the returned function is called. */
export function takePart(ctx: Ctx, part: Part): () => void {
  const { parts } = membership(ctx);
  parts.add(part);
  return () => void parts.delete(part);
}

/**
 * Announces this process and exchanges with the others what each has counted. Called every second where the database can have several
 * processes; one statement while this process is alone or idle.
 */
export async function exchange(ctx: Ctx): Promise<void> {
  await exchangeWith(ctx, await rows.announce(ctx.db, membership(ctx).id, ctx.now(), aliveSince(ctx)));
}

/** What `exchange` does, for a caller that has announced this process in a statement of its own (`announcement`, `othersNow`). */
export async function exchangeWith(ctx: Ctx, howMany: number): Promise<void> {
  const own = membership(ctx);
  own.others = howMany;
  for (const part of own.parts) await part(howMany);
}

/** Announces this process, as a part of another statement. */
export const announcement = (ctx: Ctx): Expression => rows.announcement(membership(ctx).id, ctx.now());
/** How many other processes run, as a part of another statement. */
export const othersNow = (ctx: Ctx): Expression => rows.othersSince(membership(ctx).id, aliveSince(ctx));

/** Takes this process off the list of those that run. */
export async function leave(ctx: Ctx): Promise<void> {
  const own = membership(ctx);
  own.others = 0;
  await rows.remove(ctx.db, own.id);
}

/**
 * Adds what this process used of rate limits, in milliseconds that the limit needs to refill (negative: given back), and returns when each
 * is whole again, in milliseconds, with the use of all processes. Keys are stored hashed behind their first word, which names the limit.
 */
export async function addUse(ctx: Ctx, uses: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const keys = new Map([...uses.keys()].map((key) => [hashed(ctx, key), key]));
  const now = ctx.now();
  const list = [...keys].map(([hash, key]) => ({ key: hash, ms: uses.get(key) ?? 0 }));
  const ends = await withoutDeadline(() => rows.addUse(ctx.db, list, { now, latest: plus(now, maxDebtMs) }));
  return new Map(ends.map(({ key, endsAtMs }) => [keys.get(key) ?? key, endsAtMs]));
}

/** Stores how many streams this process has open by key; returns the numbers of the other processes for these keys. */
export async function shareOpenStreams(ctx: Ctx, counts: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const keys = new Map([...counts.keys()].map((key) => [hashed(ctx, key), key]));
  const list = [...keys].map(([hash, key]) => ({ key: hash, count: counts.get(key) ?? 0 }));
  const { id } = membership(ctx);
  const found = await withoutDeadline(() => rows.setOpen(ctx.db, id, list, aliveSince(ctx)));
  return new Map(found.map(({ key, count }) => [keys.get(key) ?? key, count]));
}

/** Deletes limits that are whole again and what ended processes left behind. */
export const deleteOld = (ctx: Ctx): Promise<void> => rows.deleteOld(ctx.db, ctx.now(), plus(ctx.now(), -minutes(1)));

/** `quote visitor:…` → `quote <hash>`: addresses are not stored in clear. */
function hashed(ctx: Ctx, key: string): string {
  const at = key.indexOf(" ");
  return `${key.slice(0, at)} ${ctx.secrets.sign("limits", key, 32)}`;
}
