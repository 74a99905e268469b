import * as fc from "fast-check";
import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { estimate, titleKey } from "./estimate.ts";
import { coinConditions } from "./inquiry.ts";

const offers = new Map(
  [
    ["Георгий Победоносец", 82_045],
    ["Соболь", 4_100],
    ["Сеятель", 1_000_003],
  ].map(([title, roubles]) => [titleKey(String(title)), { title: String(title), buyback: kopecks(Number(roubles) * 100) }]),
);

test("a coin is recognised by its title in any spelling; other coins have no estimate", () => {
  const { lines, range, isWhole } = estimate(
    [
      { title: " георгий  победоносец", count: 2 },
      { title: "Медаль", count: 1 },
    ],
    "perfect",
    offers,
  );
  expect(lines.map(({ sum }) => sum)).toEqual([16_409_000, null]);
  expect([range, isWhole]).toEqual([{ least: 16_409_000, most: 16_409_000 }, false]);
});

test("the discount of a condition is that of the page's table; damaged coins have no price before inspection", () => {
  const of = (condition: (typeof coinConditions)[number]) => estimate([{ title: "Соболь", count: 1 }], condition, offers).range;
  expect(of("good")).toEqual({ least: 4_018_00, most: 4_059_00 });
  expect(of("fair")).toEqual({ least: 3_772_00, most: 3_977_00 });
  expect(of("damaged")).toBeNull();
  expect(estimate([], "good", offers).range).toBeNull();
});

test("totals are whole roubles, never above the prices of the day, and are the sum of the lines", () => {
  const line = fc.record({
    title: fc.constantFrom("Соболь", "Сеятель", "Георгий Победоносец", "Медаль"),
    count: fc.integer({ min: 1, max: 9999 }),
  });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.constantFrom(...coinConditions), (lines, condition) => {
      const { lines: estimated, range, isWhole } = estimate(lines, condition, offers);
      const total = estimated.reduce((sum, each) => sum + (each.sum ?? 0), 0);
      for (const { each, sum, count } of estimated) if (each !== null) expect(sum).toBe(each * count);
      expect(isWhole).toBe(estimated.every(({ sum }) => sum !== null));
      const { least, most } = range ?? { least: 0, most: 0 };
      expect([least % 100, most % 100]).toEqual([0, 0]);
      expect(range === null ? total === 0 : 0 < least && least <= most && most <= total).toBe(true);
    }),
  );
});
