import { expect, test, vi } from "vitest";
import { hardExitMs, shutdownMs, shutdownStep } from "./shutdown.ts";

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
