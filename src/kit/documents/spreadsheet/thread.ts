import { parentPort, workerData } from "node:worker_threads";
import { readHere } from "./read.ts";
import type { TableLimits, TableToWrite } from "./table.ts";
import { writeXlsxHere } from "./write.ts";

/** What the thread does. It does one task and ends. */
export type ThreadTask = { read: { bytes: Uint8Array; limits: TableLimits } } | { write: TableToWrite };

const task = workerData as ThreadTask;
// oxlint-disable-next-line require-post-message-target-origin -- a port of a thread has no origin
parentPort?.postMessage("read" in task ? await readHere(task.read.bytes, task.read.limits) : await writeXlsxHere(task.write));
