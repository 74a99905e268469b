import { csvOf } from "../csv.ts";
import { fail, type Result } from "../../result.ts";
import { runInThread, ThreadFailed } from "../../concurrency/thread.ts";
import type { Table, TableFault, TableFormat, TableLimits, TableToWrite } from "./table.ts";
import type { ThreadTask } from "./thread.ts";

const inThread = <T>(task: ThreadTask): Promise<T> => runInThread(new URL("./thread.ts", import.meta.url), task);

/**
 * Reads a CSV or XLSX file by its content: the first sheet, its first row is the head, empty rows are left out. Apostrophes that
 * `writeTable` put in front of formulas are taken away. Refuses what is damaged, or larger than the limits.
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
