import type { Tx } from "../db.ts";

/** A job's name; the shape of its payload is declared in the noun file of the module that enqueues it. */
export type JobName = string;

/**
 * Enqueues a job in the transaction of the change that causes it, so that a rollback leaves no job.
 * Jobs run at least once, as soon as possible; work with a due time is a due column with a sweep, not a delayed job.
 */
export type Enqueue = (tx: Tx, name: JobName, payload: Record<string, unknown>) => Promise<void>;
