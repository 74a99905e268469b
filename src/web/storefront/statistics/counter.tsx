import { useEffect, useRef, useState } from "react";
import { useLocation, useMatches, useNavigation } from "react-router";
import { useVisitorState } from "../shared/visitor-state.ts";
import { cartChanges, click, detail, impressions, purchase, seenPage, type EcommerceEvent, type SeenCoin } from "./ecommerce.ts";
import { isPrivateAddress, isPrivateReferrer, publicAddress } from "./public-address.ts";
import { handlesOf, rulesOf } from "../page/page-handle.ts";
import type { CounterData } from "./counter-data.ts";

type Ym = { (id: number, method: string, ...rest: unknown[]): void; a?: unknown[][]; l?: number };
declare global {
  interface Window {
    ym?: Ym;
    dataLayer?: EcommerceEvent[];
  }
}

const push = (event: EcommerceEvent): void => {
  (window.dataLayer ??= []).push(event);
};

/**
 * Yandex Metrika (docs "counter code", 2025): loaded only with the visitor's consent and removed when it is withdrawn. Session recording is
 * off. The script reads the page's address, so it is absent on addresses that open something private; events of such a page (a
 * placed order) wait in `dataLayer` for the next public page.
 */
export default function Counter({ id, script }: CounterData) {
  const isPublic = useIsPublic();
  useTag(id, script, isPublic);
  useEffect(() => eraseCounterData, []);
  useHits(id, isPublic);
  useEcommerce();
  return null;
}

/** Also false during a navigation to a private address: the browser shows that address before the page is rendered. */
function useIsPublic(): boolean {
  const here = useLocation();
  const next = useNavigation().location;
  const [isFromPrivate] = useState(() => isPrivateReferrer(document.referrer, location.origin));
  return !isFromPrivate && !isPrivateAddress(here) && !(next && isPrivateAddress(next));
}

function useTag(id: number, script: string, isPublic: boolean): void {
  useEffect(() => {
    if (!isPublic) return;
    if (!window.ym) {
      const queue: Ym = (...call) => {
        (queue.a ??= []).push(call);
      };
      queue.l = Math.round(performance.timeOrigin);
      window.ym = queue;
    }
    window.ym(id, "init", {
      defer: true,
      clickmap: false,
      trackLinks: true,
      accurateTrackBounce: true,
      webvisor: false,
      ecommerce: "dataLayer",
    });
    const tag = document.createElement("script");
    tag.src = script;
    tag.async = true;
    document.head.append(tag); // if a blocker stops it, the queue is never read
    return () => {
      window.ym?.(id, "destruct");
      tag.remove();
      delete window.ym;
      delete window.dataLayer;
    };
  }, [id, script, isPublic]);
}

/** Deletes the counter's cookies and stored values (their names begin with `_ym`). */
function eraseCounterData(): void {
  for (const pair of document.cookie.split(";")) {
    const name = pair.split("=")[0]?.trim() ?? "";
    if (name.startsWith("_ym")) document.cookie = `${name}=; Max-Age=0; Path=/`;
  }
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith("_ym")) localStorage.removeItem(key);
  } catch {
    /* without storage there is nothing to delete */
  }
}

function useHits(id: number, isPublic: boolean): void {
  const { pathname, search } = useLocation();
  const { countedPath, countedParameter } = rulesOf(handlesOf(useMatches()));
  const before = useRef<string | undefined>(undefined);
  useEffect(() => {
    const address = publicAddress(location.origin, { pathname, search }, { countedPath, countedParameter });
    if (!isPublic || before.current === address) return;
    window.ym?.(id, "hit", address, { title: document.title, ...(before.current ? { referer: before.current } : {}) });
    before.current = address;
  }, [id, pathname, search, countedPath, countedParameter, isPublic]);
}

type Listed = { coin: SeenCoin; list: string; position: number };

/** Reports the coins that pages show, the coin that is opened, changes of the cart, and placed orders. */
function useEcommerce(): void {
  const location = useLocation();
  const isLoading = useNavigation().state !== "idle";
  const matches = useMatches();
  const data = matches.at(-1)?.loaderData;
  const { changesCart = false } = rulesOf(handlesOf(matches));
  const latest = useRef(data);
  useEffect(() => {
    latest.current = data;
  });
  const bySlug = useRef(new Map<string, Listed>());
  const byId = useRef(new Map<number, SeenCoin>());
  const reported = useRef({ path: "", ids: new Set<string>() });
  const outcome = typeof data === "object" && data !== null && "outcome" in data ? String(data.outcome) : "";

  useEffect(() => {
    if (isLoading) return;
    const page = seenPage(latest.current, document.querySelector("h1")?.textContent ?? document.title);
    if (reported.current.path !== location.pathname) reported.current = { path: location.pathname, ids: new Set() };
    if (page.detail && !reported.current.ids.has("detail")) {
      reported.current.ids.add("detail");
      byId.current.set(page.detail.id, page.detail);
      push(detail(page.detail));
    }
    for (const { name, coins } of page.lists) {
      coins.forEach((coin, index) => {
        byId.current.set(coin.id, coin);
        bySlug.current.set(coin.slug, { coin, list: name, position: index + 1 });
      });
      // «Показать ещё» repeats the coins of the earlier pages.
      const first = coins.findIndex((coin) => !reported.current.ids.has(`${name} ${coin.id}`));
      const fresh = coins.filter((coin) => !reported.current.ids.has(`${name} ${coin.id}`));
      for (const coin of fresh) reported.current.ids.add(`${name} ${coin.id}`);
      if (fresh.length > 0) push(impressions(name, fresh, first));
    }
    if (page.order && isFirstReport(page.order.id)) push(purchase(page.order));
  }, [location.key, location.pathname, isLoading, outcome]);

  useEffect(() => {
    function onClick(event: MouseEvent) {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="/products/"]') : null;
      const found = link && bySlug.current.get(link.pathname.slice("/products/".length));
      if (found) push(click(found.list, found.coin, found.position));
    }
    document.addEventListener("click", onClick, { capture: true });
    return () => document.removeEventListener("click", onClick, { capture: true });
  }, []);

  useCart(byId, changesCart);
}

/** Reports changes of the cart, except on pages where the server makes them (`changesCart`) and at sign-in and sign-out. */
function useCart(byId: { current: Map<number, SeenCoin> }, isChangedByServer: boolean): void {
  const { isKnown, quantities, totalCoins, me } = useVisitorState();
  const before = useRef<{ who: string; quantities: Readonly<Record<number, number>> } | null>(null);
  const who = me ? "customer" : "guest";
  useEffect(() => {
    const count = Object.values(quantities).reduce((sum, each) => sum + each, 0);
    if (!isKnown || count !== totalCoins) return; // the two halves of the state do not agree yet
    const last = before.current;
    before.current = { who, quantities };
    if (!last || last.who !== who || isChangedByServer) return;
    for (const event of cartChanges(last.quantities, quantities, (id) => byId.current.get(id))) push(event);
  }, [isKnown, quantities, totalCoins, who, isChangedByServer, byId]);
}

const reportedOrdersKey = "told-orders";

/** True once per order, also after a reload. Without storage it may be true again; the counter drops repeated order ids. */
function isFirstReport(id: string): boolean {
  try {
    const reported = (localStorage.getItem(reportedOrdersKey) ?? "").split(" ");
    if (reported.includes(id)) return false;
    localStorage.setItem(reportedOrdersKey, [...reported, id].slice(-20).join(" ").trim());
  } catch {
    /* without storage every report counts as the first */
  }
  return true;
}
