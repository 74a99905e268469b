import { sql } from "drizzle-orm";
import { fromPglite } from "pg-boss";
import type { Db } from "#kit/db.ts";
import { runBackfills } from "./backfills.ts";
import { runMigrations } from "./run-migrations.ts";
import { once } from "../process/shutdown.ts";
import { casing, migrationsFolder, succeedsWithin, type EmbeddedDatabase } from "./database.ts";

/** PGlite in `folder`. The caller has locked the folder (see `folder-lock.ts`). */
export const openPglite = (folder: string): Promise<EmbeddedDatabase> => createPglite(folder);

/** The same in a new folder, with the content of a copy that `dump` has made. */
export const restorePglite = (folder: string, copy: Buffer<ArrayBuffer>): Promise<EmbeddedDatabase> =>
  createPglite(folder, { loadDataDir: new Blob([copy]) });

async function createPglite(folder: string, options: { loadDataDir?: Blob } = {}): Promise<EmbeddedDatabase> {
  // Loaded here, because a release does not contain the embedded database.
  const { PGlite } = await import("@electric-sql/pglite");
  const { pg_trgm } = await import("@electric-sql/pglite/contrib/pg_trgm");
  const { drizzle: drizzlePglite } = await import("drizzle-orm/pglite");
  const client = await PGlite.create({ dataDir: folder, extensions: { pg_trgm }, ...options });
  const db = drizzlePglite(client, { casing });
  return {
    engine: "pglite",
    db: db as unknown as Db,
    jobs: { db: fromPglite(client), backend: "pglite" },
    async migrate() {
      const execute = async <Row>(statement: string) => ((await client.exec(statement)).at(-1)?.rows ?? []) as Row[];
      await runMigrations(execute, { folder: migrationsFolder, lockTimeoutMs: 0, isAlone: true });
      await runBackfills(async (statement) => (await client.query(statement)).affectedRows ?? 0);
    },
    isReachable: () => succeedsWithin(1_000, db.execute(sql`select 1`)),
    missingLimits: async () => [],
    waiting: () => 0,
    // No statement runs meanwhile. Changes that are not committed are rolled back when the copy is opened, as after a crash.
    dump: () => client.dumpDataDir("gzip"),
    close: once(() => client.close()),
  };
}
