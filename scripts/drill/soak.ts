/**
 * Resilience test of a long day: 300 requests a second in a realistic mix (scripts/bench/load/day.ts) for thirty minutes on one process. No
 * request may fail, the p99 of all is at most 300 ms, and memory does not grow: the line through its last two thirds rises by at most a
 * tenth in half an hour. `SOAK_RATE`, `SOAK_MINUTES`. `--short`: one minute at the rate that takes 40 % of a core of this machine; its
 * memory is printed only, because a process is not warm after a minute.
 *
 * When this load generator is late itself, the machine is busy with other work: p99 is printed then, and not judged. When that was so in
 * more than half of the time, the last line names p99 as left out.
 */
import { openDay } from "../bench/load/day.ts";
import { cpuSeconds, residentMb } from "../bench/load/load.ts";
import { openLoop, reportLine, type Report } from "../bench/load/open-loop.ts";
import { settle } from "./database/verify-orders.ts";
import { judgeParts } from "./stage/part-verdict.ts";
import { drill, isShort, leaveOut, say } from "./stage/run.ts";
import { openStage, type Stage } from "./stage/stage.ts";

const wantedRate = Number(process.env.SOAK_RATE ?? 300);
const minutes = isShort ? 1 : Number(process.env.SOAK_MINUTES ?? 30);
const partSeconds = isShort ? 10 : 60;
const warmSeconds = 15;
const warmRate = 60;
const shareOfCore = 0.4;
const maxP99 = 300;
/** Of this generator itself: above it p99 says nothing of the shop. */
const maxLateMs = 20;
const maxGrowth = 0.1;

async function play(stage: Stage): Promise<string[]> {
  const pid = stage.members[0]?.pid() ?? 0;
  const day = await openDay(stage);
  await openLoop(day.calls(warmSeconds, warmRate), day.isFault);
  const rate = isShort ? Math.min(wantedRate, await rateOfThisMachine(pid, day)) : wantedRate;
  say(`warm; ${rate} requests a second for ${minutes} minutes`);

  const faults: string[] = [];
  const parts: { all: Report; late: number; megabytes: number }[] = [];
  for (let n = 0; n < (minutes * 60) / partSeconds; n += 1) {
    const { reports, faults: some, late } = await openLoop(day.calls(partSeconds, rate), day.isFault);
    const all = reports.at(-1);
    if (!all) throw new Error("nothing was called");
    parts.push({ all, late, megabytes: residentMb(pid) });
    faults.push(...some);
    console.log(`${reportLine(all)}  ${Math.round(residentMb(pid))} MB, generator late by ${late.toFixed(0)} ms`);
  }
  await day.close();

  const settled = parts.slice(Math.floor(parts.length / 3));
  const growth = (slopeOf(settled.map(({ megabytes }) => megabytes)) / partSeconds) * 1_800;
  const first = settled[0]?.megabytes ?? 0;
  const verdict = judgeParts(
    parts.map(({ all: { p99 }, late }) => ({ p99, late })),
    { maxP99, maxLate: maxLateMs },
  );
  const requests = parts.reduce((sum, { all }) => sum + all.count, 0);
  say(
    `${requests} requests, ${faults.length} errors; ` +
      `p99 of the worst part ${verdict.worst === null ? "not measured" : `${verdict.worst.toFixed(0)} ms`} (${verdict.count}); ` +
      `memory ${Math.round(first)} MB, ${growth >= 0 ? "+" : ""}${growth.toFixed(1)} MB in half an hour`,
  );
  if (verdict.leftOut !== null) leaveOut(verdict.leftOut);
  return [
    ...faults.slice(0, 20),
    ...(faults.length > 20 ? [`and ${faults.length - 20} more`] : []),
    ...verdict.broken,
    ...(!isShort && growth > first * maxGrowth ? [`memory grows by ${growth.toFixed(0)} MB in half an hour`] : []),
    ...(await settle(stage)),
  ];
}

/** The rate at which the shop needs `shareOfCore`, from what a request costs now. */
async function rateOfThisMachine(pid: number, day: Awaited<ReturnType<typeof openDay>>): Promise<number> {
  const before = cpuSeconds(pid);
  const { reports } = await openLoop(day.calls(5, warmRate), day.isFault);
  const perRequest = (cpuSeconds(pid) - before) / Math.max(1, reports.at(-1)?.count ?? 0);
  return Math.max(10, Math.round(shareOfCore / perRequest));
}

/** Slope of the straight line through equally distant values (least squares). */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const squares = values.reduce((sum, _, n) => sum + (n - middle) ** 2, 0);
  return squares === 0 ? 0 : values.reduce((sum, value, n) => sum + (n - middle) * (value - mean), 0) / squares;
}

await drill(() => openStage({ processes: 1, durable: true, isDirect: true }), play);
