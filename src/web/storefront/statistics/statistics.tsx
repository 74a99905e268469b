import { lazy, Suspense, useEffect, useState } from "react";
import type { CounterData } from "./counter-data.ts";
import { useCookieChoice, useIsBannerReopened } from "./cookie-choice.ts";

const CookieNotice = lazy(() => import("./cookie-banner.tsx"));
const Counter = lazy(() => import("./counter.tsx"));

/** The notice about cookies, and the counter once somebody agreed to it. Both come after the page itself has loaded. */
export function Statistics({ counter }: { counter: CounterData | null }) {
  const choice = useCookieChoice();
  const isAsking = useIsBannerReopened();
  const [isCalm, setCalm] = useState(false);
  useEffect(() => {
    const rest = () => setTimeout(() => setCalm(true), 300);
    if (document.readyState === "complete") {
      const timer = rest();
      return () => clearTimeout(timer);
    }
    addEventListener("load", rest, { once: true });
    return () => removeEventListener("load", rest);
  }, []);
  if (!isCalm || choice === undefined) return null;
  return (
    <Suspense fallback={null}>
      {(choice === null || isAsking) && <CookieNotice isAskedFor={isAsking} />}
      {choice?.statistics && counter && <Counter {...counter} />}
    </Suspense>
  );
}
