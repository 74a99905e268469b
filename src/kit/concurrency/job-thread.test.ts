import { expect, test, vi } from "vitest";
import { createJobThread } from "./job-thread.ts";
import { ThreadFailed } from "./thread.ts";

const source = `
import { answerJobs } from ${JSON.stringify(new URL("./job-thread.ts", import.meta.url).href)};
let jobs = 0;
answerJobs(async (data) => {
  jobs += 1;
  if (data === "fail") throw new Error("no document");
  if (data === "end") process.exit(3);
  if (data instanceof Uint8Array) return data.length;
  return { data, jobs };
});`;
const open = (options = {}) => createJobThread(new URL(`data:text/javascript,${encodeURIComponent(source)}`), options);

test("jobs of one thread get their own answers, and a failed one fails alone", async () => {
  const thread = open();
  const [one, failed, two] = await Promise.allSettled([thread.run("one"), thread.run("fail"), thread.run("two")]);
  expect(one).toEqual({ status: "fulfilled", value: { data: "one", jobs: 1 } });
  expect(failed).toMatchObject({ status: "rejected", reason: expect.any(ThreadFailed) });
  expect(two).toEqual({ status: "fulfilled", value: { data: "two", jobs: 3 } });
});

test("a buffer in `transfer` is handed over to the thread", async () => {
  const bytes = new Uint8Array(9);
  expect(await open().run(bytes, [bytes.buffer])).toBe(9);
  expect(bytes.length).toBe(0);
});

test("jobs of a thread that ended fail, and the next job starts another thread", async () => {
  const thread = open();
  const [, lost] = await Promise.allSettled([thread.run("end"), thread.run("lost")]);
  expect(lost).toMatchObject({ status: "rejected", reason: expect.any(ThreadFailed) });
  expect(await thread.run("again")).toEqual({ data: "again", jobs: 1 });
});

test("a job that comes while an idle thread is ended gets a thread of its own", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const thread = open({ idleMs: 1_000 });
  await thread.run("one");
  vi.advanceTimersByTime(1_000); // the thread is ending, and has not ended yet
  expect(await thread.run("two")).toEqual({ data: "two", jobs: 1 });
  vi.useRealTimers();
});
