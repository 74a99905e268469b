import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createArena } from "./arena.ts";

type Step = { kind: "take"; length: number; kept: number } | { kind: "reset" };
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("take" as const), length: fc.nat(60), kept: fc.nat(60) }) },
  { weight: 1, arbitrary: fc.constant({ kind: "reset" as const }) },
);

test("arrays of one search never share memory, whatever was taken before and however much is taken", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
      const arena = createArena((length) => new Int32Array(length), 200);
      let taken: { array: Int32Array; value: number }[] = [];
      for (const [value, step] of steps.entries()) {
        if (step.kind === "reset") {
          arena.reset();
          taken = [];
          continue;
        }
        const whole = arena.take(step.length);
        expect(whole).toHaveLength(step.length);
        taken.push({ array: arena.shorten(whole, Math.min(step.kept, step.length)).fill(value), value });
        for (const each of taken) expect(new Set(each.array)).toEqual(new Set(each.array.length > 0 ? [each.value] : []));
      }
    }),
  );
});

test("a search gets the memory of the one before, up to the limit", () => {
  const made: number[] = [];
  const arena = createArena((length) => {
    made.push(length);
    return new Int32Array(length);
  }, 100);
  const search = (...lengths: number[]): void => {
    arena.reset();
    made.length = 0;
    for (const length of lengths) arena.take(length);
  };
  search(30, 20);
  search(30, 20);
  expect(made).toEqual([]);
  search(70, 70);
  search(70, 70);
  expect(made).toEqual([70]);
});
