import { expect, test } from "vitest";
import { statesOf } from "#kit/transitions.ts";
import { inquiryStates } from "./inquiry.ts";
import { reviewStates, summaryOf } from "./review.ts";

test("the rating of the shop is the average of all reviews, to one decimal, with how many gave which", () => {
  expect(summaryOf([0, 0, 0, 1, 2])).toEqual({ count: 3, average: 4.7, counts: [0, 0, 0, 1, 2] });
  expect(summaryOf([])).toEqual({ count: 0, average: null, counts: [0, 0, 0, 0, 0] });
});

test("every state of a review and of a request can be reached", () => {
  expect(statesOf(reviewStates).toSorted()).toEqual(["approved", "pending", "rejected"]);
  expect(new Set(["received", ...Object.values(inquiryStates).flatMap((events) => Object.values(events))])).toEqual(
    new Set(statesOf(inquiryStates)),
  );
});
