/**
 * `npm run bench:office`: the back office at size. Fills a PostgreSQL with orders and audit entries by the public command, starts the shop
 * and measures, one call at a time, the list with each filter, search, a card of 200 lines, «Ждёт», packing, customers and the audit,
 * beside a bare `select 1` and an empty call of the same run; then the storefront at `BENCH_VISITS` (100) visits a second, alone and beside
 * ten clerks. Targets: the back office's numbers in docs/decisions/0067. `BENCH_ORDERS` (20000), `BENCH_AUDIT` (200000), `BENCH_CALLS`
 * (60); the proof is 100000 orders and 1000000 entries.
 * `BENCH_DATABASE_URL`: measures a database that is filled already. `BENCH_ONLY`: only calls whose name contains it; `storefront`: only the
 * comparison. `BENCH_OFFICE=own`: the back office in a process of its own (`PROCESS=office`). `BENCH_ROUNDS` (3): rounds of the comparison;
 * p99 differs from round to round by more than the target, so all rounds are also joined. Each round names the processor time of the
 * process that serves the visitors, for each visit: it is comparable on a busy machine, times are not. Never part of the gate.
 */
import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { request } from "undici";
import { silentLog } from "#kit/log.ts";
import { moscow } from "#kit/moscow-time.ts";
import { openPostgres } from "#main/database/postgres.ts";
import type { Ctx } from "#shop/context.ts";
import { reportNames } from "#shop/reports/report.ts";
import { defaultLimits } from "#shop/settings.ts";
import { aMember, aSession } from "#shop/staff/testing.ts";
import { freePort, startOwnPostgres } from "#tests/postgres.ts";
import { runShop, withoutRateLimits, type RunningShop } from "#tests/running-shop.ts";
import { openSurroundings } from "../drill/stage/stage.ts";
import type { ClerksReport, ClerksWork } from "./load/clerks.ts";
import { cpuOf } from "./load/load.ts";
import { addOfficeRows } from "./load/office-rows.ts";
import { openLoop, percentile, type ScheduledCall } from "./load/open-loop.ts";

const orders = Number(process.env.BENCH_ORDERS ?? 20_000);
const auditEntries = Number(process.env.BENCH_AUDIT ?? 200_000);
const calls = Number(process.env.BENCH_CALLS ?? 60);
const clerks = 10;

type Times = { p50: number; p95: number };
function timesOf(times: number[]): Times {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
/** Calls `work` one after another, after some calls that are not counted. */
async function measure(work: (n: number) => Promise<unknown>): Promise<Times> {
  for (let n = 0; n < 5; n += 1) await work(n);
  const times: number[] = [];
  for (let n = 0; n < calls; n += 1) {
    const from = performance.now();
    await work(n);
    times.push(performance.now() - from);
  }
  return timesOf(times);
}

const given = process.env.BENCH_DATABASE_URL;
const server = given ? { url: given, stop: async () => {} } : await startOwnPostgres({ durable: false });
if (!given) {
  console.log(`filling: ${orders} orders, ${auditEntries} audit entries`);
  const began = performance.now();
  await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, "../../db/seed/many.ts"), "--orders", String(orders), "--audit", String(auditEntries)],
    { env: { ...process.env, DATABASE_URL: server.url }, maxBuffer: 1e8 },
  );
  console.log(`filled in ${((performance.now() - began) / 1000).toFixed(0)} s`);
}
/** A busy machine must not look like a shop that sheds load. */
const patient = { RATES_POLL_SECONDS: "60", OVERLOAD_DELAY_MS: "10000", REQUEST_DEADLINE_MS: "60000", ...withoutRateLimits };
const { shop, signIn, stop } = await (process.env.BENCH_OFFICE === "own" ? inTwoProcesses() : inOneProcess());
const bare = new pg.Pool({ connectionString: server.url, max: 2 });
await addOfficeRows(bare, orders);
await bare.query("vacuum analyze");
const rowOf = async <T>(text: string): Promise<T> => (await bare.query(text)).rows[0] as T;

