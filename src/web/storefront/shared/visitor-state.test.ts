import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type * as State from "./visitor-state.ts";

// Outside React the hook reads the store directly.
vi.mock("react", async (original) => ({
  ...(await original<object>()),
  useSyncExternalStore: (_: unknown, read: () => unknown) => read(),
}));
const toasts: string[] = [];
vi.mock("../../ui/toasts.tsx", () => ({ showToast: (text: string) => toasts.push(text) }));

type Call = { what: string; body: unknown; answer(content: unknown, status?: number): Promise<void> };
let calls: Call[];
let state: typeof State;

/** Lets all resolved promises run. */
const rest = () => new Promise((resolve) => setTimeout(resolve));
/** What the page shows now. */
const now = () => state.useVisitorState();
const cartOf = (quantities: Record<number, number>) => ({
  order: { coins: Object.entries(quantities).map(([id, count]) => ({ id: Number(id), count })) },
  totalCoins: Object.values(quantities).reduce((sum, count) => sum + count, 0),
});
const nothing = { me: null, totalCoins: 0, wishlist: [], compare: [], work: true };
/** The oldest call that waits for its answer. */
const call = async (what: string): Promise<Call> => {
  await rest();
  const at = calls.findIndex((each) => each.what === what);
  if (at < 0) throw new Error(`${what} was not requested; requested were ${calls.map((each) => each.what).join(", ")}`);
  return calls.splice(at, 1)[0]!;
};

beforeEach(async () => {
  [calls, toasts.length] = [[], 0];
  vi.stubGlobal(
    "fetch",
    (path: string, init: RequestInit) =>
      new Promise((resolve) =>
        calls.push({
          what: `${init.method} ${path.slice("/api/".length)}`,
          body: typeof init.body === "string" ? JSON.parse(init.body) : null,
          async answer(content, status = 200) {
            resolve(new Response(JSON.stringify(status < 400 ? { data: content } : content), { status }));
            await rest();
          },
        }),
      ),
  );
  vi.resetModules();
  state = await import("./visitor-state.ts");
  void state.refreshState();
  await (await call("GET state")).answer(nothing);
});
afterEach(() => vi.unstubAllGlobals());

test("an answer older than a press on a heart does not undo the press", async () => {
  void state.refreshState();
  const older = await call("GET state");
  void state.toggleWishlist(7);
  await (await call("POST wishlist/7")).answer([7]);
  await older.answer(nothing);
  expect(now().wishlist).toEqual([7]);
  await (await call("GET state")).answer({ ...nothing, wishlist: [7, 3] }); // requested again: another tab may have added a coin
  expect(now().wishlist).toEqual([7, 3]);
});

test("of two reads of the state the later one counts, even if its answer arrives first", async () => {
  void state.refreshState();
  const older = await call("GET state");
  void state.refreshState();
  await (await call("GET state")).answer({ ...nothing, me: { name: "Анна" } });
  await older.answer(nothing);
  expect(now().me).toEqual({ name: "Анна" });
});

test("quick additions to the cart reach the server one after the other, and the page shows all of them meanwhile", async () => {
  void state.setCartQuantity(1, 1);
  void state.setCartQuantity(2, 1);
  void state.setCartQuantity(2, 2);
  void state.setCartQuantity(2, 3);
  await rest();
  expect([calls.length, now().totalCoins]).toEqual([1, 4]);
  await (await call("PATCH cart/1")).answer(cartOf({ 1: 1 }));
  expect([now().quantities, now().totalCoins, now().isCartUpdating]).toEqual([{ 1: 1, 2: 3 }, 4, true]);
  const last = await call("PATCH cart/2");
  expect([last.body, calls]).toEqual([{ quantity: 3 }, []]); // of three pending changes only the last is sent
  await last.answer(cartOf({ 1: 1, 2: 3 }));
  expect([now().quantities, now().isCartUpdating]).toEqual([{ 1: 1, 2: 3 }, false]);
});

test("a refused change is reverted to the server's last state, with one message", async () => {
  state.applyCart(1, { 5: 1 });
  void state.setCartQuantity(5, 2);
  await rest();
  void state.setCartQuantity(5, 3);
  const short = { code: "cart.stock_short", message: "Столько нет", data: { available: 1 } };
  await (await call("PATCH cart/5")).answer(short, 409);
  expect([now().quantities, toasts]).toEqual([{ 5: 3 }, []]);
  await (await call("PATCH cart/5")).answer(short, 409);
  expect([now().quantities, now().totalCoins, toasts]).toEqual([{ 5: 1 }, 1, ["Столько нет: осталось 1"]]);
});

