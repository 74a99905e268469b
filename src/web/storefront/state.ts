import { useSyncExternalStore } from "react";
import { callApi } from "#contract/client.ts";
import { say } from "./toasts.tsx";

/**
 * What the page knows about its visitor. Pages are rendered alike for everybody; one call after load fills this,
 * and badges, hearts and «Войти» follow it.
 */
export type ShopState = {
  /** False until the first answer: until then nothing is drawn that may turn out wrong. */
  isKnown: boolean;
  me: { name: string } | null;
  totalCoins: number;
  wishlist: readonly number[];
  compare: readonly number[];
  work: boolean | null;
  /** Pieces in the cart by coin id; empty until the cart was asked for. */
  quantities: Readonly<Record<number, number>>;
  /** A change is on its way to the server; false again when the list has changed, or when the change was refused. */
  isCartUpdating: boolean;
  isWishlistUpdating: boolean;
};

const unknown: ShopState = { isKnown: false, me: null, totalCoins: 0, wishlist: [], compare: [], work: null, quantities: {}, isCartUpdating: false, isWishlistUpdating: false };

// Changed in the browser only; on the server it stays `unknown` for all.
let state: ShopState = unknown;
const listeners = new Set<() => void>();

function change(part: Partial<ShopState>): void {
  state = { ...state, ...part };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A part of the state; the component is drawn again only when that part changes, so `pick` must not build new objects. */
export function useShopState(): ShopState;
export function useShopState<T>(pick: (state: ShopState) => T): T;
export function useShopState<T>(pick?: (state: ShopState) => T): T | ShopState {
  return useSyncExternalStore<T | ShopState>(subscribe, () => (pick ? pick(state) : state), () => (pick ? pick(unknown) : unknown));
}

type StateAnswer = { me: { name: string } | null; totalCoins: number; wishlist: number[]; compare: number[]; work: boolean };
type CartAnswer = { order: { coins: { id: number; count: number }[] }; totalCoins: number };

/** Asks the server who the visitor is and what he has gathered. A failure is only logged: the page lives without it. */
export async function refreshState(): Promise<void> {
  const answer = await callApi<StateAnswer>("/api/state");
  if (!answer.ok) {
    console.warn("shop state was not refreshed", answer.error.code);
    return;
  }
  change({ ...answer.value, isKnown: true, ...(answer.value.totalCoins === 0 ? { quantities: {} } : {}) });
  if (answer.value.totalCoins === 0) return;
  const cart = await callApi<CartAnswer>("/api/cart");
  if (cart.ok) takeCart(cart.value);
  else console.warn("the cart was not refreshed", cart.error.code);
}

/** Asks now, and again whenever somebody comes back to this tab: another one may have changed the cart or signed out meanwhile. */
export function followState(): () => void {
  const look = () => { if (document.visibilityState === "visible" && underWay.cart + underWay.wishlist === 0) void refreshState(); };
  document.addEventListener("visibilitychange", look);
  void refreshState();
  return () => document.removeEventListener("visibilitychange", look);
}

function takeCart(cart: CartAnswer): void {
  change({ totalCoins: cart.totalCoins, quantities: Object.fromEntries(cart.order.coins.map(({ id, count }) => [id, count])) });
}

/** Sets the badge after a page changed the cart by its own call; `quantities` when it knows them. */
export function applyCart(totalCoins: number, quantities?: Record<number, number>): void {
  change({ totalCoins, quantities: quantities ?? (totalCoins === 0 ? {} : state.quantities) });
}

type List = "wishlist" | "compare";

/** Changes on their way; the last one to come back clears the flag. */
const underWay = { cart: 0, wishlist: 0 };

async function whileUpdating<T>(what: keyof typeof underWay, work: () => Promise<T>): Promise<T> {
  const flag = what === "cart" ? "isCartUpdating" : "isWishlistUpdating";
  underWay[what] += 1;
  change({ [flag]: true });
  try {
    return await work();
  } finally {
    underWay[what] -= 1;
    if (underWay[what] === 0) change({ [flag]: false });
  }
}

/** Adds or removes a coin at once and takes it back with a message when the server refuses. */
async function toggle(list: List, id: number): Promise<void> {
  const before = state[list];
  const isIn = before.includes(id);
  change({ [list]: isIn ? before.filter((each) => each !== id) : [id, ...before] });
  const answer = await callApi<(number | { id: number })[]>(`/api/${list}/${id}`, { method: isIn ? "DELETE" : "POST" });
  if (answer.ok) {
    // Only the server's word on this coin is taken: another heart may have been pressed meanwhile.
    const isInNow = answer.value.some((each) => (typeof each === "number" ? each : each.id) === id);
    const others = state[list].filter((each) => each !== id);
    change({ [list]: isInNow ? [id, ...others] : others });
    return;
  }
  const others = state[list].filter((each) => each !== id);
  change({ [list]: isIn ? [...others, id] : others });
  say(answer.error.message, "refusal");
}

export const toggleWishlist = (id: number): Promise<void> => whileUpdating("wishlist", () => toggle("wishlist", id));
export const toggleCompare = (id: number): Promise<void> => toggle("compare", id);

/** The newest wish per coin; an older answer must not overwrite it. */
const wishes = new Map<number, number>();

/**
 * Puts so many pieces of a coin into the cart (0 removes). The badge answers at once; a refusal rolls it back and says why.
 * Resolves to whether the server agreed.
 */
export const setCartQuantity = (id: number, quantity: number): Promise<boolean> => whileUpdating("cart", () => putQuantity(id, quantity));

async function putQuantity(id: number, quantity: number): Promise<boolean> {
  const before = state.quantities[id] ?? 0;
  const wish = (wishes.get(id) ?? 0) + 1;
  wishes.set(id, wish);
  place(id, quantity);
  const answer = await callApi<CartAnswer>(`/api/cart/${id}`, { method: "PATCH", body: { quantity } });
  if (wishes.get(id) !== wish) return answer.ok;
  if (answer.ok) {
    takeCart(answer.value);
    return true;
  }
  place(id, before);
  say(refusalText(answer.error), "refusal");
  return false;
}

function place(id: number, quantity: number): void {
  const { [id]: before = 0, ...others } = state.quantities;
  change({ totalCoins: Math.max(0, state.totalCoins + quantity - before), quantities: quantity > 0 ? { ...others, [id]: quantity } : others });
}

function refusalText(refusal: { code: string; message: string; data: unknown }): string {
  const available = refusal.code === "cart.stock_short" && typeof refusal.data === "object" && refusal.data !== null && "available" in refusal.data ? Number(refusal.data.available) : null;
  if (available === null) return refusal.message;
  return available > 0 ? `Столько нет: осталось ${available}` : "Монета закончилась";
}
