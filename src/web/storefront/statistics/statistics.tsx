import { lazy, Suspense, useEffect, useState } from "react";
import type { CounterData } from "./counter-data.ts";
import { useCookieChoice, useIsBannerReopened } from "./cookie-choice.ts";

const CookieBanner = lazy(() => import("./cookie-banner.tsx"));
const Counter = lazy(() => import("./counter.tsx"));

/** The cookie banner, and the counter once the visitor has allowed it. Both are loaded after the page. */
export function Statistics({ counter }: { counter: CounterData | null }) {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const startTimer = () => setTimeout(() => setIdle(true), 300);
    if (document.readyState === "complete") {
      const timer = startTimer();
      return () => clearTimeout(timer);
    }
    addEventListener("load", startTimer, { once: true });
    return () => removeEventListener("load", startTimer);
  }, []);
  return isIdle && <BannerAndCounter counter={counter} />;
}

/** Reads the visitor's choice, which the server does not know: read during hydration, it would render the page a second time. */
function BannerAndCounter({ counter }: { counter: CounterData | null }) {
  const choice = useCookieChoice();
  const isReopened = useIsBannerReopened();
  if (choice === undefined) return null;
  return (
    <Suspense fallback={null}>
      {(choice === null || isReopened) && <CookieBanner isReopened={isReopened} />}
      {choice?.statistics && counter && <Counter {...counter} />}
    </Suspense>
  );
}
