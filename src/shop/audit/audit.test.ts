import { expect, test } from "vitest";
import { withoutContacts } from "./audit.ts";

test("a buyer's phone and e-mail in a text that staff typed are masked, and everything else stays", () => {
  const outcome = "перезвонить на 8 (916) 123-45-67 или oleg@example.ru, заказ 10012";
  expect(withoutContacts({ subject: "request:1", before: { outcome: "" }, after: { outcome, number: "79161234567" } })).toEqual({
    subject: "request:1",
    before: { outcome: "" },
    after: { outcome: "перезвонить на +7 ••• •••-45-67 или o•••@example.ru, заказ 10012", number: "79161234567" },
  });
});
