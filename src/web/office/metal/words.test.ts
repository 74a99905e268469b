import { expect, test } from "vitest";
import { hours, minutes, seconds } from "#kit/time.ts";
import { leftText } from "./words.ts";

test("the time that a price is held has the unit of its length", () => {
  expect([-5, seconds(527), minutes(70), hours(2), hours(47), hours(73)].map(leftText)).toEqual([
    "0:00",
    "8:47",
    "70 мин",
    "2 ч",
    "47 ч",
    "3 дн.",
  ]);
});
