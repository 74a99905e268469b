import type { Db, Tx } from "#kit/db.ts";
import { withoutDeadline } from "#kit/concurrency/deadline.ts";
import type { Log } from "#kit/log.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, plus } from "#kit/time.ts";
import { actorText } from "#shop/actor.ts";
import type { AlarmName, Ctx } from "#shop/context.ts";
import { storedFields, subjectOf, type Alarm, type AlarmFields } from "./alarm.ts";
import * as rows from "./repository.ts";

const maxPending = 1_000;
const retryMs = 5_000;

/**
 * Stores alarms apart from the transaction that raised them: an alarm counts although its transaction is rolled back, and a slow or absent
 * database never holds up the one who raised it. Alarms of one name and subject are one row. What cannot be stored is tried again.
 */
export function createAlarmStore({ db, log, now }: { db: Db; log: Log; now: () => Date }) {
  const pending = new Map<string, rows.Raised>();
  let writing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;

  async function write(): Promise<void> {
    for (const [key, raised] of pending) {
      pending.delete(key);
      try {
        await withoutDeadline(() => rows.raise(db, raised));
      } catch (error) {
        add(key, raised);
        log.warn({ err: error }, "an alarm waits to be stored");
        timer ??= setTimeout(() => {
          timer = null;
          start();
        }, retryMs);
        timer.unref();
        return;
      }
    }
  }

  function add(key: string, raised: rows.Raised): void {
    const before = pending.get(key);
    if (!before && pending.size >= maxPending) return; // the log and the metric have it
    pending.set(key, before ? { ...raised, firstAt: before.firstAt, count: before.count + raised.count } : raised);
  }

  function start(): void {
    writing ??= write().finally(() => {
      writing = null;
      if (pending.size > 0 && timer === null) start();
    });
  }

  return {
    raise(name: AlarmName, fields: AlarmFields = {}): void {
      const subject = subjectOf(fields);
      const at = now();
      add(`${name} ${subject}`, { name, subject, fields: storedFields(fields), firstAt: at, lastAt: at, count: 1 });
      start();
    },
    /** Waits until everything raised so far was tried. */
    async settled(): Promise<void> {
      for (let current = writing; current; current = writing) await current;
    },
    stop(): void {
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
}

const maxShown = 200;

/** Open alarms of these names, or those that were settled; the newest first. */
export const list = (ctx: Pick<Ctx, "db">, names: readonly AlarmName[], { isClosed = false } = {}): Promise<Alarm[]> =>
  isClosed ? rows.closed(ctx.db, names, maxShown) : rows.open(ctx.db, names, maxShown);

/** How many alarms of each name are open, and since when the oldest. */
export const countOpen = (ctx: Pick<Ctx, "db">) => rows.countOpen(ctx.db);

type CloseError = { code: "staff.not_found" } | { code: "alarm.closed" };

/** Marks an alarm of these names as settled; raised again, it opens again. Runs in the transaction of `ctx.db`. */
export async function close(
  ctx: Ctx,
  { id, note, names }: { id: number; note: string; names: readonly AlarmName[] },
): Promise<Result<Alarm, CloseError>> {
  const found = await rows.lock(ctx.db, id);
  if (!found || !names.includes(found.name)) return fail({ code: "staff.not_found" });
  if (found.closedAt) return fail({ code: "alarm.closed" });
  const end = { at: ctx.now(), by: actorText(ctx.actor), note };
  await rows.close(ctx.db, id, end);
  return done({ ...found, closedAt: end.at, closedBy: end.by, note });
}

/**
 * Settles the open alarm of this name and subject, if there is one, because what it is about is over. In the caller's transaction; the
 * fields are those that name the subject.
 */
export const settle = (tx: Tx, ctx: Pick<Ctx, "now" | "actor">, name: AlarmName, fields: AlarmFields): Promise<void> =>
  rows.closeOpen(tx, { name, subject: subjectOf(fields) }, { at: ctx.now(), by: actorText(ctx.actor) });

/** Removes alarms that were settled long ago. */
export const removeOld = (ctx: Ctx): Promise<void> =>
  rows.removeClosed(ctx.db, plus(ctx.now(), -days(ctx.settings.limits.providerEventDays)));
