import { expect, test } from "vitest";
import { judgeParts } from "./part-verdict.ts";

const quiet = (p99: number) => ({ p99, late: 5 });
const busy = (p99: number) => ({ p99, late: 400 });
const judge = (...parts: { p99: number; late: number }[]) => judgeParts(parts, { maxP99: 300, maxLate: 20 });

test("parts on a quiet machine are judged, those on a busy one are not", () => {
  expect(judge(quiet(100), quiet(250), busy(2_000))).toEqual({
    count: "2 of 3 parts on a quiet machine",
    worst: 250,
    broken: [],
    leftOut: null,
  });
  expect(judge(quiet(100), quiet(301), busy(2_000)).broken).toEqual(["p99 of a part is 301 ms, at most 300 are permitted"]);
});

test("a p99 that was measured in fewer than half of the parts is named as left out", () => {
  expect(judge(quiet(100), busy(2_000)).leftOut).toBeNull();
  expect(judge(quiet(100), busy(2_000), busy(2_000)).leftOut).toBe("without p99: only 1 of 3 parts on a quiet machine");
  expect(judge(busy(2_000))).toMatchObject({ worst: null, broken: [], leftOut: "without p99: only 0 of 1 parts on a quiet machine" });
  expect(judge(quiet(500), busy(100), busy(100)).broken).toHaveLength(1);
});
