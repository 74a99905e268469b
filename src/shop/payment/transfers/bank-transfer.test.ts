import { expect, test } from "vitest";
import { readReference } from "./bank-transfer.ts";

test.each(["125/20.11.2026", "000125 / 2026-11-20", "№ 125 от 20.11.2026", "125 of 2026-11-20"])(
  "a clerk may write the reference as «%s»",
  (text) => {
    expect(readReference(text, null)).toEqual({ number: "125", date: "2026-11-20", payerAccount: null });
  },
);

test("what is not a number, a day or an account is refused", () => {
  for (const text of ["", "125", "20.11.2026", "125/31.02.2026", "125/20.11", "a b/20.11.2026", `${"1".repeat(21)}/20.11.2026`])
    expect(readReference(text, null)).toBeNull();
  expect(readReference("125/20.11.2026", "4081")).toBeNull();
  expect(readReference("А-12/4/20.11.2026", "40817810099910004312")).toEqual({
    number: "А-12/4",
    date: "2026-11-20",
    payerAccount: "40817810099910004312",
  });
});