test("a heart pressed twice quickly ends up off and does not switch on again in between", async () => {
  void state.toggleWishlist(7);
  await rest();
  void state.toggleWishlist(7);
  await (await call("POST wishlist/7")).answer([7]);
  expect(now().wishlist).toEqual([]);
  await (await call("DELETE wishlist/7")).answer([]);
  expect([now().wishlist, now().isWishlistUpdating]).toEqual([[], false]);
});

test("on a page of a list a press before the first answer removes the coin that the page was rendered with", async () => {
  vi.resetModules();
  state = await import("./visitor-state.ts");
  void state.refreshState();
  state.assumeList("wishlist", [7, 3]);
  void state.toggleWishlist(7);
  expect([now().wishlist, now().isKnown]).toEqual([[3], false]);
  await (await call("GET state")).answer({ ...nothing, wishlist: [7, 3] }); // requested before the press
  expect(now().wishlist).toEqual([3]);
  await (await call("DELETE wishlist/7")).answer([3]);
  state.assumeList("wishlist", [7, 3]); // a page that is older than the answer
  expect(now().wishlist).toEqual([3]);
});

test("a piece is added to those in the cart, even if the page has not read the cart yet", async () => {
  vi.resetModules();
  state = await import("./visitor-state.ts");
  void state.refreshState();
  void state.addToCart(5, 1);
  await (await call("GET state")).answer({ ...nothing, totalCoins: 3 });
  await (await call("GET cart")).answer(cartOf({ 5: 3 }));
  const add = await call("PATCH cart/5");
  expect([add.body, now().totalCoins]).toEqual([{ quantity: 4 }, 4]);
  await add.answer(cartOf({ 5: 4 }));
  expect(now().quantities).toEqual({ 5: 4 });
});

test("taking over a shared list adds coins and removes none", async () => {
  void state.refreshState();
  await (await call("GET state")).answer({ ...nothing, compare: [2] });
  void state.addToList("compare", 2);
  void state.addToList("compare", 3);
  await rest();
  await (await call("POST compare/3")).answer([{ id: 3 }, { id: 2 }]);
  expect([now().compare, calls]).toEqual([[3, 2], []]);
});

test("a page with the visitor's lists is read after all earlier changes are answered", async () => {
  void state.toggleCompare(7);
  void state.setCartQuantity(5, 1);
  let isRead = false;
  void state.pendingChanges().then(() => (isRead = true));
  await rest();
  await (await call("POST compare/7")).answer([{ id: 7 }]);
  expect(isRead).toBe(false);
  await (await call("PATCH cart/5")).answer(cartOf({ 5: 1 }));
  expect(isRead).toBe(true);
});

describe("tabs of one browser", () => {
  /** The ends of one channel: what one posts reaches the others. */
  const ends: (EventTarget & { postMessage(data: unknown): void; close(): void })[] = [];
  const otherTab: unknown[] = [];
  const say = (data: unknown) => ends[0]?.dispatchEvent(Object.assign(new Event("message"), { data }));
  let tab: { visibilityState: string };

  beforeEach(() => {
    [ends.length, otherTab.length] = [0, 0];
    tab = Object.assign(new EventTarget(), { visibilityState: "visible" });
    vi.stubGlobal("document", tab);
    vi.stubGlobal("addEventListener", () => {});
    vi.stubGlobal(
      "BroadcastChannel",
      class extends EventTarget {
        constructor() {
          super();
          ends.push(this);
        }
        postMessage = (data: unknown) => otherTab.push(data);
        close = () => {};
      },
    );
  });

  test("a confirmed change notifies the other tabs, a refused one does not", async () => {
    state.followState();
    await (await call("GET state")).answer(nothing);
    void state.toggleWishlist(7);
    await (await call("POST wishlist/7")).answer([7]);
    expect(otherTab).toEqual(["lists"]);
    void state.toggleWishlist(8);
    await (await call("POST wishlist/8")).answer({ error: { code: "busy", message: "Занято" } }, 503);
    expect(otherTab).toEqual(["lists"]);
  });

  test("what another one changed is read at once by a visible tab, a change of the session also by a hidden one", async () => {
    state.followState();
    await (await call("GET state")).answer(nothing);
    say("lists");
    await (await call("GET state")).answer({ ...nothing, wishlist: [3] });
    expect(now().wishlist).toEqual([3]);
    tab.visibilityState = "hidden";
    say("lists");
    await rest();
    expect(calls).toEqual([]);
    say("session");
    await (await call("GET state")).answer(nothing);
  });
});
