/**
 * `npm run bench:view`: the first view on a phone in Lighthouse's simulator (mobile, slow 4G), the median of five runs per page. A cold
 * browser each time. Printed, never part of the gate: the simulated times depend on how busy the machine is. `CPU ms` depends on it much
 * less: it is the blocking time after the first paint, computed from the processor time of the page's thread. `answered s` is measured, not
 * simulated: a button is pressed as soon as the page is painted, in a slowed browser behind a proxy as slow as the simulator's line. Below
 * each page are the long tasks of its median run, in milliseconds, and what each spent most of its time on. `BENCH_RUNS` sets the number of
 * runs, `BENCH_VIEWS=home,product` the pages, `BENCH_VIEW_REPORT` a path prefix for Lighthouse's reports.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import lighthouse, { type Result } from "lighthouse";
import { chromiumPath } from "#tests/chromium.ts";
import { phoneOnSlowLine } from "./load/first-press.ts";
import { runShop, withoutRateLimits, withoutReserveLimits } from "#tests/running-shop.ts";

const runs = Number(process.env.BENCH_RUNS ?? 5);
const coin = { slug: "georgij-pobedonosec-50-rublej-2026-mmd", id: 1001 };
/** `button`: what a visitor may press first: a heart or a comparison, at the checkout the end of the first step. */
const listButton = "main button[aria-pressed]";
const views = [
  { name: "home", path: "/", button: listButton },
  { name: "catalogue", path: "/catalog", button: listButton },
  { name: "product", path: `/products/${coin.slug}`, button: listButton },
  { name: "search", path: "/search?q=георгий", button: listButton },
  { name: "checkout", path: "/checkout", button: ".checkout-step__actions .button--line" },
] as const;
const chosen = process.env.BENCH_VIEWS?.split(",");

/** A browser of its own with a debugging port, because Lighthouse connects to a port. */
async function startBrowser(folder: string): Promise<{ port: number; child: ChildProcess }> {
  const child = spawn(
    await chromiumPath(),
    ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", `--user-data-dir=${folder}`, "about:blank"],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const port = await new Promise<number>((resolve, reject) => {
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const [, found] = /DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(output) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
    child.once("exit", (code) => reject(new Error(`the browser ended with ${code}: ${output.slice(-500)}`)));
  });
  return { port, child };
}

type Figures = Record<Exclude<(typeof columns)[number], "answered s">, number> & { tasks: string };
const columns = ["performance", "FCP s", "LCP s", "interactive s", "answered s", "TBT ms", "CPU ms", "CLS", "requests", "KB"] as const;

/** The simulated phone is four times slower than this machine, and what a task takes beyond 50 ms counts as blocking. */
const slowdown = 4;
const longTaskMs = 50 / slowdown;

type TraceEvent = { name: string; ph: string; pid: number; tid: number; ts: number; dur?: number; tdur?: number };
/** Trace events that name what a task spends its time on. */
const workEvents = new Set([
  "ParseHTML",
  "EvaluateScript",
  "v8.compile",
  "v8.evaluateModule",
  "FunctionCall",
  "RunMicrotasks",
  "UpdateLayoutTree",
  "Layout",
  "PrePaint",
  "Paint",
  "MinorGC",
  "MajorGC",
]);

/** The tasks of the page's thread after the first paint that are long for a phone, by processor time. */
function longTasks(events: readonly TraceEvent[]): { ms: number; work: string }[] {
  const painted = events.findLast(({ name }) => name === "firstContentfulPaint");
  if (!painted) throw new Error("the trace has no first paint");
  const own = events.filter(({ pid, tid, ph }) => pid === painted.pid && tid === painted.tid && ph === "X");
  const tasks = own.filter(({ name, ts, tdur = 0 }) => name === "RunTask" && ts > painted.ts && tdur / 1000 > longTaskMs);
  return tasks.map(({ ts, dur = 0, tdur = 0 }) => {
    const inside = own.filter((event) => workEvents.has(event.name) && event.ts >= ts && event.ts < ts + dur);
    const [most] = inside.toSorted((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0));
    return { ms: tdur / 1000, work: most?.name ?? "" };
  });
}

