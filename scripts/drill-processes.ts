/**
 * What a process costs beside others: 1, 2, 4 and 8 processes on one PostgreSQL. Counts the statements of idle processes, at most five a
 * second each, and compares processor time and statements per request while each process gets the same load. `--short`: 1 and 2 processes.
 * `DRILL_SHOW=1` lists the statements of idle processes. Processor times mean something on a quiet machine only.
 */
import { request } from "undici";
import { startOwnPostgres } from "#tests/postgres.ts";
import { coinsFor } from "./drill/crowd.ts";
import { keptPages, readPage } from "./drill/page-reader.ts";
import { isShort, pause, say } from "./drill/run.ts";
import { openStage, type Stage } from "./drill/stage.ts";
import { startStatementCounter, type StatementCounter } from "./drill/statement-counter.ts";
import { aVisitor, putInCart, requestQuote } from "./drill/visitor.ts";

const counts = isShort ? [1, 2] : [1, 2, 4, 8];
const idleMs = isShort ? 10_000 : 30_000;
const loadMs = isShort ? 10_000 : 30_000;
/** For each process. */
const requestsPerSecond = 15;
const mostIdle = 5;
/** The process that leads also looks for what is due. */
const mostLeading = 15;
const mostDifference = 0.05;
const broken: string[] = [];

type Costs = { idle: number; cpuMs: number; statements: number };

async function measure(processes: number): Promise<Costs> {
  const postgres = await startOwnPostgres();
  const counter = await startStatementCounter(postgres.url);
  const stage = await openStage({
    processes,
    server: { ...postgres, url: counter.url },
    isDirect: true,
    env: { RATES_POLL_SECONDS: "60" },
  });
  try {
    const { urls } = stage;
    const coins = await coinsFor(urls[0] ?? "");
    for (const url of urls) for (const page of keptPages) await readPage(url, page);
    await pause(5_000); // after the start there is more to do
    counter.take();
    await pause(idleMs);
    const { total, texts } = counter.take();
    if (process.env.DRILL_SHOW === "1")
      for (const [text, times] of texts.slice(0, 40)) console.log(`        ${(times / (idleMs / 1000)).toFixed(2)}/s  ${text}`);
    const load = await measureLoad(stage, counter, coins);
    return { idle: total / (idleMs / 1000), ...load };
  } finally {
    await stage.close();
    await counter.stop();
  }
}

/** Each process gets the same mix: pages that are kept, a cart, and locked prices. */
async function measureLoad({ urls }: Stage, counter: StatementCounter, coins: readonly number[]): Promise<Omit<Costs, "idle">> {
  const cpu = async (): Promise<number> => (await Promise.all(urls.map(cpuSeconds))).reduce((sum, each) => sum + each, 0);
  let done = 0;
  const wrong = new Set<string>();
  const expect = (what: string, status: number): void => {
    done += 1;
    if (status !== 200) wrong.add(`${what}: ${status}`);
  };
  const before = await cpu();
  counter.take();
  const endAt = performance.now() + loadMs;
  await Promise.all(
    urls.map(async (url) => {
      for (let n = 0, from = performance.now(); performance.now() < endAt; n += 1) {
        const visitor = aVisitor(url);
        const page = keptPages[n % keptPages.length] ?? "/";
        expect(page, (await readPage(url, page)).status);
        expect("cart", (await putInCart(visitor, coins[n % coins.length] ?? 0)).status);
        expect("quote", (await requestQuote(visitor)).status);
        await pause(Math.max(0, from + ((n + 1) * 3_000) / requestsPerSecond - performance.now()));
      }
    }),
  );
  const statements = counter.take().total;
  broken.push(...[...wrong].map((each) => `${urls.length} processes: ${each}`));
  return { cpuMs: (((await cpu()) - before) * 1000) / done, statements: statements / done };
}

async function cpuSeconds(url: string): Promise<number> {
  const { body } = await request(`${url}/metrics`);
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(await body.text())?.[1]);
}

const costs: Costs[] = [];
for (const processes of counts) {
  const cost = await measure(processes);
  costs.push(cost);
  say(
    `${processes} processes: ${cost.idle.toFixed(1)} statements a second idle, ` +
      `${cost.cpuMs.toFixed(1)} ms and ${cost.statements.toFixed(2)} statements a request`,
  );
}
const [alone] = costs;
if (alone) {
  if (alone.idle > mostLeading) broken.push(`the process that leads sends ${alone.idle.toFixed(1)} statements a second idle`);
  costs.forEach(({ idle, cpuMs, statements }, at) => {
    const processes = counts[at] ?? 1;
    if (processes === 1) return;
    const each = (idle - alone.idle) / (processes - 1);
    if (each > mostIdle) broken.push(`${processes} processes: those that do not lead send ${each.toFixed(1)} statements a second idle`);
    for (const [what, value, first] of [
      ["processor time", cpuMs, alone.cpuMs],
      ["statements", statements, alone.statements],
    ] as const)
      if (value > first * (1 + mostDifference))
        broken.push(
          `${processes} processes: ${what} of a request is ${((value / first - 1) * 100).toFixed(0)} % above that of one process`,
        );
  });
}
for (const each of broken) console.error(`BROKEN  ${each}`);
say(broken.length === 0 ? "passed" : `${broken.length} promises broken`);
process.exit(broken.length === 0 ? 0 : 1);
