import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { data, type DataStrategyResult } from "react-router";
import { keepPageOnError } from "./keep-page-on-error.ts";

const toasts: string[] = [];
vi.mock("../ui/toasts.tsx", () => ({ showToast: (text: string) => toasts.push(text) }));

const loading = { request: new Request("https://shop.example/cart.data") };
const sent = { request: new Request("https://shop.example/cart.data", { method: "POST" }) };
const shown = { lines: "two pieces" };
const answer = (result: DataStrategyResult) => async () => ({ cart: result });

beforeEach(() => {
  vi.stubGlobal("window", {
    __reactRouterDataRouter: {
      state: { revalidation: "loading", navigation: { state: "idle" }, fetchers: new Map(), loaderData: { cart: shown } },
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

test("a reading from before a form's change does not replace the reading after it", async () => {
  const { promise, resolve: arrive } = Promise.withResolvers<Record<string, DataStrategyResult>>();
  const older = keepPageOnError(loading, () => promise);
  await keepPageOnError(sent, answer({ type: "data", result: { refusal: null } }));
  arrive({ cart: { type: "data", result: { lines: "one piece" } } });
  expect(await older).toEqual({ cart: { type: "data", result: shown } });
  expect(await keepPageOnError(loading, answer({ type: "data", result: { lines: "three pieces" } }))).toEqual({
    cart: { type: "data", result: { lines: "three pieces" } },
  });
});

test("without a connection the page stays; a failed form shows a message and is not treated as answered", async () => {
  const lost: DataStrategyResult = { type: "error", result: new TypeError("no network") };
  expect(await keepPageOnError(loading, answer(lost))).toEqual({ cart: { type: "data", result: shown } });
  expect(toasts).toEqual([]);
  expect(await keepPageOnError(sent, answer(lost))).toEqual({ cart: { type: "data", result: data(undefined, 503) } });
  expect(toasts).toEqual(["Нет связи с магазином. Проверьте интернет и повторите"]);
});

test("a form that is sent again by a second press does not report a lost connection for the first", async () => {
  toasts.length = 0;
  const first = new AbortController();
  const request = new Request("https://shop.example/cart.data", { method: "POST", signal: first.signal });
  first.abort();
  const broken: DataStrategyResult = { type: "error", result: new DOMException("aborted", "AbortError") };
  expect(await keepPageOnError({ request }, answer(broken))).toEqual({ cart: broken });
  expect(toasts).toEqual([]);
});

test("a redirect and a 404 are answers to a form", async () => {
  const away: DataStrategyResult = { type: "error", result: Response.redirect("https://shop.example/my") };
  expect(await keepPageOnError(sent, answer(away))).toEqual({ cart: away });
  const gone: DataStrategyResult = { type: "error", result: { status: 404, statusText: "", internal: false, data: null } };
  expect(await keepPageOnError(sent, answer(gone))).toEqual({ cart: gone });
});