function figuresOf({ audits, categories }: Result, events: readonly TraceEvent[]): Figures {
  const long = longTasks(events);
  const value = (id: string): number => audits[id]?.numericValue ?? Number.NaN;
  const items = (id: string) => (audits[id]?.details as { items?: Record<string, number>[] } | undefined)?.items ?? [];
  const loadedAt = items("metrics")[0]?.observedLoad ?? Infinity;
  // The browser requests the favicon by itself at any time.
  const requests = items("network-requests").filter(({ networkRequestTime = 0 }) => networkRequestTime <= loadedAt);
  return {
    performance: Math.round((categories.performance?.score ?? 0) * 100),
    "FCP s": value("first-contentful-paint") / 1000,
    "LCP s": value("largest-contentful-paint") / 1000,
    "interactive s": value("interactive") / 1000,
    "TBT ms": value("total-blocking-time"),
    "CPU ms": long.reduce((sum, { ms }) => sum + (ms - longTaskMs) * slowdown, 0),
    CLS: value("cumulative-layout-shift"),
    requests: requests.length,
    KB: requests.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0) / 1024,
    tasks: long.map(({ ms, work }) => `${ms.toFixed(0)} ${work}`).join(", "),
  };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function cookieWithCart(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/cart/${coin.id}`, {
    method: "PATCH",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ quantity: 1 }),
  });
  if (!answer.ok) throw new Error(`the cart answered ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
}

const folder = mkdtempSync(join(tmpdir(), "chekan-view-"));
const shop = await runShop({ ...withoutRateLimits, ...withoutReserveLimits });
const browser = await startBrowser(folder);
const phone = await phoneOnSlowLine(shop.url);
try {
  const cookie = await cookieWithCart(shop.url);
  console.log(["".padEnd(10), ...columns.map((name) => name.padStart(13))].join(""));
  for (const { name, path, button } of views.filter((view) => chosen?.includes(view.name) ?? true)) {
    const measured: Figures[] = [];
    const answered: number[] = [];
    const headers = name === "checkout" ? { cookie } : null;
    // The first run fills the server's caches of pages and pictures and is not counted.
    for (let run = 0; run <= runs; run += 1) {
      // A page that is opened often is fresh in the cache. A stale one shows older prices, so its scripts would load its data again.
      for (let visit = 0; visit < 2; visit += 1) await fetch(shop.url + encodeURI(path), { headers: { "accept-encoding": "br" } });
      const answer = await lighthouse(shop.url + encodeURI(path), {
        port: browser.port,
        onlyCategories: ["performance"],
        logLevel: "error",
        ...(headers ? { extraHeaders: headers } : {}),
      });
      if (!answer || answer.lhr.runtimeError) throw new Error(`${path}: ${answer?.lhr.runtimeError?.message ?? "no result"}`);
      const after = await phone.firstPress({ url: shop.url + encodeURI(path), button, ...headers });
      if (run > 0) answered.push(after / 1_000);
      if (run > 0) measured.push(figuresOf(answer.lhr, answer.artifacts.Trace.traceEvents));
      const outFile = process.env.BENCH_VIEW_REPORT;
      if (outFile) (await import("node:fs")).writeFileSync(`${outFile}-${name}.json`, JSON.stringify(answer.lhr));
    }
    const digits: Partial<Record<(typeof columns)[number], number>> = {
      "FCP s": 2,
      "LCP s": 2,
      "interactive s": 2,
      "answered s": 2,
      CLS: 3,
    };
    console.log(
      [
        name.padEnd(10),
        ...columns.map((column) =>
          median(column === "answered s" ? answered : measured.map((each) => each[column]))
            .toFixed(digits[column] ?? 0)
            .padStart(13),
        ),
      ].join(""),
    );
    const middle = measured.toSorted((a, b) => a["CPU ms"] - b["CPU ms"])[Math.floor(measured.length / 2)];
    console.log(`${"".padEnd(10)}long tasks: ${middle?.tasks || "none"}`);
  }
} finally {
  browser.child.kill();
  await phone.close();
  await shop.stop();
  rmSync(folder, { recursive: true, force: true });
}
