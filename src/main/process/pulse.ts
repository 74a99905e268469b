import { sql } from "drizzle-orm";
import { rowsOf, type Expression } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";

/** Two turns and a slow statement stay below the two seconds in which a change has to be everywhere. */
export const pulseEveryMs = 1_000;

/** What one part of a process reads with each turn of the pulse. */
export type PulsePart = {
  name: string;
  /** The value to read in this turn; null: none. */
  read(): Expression | null;
  /** A statement that writes, executed with the read. */
  write?(): Expression;
  /** Receives the value. The next value is received only after this has ended, but read in any case. */
  receive(value: unknown): Promise<void>;
};

export type Pulse = { stop(): Promise<void> };

/**
 * Reads once a second, in one statement, the values that the parts of this process poll: settings, other processes, waiting jobs, what is
 * due. So the number of parts does not change the number of statements. While the database is away no part receives a value.
 */
export function startPulse(ctx: Ctx, parts: readonly PulsePart[]): Pulse {
  const receiving = new Map<string, Promise<void>>();
  let turning: Promise<void> | null = null;
  let hasFailed = false;

  async function turn(): Promise<void> {
    const wanted = parts.flatMap((part) => {
      const expression = part.read();
      return expression === null ? [] : [{ part, column: sql`${expression} as ${sql.identifier(part.name)}` }];
    });
    if (wanted.length === 0) return;
    const writes = wanted.flatMap(({ part }, index) => (part.write ? [sql`${sql.identifier(`write_${index}`)} as (${part.write()})`] : []));
    const before = writes.length > 0 ? sql`with ${sql.join(writes, sql`, `)} ` : sql``;
    const [row] = await rowsOf<Record<string, unknown>>(
      ctx.db,
      sql`${before}select ${sql.join(
        wanted.map(({ column }) => column),
        sql`, `,
      )}`,
    );
    for (const { part } of wanted) pass(part, row?.[part.name]);
  }

  function pass(part: PulsePart, value: unknown): void {
    if (receiving.has(part.name)) return;
    const received = part
      .receive(value)
      .catch((error: unknown) => ctx.log.warn({ err: error, reason: part.name }, "a part of the pulse failed"))
      .finally(() => receiving.delete(part.name));
    receiving.set(part.name, received);
  }

  async function attempt(): Promise<void> {
    try {
      await turn();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) ctx.log.warn({ err: error }, "the pulse cannot read from the database");
      hasFailed = true;
    }
  }

  const run = (): void => {
    turning ??= attempt().finally(() => (turning = null));
  };
  run();
  const timer = setInterval(run, pulseEveryMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await turning;
      await Promise.all(receiving.values());
    },
  };
}
