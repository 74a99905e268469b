import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConstructorOptions } from "pg-boss";
import type { Db } from "#kit/db.ts";

export const migrationsFolder = join(import.meta.dirname, "../../../db/migrations");

/** Columns are camelCase in code and snake_case in SQL, on both engines. */
export const casing = "snake_case";

export type Database = {
  engine: "postgresql" | "pglite";
  db: Db;
  /** The same connections in the form that the job queue needs. */
  jobs: Pick<ConstructorOptions, "db" | "backend">;
  migrate(): Promise<void>;
  /** Whether a trivial query answers within a second. */
  isReachable(): Promise<boolean>;
  /**
   * Limits that the connections do not have, one line each. Behind a pooler `migrate` stores them; a connection that it opened before has
   * none.
   */
  missingLimits(): Promise<string[]>;
  /** How many callers wait for a connection: a measure of overload. */
  waiting(): number;
  /** A copy of the embedded database, as it was at one moment (`.tar.gz`); absent on PostgreSQL, which has its own tools. */
  dump?: () => Promise<Blob>;
  /** Closes the connections; a second call waits for the first. */
  close(): Promise<void>;
};
export type EmbeddedDatabase = Database & Required<Pick<Database, "dump">>;

/** Whether the query succeeds within this time; an error counts as no. */
export async function succeedsWithin(milliseconds: number, query: PromiseLike<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([
      Promise.resolve(query).then(
        () => true,
        () => false,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** Identifies the schema that this build expects. Equal builds have equal fingerprints. */
export function schemaFingerprint(): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(migrationsFolder)
    .filter((each) => each.endsWith(".sql"))
    .toSorted()) {
    hash.update(readFileSync(join(migrationsFolder, name)));
  }
  return hash.digest("hex").slice(0, 16);
}
