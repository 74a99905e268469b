import { expect, test } from "vitest";
import { answered, begun, isWhole, mayOpen } from "./palette-search.ts";
import type { HitGroup } from "./search-provider.ts";

const orders: HitGroup[] = [{ title: "Заказы", hits: [{ id: "order-1", icon: "bag", title: "10042", path: "/orders/1" }] }];
const enter = { text: "10042", isBeside: false };

test("a fast Enter waits until every source has answered what was typed", () => {
  const asked = begun("10042", ["orders", "screens"]);
  expect(mayOpen(asked, "10042", enter)).toBe(false);
  const half = answered(asked, "screens", []);
  expect([isWhole(half, "10042"), mayOpen(half, "10042", enter)]).toEqual([false, false]);
  const whole = answered(half, "orders", orders);
  expect([isWhole(whole, "10042"), mayOpen(whole, "10042", enter), whole.found]).toEqual([true, true, { screens: [], orders }]);
});

test("an Enter for what was typed before opens nothing, and neither does an answer to it", () => {
  const whole = answered(begun("1004", ["orders"]), "orders", orders);
  expect([isWhole(whole, "10042"), mayOpen(whole, "10042", enter)]).toEqual([false, false]);
  const next = answered(begun("10042", ["orders"]), "orders", orders);
  expect(mayOpen(next, "10042", { text: "1004", isBeside: false })).toBe(false);
});

test("a source that could not search is not taken for one that found nothing", () => {
  const refused = answered(answered(begun("10042", ["orders", "screens"]), "screens", []), "orders", { refusal: "Нет связи" });
  expect([isWhole(refused, "10042"), refused.refusal, mayOpen(refused, "10042", enter)]).toEqual([true, "Нет связи", false]);
});
