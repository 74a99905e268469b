import { expect, test } from "vitest";
import { createNewest } from "./newest.ts";

test("of two numbers the later one is shown, also when the answer to the first arrives last", async () => {
  const newest = createNewest();
  let shown = "";
  const find = async (number: string, answered: Promise<void>) => {
    const signal = newest.begin();
    await answered;
    if (!signal.aborted) shown = number;
  };
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const both = [find("10001", first.promise), find("100012", second.promise)];
  second.resolve();
  first.resolve();
  await Promise.all(both);
  expect(shown).toBe("100012");
});

test("an answer that arrives after the screen was left is dropped", () => {
  const newest = createNewest();
  const signal = newest.begin();
  newest.end();
  expect(signal.aborted).toBe(true);
});
