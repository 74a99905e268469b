/**
 * What a process costs beside others: 1, 2, 4 and 8 processes on one PostgreSQL (`DRILL_COUNTS=1,4`: others). Counts the statements of idle
 * processes, at most five a second each, and compares processor time and statements of a request at the first process while the others run
 * and while they are stopped (SIGSTOP), in turns: the same warm process on the same machine at the same time, so the comparison means
 * something on a busy machine too. The processor time is that of all running processes, so that what a request costs the others counts;
 * what idle processes need is left out. `--short`: 1 and 2 processes. `DRILL_SHOW=1` lists the statements.
 */
import { request } from "undici";
import { startOwnPostgres } from "#tests/postgres.ts";
import { coinsFor } from "./visitors/crowd.ts";
import { cachedPages, readPage } from "./visitors/page-reader.ts";
import { isShort, pause, say } from "./stage/run.ts";
import { openStage, type Stage } from "./stage/stage.ts";
import { startStatementCounter, type StatementCounter } from "./database/statement-counter.ts";
import { aVisitor, putInCart, requestQuote } from "./visitors/visitor.ts";

const counts = process.env.DRILL_COUNTS?.split(",").map(Number) ?? (isShort ? [1, 2] : [1, 2, 4, 8]);
const idleMs = 30_000; // what runs once a minute weighs little
/** Visits of a turn: a kept page, a cart and locked prices each. The pace is one that a busy machine keeps up with. */
const visits = 20;
const visitsPerSecond = 2;
/** Turns with and without the others. */
const turns = isShort ? 3 : 5;
/** So long until a stopped process is forgotten by the others, and until one that goes on is noticed. */
const forgottenMs = 12_000;
const noticedMs = 3_000;
/** Of each process, also the one that leads. */
const maxIdle = 5;
const maxDifference = 0.05;
const broken: string[] = [];

/** Of one request: processor time of all processes that run, and statements. */
type Cost = { cpuMs: number; statements: number };
type Costs = { idle: number; alone: Cost; together: Cost };

const show = (texts: [string, number][], per: number, unit: string): void => {
  if (process.env.DRILL_SHOW !== "1") return;
  for (const [text, times] of texts.slice(0, 60)) console.log(`        ${(times / per).toFixed(2)}/${unit}  ${text}`);
};

async function measure(processes: number): Promise<Costs> {
  const postgres = await startOwnPostgres();
  const counter = await startStatementCounter(postgres.url);
  const stage = await openStage({
    processes,
    server: { ...postgres, url: counter.url },
    isDirect: true,
    env: { RATES_POLL_SECONDS: "150" }, // as seldom as no rate becomes stale
  });
  const others = stage.members.slice(1);
  try {
    const { urls } = stage;
    const coins = await coinsFor(urls[0] ?? "");
    for (const url of urls) for (const page of cachedPages) await readPage(url, page);
    await pause(5_000); // after the start there is more to do
    counter.take();
    await pause(idleMs);
    const { total, texts } = counter.take();
    show(texts, idleMs / 1000, "s");
    return { idle: total / (idleMs / 1000), ...(await compare(stage, counter, coins)) };
  } finally {
    for (const other of others) process.kill(other.pid(), "SIGCONT");
    await stage.close();
    await counter.stop();
  }
}

/** Sums of all turns, and the statements of a request in each of them. */
type Sums = { cpuMs: number; done: number; statements: number[] };
const noSums = (): Sums => ({ cpuMs: 0, done: 0, statements: [] });

