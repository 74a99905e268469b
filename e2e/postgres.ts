/** The databases of the journeys: one PostgreSQL server for the run, with a database for each worker's shop. */
import { createDatabase, startPostgres } from "#tests/postgres.ts";

const variable = "JOURNEYS_POSTGRES_URL";

/** Started once before the workers, which inherit its address. */
export default async function startOnce(): Promise<() => Promise<void>> {
  const server = await startPostgres({ autovacuum: false });
  process.env[variable] = server.url;
  return () => server.stop();
}

/** Environment of a shop with its own database. */
export async function ownDatabase(): Promise<{ DATABASE_URL: string }> {
  const server = process.env[variable];
  if (server === undefined) throw new Error("journeys run by playwright.config.ts, which starts their PostgreSQL");
  return { DATABASE_URL: await createDatabase(server) };
}
