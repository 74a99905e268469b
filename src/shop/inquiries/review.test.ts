import { expect, test } from "vitest";
import { statesOf } from "#kit/transitions.ts";
import { inquiryStates } from "./inquiry.ts";
import { reviewStates, summaryOf } from "./review.ts";

test("the shop's rating is the average of all reviews to one decimal, with the number of each rating", () => {
  expect(summaryOf([0, 0, 0, 1, 2])).toEqual({ count: 3, average: 4.7, counts: [0, 0, 0, 1, 2] });
  expect(summaryOf([])).toEqual({ count: 0, average: null, counts: [0, 0, 0, 0, 0] });
});

test("every state of a review and of an inquiry can be reached", () => {
  expect(statesOf(reviewStates).toSorted()).toEqual(["approved", "pending", "rejected"]);
  expect(new Set(["received", ...Object.values(inquiryStates).flatMap((events) => Object.values(events))])).toEqual(
    new Set(statesOf(inquiryStates)),
  );
});
