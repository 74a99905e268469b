import pg from "pg";
import type { Log } from "#kit/log.ts";

export type Leadership = { isLeader(): boolean; stop(): Promise<void> };

const leaderLock = 748292;

/** On PGlite there is one process, and it leads. */
export const alwaysLeader: Leadership = { isLeader: () => true, stop: async () => {} };

/**
 * One of the processes on a database leads: it holds an advisory lock on a connection of its own, which the server
 * lets go the moment that process dies. The others try again every two seconds, and the one that leads makes sure that it still does.
 */
export function electLeader(url: string, log: Log): Leadership {
  let client: pg.Client | null = null;
  let leads = false;
  let isTrying = false;

  function lose(lost: pg.Client): void {
    if (client !== lost) return;
    leads = false;
    client = null;
    void lost.end().catch(() => {});
  }

  async function tryToLead(): Promise<void> {
    if (isTrying) return;
    isTrying = true;
    try {
      if (!client) {
        const fresh = new pg.Client({
          connectionString: url,
          connectionTimeoutMillis: 2_000,
          query_timeout: 2_000,
          keepAlive: true,
          application_name: "chekan-leader",
        });
        fresh.on("error", () => lose(fresh));
        fresh.on("end", () => lose(fresh));
        await fresh.connect();
        client = fresh;
      }
      if (leads) {
        await client.query("select 1");
        return;
      }
      const { rows } = await client.query<{ got: boolean }>("select pg_try_advisory_lock($1) as got", [leaderLock]);
      leads = rows[0]?.got === true;
      if (leads) log.info({}, "this process leads the schedules");
    } catch {
      if (client) lose(client); // the database is away or silent; the next try connects anew
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
