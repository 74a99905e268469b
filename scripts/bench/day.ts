/**
 * `npm run bench:day`: an ordinary day at a constant rate: 70 % pages, 15 % search, 10 % cart, 3 % sign-in, 2 % paid orders by card.
 * Requests start when they are due, independent of earlier ones, and are measured from that moment. `BENCH_RATE` (300 a second),
 * `BENCH_SECONDS` (600). Fails if the p99 of all requests is above 300 ms, if a request failed, or if the ledger check fails. Never part of
 * the gate.
 */
import { openDay } from "./load/day.ts";
import { cpuSeconds, residentMb } from "./load/load.ts";
import { openLoop, reportLine } from "./load/open-loop.ts";
import { settle } from "../drill/database/verify-orders.ts";
import { drill, say } from "../drill/stage/run.ts";
import { openStage, type Stage } from "../drill/stage/stage.ts";

const rate = Number(process.env.BENCH_RATE ?? 300);
const forSeconds = Number(process.env.BENCH_SECONDS ?? 600);
const warmSeconds = 15;
const targetP99 = 300;

async function play(stage: Stage): Promise<string[]> {
  const [url = ""] = stage.urls;
  const day = await openDay(stage);
  await openLoop(day.calls(warmSeconds, rate / 2), day.isFault);
  say(`warm; ${rate} requests a second for ${forSeconds} s`);
  const cpuBefore = cpuSeconds(stage.members[0]?.pid() ?? 0);
  const { reports, faults, late } = await openLoop(day.calls(forSeconds, rate), day.isFault);
  const cpu = (cpuSeconds(stage.members[0]?.pid() ?? 0) - cpuBefore) / forSeconds;
  for (const each of reports) console.log(reportLine(each));
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const lag = Number(/^nodejs_eventloop_lag_p99_seconds ([\d.e+-]+)/m.exec(metrics)?.[1] ?? NaN) * 1000;
  console.log(
    `the shop used ${(cpu * 100).toFixed(0)} % of a core and ${residentMb(stage.members[0]?.pid() ?? 0).toFixed(0)} ` +
      `MB; its event loop was late by ${lag.toFixed(0)} ms (p99); this generator by ${late.toFixed(0)} ms (p99), ` +
      "which is in the figures",
  );
  await day.close();

  const p99 = reports.at(-1)?.p99 ?? Infinity;
  return [
    ...faults.slice(0, 20),
    ...(faults.length > 20 ? [`and ${faults.length - 20} more`] : []),
    ...(p99 > targetP99 ? [`p99 is ${p99.toFixed(0)} ms, the target ${targetP99}`] : []),
    ...(await settle(stage)),
  ];
}

await drill(() => openStage({ processes: 1, durable: true, isDirect: true }), play);
