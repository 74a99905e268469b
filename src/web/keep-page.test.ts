import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DataStrategyResult } from "react-router";
import { keepPage } from "./keep-page.ts";

const asked = { request: new Request("https://shop.example/cart.data") };
const sent = { request: new Request("https://shop.example/cart.data", { method: "POST" }) };
const shown = { lines: "two pieces" };
const answer = (result: DataStrategyResult) => async () => ({ cart: result });

beforeEach(() => {
  vi.stubGlobal("window", { __reactRouterDataRouter: { state: { revalidation: "loading", navigation: { state: "idle" }, fetchers: new Map(), loaderData: { cart: shown } } } });
});
afterEach(() => vi.unstubAllGlobals());

test("what was read before a form changed the cart is not shown over what was read after it", async () => {
  const { promise, resolve: arrive } = Promise.withResolvers<Record<string, DataStrategyResult>>();
  const older = keepPage(asked, () => promise);
  await keepPage(sent, answer({ type: "data", result: { refusal: null } }));
  arrive({ cart: { type: "data", result: { lines: "one piece" } } });
  expect(await older).toEqual({ cart: { type: "data", result: shown } });
  expect(await keepPage(asked, answer({ type: "data", result: { lines: "three pieces" } }))).toEqual({ cart: { type: "data", result: { lines: "three pieces" } } });
});

test("a page that cannot read itself again stays, but a form that was not answered is no page", async () => {
  const lost: DataStrategyResult = { type: "error", result: new TypeError("no network") };
  expect(await keepPage(asked, answer(lost))).toEqual({ cart: { type: "data", result: shown } });
  expect(await keepPage(sent, answer(lost))).toEqual({ cart: lost });
});
