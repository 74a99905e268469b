import { readFileSync } from "node:fs";
import { join } from "node:path";
import { request, Agent } from "undici";

export type Call = { method: "GET" | "POST" | "PATCH"; path: string; headers?: Record<string, string>; body?: unknown };
export type Outcome = { perSecond: number; p50: number; p99: number; statuses: Record<number, number> };

/** Makes `count` calls, `clients` at once, each built by `next(n)`; milliseconds per call. */
export async function load(url: string, clients: number, count: number, next: (n: number) => Call): Promise<Outcome> {
  const agent = new Agent({ connections: clients, pipelining: 1 });
  const times: number[] = [];
  const statuses: Record<number, number> = {};
  let n = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (n < count) {
        const { method, path, headers, body } = next(n++);
        const from = performance.now();
        const answer = await request(url + path, {
          method,
          dispatcher: agent,
          headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
          body: body === undefined ? null : JSON.stringify(body),
        });
        await answer.body.dump();
        times.push(performance.now() - from);
        statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
      }
    }),
  );
  const elapsed = (performance.now() - started) / 1000;
  await agent.close();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: count / elapsed, p50: at(0.5), p99: at(0.99), statuses };
}

/** A line of the report: rate, p50, p99 and statuses. */
export const line = (name: string, outcome: Outcome): string =>
  `${name.padEnd(34)} ${outcome.perSecond.toFixed(0).padStart(7)}/s  p50 ${outcome.p50.toFixed(1).padStart(7)} ms  p99 ` +
  `${outcome.p99.toFixed(1).padStart(7)} ms  ${JSON.stringify(outcome.statuses)}`;

/** Processor time of a process so far in milliseconds, all threads; NaN without /proc. */
export function cpuOf(pid: number): number {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").slice(11, 13).map(Number) ?? [];
    return ((user ?? Number.NaN) + (system ?? Number.NaN)) * 10; // the kernel counts hundredths of a second (proc(5))
  } catch {
    return Number.NaN;
  }
}

/** The same in seconds. */
export const cpuSeconds = (pid: number): number => cpuOf(pid) / 1_000;

/** Resident memory of a process, MB. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

/** Processor time of a PostgreSQL server so far in milliseconds: its processes, and those that have ended; NaN without /proc. */
export function cpuOfServer(dataDirectory: string): number {
  try {
    const main = Number(readFileSync(join(dataDirectory, "postmaster.pid"), "utf8").split("\n", 1)[0]);
    const children = readFileSync(`/proc/${main}/task/${main}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
    const ended = readFileSync(`/proc/${main}/stat`, "utf8").split(") ")[1]?.split(" ").slice(13, 15).map(Number) ?? [];
    return ended.reduce((sum, each) => sum + each * 10, 0) + [main, ...children].reduce((sum, pid) => sum + (cpuOf(pid) || 0), 0);
  } catch {
    return Number.NaN;
  }
}
