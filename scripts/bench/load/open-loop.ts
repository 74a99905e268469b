import { Agent, request } from "undici";

/** Work that is due at a moment (milliseconds from the start), independent of earlier work. */
export type ScheduledCall = { at: number; kind: string; run: () => Promise<Answer> };
/** `status` 0: the connection broke. */
export type Answer = { status: number; text: string };
export type Report = { kind: string; count: number; p50: number; p99: number; worst: number; statuses: Record<number, number> };

/**
 * Starts each call at its moment and measures from that moment, even if this process is late, so that a slow server cannot slow the
 * arrivals down and look fast. Reports by kind and, last, for all; `late`: how late this process itself was, p99 in milliseconds;
 * `times`: of each call, milliseconds, to join several runs.
 */
export async function openLoop(
  dues: readonly ScheduledCall[],
  isFault: (answer: Answer, kind: string) => boolean,
): Promise<{ reports: Report[]; faults: string[]; late: number; times: number[] }> {
  const sorted = [...dues].sort((a, b) => a.at - b.at);
  const done: { kind: string; milliseconds: number; status: number }[] = [];
  const faults: string[] = [];
  const lateness: number[] = [];
  const running = new Set<Promise<void>>();
  const started = performance.now();
  for (let next = 0; next < sorted.length;) {
    const now = performance.now() - started;
    for (let due = sorted[next]; due && due.at <= now; due = sorted[(next += 1)]) {
      const { at, kind, run } = due;
      lateness.push(performance.now() - started - at);
      const one = run().then((answer) => {
        done.push({ kind, milliseconds: performance.now() - started - at, status: answer.status });
        if (isFault(answer, kind)) faults.push(`${kind} after ${Math.round(at / 1000)} s: ${answer.status} ${answer.text.slice(0, 160)}`);
      });
      running.add(one);
      void one.finally(() => running.delete(one));
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(running);
  const kinds = [...new Set(done.map(({ kind }) => kind))].sort();
  const reports = [
    ...kinds.map((kind) =>
      reportOf(
        kind,
        done.filter((each) => each.kind === kind),
      ),
    ),
    reportOf("all", done),
  ];
  return {
    reports,
    faults,
    times: done.map(({ milliseconds }) => milliseconds),
    late: percentile(
      lateness.toSorted((a, b) => a - b),
      0.99,
    ),
  };
}

function reportOf(kind: string, done: readonly { milliseconds: number; status: number }[]): Report {
  const times = done.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const statuses: Record<number, number> = {};
  for (const { status } of done) statuses[status] = (statuses[status] ?? 0) + 1;
  return { kind, count: done.length, p50: percentile(times, 0.5), p99: percentile(times, 0.99), worst: times.at(-1) ?? 0, statuses };
}

/** The value below which this share (0.99: p99) of sorted values lies; 0 without values. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** A report as a line of text. */
export const reportLine = ({ kind, count, p50, p99, worst, statuses }: Report): string =>
  `${kind.padEnd(16)} ${String(count).padStart(7)}  p50 ${p50.toFixed(1).padStart(7)} ms  p99 ` +
  `${p99.toFixed(1).padStart(7)} ms  worst ${worst.toFixed(0).padStart(5)} ms  ${JSON.stringify(statuses)}`;

/** Clients with different addresses: all of 127.0.0.0/8 is this machine. Connections are kept alive, as browsers do. */
export function clientsAt(count: number) {
  const agents = Array.from(
    { length: count },
    (_, n) => new Agent({ connections: 32, pipelining: 1, connect: { localAddress: `127.${1 + (n >> 8)}.${n & 255}.1` } }),
  );
  return {
    agent: (n: number): Agent => agents[n % agents.length] ?? new Agent(),
    close: () => Promise.all(agents.map((each) => each.close())),
  };
}

/** One browser with its cookies behind one address. */
export function aBrowser(url: string, agent: Agent) {
  const jar = new Map<string, string>();
  return async (
    method: "GET" | "POST" | "PATCH",
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer & { data: unknown }> => {
    try {
      const answer = await request(url + path, {
        method,
        dispatcher: agent,
        body: body ? JSON.stringify(body) : null,
        signal: AbortSignal.timeout(20_000),
        headers: {
          ...(body ? { "content-type": "application/json" } : {}),
          ...(jar.size > 0 ? { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") } : {}),
          ...headers,
        },
      });
      for (const each of [answer.headers["set-cookie"] ?? []].flat()) {
        const [pair = ""] = each.split(";");
        jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
      }
      const text = await answer.body.text();
      return { status: answer.statusCode, text, data: text.startsWith("{") ? (JSON.parse(text) as { data?: unknown }).data : null };
    } catch (error) {
      return { status: 0, text: (error as Error).message, data: null };
    }
  };
}
export type Browser = ReturnType<typeof aBrowser>;
