import { Worker } from "node:worker_threads";
import { csvOf } from "../csv.ts";
import { fail, type Result } from "../result.ts";
import type { Table, TableFault, TableFormat, TableLimits, TableToWrite } from "./table.ts";
import type { ThreadTask } from "./thread.ts";

/** A file that needs longer, or more memory, is not a table of the shop. */
const longestMs = 60_000;
const mostMegabytes = 768;

/** Ran out of time or memory. */
class ThreadFailed extends Error {}

/** A thread for one file: pages and calls go on meanwhile, and a file made to exhaust memory ends the thread only. */
function inThread<T>(task: ThreadTask): Promise<T> {
  const thread = new Worker(new URL("./thread.ts", import.meta.url), {
    workerData: task,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  const timer = setTimeout(() => void thread.terminate(), longestMs);
  return new Promise<T>((resolve, reject) => {
    thread.once("message", (result: T) => resolve(result));
    thread.once("error", (error) => reject(new ThreadFailed("a table could not be processed", { cause: error })));
    thread.once("exit", () => reject(new ThreadFailed("a table was not processed in time")));
  }).finally(() => {
    clearTimeout(timer);
    void thread.terminate();
  });
}

/**
 * Reads a CSV or XLSX file by its content: the first sheet, its first row is the head, empty rows are left out. Apostrophes that
 * `writeTable`
 * put in front of formulas are taken away. Refuses what is damaged, or larger than the limits.
 */
export async function readTable(bytes: Uint8Array, limits: TableLimits): Promise<Result<Table, TableFault>> {
  try {
    return await inThread({ read: { bytes, limits } });
  } catch (error) {
    if (error instanceof ThreadFailed) return fail({ code: "table.too_large" });
    throw error;
  }
}

/** The bytes of a table as a file. Texts that a spreadsheet would execute are guarded. */
export const writeTable = async (format: TableFormat, table: TableToWrite): Promise<Buffer> =>
  format === "csv" ? csvOf([table.head, ...table.rows]) : Buffer.from(await inThread<Uint8Array>({ write: table }));
