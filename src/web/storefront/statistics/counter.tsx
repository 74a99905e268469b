import { useEffect, useRef, useState } from "react";
import { useLocation, useMatches, useNavigation } from "react-router";
import { useVisitorState } from "../shared/visitor-state.ts";
import { cartChanges, click, detail, impressions, purchase, seenPage, type EcommerceEvent, type SeenCoin } from "./ecommerce.ts";
import { isPrivateAddress, isPrivateReferrer, publicAddress } from "./public-address.ts";
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
 * Yandex Metrika (docs "counter code", 2025): loaded only for whoever agreed, and gone when he changes his mind. Recording of sessions stays off.
 * On addresses that open something private it is not there at all, because its script reads the address by itself. Events of such a page
 * (an order that was placed) wait in `dataLayer` for the next public one.
 */
export default function Counter({ id, script }: CounterData) {
  const isPublic = useIsPublic();
  useTag(id, script, isPublic);
  useEffect(() => eraseCounterData, []);
  useHits(id, isPublic);
  useEcommerce();
  return null;
}

/** False already while the way leads to a private address: the browser shows it before the page is drawn. */
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
    document.head.append(tag); // a blocker may stop it: then the queue is never read, and nothing else changes
    return () => {
      window.ym?.(id, "destruct");
      tag.remove();
      delete window.ym;
      delete window.dataLayer;
    };
  }, [id, script, isPublic]);
}

/** What the counter left in the browser (its names begin with `_ym`). */
function eraseCounterData(): void {
  for (const pair of document.cookie.split(";")) {
    const name = pair.split("=")[0]?.trim() ?? "";
    if (name.startsWith("_ym")) document.cookie = `${name}=; Max-Age=0; Path=/`;
  }
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith("_ym")) localStorage.removeItem(key);
  } catch {
    /* a browser that keeps nothing has nothing to forget */
  }
}

function useHits(id: number, isPublic: boolean): void {
  const { pathname, search } = useLocation();
  const before = useRef<string | undefined>(undefined);
  useEffect(() => {
    const address = publicAddress(location.origin, { pathname, search });
    if (!isPublic || before.current === address) return;
    window.ym?.(id, "hit", address, { title: document.title, ...(before.current ? { referer: before.current } : {}) });
    before.current = address;
  }, [id, pathname, search, isPublic]);
}

type Listed = { coin: SeenCoin; list: string; position: number };

/** Watches what pages show, which coin is opened, what goes into the cart and out of it, and what was ordered. */
function useEcommerce(): void {
  const location = useLocation();
  const isLoading = useNavigation().state !== "idle";
  const data = useMatches().at(-1)?.loaderData;
  const latest = useRef(data);
  useEffect(() => {
    latest.current = data;
  });
  const bySlug = useRef(new Map<string, Listed>());
  const byId = useRef(new Map<number, SeenCoin>());
  const told = useRef({ path: "", ids: new Set<string>() });
  const outcome = typeof data === "object" && data !== null && "outcome" in data ? String(data.outcome) : "";

  useEffect(() => {
    if (isLoading) return;
    const page = seenPage(latest.current, document.querySelector("h1")?.textContent ?? document.title);
    if (told.current.path !== location.pathname) told.current = { path: location.pathname, ids: new Set() };
    if (page.detail && !told.current.ids.has("detail")) {
      told.current.ids.add("detail");
      byId.current.set(page.detail.id, page.detail);
      push(detail(page.detail));
    }
    for (const { name, coins } of page.lists) {
      coins.forEach((coin, index) => {
        byId.current.set(coin.id, coin);
        bySlug.current.set(coin.slug, { coin, list: name, position: index + 1 });
      });
      // «Показать ещё» shows the earlier ones once more.
      const first = coins.findIndex((coin) => !told.current.ids.has(`${name} ${coin.id}`));
      const fresh = coins.filter((coin) => !told.current.ids.has(`${name} ${coin.id}`));
      for (const coin of fresh) told.current.ids.add(`${name} ${coin.id}`);
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

  useCart(byId, location.pathname);
}

/** An order takes its coins out of the cart, and so does signing in or out put them there or take them away: nobody pressed anything then. */
const isOrdering = (pathname: string): boolean => /^\/(checkout|thanks|payment-error|order|cabinet)/.test(pathname);

function useCart(byId: { current: Map<number, SeenCoin> }, pathname: string): void {
  const { isKnown, quantities, totalCoins, me } = useVisitorState();
  const before = useRef<{ who: string; quantities: Readonly<Record<number, number>> } | null>(null);
  const who = me ? "customer" : "guest";
  useEffect(() => {
    const count = Object.values(quantities).reduce((sum, each) => sum + each, 0);
    if (!isKnown || count !== totalCoins) return; // half told: the other half is on its way
    const last = before.current;
    before.current = { who, quantities };
    if (!last || last.who !== who || isOrdering(pathname)) return;
    for (const event of cartChanges(last.quantities, quantities, (id) => byId.current.get(id))) push(event);
  }, [isKnown, quantities, totalCoins, who, pathname, byId]);
}

const reportedOrdersKey = "told-orders";

/** True once per order, whatever is reloaded; a browser that keeps nothing may tell it again, and the counter knows its id. */
function isFirstReport(id: string): boolean {
  try {
    const told = (localStorage.getItem(reportedOrdersKey) ?? "").split(" ");
    if (told.includes(id)) return false;
    localStorage.setItem(reportedOrdersKey, [...told, id].slice(-20).join(" ").trim());
  } catch {
    /* see above */
  }
  return true;
}
