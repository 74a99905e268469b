import { useSyncExternalStore } from "react";
import type { CartView, setQuantity } from "#contract/public/cart.ts";
import * as contract from "#contract/calls.ts";
import { callApi, type RefusalOf } from "#contract/client.ts";
import { showToast } from "../../ui/toasts.tsx";

/**
 * The state of the visitor in the browser. Pages are rendered alike for all visitors; one call after loading fills this state, and the
 * badges, hearts and «Войти» follow it.
 */
export type VisitorState = {
  /** False until the first answer; until then nothing is shown that could be wrong. */
  isKnown: boolean;
  /** The list that the page was rendered with, which is known before the first answer. */
  assumed: List | null;
  me: { name: string } | null;
  totalCoins: number;
  wishlist: readonly number[];
  compare: readonly number[];
  work: boolean | null;
  /** Quantities in the cart by coin id; empty until the cart has been read. */
  quantities: Readonly<Record<number, number>>;
  /** True while a change is being sent; false again when it is confirmed or refused. */
  isCartUpdating: boolean;
  isWishlistUpdating: boolean;
  isCompareUpdating: boolean;
};

const unknown: VisitorState = {
  isKnown: false,
  assumed: null,
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

// Changed in the browser only; on the server it stays `unknown`.
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

/** A part of the state. The component renders again only when that part changes, so `pick` must not create new objects. */
export function useVisitorState(): VisitorState;
export function useVisitorState<T>(pick: (state: VisitorState) => T): T;
export function useVisitorState<T>(pick?: (state: VisitorState) => T): T | VisitorState {
  return useSyncExternalStore<T | VisitorState>(
    subscribe,
    () => (pick ? pick(state) : state),
    () => (pick ? pick(unknown) : unknown),
  );
}

/** Whether the last answer said that no customer is signed in; false while the state is not known. */
export const isSignedOut = (): boolean => state.isKnown && state.me === null;

type List = "wishlist" | "compare";
type StoredLists = Pick<VisitorState, "totalCoins" | "quantities" | List>;

/** What the server confirmed last. The page shows this with the pending changes applied. */
let confirmed: StoredLists = unknown;
let isCartKnown = false;

type PendingChange<T> = { value: T };
/**
 * The newest pending change of each coin: its quantity, or whether it is in the list. An answer to an earlier change does not remove it.
 */
const pending = {
  cart: new Map<number, PendingChange<number>>(),
  wishlist: new Map<number, PendingChange<boolean>>(),
  compare: new Map<number, PendingChange<boolean>>(),
};
/** One change at a time, so that they reach the server in the order in which they were made. */
const queues = { cart: Promise.resolve(), wishlist: Promise.resolve(), compare: Promise.resolve() };
const inFlight = { cart: 0, wishlist: 0, compare: 0 };
const flags = { cart: "isCartUpdating", wishlist: "isWishlistUpdating", compare: "isCompareUpdating" } as const;
/** Number of answered changes. A state requested before the last of them may be older than that change. */
let answeredChanges = 0;

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

/** Takes a list as the page was rendered with it, until the first answer: a press there turns around what the list has. */
export function assumeList(list: List, ids: readonly number[]): void {
  if (state.isKnown) return;
  confirmed = { ...confirmed, [list]: ids };
  show({ assumed: list });
}

/** Whether the browser returns the shop's cookies, as of the last answer; null before the first one. */
let hasCookies: boolean | null = null;
export const acceptsCookies = (): boolean => hasCookies === true;

let requested = 0;
let applied = 0;
let refreshing: Promise<void> | null = null;

/**
 * Reads from the server who the visitor is and what the cart and lists contain. After a failure the visitor counts as signed out until the
 * next answer; the lists stay.
 */
export const refreshState = (): Promise<void> => (refreshing = readState());

async function readState(): Promise<void> {
  const [current, before] = [(requested += 1), answeredChanges];
  const answer = await callApi(contract.readState);
  if (!answer.ok) {
    console.warn("shop state was not refreshed", answer.error.code);
    return change({ me: null, isKnown: false });
  }
  if (current < applied) return; // a newer answer came first
  if (before !== answeredChanges) return readState();
  applied = current;
  const { me, work, cookie, ...gathered } = answer.value;
  const areLost = cookie !== undefined && hasCookies === false && answeredChanges > 0;
  hasCookies = cookie === undefined;
  confirmed = { ...confirmed, ...gathered, ...(gathered.totalCoins === 0 ? { quantities: {} } : {}) };
  isCartKnown ||= gathered.totalCoins === 0;
  show({ me, work, isKnown: true });
  if (areLost) showToast("Разрешите cookie для этого сайта: без них корзина и списки не сохраняются", "refusal");
  if (gathered.totalCoins > 0) await refreshCart();
}

/** Returns the error message if the cart could not be read, else null. */
async function refreshCart(): Promise<string | null> {
  const [current, before] = [applied, answeredChanges];
  const cart = await callApi(contract.readCart);
  if (!cart.ok) {
    console.warn("the cart was not refreshed", cart.error.code);
    return cart.error.message;
  }
  if (before !== answeredChanges) return refreshCart();
  if (current === applied) storeCart(cart.value);
  return null;
}

/** What another tab may have changed: the lists (cart, wishlist, comparison), or the session. */
type Change = "lists" | "session";

/** To the other tabs of this browser. Null before `followState` and where the browser refuses it. */
let channel: BroadcastChannel | null = null;

/**
 * Makes the other tabs of this browser read the state again: a visible tab at once, and after a change of the session also hidden ones.
 */
export function announce(change: Change): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only and takes no target
  channel?.postMessage(change);
}

