import { expect, test } from "vitest";
import { waitingGroups } from "#contract/staff/waiting/waiting.ts";
import { waitingCount } from "./waiting-count.ts";

test("the number beside «Ждёт» counts what is urgent and today's; what can wait a week is on the screen only", () => {
  const lowStock = { rank: 3, count: 55 };
  expect(waitingCount([{ rank: 2, count: 4 }, { rank: 2, count: 2 }, lowStock])).toEqual({ text: "6", isTrouble: false });
  expect(waitingCount([lowStock])).toEqual({ text: "0", isTrouble: false });
  expect(waitingCount([{ rank: 1, count: 1 }, lowStock])).toEqual({ text: "1", isTrouble: true });
  expect(waitingCount([{ rank: 2, count: 1_001 }])).toEqual({ text: "1 000+", isTrouble: false });
});

test("reviews are work of the day, after what is urgent; coins that run low are not", () => {
  const ranks = Object.values(waitingGroups).map(({ rank }) => rank);
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  expect([waitingGroups.reviews.rank, waitingGroups.low_stock.rank]).toEqual([2, 3]);
});