const owner = await signIn();
async function readPath(path: string): Promise<unknown> {
  const answer = await request(shop.officeUrl + path, { headers: { cookie: owner } });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 200)}`);
  return (JSON.parse(text) as { data: unknown }).data;
}

const known = await rowOf<{ id: string; number: string; phone: string; name: string }>(
  `select id, number, "user"->>'phone' as phone, "user"->>'lastName' as name from orders where id like 'seed%' and state = 'delivered'
    order by number desc offset 1000 limit 1`,
);
const { tracking } = await rowOf<{ tracking: string }>("select tracking_number as tracking from shipments order by created_at limit 1");
const { large } = await rowOf<{ large: string }>("select order_id as large from order_lines group by 1 order by count(*) desc limit 1");
const { customer } = await rowOf<{ customer: string }>(
  "select customer_id as customer from orders where customer_id is not null group by 1 order by count(*) desc limit 1",
);
const deep = await rowOf<{ at: string; id: string }>(
  "select floor(extract(epoch from created_at) * 1000)::bigint as at, id from orders order by created_at offset 500 limit 1",
);

const { guest } = await rowOf<{ guest: string }>(
  `select "user"->>'email' as guest from orders where customer_id is null order by number offset 100 limit 1`,
);

const list = (query: string): string => `/api/staff/orders?${query}`;
const moscowDay = (daysAgo: number): string => moscow(new Date(Date.now() - daysAgo * 86_400_000)).date;
const aYear = `from=${moscowDay(364)}&till=${moscowDay(0)}`;
const enc = encodeURIComponent;
/** What is measured, with the p95 in milliseconds that it has to keep. */
const kinds: [name: string, target: number | null, path: string][] = [
  ["an empty call (who am I)", null, "/api/staff/me"],
  ["list, all", 50, list("")],
  ["list, far back", 50, list(`page=older.${deep.at}_${deep.id}`)],
  ...(["to_pack", "unpaid", "problem", "today", "mine"] as const).map((view): [string, number, string] => [
    `list, view ${view}`,
    50,
    list(`view=${view}`),
  ]),
  ["list, state delivered", 50, list("state=delivered")],
  ["list, state returning", 50, list("state=returning")],
  ["list, delivery office", 50, list("delivery=35")],
  ["list, payment invoice", 50, list("payment=6")],
  ["list, sum from 300000", 50, list("sumFrom=300000")],
  ["list, sum up to 5000", 50, list("sumTo=5000")],
  ["list, a year ago", 50, list("from=2025-11-01&till=2025-11-30")],
  ["list, assignee", 50, list("assignee=ivanova")],
  ["list, no assignee, cancelled", 50, list("assignee=nobody&state=cancelled")],
  ["list, problem unsettled", 50, list("view=problem&problem=unsettled")],
  ["list, returned, invoice, sum", 50, list("state=returned&payment=6&sumFrom=100000")],
  ["list, text and state", 50, list(`state=delivered&text=${enc(known.name)}`)],
  ["counts of the views", 50, "/api/staff/orders/counts"],
  ["search by number", 80, `/api/staff/search?q=${known.number}`],
  ["search by phone", 80, `/api/staff/search?q=${enc(known.phone)}`],
  ["search by the phone's end", 80, `/api/staff/search?q=${known.phone.slice(-4)}`],
  ["search by last name", 80, `/api/staff/search?q=${enc(known.name)}`],
  ["search by a common first name", 80, `/api/staff/search?q=${enc("анна")}`],
  ["search by tracking number", 80, `/api/staff/search?q=${tracking}`],
  ["card of 200 lines", 60, `/api/staff/orders/${large}`],
  ["card of one order", 60, `/api/staff/orders/${known.id}`],
  ["«Ждёт»", null, "/api/staff/waiting"],
  ["packing list", null, "/api/staff/packing"],
  ["customers", 50, "/api/staff/customers"],
  ["customers by phone", 50, `/api/staff/customers?text=${known.phone.slice(-4)}`],
  ["customers by name", 50, `/api/staff/customers?text=${enc(known.name)}`],
  ["card of a customer", 60, `/api/staff/customers/${customer}`],
  ["payments", 50, "/api/staff/payments"],
  ["receipts", 50, "/api/staff/receipts"],
  ["messages that did not arrive", 300, list("view=all&problem=message_failed")],
  ["all but with messages", 300, list("problem=message_failed&state=delivered")],
  ["requests, open", 300, "/api/staff/requests"],
  ["requests, open, rare text", 300, `/api/staff/requests?text=${enc("общество 4000")}`],
  ["requests, finished, no such text", 300, `/api/staff/requests?state=finished&text=${enc("кенгуру")}`],
  ["requests, finished, phone", 300, `/api/staff/requests?state=finished&text=${known.phone.slice(-4)}`],
  ["buyback deals, open", 300, "/api/staff/buyback"],
  ["buyback deals, no such name", 300, `/api/staff/buyback?part=finished&text=${enc("кенгуру")}`],
  ["buyback deals, phone", 300, `/api/staff/buyback?part=finished&text=${known.phone.slice(-4)}`],
  ["subscribers", 300, "/api/staff/newsletter"],
  ["subscribers, a guest's mailbox", 300, `/api/staff/newsletter?text=${enc(guest)}`],
  ["subscribers, a common beginning", 300, "/api/staff/newsletter?text=buyer1"],
  ["subscribers, no such mailbox", 300, "/api/staff/newsletter?text=kangaroo"],
  ...reportNames.map((name): [string, number, string] => [`report of a year: ${name}`, 2_000, `/api/staff/reports/${name}?${aYear}`]),
  ["report of 30 days: days", 300, `/api/staff/reports/days?from=${moscowDay(29)}&till=${moscowDay(0)}`],
  ["audit", 100, "/api/staff/audit"],
  ["audit of one person", 100, "/api/staff/audit?actor=staff:ivanova"],
  ["audit of one action", 100, "/api/staff/audit?action=order.refund"],
  ["audit of a kind of action", 100, "/api/staff/audit?action=order"],
  ["audit of one order", 100, "/api/staff/audit?subject=order:seed000000000000000042"],
  ["audit of a day a year ago", 100, "/api/staff/audit?from=2025-11-01T00:00:00%2B03:00&till=2025-11-02T00:00:00%2B03:00"],
];

const select = await measure(() => bare.query("select 1"));
console.log(`select 1: p50 ${select.p50.toFixed(2)} ms, p95 ${select.p95.toFixed(2)} ms; load ${loadavg()[0]?.toFixed(1)} on this machine`);
let missed = 0;
const only = process.env.BENCH_ONLY;
for (const [name, target, path] of kinds) {
  if (only && !name.includes(only)) continue;
  const { p50, p95 } = await measure(() => readPath(path));
  const isMissed = target !== null && p95 > target;
  if (isMissed) missed += 1;
  console.log(
    `${name.padEnd(32)} p50 ${p50.toFixed(1).padStart(7)} ms  p95 ${p95.toFixed(1).padStart(7)} ms` +
      (target === null ? "" : `  target ${target}${isMissed ? "  MISSED" : ""}`),
  );
}
console.log(missed === 0 ? "every target is kept" : `${missed} targets missed`);

/** Visitors come at their own moments, whatever the shop does; a clerk reads a screen, looks at it and goes on. */
const visitsPerSecond = Number(process.env.BENCH_VISITS ?? 100);
const storefrontSeconds = Number(process.env.BENCH_STOREFRONT_SECONDS ?? 30);
const clerkPauseMs = 3_000;
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

if (!only || only === "storefront") {
  const slugs = (await bare.query("select slug from coins where is_published order by id limit 100")).rows.map(({ slug }) => String(slug));
  const paths = ["/", "/catalog", "/api/courses", ...slugs.flatMap((slug) => [`/products/${slug}`, `/api/products/${slug}`])];
  const visits = (seconds: number): ScheduledCall[] =>
    Array.from({ length: visitsPerSecond * seconds }, (_, n) => ({
      at: (n * 1_000) / visitsPerSecond,
      kind: "visit",
      run: async () => {
        const answer = await request(shop.url + (paths[n % paths.length] ?? "/"));
        return { status: answer.statusCode, text: await answer.body.text() };
      },
    }));
  /** Visits the storefront for so long; prints a line; the times of the visits, milliseconds. */
  const storefront = async (name: string, seconds = storefrontSeconds): Promise<number[]> => {
    const before = cpuOf(shop.pid);
    const { reports, faults, late, times } = await openLoop(visits(seconds), ({ status }) => status !== 200);
    const perVisit = (cpuOf(shop.pid) - before) / (visitsPerSecond * seconds);
    const all = reports.at(-1);
    if (faults.length > 0 || !all) throw new Error(`${name}: ${faults.length} faults, ${faults[0]}`);
    console.log(
      `${name.padEnd(32)} p50 ${all.p50.toFixed(1)} ms  p99 ${all.p99.toFixed(1)} ms  ` +
        `processor ${perVisit.toFixed(2)} ms a visit  (the bench itself was late by ${late.toFixed(1)} ms)`,
    );
    return times;
  };
  const startClerks = (cookies: string[]) => {
    const child = fork(join(import.meta.dirname, "load/clerks.ts"));
    const failed = once(child, "exit").then(([code]) => {
      throw new Error(`the clerks ended with ${String(code)}`);
    });
    failed.catch(() => {}); // also the end after their report
    const screens = kinds.filter(([, target]) => target !== null).map(([, , path]) => path);
    child.send({ url: shop.officeUrl, cookies, screens, pauseMs: clerkPauseMs } satisfies ClerksWork);
    return {
      async stop(): Promise<ClerksReport> {
        const report = once(child, "message");
        child.send("stop");
        const [reported] = (await Promise.race([report, failed])) as [ClerksReport];
        return reported;
      },
    };
  };
  await storefront("storefront, not counted", 5);
  const allRounds = { alone: [] as number[], beside: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    allRounds.alone.push(...(await storefront("storefront alone")));
    const cookies = await Promise.all(Array.from({ length: clerks }, () => signIn()));
    const working = startClerks(cookies);
    allRounds.beside.push(...(await storefront(`storefront beside ${clerks} clerks`)));
    const { read } = await working.stop();
    console.log(`  the clerks read ${read} screens meanwhile`);
  }
  const p99 = (times: number[]): number =>
    percentile(
      times.toSorted((a, b) => a - b),
      0.99,
    );
  const growth = p99(allRounds.beside) / p99(allRounds.alone) - 1;
  console.log(
    `storefront p99 of all rounds: alone ${p99(allRounds.alone).toFixed(1)} ms, beside ${p99(allRounds.beside).toFixed(1)} ms, ` +
      `${growth > 0 ? "+" : ""}${(100 * growth).toFixed(1)} % (target: at most +5 %)`,
  );
}

await stop();
await bare.end();
await server.stop();

type Started = { shop: Pick<RunningShop, "url" | "officeUrl" | "pid">; signIn: () => Promise<string>; stop: () => Promise<void> };

/** The demonstration: one process has both listeners, and an owner signs in by one press. */
async function inOneProcess(): Promise<Started> {
  const running = await runShop({ DATABASE_URL: server.url, ...patient });
  const { officeUrl } = running;
  return {
    shop: running,
    stop: running.stop,
    async signIn() {
      const answer = await request(`${officeUrl}/api/staff/demo-sign-in`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: new URL(officeUrl).origin },
        body: JSON.stringify({ role: "owner" }),
      });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`no session: ${answer.statusCode}`);
      return [answer.headers["set-cookie"] ?? []]
        .flat()
        .map((each) => each.split(";", 1)[0])
        .join("; ");
    },
  };
}

/** As in production: one process serves and works, the other one has the back office. Sessions are written into the database. */
async function inTwoProcesses(): Promise<Started> {
  const around = await openSurroundings({ isDirect: true, env: { DATABASE_URL: server.url } });
  const start = async (role: "all" | "office", more: Record<string, string>): Promise<RunningShop> => {
    const port = String(await freePort());
    const env = { PORT: port, PUBLIC_URL: `http://localhost:${port}`, DATA_DIR: join(around.folder, role), PROCESS: role, ...more };
    return runShop({ ...around.env, ...patient, ...env });
  };
  const web = await start("all", { STAFF_PORT: "off" });
  const office = await start("office", {});
  const database = openPostgres(server.url, { log: silentLog, max: 1 });
  const ctx = { db: database.db, now: () => new Date(), settings: { limits: defaultLimits } } as Ctx;
  const owner = await aMember(ctx, ["owner"], { login: `bench-${process.pid}` });
  return {
    shop: { url: web.url, pid: web.pid, officeUrl: office.officeUrl },
    signIn: async () => `staff=${(await aSession(ctx, owner)).sid}`,
    async stop() {
      await database.close();
      await Promise.all([web.stop(), office.stop()]);
      await around.close();
    },
  };
}