/** The cost of a request at the first process, in turns with the others running and stopped. */
async function compare({ members, urls }: Stage, counter: StatementCounter, coins: readonly number[]): Promise<Omit<Costs, "idle">> {
  const others = members.slice(1);
  const [url = ""] = urls;
  const sums = { alone: noSums(), together: noSums() };
  const seen = { alone: new Map<string, number>(), together: new Map<string, number>() };
  await visit(url, coins); // it makes its pages and prepares its statements
  for (let turn = 0; turn < turns; turn += 1) {
    for (const state of others.length === 0 ? (["alone"] as const) : (["alone", "together"] as const)) {
      for (const other of others) process.kill(other.pid(), state === "alone" ? "SIGSTOP" : "SIGCONT");
      await pause(others.length === 0 ? 0 : state === "alone" ? forgottenMs : noticedMs);
      const running = state === "alone" ? [url] : urls;
      // As long as the visits: reading the figures costs processor time too, and is taken off with the idle time.
      const idle = await costOf(running, counter, () => pause((visits / visitsPerSecond) * 1_000).then(() => 0));
      const loaded = await costOf(running, counter, () => visit(url, coins));
      const sum = sums[state];
      sum.done += loaded.done;
      // Also the statements of idle processes: with the others stopped, those of the process that leads may be missing.
      sum.cpuMs += loaded.cpuMs - (idle.cpuMs * loaded.took) / idle.took;
      sum.statements.push((loaded.statements - (idle.statements * loaded.took) / idle.took) / loaded.done);
      for (const [text, times] of loaded.texts) seen[state].set(text, (seen[state].get(text) ?? 0) + times);
    }
  }
  for (const state of ["alone", "together"] as const)
    show(
      [...seen[state]].toSorted(([, x], [, y]) => y - x),
      sums[state].done,
      `request ${state}`,
    );
  const perRequest = ({ cpuMs, statements, done }: Sums): Cost => ({
    cpuMs: cpuMs / done,
    // Of the turns, because a poll of the rates falls into some of them.
    statements: statements.toSorted((a, b) => a - b)[Math.floor(statements.length / 2)] ?? 0,
  });
  const alone = perRequest(sums.alone);
  return { alone, together: others.length === 0 ? alone : perRequest(sums.together) };
}

/** The most frequent statements of a process without requests, which would hide a difference: the pulse, leadership, the queue, alerts. */
const ofIdleProcess = /^with "write_|pg_try_advisory_lock|^select 1$|pgboss[.]|^SELECT q[.]name|from "alerts"/;

async function costOf(urls: readonly string[], counter: StatementCounter, work: () => Promise<number>) {
  const before = await cpuSeconds(urls);
  counter.take();
  const from = performance.now();
  const done = await work();
  const texts = counter.take().texts.filter(([text]) => !ofIdleProcess.test(text));
  const statements = texts.reduce((sum, [, times]) => sum + times, 0);
  return { done, took: performance.now() - from, statements, texts, cpuMs: ((await cpuSeconds(urls)) - before) * 1_000 };
}

/** Visits of the same mix. Returns how many requests they had. */
async function visit(url: string, coins: readonly number[]): Promise<number> {
  let done = 0;
  const wrong = new Set<string>();
  const expect = (what: string, status: number): void => {
    done += 1;
    if (status !== 200) wrong.add(`${what}: ${status}`);
  };
  for (let n = 0, from = performance.now(); n < visits; n += 1) {
    const visitor = aVisitor(url);
    const page = cachedPages[n % cachedPages.length] ?? "/";
    expect(page, (await readPage(url, page)).status);
    expect("cart", (await putInCart(visitor, coins[n % coins.length] ?? 0)).status);
    expect("quote", (await requestQuote(visitor)).status);
    await pause(Math.max(0, from + ((n + 1) * 1_000) / visitsPerSecond - performance.now()));
  }
  broken.push(...wrong);
  return done;
}

/** Processor time of these processes since their start. */
async function cpuSeconds(urls: readonly string[]): Promise<number> {
  const each = urls.map(async (url) => {
    const { body } = await request(`${url}/metrics`);
    return Number(/^process_cpu_seconds_total (\S+)/m.exec(await body.text())?.[1]);
  });
  return (await Promise.all(each)).reduce((sum, one) => sum + one, 0);
}

let leading = 0;
const inWords = ({ cpuMs, statements }: Cost): string => `${cpuMs.toFixed(1)} ms and ${statements.toFixed(2)} statements`;
for (const processes of counts) {
  const { idle, alone, together } = await measure(processes);
  say(
    `${processes} processes: ${idle.toFixed(1)} statements a second idle; a request: ${inWords(together)}` +
      (processes === 1 ? "" : `, with the others stopped ${inWords(alone)}`),
  );
  if (processes === 1) {
    leading = idle;
    if (idle > maxIdle) broken.push(`the process that leads sends ${idle.toFixed(1)} statements a second idle`);
    continue;
  }
  const each = (idle - leading) / (processes - 1);
  if (each > maxIdle) broken.push(`${processes} processes: those that do not lead send ${each.toFixed(1)} statements a second idle`);
  for (const [what, value, first] of [
    ["processor time", together.cpuMs, alone.cpuMs],
    ["statements", together.statements, alone.statements],
  ] as const)
    if (value > first * (1 + maxDifference))
      broken.push(`${processes} processes: ${what} of a request is ${((value / first - 1) * 100).toFixed(0)} % above that of one process`);
}
for (const each of broken) console.error(`BROKEN  ${each}`);
say(broken.length === 0 ? "passed" : `${broken.length} promises broken`);
process.exit(broken.length === 0 ? 0 : 1);
