import { expect, test } from "vitest";
import { createCoalescer } from "./coalesce.ts";

test("calls during a run share the one run that begins afterwards", async () => {
  const coalesce = createCoalescer();
  const gates: (() => void)[] = [];
  let runs = 0;
  const work = async () => {
    runs += 1;
    const mine = runs;
    await new Promise<void>((open) => gates.push(open));
    return mine;
  };
  const first = coalesce("a", work);
  const later = [coalesce("a", work), coalesce("a", work), coalesce("a", work)];
  expect(runs).toBe(1);
  gates[0]?.();
  expect(await first).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  gates[1]?.();
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
  const again = coalesce("a", work);
  gates[2]?.();
  expect(await again).toBe(3);
});

test("a failed run fails the calls that shared it and no later ones; other keys do not wait", async () => {
  const coalesce = createCoalescer();
  let open = () => {};
  const first = coalesce(
    "a",
    () =>
      new Promise<string>((_, reject) => {
        open = () => reject(new Error("out"));
      }),
  );
  const second = coalesce("a", async () => "well");
  expect(await coalesce("b", async () => "other")).toBe("other");
  open();
  await expect(first).rejects.toThrow("out");
  expect(await second).toBe("well");
});
