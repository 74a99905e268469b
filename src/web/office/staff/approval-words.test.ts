import { expect, test } from "vitest";
import { outcomeText, summaryOf, whoDecides } from "./approval-words.ts";

test("a request that was not carried out says who refused and why, without a second full stop", () => {
  const decidedBy = { login: "ivanova", name: "Ольга Счетова" };
  expect(outcomeText({ state: "refused", decidedBy, note: "Монета цела." })).toBe("Отказано, Ольга Счетова: Монета цела.");
  expect(outcomeText({ state: "expired", decidedBy: null, note: "" })).toBe("Срок истёк.");
});

test("a request names everybody who may decide, and the server when nobody may", () => {
  expect(whoDecides(["Ольга"])).toBe("решает Ольга");
  expect(whoDecides(["Ольга", "Олег", "Алла"])).toBe("решает Ольга, Олег или Алла");
  expect(whoDecides([])).toBe("решает владелец на сервере");
});

test("two requests of the same kind differ by the order and by what changes", () => {
  const shown = { before: { leftToRefund: "182 216 ₽" }, after: { refund: "5 000 ₽", leftToRefund: "177 216 ₽", reason: "Царапина" } };
  expect(summaryOf({ action: "order.refund", orderNumber: 30002, shown })).toBe(
    "заказ 30002, вернуть 5 000 ₽, осталось вернуть 177 216 ₽, причина Царапина",
  );
  expect(
    summaryOf({ action: "staff.change_roles", orderNumber: null, shown: { before: { roles: ["sales"] }, after: { roles: ["owner"] } } }),
  ).toBe("роли владелец");
  expect(summaryOf({ action: "coin.save", orderNumber: null, shown: null })).toBe("");
});
