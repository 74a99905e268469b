import { expect, test, vi } from "vitest";
import { createShutdown, hardExitMs, shutdownMs, shutdownStep } from "./shutdown.ts";

test("all steps of a shutdown together end before the hard exit", () => {
  const sum = Object.values(shutdownMs).reduce((total, each) => total + each, 0);
  expect(sum).toBeLessThan(hardExitMs);
});

test("a step that hangs is abandoned after its time and named; one that ends is waited for", async () => {
  vi.useFakeTimers();
  const warned: object[] = [];
  const log = { warn: (fields: object) => void warned.push(fields) };
  const hanging = shutdownStep("worker", new Promise(() => {}), log);
  await vi.advanceTimersByTimeAsync(shutdownMs.worker);
  expect([await hanging, await shutdownStep("database", Promise.resolve(), log), warned]).toEqual([
    false,
    true,
    [{ reason: "worker", milliseconds: 5_000 }],
  ]);
  vi.useRealTimers();
});

test("two signals in short order close everything once, the last opened first, and end the process once", async () => {
  const { shutdown, events, ended } = aShutdown();
  shutdown.opened(async () => events.push("database closed"));
  shutdown.opened(async () => events.push("shop stopped"));
  const first = shutdown.stop("SIGTERM");
  const second = shutdown.stop("SIGINT");
  await Promise.all([first, second, shutdown.stop("SIGTERM")]);
  expect([events, ended]).toEqual([["SIGTERM", "shop stopped", "database closed"], [0]]);
});

test("a signal during the start closes what is open so far, and what is opened later at once", async () => {
  const { shutdown, events, ended } = aShutdown();
  shutdown.opened(async () => {
    events.push("lock released");
    throw new Error("it was released already");
  });
  await shutdown.stop("SIGTERM");
  shutdown.opened(async () => events.push("late database closed"));
  await Promise.resolve();
  expect([events, ended, shutdown.isStopping()]).toEqual([["SIGTERM", "lock released", "warned", "late database closed"], [0], true]);
});

function aShutdown() {
  const [events, ended]: [string[], number[]] = [[], []];
  const log = { info: ({ reason }: { reason?: string }) => void events.push(reason ?? ""), warn: () => void events.push("warned") };
  return { shutdown: createShutdown(log, (code) => void ended.push(code)), events, ended };
}
