import { expect, test } from "vitest";
import { reportWaiting } from "./waiting-report.ts";

test("the desk lists which order waits, why, since when, and the carrier's last status", () => {
  expect(
    reportWaiting({
      id: "o1",
      number: 10_042,
      status: "cancellation_requested",
      why: "cancellation",
      since: "2026-11-20T12:00:00+03:00",
      recall: "sent",
      tracking: "10000000000",
      lastStep: { code: "CREATED", city: "Москва", at: "2026-11-20T11:00:00+03:00" },
    }),
  ).toBe(
    "order o1  №10042  since 2026-11-20T12:00:00+03:00  cancellation requested, the carrier decides\n" +
      "  parcel 10000000000, recall sent, CREATED Москва 2026-11-20T11:00:00+03:00",
  );
  expect(
    reportWaiting({
      id: "o2",
      number: 10_043,
      status: "returned",
      why: "unsettled",
      since: "2026-11-20T12:00:00+03:00",
      recall: null,
      tracking: null,
      lastStep: null,
    }),
  ).toBe("order o2  №10043  since 2026-11-20T12:00:00+03:00  came back, its money is undecided: refund, or a part of it");
});
