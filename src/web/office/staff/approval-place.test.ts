import { matchRoutes } from "react-router";
import { expect, test } from "vitest";
import { areas } from "../areas.ts";
import { placeOf } from "./approval-place.ts";

const at = (action: string, params: object = {}, body: object = {}) => placeOf({ action, params, body })?.path;

test("an approval leads to the record that it is about", () => {
  expect(at("order.refund", { id: "Zx3" })).toBe("/orders/Zx3");
  expect(at("import.apply", { id: "7" })).toBe("/exchange/imports/7");
  expect(at("coin.save", { id: "12" })).toBe("/coins/12");
  expect(at("stock.post", { id: "4" })).toBe("/stock/documents/4");
  expect(at("stock.threshold", { id: "12" })).toBe("/stock/coins/12");
  expect(at("buyback.pay", { id: "12" })).toBe("/buyback/12");
  expect(at("price.undo", { id: "9" })).toBe("/prices/changes/9");
  expect(at("price.steps", {}, { scope: { metal: "gold" } })).toBe("/prices/steps");
  expect(at("price.change", {}, { coins: [{ id: 3 }, { id: 5 }] })).toBe("/prices?ids=3,5");
  expect(at("price_promo.create", {}, { coins: [{ id: 3 }] })).toBe("/prices?ids=3");
  expect(at("settings.change", { key: "approvals" })).toBe("/settings/approvals");
  expect(at("staff.invite")).toBe("/people");
  expect([at("coin.add", {}, { facts: {} }), at("promo_code.create", {}, { code: "МАЙ" })]).toEqual([undefined, undefined]);
});

test("every such address is one of a screen", () => {
  const routes = areas.flatMap((area) => area.routes);
  const isScreen = (path: string) => matchRoutes(routes, path) !== null;
  const actions = [
    "order.refund",
    "import.apply",
    "coin.save",
    "stock.post",
    "stock.threshold",
    "stocktake.finish",
    "price.undo",
    "buyback.pay",
  ];
  const linked = [...actions, "price_promo.stop", "promo_code.stop"].map((action) => at(action, { id: "5" }) ?? action);
  expect([...linked, "/prices/steps", "/prices", "/people"].filter((path) => !isScreen(path))).toEqual([]);
});
