import type { Tx } from "./db.ts";

/** A job's name and the shape of its payload stand in the noun of the module that announces it. */
export type JobName = string;

/**
 * Writes a job in the same transaction as the change it follows from: a rolled-back order leaves no job.
 * Jobs are delivered at least once, soon; what must happen at a moment is a due column and a sweep, not a delayed job.
 */
export type Enqueue = (tx: Tx, name: JobName, payload: Record<string, unknown>) => Promise<void>;
