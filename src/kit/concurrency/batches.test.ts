import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createBatches } from "./batches.ts";
import { DeadlineError, withDeadline } from "./deadline.ts";

/** Work whose batches are recorded and end when the test says so. */
function aWorkshop(max: Partial<{ items: number; batches: number; waiting: number }> = {}) {
  const begun: { items: readonly string[]; end(): void; fail(error: unknown): void }[] = [];
  const ask = createBatches({
    work: (items: readonly string[]) =>
      new Promise<string[]>((resolve, reject) => {
        begun.push({ items, end: () => resolve(items.map((each) => each.toUpperCase())), fail: reject });
      }),
    keyOf: (item) => item.slice(0, 1),
    max: { items: 3, batches: 2, waiting: 10, ...max },
    mayBeOfOneItem: (error) => error instanceof RangeError,
  });
  const sizes = () => begun.map(({ items }) => items.join(" "));
  return { ask, begun, sizes };
}

test("an item that comes alone is begun in the same turn, and items of one turn are begun together", async () => {
  const { ask, begun, sizes } = aWorkshop();
  const alone = ask("a");
  await nextTurn();
  expect(sizes()).toEqual(["a"]);
  begun[0]?.end();
  expect(await alone).toBe("A");
  const two = Promise.all([ask("b"), ask("c")]);
  await expect.poll(sizes).toEqual(["a", "b c"]);
  begun[1]?.end();
  expect(await two).toEqual(["B", "C"]);
});

test("what comes while a batch runs is begun after it, or beside it as soon as it fills a batch", async () => {
  const { ask, begun, sizes } = aWorkshop();
  const all = [ask("a")];
  await nextTurn();
  all.push(ask("b"), ask("c"));
  await nextTurn();
  expect(sizes()).toEqual(["a"]);
  all.push(ask("d"), ask("e"));
  await nextTurn();
  expect(sizes()).toEqual(["a", "b c d"]);
  begun[1]?.end();
  await nextTurn();
  await nextTurn();
  expect(sizes()).toEqual(["a", "b c d"]); // one waits and another batch runs
  begun[0]?.end();
  await expect.poll(sizes).toEqual(["a", "b c d", "e"]);
  begun[2]?.end();
  expect(await Promise.all(all)).toEqual(["A", "B", "C", "D", "E"]);
});

test("items of one key are never in work together and keep their order", async () => {
  const { ask, begun, sizes } = aWorkshop();
  const all = [ask("a1"), ask("a2"), ask("b1"), ask("a3")];
  await nextTurn();
  expect(sizes()).toEqual(["a1 b1"]);
  for (const [index, next] of ["a2", "a3"].entries()) {
    begun[index]?.end();
    await expect.poll(() => sizes().at(-1)).toBe(next);
  }
  begun[2]?.end();
  expect(await Promise.all(all)).toEqual(["A1", "A2", "B1", "A3"]);
});

test("when one item makes a batch fail, each is done again by itself and the others succeed", async () => {
  const { ask, begun, sizes } = aWorkshop();
  const all = Promise.allSettled([ask("a"), ask("b"), ask("c")]);
  await nextTurn();
  begun[0]?.fail(new RangeError("one of them"));
  await expect.poll(sizes).toEqual(["a b c", "a", "b", "c"]);
  begun[1]?.end();
  begun[2]?.fail(new RangeError("this one"));
  begun[3]?.end();
  expect(await all).toMatchObject([{ value: "A" }, { reason: new RangeError("this one") }, { value: "C" }]);
});

test("a failure that is not an item's own rejects the batch, and the next batch is begun", async () => {
  const { ask, begun, sizes } = aWorkshop();
  const all = Promise.allSettled([ask("a"), ask("b")]);
  await nextTurn();
  begun[0]?.fail(new Error("no connection"));
  expect(await all).toMatchObject([{ reason: new Error("no connection") }, { reason: new Error("no connection") }]);
  const next = ask("a");
  await expect.poll(sizes).toEqual(["a b", "a"]);
  begun[1]?.end();
  expect(await next).toBe("A");
});

test("an item whose request has no time left is not begun, and work is not bound to the time of one request", async () => {
  const { ask, begun, sizes } = aWorkshop();
  const first = withDeadline({ answerMs: 60, reserveMs: 50 }, () => ask("a"));
  await nextTurn();
  const tooLate = withDeadline({ answerMs: 60, reserveMs: 50 }, () => ask("b"));
  const inTime = ask("c");
  await expect(first).rejects.toThrow(DeadlineError);
  await expect(tooLate).rejects.toThrow(DeadlineError);
  begun[0]?.end();
  await expect.poll(sizes).toEqual(["a", "c"]);
  begun[1]?.end();
  expect(await inTime).toBe("C");
});

test("more items than may wait fail at once", async () => {
  const { ask, begun } = aWorkshop({ waiting: 2 });
  const all = [ask("a"), ask("b")];
  await expect(ask("c")).rejects.toThrow("2 requests wait");
  await nextTurn();
  begun[0]?.end();
  expect(await Promise.all(all)).toEqual(["A", "B"]);
});
