/**
 * Resilience test of a pooler: two processes that serve and one that works run through PgBouncer in transaction mode, which has far fewer
 * connections to PostgreSQL than the shop has to it. Buyers browse, order, pay and cancel, a customer and the owner sign in, jobs are
 * done; afterwards the ledger check passes, the limits of statements are in force, and one process leads. Uses Debian's package, which it
 * installs where it may; otherwise it is skipped. `--short`: ten seconds.
 */
import { sql } from "drizzle-orm";
import { openPostgres } from "#main/database/postgres.ts";
import { silentLog } from "#kit/log.ts";
import { rowsOf, settleAndVerify } from "./database/verify-orders.ts";
import { signInAsOwner } from "./visitors/clerk.ts";
import { coinsFor, crowd } from "./visitors/crowd.ts";
import { findPgbouncer, startPgbouncer } from "./database/pgbouncer.ts";
import { drill, isShort, pause, say, skip } from "./stage/run.ts";
import { openStage, type Stage } from "./stage/stage.ts";
import { aPhone, aVisitor, signIn } from "./visitors/visitor.ts";

const loadMs = isShort ? 10_000 : 60_000;
const minOrders = 20;
/** Connections of the pooler to PostgreSQL. The shop may open 3 × 8 + 2 × 3 to it. */
const serverConnections = 6;
const pages = ["/", "/catalog", "/products/georgij-pobedonosec-50-rublej-2026-mmd", "/search?q=победоносец", "/quotes-online", "/cart"];

const version = findPgbouncer();
if (version === null) skip("Debian's package pgbouncer is missing and cannot be installed here");
await drill(
  () =>
    openStage({
      processes: 3,
      roles: ["web", "web", "worker"],
      // A slow answer on a busy machine is not what the test is about.
      env: { DATABASE_POOL: "8", STAFF_CONNECTIONS: "3", REQUEST_DEADLINE_MS: "15000" },
      pooler: (database) => startPgbouncer(database, serverConnections),
    }),
  play,
);

async function play(stage: Stage): Promise<string[]> {
  const { urls, members, sms, database } = stage;
  const broken: string[] = [];
  say(`two processes serve and one works through PgBouncer ${version}`);
  const limits = await limitsOfPooler(stage);
  broken.push(...limits.map((each) => `through the pooler ${each}`));

  for (const url of urls) for (const path of pages) await aVisitor(url).page(path);
  const coins = await coinsFor(urls[0] ?? "");
  const endAt = performance.now() + loadMs;
  const isOver = () => performance.now() > endAt;
  const shopping = crowd(urls, { buyers: 20, ordersPerSecond: 8, isOver, coins });
  const [browsed, most, signedIn] = await Promise.all([
    browse(urls, isOver),
    watchConnections(stage, isOver),
    signIn(aVisitor(urls[0] ?? ""), sms, aPhone()),
  ]);
  if (signedIn.status !== 200) broken.push(`a customer cannot sign in: ${signedIn.status} ${signedIn.text.slice(0, 100)}`);
  broken.push(...browsed.failures);

  const clerk = await signInAsOwner(members[0]?.officeUrl ?? "", stage.env);
  for (const path of ["/api/staff/me", "/api/staff/orders", "/api/staff/waiting"]) {
    const { status } = await clerk.read(path);
    if (status !== 200) broken.push(`the back office answers ${path} with ${status}`);
  }
  const outcomes = await shopping;
  say(`${outcomes.length} buyers, ${browsed.pages} pages; at most ${most.connections} connections of the shop at PostgreSQL`);
  const permitted = serverConnections + 1; // the leader's is direct
  if (most.connections > permitted) broken.push(`${most.connections} connections at PostgreSQL instead of ${permitted}`);
  if (most.leaders !== 1) broken.push(`${most.leaders} connections for the leadership: one process works`);
  const [jobs] = await rowsOf<{ done: number }>(database, sql`select count(*)::int as done from pgboss.job where state = 'completed'`);
  say(`${jobs?.done} jobs were done by the process that works`);
  if (!jobs?.done) broken.push("no job was done");
  const probe = members[2]?.url ?? "";
  const [ready, page] = await Promise.all(["/readyz", "/"].map((path) => fetch(probe + path).then(({ status }) => status)));
  if (ready !== 200 || page !== 404) broken.push(`the process that works answers /readyz with ${ready} and / with ${page}`);
  return [...broken, ...(await settleAndVerify(stage, outcomes, minOrders))];
}

/** Limits that a new connection of the pooler does not have. */
async function limitsOfPooler({ env }: Stage): Promise<string[]> {
  const { DATABASE_URL: url = "", DATABASE_DIRECT_URL: directUrl } = env;
  const through = openPostgres(url, { log: silentLog, max: 1, directUrl, preparesStatements: false });
  try {
    return await through.missingLimits();
  } finally {
    await through.close();
  }
}

async function browse(urls: readonly string[], isOver: () => boolean): Promise<{ pages: number; failures: string[] }> {
  const failures: string[] = [];
  let n = 0;
  for (; !isOver(); n += 1) {
    const path = pages[n % pages.length] ?? "/";
    const { status } = await aVisitor(urls[n % urls.length] ?? "").page(path);
    if (status !== 200) failures.push(`${path}: ${status}`);
    await pause(50);
  }
  return { pages: n, failures };
}

/** The most connections that the shop had at PostgreSQL, that of the leader among them, and the most that elect one. */
async function watchConnections({ database, line }: Stage, isOver: () => boolean): Promise<{ connections: number; leaders: number }> {
  const most = { connections: 0, leaders: 0 };
  while (!isOver()) {
    const [seen] = await rowsOf<{ leaders: number }>(
      database,
      sql`select count(*)::int as leaders from pg_stat_activity where application_name = 'chekan-leader'`,
    );
    most.connections = Math.max(most.connections, line.open());
    most.leaders = Math.max(most.leaders, seen?.leaders ?? 0);
    await pause(200);
  }
  return most;
}
