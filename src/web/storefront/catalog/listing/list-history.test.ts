import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { choiceFrom } from "./listing-query.ts";
import { goToChoice } from "./list-history.ts";

const list = { path: "/catalog", base: "" };
const chosen = (query: string) => choiceFrom(new URLSearchParams(query));

/** A model of the browser's history: each entry has its address and whether it belongs to the sheet. */
let entries: { href: string; state: Record<string, unknown> }[] = [];
let pending: { pathname: string; search: string; state: unknown; key: string } | undefined;
const top = () => entries.at(-1) ?? { href: "", state: {} };
const shown = () => entries.map(({ href, state }) => (state.sheet ? "sheet" : href));

/** A model of the router: an address gets its entry when its list is loaded. */
const navigate = vi.fn((href: string, { replace = false }: { replace?: boolean }) => {
  const { pathname, search } = new URL(href, "http://shop");
  pending = { pathname, search, state: null, key: href };
  isReplace = replace;
});
let isReplace = false;
function listComes() {
  if (!pending) return;
  const entry = { href: pending.pathname + pending.search, state: { key: pending.key, idx: 0 } };
  if (isReplace) entries.pop();
  entries.push(entry);
  pending = undefined;
}
const go = (query: string) => goToChoice(navigate as unknown as Parameters<typeof goToChoice>[0], list, chosen(query));

beforeEach(() => {
  entries = [{ href: "/catalog", state: { key: "first", idx: 0 } }];
  pending = undefined;
  vi.stubGlobal("history", {
    get state() {
      return top().state;
    },
    pushState: (state: Record<string, unknown>, _: string, href = top().href) => entries.push({ href, state }),
    replaceState: (state: Record<string, unknown>, _: string, href = top().href) => entries.splice(-1, 1, { href, state }),
  });
  vi.stubGlobal("location", {
    get search() {
      return new URL(top().href, "http://shop").search;
    },
  });
  vi.stubGlobal("window", {
    __reactRouterDataRouter: {
      get state() {
        return { navigation: { location: pending } };
      },
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

test("each choice gets a history entry, also when the next one is made before its list is loaded", () => {
  go("metal=gold");
  listComes();
  go("metal=gold&inStock=1");
  go("metal=gold&inStock=1&priceTo=900");
  listComes();
  expect(shown()).toEqual([
    "/catalog",
    "/catalog?metal=gold",
    "/catalog?metal=gold&inStock=1",
    "/catalog?metal=gold&priceTo=900&inStock=1",
  ]);
});

test("choices made in the open sheet go below the sheet's entry, and the newest replaces it", () => {
  history.pushState({ ...(history.state as object), sheet: true }, "");
  go("metal=gold");
  go("metal=gold&kind=bullion");
  expect(shown()).toEqual(["/catalog", "/catalog?metal=gold", "sheet"]);
  listComes();
  expect(shown()).toEqual(["/catalog", "/catalog?metal=gold", "/catalog?metal=gold&kind=bullion"]);
});

test("a pending «Показать ещё» gets no entry of its own", () => {
  pending = { pathname: "/catalog/page/2", search: "?from=1", state: null, key: "more" };
  go("metal=gold");
  listComes();
  expect(shown()).toEqual(["/catalog", "/catalog?metal=gold"]);
});