/**
 * Reads the state now, after a change in another tab, and whenever the tab becomes visible or online again. So does a page that comes from
 * the back-forward cache: it shows what was true when it was left, and not every browser calls it visible again.
 */
export function followState(): () => void {
  const refresh = () => {
    if (document.visibilityState === "visible") void refreshState();
  };
  document.addEventListener("visibilitychange", refresh);
  addEventListener("online", refresh);
  const restore = ({ persisted }: PageTransitionEvent) => persisted && refresh();
  addEventListener("pageshow", restore);
  try {
    channel = new BroadcastChannel("visitor-state");
  } catch {} // refused where storage is: the other tabs read the state when they become visible
  channel?.addEventListener("message", ({ data }: MessageEvent<Change>) => {
    if (data === "session") void refreshState();
    else refresh();
  });
  void refreshState();
  return () => {
    document.removeEventListener("visibilitychange", refresh);
    removeEventListener("online", refresh);
    removeEventListener("pageshow", restore);
    channel?.close();
    channel = null;
  };
}

const storeCart = (cart: CartView): void =>
  applyCart(cart.totalCoins, Object.fromEntries(cart.order.coins.map(({ id, count }) => [id, count])));

/** Stores the cart that a page received from a call of its own. */
export function applyCart(totalCoins: number, quantities: Readonly<Record<number, number>>): void {
  confirmed = { ...confirmed, totalCoins, quantities };
  isCartKnown = true;
  show();
}

/** Resolves when all changes made so far are answered: what is read from the server afterwards includes them. */
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
 * Shows a change at once and sends it in its turn, unless a newer change of the same coin replaced it meanwhile. A refused change is
 * reverted, with a message. `send` stores the server's answer and returns the message of a refusal.
 */
function changeOptimistically<T extends number | boolean>(
  what: keyof typeof queues,
  changesOfList: Map<number, PendingChange<T>>,
  id: number,
  value: T,
  send: () => Promise<string | null>,
): Promise<void> {
  const current = { value };
  changesOfList.set(id, current);
  return whileUpdating(
    what,
    () =>
      (queues[what] = queues[what].then(async () => {
        if (changesOfList.get(id) !== current) return;
        const refusal = await send();
        answeredChanges += 1;
        if (hasCookies === false) void refreshState(); // the first change of a new visitor: checks whether the cookie came back
        const isNewest = changesOfList.get(id) === current;
        if (isNewest) changesOfList.delete(id);
        show();
        if (refusal === null) announce("lists");
        else if (isNewest) showToast(refusal, "refusal");
      })),
  );
}

const changeList = {
  wishlist: { add: contract.addToWishlist, remove: contract.removeFromWishlist },
  compare: { add: contract.addToCompare, remove: contract.removeFromCompare },
} as const;

/** Adds a coin to a list or removes it. */
function toggle(list: List, id: number): Promise<void> {
  const isIn = !state[list].includes(id);
  return changeOptimistically(list, pending[list], id, isIn, async () => {
    const answer = await callApi(changeList[list][isIn ? "add" : "remove"], { params: { id } });
    if (!answer.ok) return answer.error.message;
    confirmed = { ...confirmed, [list]: answer.value.map((each) => (typeof each === "number" ? each : each.id)) };
    return null;
  });
}

/** Adds a coin unless it is in the list already. */
export const addToList = async (list: List, id: number): Promise<void> => (state[list].includes(id) ? undefined : toggle(list, id));
export const toggleWishlist = (id: number): Promise<void> => toggle("wishlist", id);
export const toggleCompare = (id: number): Promise<void> => toggle("compare", id);

/** Sets the quantity of a coin in the cart (0 removes it). */
export const setCartQuantity = (id: number, quantity: number): Promise<void> =>
  changeOptimistically("cart", pending.cart, id, quantity, async () => {
    const answer = await callApi(contract.setQuantity, { params: { id }, body: { quantity } });
    if (!answer.ok) return refusalText(answer.error);
    storeCart(answer.value);
    return null;
  });

/** Adds pieces of a coin to those in the cart; reads the cart first if their number is not loaded yet. */
export const addToCart = (id: number, more: number): Promise<void> =>
  whileUpdating("cart", async () => {
    if (!isCartKnown) await refreshing;
    const refusal = isCartKnown ? null : await refreshCart();
    if (refusal) return showToast(refusal, "refusal");
    await setCartQuantity(id, (state.quantities[id] ?? 0) + more);
  });

function refusalText(refusal: RefusalOf<typeof setQuantity>): string {
  if (refusal.code !== "cart.stock_short") return refusal.message;
  const { available } = refusal.data;
  return available > 0 ? `Столько нет: осталось ${available}` : "Монета закончилась";
}
