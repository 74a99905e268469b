import { join } from "node:path";
import type { Log } from "#kit/log.ts";
import { lockFolder } from "../process/folder-lock.ts";
import type { Database } from "./database.ts";
import { openPglite } from "./pglite.ts";
import { openPostgres, type PostgresOptions } from "./postgres.ts";

/** The folder of the embedded database below the data folder. */
export const pgliteFolder = (dataDir: string): string => join(dataDir, "pglite");

export type DatabaseConfig = {
  DATABASE_URL?: string | undefined;
  DATABASE_DIRECT_URL?: string | undefined;
  DATABASE_PREPARE: boolean;
};

/** How the configured PostgreSQL is reached, for a pool of `max` connections. */
export const configuredOptions = (config: DatabaseConfig, { log, max }: { log: Log; max: number }): PostgresOptions => ({
  log,
  max,
  directUrl: config.DATABASE_DIRECT_URL,
  preparesStatements: config.DATABASE_PREPARE,
});

/** The configured database for a command that runs beside the shop; null when another process has locked the embedded one. */
export async function openConfiguredDatabase(
  config: DatabaseConfig & { dataDir: string },
  log: Log,
): Promise<{ database: Database; close(): Promise<void> } | null> {
  if (config.DATABASE_URL) {
    const database = openPostgres(config.DATABASE_URL, configuredOptions(config, { log, max: 2 }));
    return { database, close: database.close };
  }
  const lock = await lockFolder(pgliteFolder(config.dataDir));
  if (!lock) return null;
  const database = await openPglite(pgliteFolder(config.dataDir));
  return { database, close: () => database.close().then(lock.release) };
}
