import { withoutDeadline } from "#kit/concurrency/deadline.ts";
import { moscow } from "#kit/moscow-time.ts";
import { faultFields } from "#kit/network/outbound.ts";
import { days, plus, seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { normalise } from "#shop/search/text/words.ts";
import * as counters from "../counters.repository.ts";
import { countable } from "./missed.ts";

/** Searches without a result that this process has counted and not written yet. */
type Waiting = { counted: Map<string, number>; timer: NodeJS.Timeout | null };
const waiting = (ctx: Ctx): Waiting => ctx.singleton<Waiting>("reports.misses", () => ({ counted: new Map(), timer: null }));

const flushAfter = seconds(10);
/** Different queries that wait at most; others are not counted. */
const maxWaiting = 500;

/**
 * Counts a search that found nothing, in memory: nothing is written while the visitor waits. What may name a person is not counted.
 * Numbers of the last seconds are lost when a process ends.
 */
export function noteMissedSearch(ctx: Ctx, query: string): void {
  const text = countable(normalise(query));
  const misses = waiting(ctx);
  if (text === null || (misses.counted.size >= maxWaiting && !misses.counted.has(text))) return;
  misses.counted.set(text, (misses.counted.get(text) ?? 0) + 1);
  misses.timer ??= setTimeout(() => {
    withoutDeadline(() => flushMissedSearches(ctx)).catch((error: unknown) =>
      ctx.log.warn(faultFields(error), "searches without a result were not counted"),
    );
  }, flushAfter).unref();
}

/** Writes the counted searches of this process in one statement. */
export async function flushMissedSearches(ctx: Ctx): Promise<void> {
  const misses = waiting(ctx);
  const { counted } = misses;
  if (misses.timer) clearTimeout(misses.timer);
  Object.assign(misses, { counted: new Map(), timer: null });
  await counters.addMisses(ctx.db, moscow(ctx.now()).date, counted);
}

/** Sweep: deletes the counts of searches without a result after `recordDays`. */
export const deleteOldMisses = (ctx: Ctx): Promise<void> =>
  counters.deleteMisses(ctx.db, moscow(plus(ctx.now(), -days(ctx.settings.limits.recordDays))).date);
