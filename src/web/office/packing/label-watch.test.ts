import { expect, test } from "vitest";
import { watchLabel } from "./label-watch.ts";

type Answer = Awaited<ReturnType<Parameters<typeof watchLabel>[0]>>;
const waiting: Answer = { ok: true, value: { state: "waiting", fault: null } };
const lost: Answer = { ok: false, error: { code: "network.failed", message: "Нет связи" } };

/** Watches through these answers, the last of them again and again, with a clock that only waiting moves. */
async function watched(answers: readonly Answer[], pauseMs?: number) {
  let at = 0;
  const stop = new AbortController();
  const troubles: string[] = [];
  let reads = 0;
  const outcome = await watchLabel(async () => answers[Math.min(reads++, answers.length - 1)] ?? waiting, {
    stop: stop.signal,
    onTrouble: (text) => troubles.push(text),
    now: () => at,
    wait: async (ms) => {
      at += pauseMs ?? ms;
    },
  });
  return { outcome, reads, at, troubles };
}

test("a file that never comes is requested for two minutes only, also where the browser slows the window down", async () => {
  const { outcome, reads, at } = await watched([waiting]);
  expect(outcome).toEqual({ kind: "late", text: expect.stringContaining("СДЭК ещё не прислал файл") });
  expect([reads, at]).toEqual([80, 120_000]);
  expect((await watched([waiting], 60_000)).reads).toBe(2);
});

test("a file that is ready, or will not come, ends the window at once", async () => {
  expect((await watched([waiting, { ok: true, value: { state: "ready", fault: null } }])).outcome).toEqual({ kind: "ready" });
  const { outcome, reads } = await watched([{ ok: true, value: { state: "failed", fault: "invalid" } }]);
  expect([outcome, reads]).toEqual([{ kind: "over", text: expect.stringContaining("СДЭК отклонил посылку") }, 1]);
});

test("a file that does not exist ends the window at once", async () => {
  const { outcome, reads } = await watched([{ ok: false, error: { code: "staff.not_found", message: "Не найдено" } }]);
  expect([outcome, reads]).toEqual([{ kind: "over", text: expect.stringContaining("Такого файла этикеток нет") }, 1]);
});

test("a lost connection is shown while it lasts, and is the reason when it lasts to the end", async () => {
  const back = await watched([lost, waiting, { ok: true, value: { state: "ready", fault: null } }]);
  expect([back.outcome, back.troubles]).toEqual([{ kind: "ready" }, ["Нет связи", ""]]);
  expect((await watched([lost])).outcome).toEqual({ kind: "late", text: "Нет связи" });
});
