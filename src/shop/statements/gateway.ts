import type { Result } from "#kit/result.ts";
import type { StatementContent } from "./statement.ts";

/** Reads the file of a bank's statement. Calls nothing outside the process. */
export type StatementReader = { read: (bytes: Uint8Array) => Result<StatementContent, { code: "statement.not_a_statement" }> };
