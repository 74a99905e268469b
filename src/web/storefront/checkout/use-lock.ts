import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { QuoteView } from "#contract/checkout.ts";
import { callApi, type ApiRefusal } from "#contract/client.ts";
import { openDialog, openDialogWhenFree } from "../dialogs.tsx";
import type { CheckoutDraft } from "./draft.ts";
import { hasMoved, hasOtherContents, isSameOffer, lockedQuote, type LockedQuote } from "./locked-quote.ts";

type LockAsk = {
  draft: CheckoutDraft;
  change: (patch: Partial<CheckoutDraft>) => void;
  /** Everything that the lock depends on, as one text: another text needs another lock. */
  madeFor: string;
  pvzId: string | null;
  isLockable: boolean;
  /** Moves with the market and its rates: what was refused for them is tried again then. */
  market: string;
  lifeSeconds: number;
  /** The prices as they stand on the page. */
  shown: LockedQuote;
  /** The cart as it stands on the page, without a lock. */
  page: LockedQuote;
  onRefused: (refusal: ApiRefusal, isAsked: boolean) => void;
};

/** Choices that follow one another quickly make one lock. */
const pauseMs = 250;

/** Keeps prices locked for what is chosen, and never lets them change silently. */
export function useLock({ draft, change, madeFor, pvzId, isLockable, market, lifeSeconds, shown, page, onRefused }: LockAsk) {
  const [problem, setProblem] = useState<ApiRefusal | null>(null);
  /** The choice for which a lock is asked for; one that was left behind meanwhile says nothing any more. */
  const [lockingFor, setLockingFor] = useState<string | null>(null);
  const asks = useRef(0);
  /** The question that is on its way. The shop keeps the lock that it made last, so the next one is not asked for beside it. */
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  /** Prices that ran out and were not agreed to anew: what the buyer saw last. */
  const [seen, setSeen] = useState<LockedQuote | null>(null);
  /** What the buyer saw before his own change brought fresh prices. */
  const [moved, setMoved] = useState<LockedQuote | null>(null);
  const [looks, setLooks] = useState(0);
  /** The contents that the buyer agreed to: the cart that the page opened with, or what was accepted since. Null after the buyer's own change of the cart. */
  const agreed = useRef<LockedQuote | null>(page);
  /** The offer of the open question, while the page reads the changed cart behind it: the lock for the cart it then shows needs no second question. */
  const offered = useRef<LockedQuote | null>(null);
  const { revalidate } = useRevalidator();
  const newest = useRef(madeFor);
  useEffect(() => {
    newest.current = madeFor;
  }, [madeFor]);
  const live = draft.quote?.madeFor === madeFor ? draft.quote : null;

  /** Asks the buyer whether the fresh prices suit him. */
  function ask(before: LockedQuote, after: LockedQuote, onAccept?: (quote: LockedQuote) => void): void {
    setSeen(before);
    openDialogWhenFree("updatePrices", { before, after, lifeSeconds, onAccept: () => accept(offered.current ?? after, onAccept) });
  }

  function accept(quote: LockedQuote, then?: (quote: LockedQuote) => void): void {
    setSeen(null);
    agreed.current = quote;
    offered.current = null;
    then?.(quote);
  }

  /** Takes the fresh quote of a refused order, and asks. */
  function takeRefused(fresh: LockedQuote, onAccept: (quote: LockedQuote) => void): void {
    const before = seen ?? draft.quote ?? shown;
    change({ quote: { ...fresh, madeFor }, attempt: null });
    setMoved(null);
    offered.current = null;
    ask(before, fresh, onAccept);
  }

  /**
   * Asks for a lock. After the buyer's own change of delivery, payment or sign-in, moved prices are told beside the lock; when the
   * time ran out he is asked. `then` is what he pressed the button for: it goes on by itself only at the sum that he has seen.
   */
  async function lock(then?: (quote: LockedQuote) => void): Promise<void> {
    const before = seen ?? draft.quote;
    const isRunOut = draft.quote?.madeFor === madeFor;
    const mine = (asks.current += 1);
    setLockingFor(madeFor);
    await turn.current;
    if (mine !== asks.current) return;
    const asking = callApi<QuoteView>("/api/checkout/quote", {
      method: "POST",
      body: { deliveryId: draft.choice.deliveryId, pvzId, city: draft.city.code, paymentId: draft.choice.paymentId },
    });
    turn.current = asking;
    const answer = await asking;
    if (mine !== asks.current) return; // the button's own question came after this one
    setLockingFor(null);
    if (newest.current !== madeFor) return; // a newer choice is on its way
    if (!answer.ok) {
      setProblem(answer.error);
      return onRefused(answer.error, then !== undefined);
    }
    const fresh = lockedQuote(answer.value, lifeSeconds);
    change({ quote: { ...fresh, madeFor }, attempt: null });
    setProblem(null);
    const known = agreed.current && agreed.current.lines.length > 0 ? agreed.current : null;
    if (known && hasOtherContents(known, fresh))
      return askAboutContents(before && !hasOtherContents(known, before) ? before : known, fresh, then);
    agreed.current = fresh;
    offered.current = null;
    const isMoved = before !== null && hasMoved(before, fresh);
    setMoved(isMoved && !isRunOut && !then ? before : null);
    if (then && fresh.total !== shown.total) return ask(before ?? shown, fresh, then);
    if (then) return then(fresh);
    if (isMoved && (isRunOut || seen)) ask(before, fresh);
  }

  /** The cart was changed elsewhere: the buyer is asked before other coins are ordered, and the page shows them behind the question. */
  function askAboutContents(before: LockedQuote, fresh: LockedQuote, then?: (quote: LockedQuote) => void): void {
    setMoved(null);
    const isAsked = offered.current !== null && isSameOffer(offered.current, fresh);
    const isBehind = hasOtherContents(page, fresh);
    offered.current = isAsked || isBehind ? fresh : null;
    if (!isAsked) ask(before, fresh, then);
    if (isBehind) void revalidate();
  }

  const isLocking = lockingFor === madeFor;
  const keepLocked = useEffectEvent(() => {
    if (!isLocking && (!live || live.endsAt <= Date.now())) void lock();
  });
  const news = problem ? market : null;
  useEffect(() => {
    if (!isLockable) return;
    const timer = setTimeout(() => keepLocked(), pauseMs);
    return () => clearTimeout(timer);
  }, [isLockable, madeFor, looks, news]);

  // When the time is over, fresh prices are asked for as soon as somebody looks.
  const endsAt = live?.endsAt ?? null;
  useEffect(() => {
    if (endsAt === null) return;
    const look = () => {
      if (document.visibilityState === "visible" && Date.now() >= endsAt) setLooks((count) => count + 1);
    };
    const timer = setTimeout(look, Math.max(0, endsAt - Date.now()) + 50);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [endsAt]);

  /** Goes on with the locked prices, after asking about those that the buyer did not agree to yet. */
  function withLock(then: (quote: LockedQuote) => void): void {
    if (!live || live.endsAt <= Date.now()) void lock(then);
    else if (seen) openDialog("updatePrices", { before: seen, after: live, lifeSeconds, onAccept: () => accept(live, then) });
    else then(live);
  }

  const drop = useCallback(() => change({ quote: null, attempt: null }), [change]);
  /** The buyer changes the cart here: what comes of it is nothing to ask about. */
  const changeContents = useCallback(() => {
    agreed.current = null;
  }, []);
  return { live, problem, setProblem, isLocking, moved, lock, withLock, takeRefused, drop, changeContents };
}
