import { useSyncExternalStore } from "react";
import type { CartView, setQuantity } from "#contract/cart.ts";
import * as contract from "#contract/calls.ts";
import { callApi, type RefusalOf } from "#contract/client.ts";
import { say } from "../../ui/toasts.tsx";

/**
 * What the page knows about its visitor. Pages are rendered alike for everybody; one call after load fills this,
 * and badges, hearts and «Войти» follow it.
 */
export type VisitorState = {
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
  isCompareUpdating: boolean;
};

const unknown: VisitorState = {
  isKnown: false,
  me: null,
  totalCoins: 0,
  wishlist: [],
  compare: [],
  work: null,
  quantities: {},
  isCartUpdating: false,
  isWishlistUpdating: false,
  isCompareUpdating: false,
};

// Changed in the browser only; on the server it stays `unknown` for all.
let state: VisitorState = unknown;
const listeners = new Set<() => void>();

function change(part: Partial<VisitorState>): void {
  state = { ...state, ...part };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A part of the state; the component is drawn again only when that part changes, so `pick` must not build new objects. */
export function useVisitorState(): VisitorState;
export function useVisitorState<T>(pick: (state: VisitorState) => T): T;
export function useVisitorState<T>(pick?: (state: VisitorState) => T): T | VisitorState {
  return useSyncExternalStore<T | VisitorState>(
    subscribe,
    () => (pick ? pick(state) : state),
    () => (pick ? pick(unknown) : unknown),
  );
}

type List = "wishlist" | "compare";
type StoredLists = Pick<VisitorState, "totalCoins" | "quantities" | List>;

/** What the server last said was gathered; what is shown is this with the wishes that it did not answer yet. */
let confirmed: StoredLists = unknown;
let isCartKnown = false;

type PendingChange<T> = { value: T };
/** The newest wish for each coin: pieces, or whether it is in the list. An answer to an earlier press leaves it as it is. */
const pending = {
  cart: new Map<number, PendingChange<number>>(),
  wishlist: new Map<number, PendingChange<boolean>>(),
  compare: new Map<number, PendingChange<boolean>>(),
};
/** One change after the other, so that they reach the server in the order in which they were pressed. */
const queues = { cart: Promise.resolve(), wishlist: Promise.resolve(), compare: Promise.resolve() };
const inFlight = { cart: 0, wishlist: 0, compare: 0 };
const flags = { cart: "isCartUpdating", wishlist: "isWishlistUpdating", compare: "isCompareUpdating" } as const;
/** Changes that were answered. What was asked before the last of them may tell of a time before it. */
let answered = 0;

function show(news: Partial<VisitorState> = {}): void {
  let { totalCoins, quantities } = confirmed;
  for (const [id, { value }] of pending.cart) {
    const { [id]: before = 0, ...others } = quantities;
    totalCoins = Math.max(0, totalCoins + value - before);
    quantities = value > 0 ? { ...others, [id]: value } : others;
  }
  const shownList = (name: List) =>
    [...pending[name]].reduce<readonly number[]>(
      (list, [id, { value }]) => (list.includes(id) === value ? list : value ? [id, ...list] : list.filter((each) => each !== id)),
      confirmed[name],
    );
  change({ ...news, totalCoins, quantities, wishlist: shownList("wishlist"), compare: shownList("compare") });
}

/** What the last answer said: whether this browser sends the cookies back that it was given; null before the first. */
let hasCookies: boolean | null = null;
export const acceptsCookies = (): boolean => hasCookies === true;

let asked = 0;
let taken = 0;
let refreshing: Promise<void> | null = null;

/** Asks the server who the visitor is and what was gathered. After a failure the visitor counts as signed out until the next answer; the lists stay. */
export const refreshState = (): Promise<void> => (refreshing = readState());

async function readState(): Promise<void> {
  const [mine, before] = [(asked += 1), answered];
  const answer = await callApi(contract.readState);
  if (!answer.ok) {
    console.warn("shop state was not refreshed", answer.error.code);
    return change({ me: null, isKnown: false });
  }
  if (mine < taken) return; // a younger answer overtook this one
  if (before !== answered) return readState();
  taken = mine;
  const { me, work, cookie, ...gathered } = answer.value;
  const areLost = cookie !== undefined && hasCookies === false && answered > 0;
  hasCookies = cookie === undefined;
  confirmed = { ...confirmed, ...gathered, ...(gathered.totalCoins === 0 ? { quantities: {} } : {}) };
  isCartKnown ||= gathered.totalCoins === 0;
  show({ me, work, isKnown: true });
  if (areLost) say("Разрешите cookie для этого сайта: без них корзина и списки не сохраняются", "refusal");
  if (gathered.totalCoins > 0) await refreshCart();
}

/** Answers why the cart could not be read, or null. */
async function refreshCart(): Promise<string | null> {
  const [mine, before] = [taken, answered];
  const cart = await callApi(contract.readCart);
  if (!cart.ok) {
    console.warn("the cart was not refreshed", cart.error.code);
    return cart.error.message;
  }
  if (before !== answered) return refreshCart();
  if (mine === taken) storeCart(cart.value);
  return null;
}

/** Asks now, and again whenever somebody comes back to this tab: another one may have changed the cart or signed out meanwhile. */
export function followState(): () => void {
  const look = () => {
    if (document.visibilityState === "visible") void refreshState();
  };
  document.addEventListener("visibilitychange", look);
  addEventListener("online", look);
  void refreshState();
  return () => {
    document.removeEventListener("visibilitychange", look);
    removeEventListener("online", look);
  };
}

const storeCart = (cart: CartView): void =>
  applyCart(cart.totalCoins, Object.fromEntries(cart.order.coins.map(({ id, count }) => [id, count])));

/** Sets the badge after a page changed the cart by its own call. */
export function applyCart(totalCoins: number, quantities: Readonly<Record<number, number>>): void {
  confirmed = { ...confirmed, totalCoins, quantities };
  isCartKnown = true;
  show();
}

/** Resolves when everything that was pressed so far is answered: what is read from the server afterwards has it. */
export async function pendingChanges(): Promise<void> {
  await Promise.all(Object.values(queues));
}

async function whileUpdating(what: keyof typeof inFlight, work: () => Promise<void>): Promise<void> {
  inFlight[what] += 1;
  show({ [flags[what]]: true });
  await work();
  inFlight[what] -= 1;
  if (inFlight[what] === 0) change({ [flags[what]]: false });
}

/**
 * Shows a wish at once and sends it in its turn, unless another one for the same coin was pressed meanwhile. Refused it is taken back, with a word.
 * `send` keeps what the server says, and answers why it refused.
 */
function changeOptimistically<T extends number | boolean>(
  what: keyof typeof queues,
  wishes: Map<number, PendingChange<T>>,
  id: number,
  value: T,
  send: () => Promise<string | null>,
): Promise<void> {
  const mine = { value };
  wishes.set(id, mine);
  return whileUpdating(
    what,
    () =>
      (queues[what] = queues[what].then(async () => {
        if (wishes.get(id) !== mine) return;
        const refusal = await send();
        answered += 1;
        if (hasCookies === false) void refreshState(); // the first change of a new visitor: is it known again?
        const isNewest = wishes.get(id) === mine;
        if (isNewest) wishes.delete(id);
        show();
        if (isNewest && refusal !== null) say(refusal, "refusal");
      })),
  );
}

const changeList = {
  wishlist: { add: contract.addToWishlist, remove: contract.removeFromWishlist },
  compare: { add: contract.addToCompare, remove: contract.removeFromCompare },
} as const;

/** Adds or removes a coin. */
function toggle(list: List, id: number): Promise<void> {
  const isIn = !state[list].includes(id);
  return changeOptimistically(list, pending[list], id, isIn, async () => {
    const answer = await callApi(changeList[list][isIn ? "add" : "remove"], { params: { id } });
    if (!answer.ok) return answer.error.message;
    confirmed = { ...confirmed, [list]: answer.value.map((each) => (typeof each === "number" ? each : each.id)) };
    return null;
  });
}

/** Adds a coin that is not there yet. */
export const addToList = async (list: List, id: number): Promise<void> => (state[list].includes(id) ? undefined : toggle(list, id));
export const toggleWishlist = (id: number): Promise<void> => toggle("wishlist", id);
export const toggleCompare = (id: number): Promise<void> => toggle("compare", id);

/** Puts so many pieces of a coin into the cart (0 removes). */
export const setCartQuantity = (id: number, quantity: number): Promise<void> =>
  changeOptimistically("cart", pending.cart, id, quantity, async () => {
    const answer = await callApi(contract.setQuantity, { params: { id }, body: { quantity } });
    if (!answer.ok) return refusalText(answer.error);
    storeCart(answer.value);
    return null;
  });

/** Puts more pieces of a coin into the cart, to those that lie there: when the page does not know yet how many, it waits for that. */
export const addToCart = (id: number, more: number): Promise<void> =>
  whileUpdating("cart", async () => {
    if (!isCartKnown) await refreshing;
    const refusal = isCartKnown ? null : await refreshCart();
    if (refusal) return say(refusal, "refusal");
    await setCartQuantity(id, (state.quantities[id] ?? 0) + more);
  });

function refusalText(refusal: RefusalOf<typeof setQuantity>): string {
  if (refusal.code !== "cart.stock_short") return refusal.message;
  const { available } = refusal.data;
  return available > 0 ? `Столько нет: осталось ${available}` : "Монета закончилась";
}
