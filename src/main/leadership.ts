import pg from "pg";
import type { Log } from "#kit/log.ts";

export type Leadership = { isLeader(): boolean; stop(): Promise<void> };

const leaderLock = 748292;

/** On PGlite there is one process, and it leads. */
export const alwaysLeader: Leadership = { isLeader: () => true, stop: async () => {} };

/**
 * One of the processes on a database leads: it holds an advisory lock on a connection of its own, which the server
 * lets go the moment that process dies. The others try again every two seconds.
 */
export function electLeader(url: string, log: Log): Leadership {
  let client: pg.Client | null = null;
  let leads = false;
  let isTrying = false;

  async function tryToLead(): Promise<void> {
    if (leads || isTrying) return;
    isTrying = true;
    try {
      if (!client) {
        const fresh = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, keepAlive: true, application_name: "chekan-leader" });
        fresh.on("error", () => { leads = false; client = null; });
        fresh.on("end", () => { leads = false; client = null; });
        await fresh.connect();
        client = fresh;
      }
      const { rows } = await client.query<{ got: boolean }>("select pg_try_advisory_lock($1) as got", [leaderLock]);
      leads = rows[0]?.got === true;
      if (leads) log.info({}, "this process leads the schedules");
    } catch {
      client = null; // the database is away; the next try connects anew
    } finally {
      isTrying = false;
    }
  }

  void tryToLead();
  const timer = setInterval(() => void tryToLead(), 2_000);
  timer.unref();
  return {
    isLeader: () => leads,
    async stop() {
      clearInterval(timer);
      leads = false;
      await client?.end().catch(() => {});
    },
  };
}
