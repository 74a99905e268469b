import { sql } from "drizzle-orm";
import { fromDrizzle, PgBoss } from "pg-boss";
import type { Db, Expression } from "#kit/db.ts";
import type { Log } from "#kit/log.ts";
import type { Enqueue } from "#kit/concurrency/queue.ts";
import type { Database } from "./database.ts";
import { shutdownMs } from "../process/shutdown.ts";

/** One queue for all jobs, so one poll instead of one per kind. The payload carries the kind. */
const queueName = "shop";
/**
 * The interval at which each worker polls without being woken. Workers are woken when a job waits (`hasWaiting`, `enqueue`). The intervals
 * differ, so that the polls are spread.
 */
const pollSeconds = [27, 30, 33];
/** How long after `enqueue` a worker of this process is woken: by then the transaction of the job has mostly committed. */
const wakeMs = 50;
const noJobId = "00000000-0000-0000-0000-000000000000";
/** Workers of pg-boss fetch by the same condition and index. */
const hasWaiting: Expression = sql`exists(select from pgboss.job_common
  where name = ${queueName} and state < 'active' and not blocked and start_after <= now())`;
type Envelope = { name: string; payload: Record<string, unknown> };
export type JobHandlers<C> = Record<string, (ctx: C, payload: Record<string, unknown>) => Promise<void>>;

export type Queue = {
  enqueue: Enqueue;
  /** Starts workers that pass jobs to their handlers. Each job is retried with increasing pauses until it succeeds. */
  work<C>(ctx: C, handlers: JobHandlers<C>): Promise<void>;
  /** Whether a job waits that a worker may take now, as a part of another statement. */
  hasWaiting: Expression;
  /** Lets a worker of this process poll for jobs now. */
  wake(): void;
  /** Runs all waiting jobs now, in order, and returns how many; an error of a handler is thrown. For tests and resilience tests. */
  drain<C>(ctx: C, handlers: JobHandlers<C>): Promise<number>;
  stop(): Promise<void>;
};

/** Drizzle types the result of `execute` per driver; both drivers return the `rows` that pg-boss needs. */
const sqlOf = (db: Db) => fromDrizzle(db as unknown as Parameters<typeof fromDrizzle>[0], sql);

/** pg-boss on the shop's own connections. `send` runs inside the caller's transaction, so a rolled-back order enqueues no job. */
export async function openQueue(database: Pick<Database, "jobs">, options: { log: Log; supervise: boolean }): Promise<Queue> {
  const boss = new PgBoss({ ...database.jobs, supervise: options.supervise, schedule: false, migrate: true, flowIntervalSeconds: 600 });
  boss.on("error", (error) => options.log.warn({ err: error }, "the job queue met a fault"));
  await boss.start();
  await boss.createQueue(queueName, {
    retryLimit: 30,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 600,
    expireInSeconds: 120,
    deleteAfterSeconds: 86_400,
  });
  // pg-boss reads and caches the queue's row at the first use. On PGlite a read inside a transaction would deadlock, so it is read here.
  await boss.findJobs(queueName, { id: noJobId });

  const handle = <C>(ctx: C, handlers: JobHandlers<C>, { name, payload }: Envelope) => {
    const handler = handlers[name];
    if (!handler) throw new Error(`no handler for job ${name}`);
    return handler(ctx, payload);
  };
  const workers: string[] = [];
  let nextWorker = 0;
  let waking: NodeJS.Timeout | null = null;
  function wake(): void {
    nextWorker = (nextWorker + 1) % pollSeconds.length;
    const worker = workers[nextWorker];
    if (worker !== undefined) boss.notifyWorker(worker);
  }
  /** Wakes a worker after `wakeMs`. A job whose transaction commits later, or at another process, is found by `hasWaiting`. */
  function wakeSoon(): void {
    if (workers.length === 0 || waking) return;
    waking = setTimeout(() => {
      waking = null;
      wake();
    }, wakeMs).unref();
  }
  return {
    hasWaiting,
    wake,
    async enqueue(tx, name, payload) {
      await boss.send(queueName, { name, payload } satisfies Envelope, { db: sqlOf(tx) });
      wakeSoon();
    },
    async work(ctx, handlers) {
      const run = (found: { id: string; data: Envelope }[]) =>
        Promise.all(
          found.map(async ({ id, data }) => {
            try {
              await handle(ctx, handlers, data);
              return { id, status: "completed" as const };
            } catch (error) {
              options.log.warn({ err: error, job: data.name }, "a job failed and will be repeated");
              return { id, status: "failed" as const, output: { message: String(error) } };
            }
          }),
        );
      // Several workers take two jobs each and poll again at once while there are more. With one job per poll the rate was eight a second.
      // A slow provider delays its own job and, at most, the completion of the other job in the pair.
      for (const pollingIntervalSeconds of pollSeconds)
        workers.push(
          await boss.work<Envelope>(
            queueName,
            { pollingIntervalSeconds, batchSize: 2, burstWhenBatchFull: true, perJobResults: true },
            run,
          ),
        );
    },
    async drain(ctx, handlers) {
      for (let count = 0; ;) {
        const jobs = await boss.fetch<Envelope>(queueName, { batchSize: 50 });
        if (jobs.length === 0) return count;
        for (const job of jobs) {
          try {
            await handle(ctx, handlers, job.data);
          } catch (error) {
            await boss.fail(queueName, job.id, { message: String(error) });
            throw error;
          }
          await boss.complete(queueName, job.id);
          count += 1;
        }
      }
    },
    stop() {
      workers.length = 0;
      return boss.stop({ graceful: true, timeout: shutdownMs.worker - 1_000 });
    },
  };
}
