import pg from "pg";
import type { Log } from "#kit/log.ts";

export type Leadership = { isLeader(): boolean; stop(): Promise<void> };

const leaderLock = 748292;

/** With PGlite there is only one process, so it is always the leader. */
export const alwaysLeader: Leadership = { isLeader: () => true, stop: async () => {} };

/**
 * Elects one leader among the processes of a database: it holds an advisory lock on its own connection, which the server releases when the
 * process ends. The others try every two seconds; the leader checks every two seconds that it still has the lock.
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
      if (client) lose(client); // the database is down or silent; the next attempt connects again
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
