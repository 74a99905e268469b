import { type ReactNode, useEffect } from "react";
import { useLocation, useMatches, useNavigation, useRevalidator } from "react-router";
import { callApi } from "#contract/client.ts";
import { DialogHost } from "../dialogs.tsx";
import { refreshState } from "../state.ts";
import { Toasts } from "../toasts.tsx";
import type { Place } from "../content/places.ts";
import { Footer } from "./footer.tsx";
import type { FrameData } from "./frame-data.ts";
import { Header } from "./header.tsx";
import { Notice } from "./notice.tsx";
import { RatesBar } from "./rates-bar.tsx";
import { useFreshBuild } from "./use-fresh-build.ts";

/** What a route says of its page in its `handle`. */
export type PageHandle = {
  /** Its prices follow the metal while it stands open. */
  hasLivePrices?: boolean;
  /** Without header and footer. */
  isBlank?: boolean;
  /** Its display name and the page above it; a module that serves several addresses looks it up by the address. */
  place?: Place | ((pathname: string) => Place | null);
};

/** Everything around a page: rates, notice, header, footer, and the places where dialogs and messages appear. */
export function Frame({ data, children }: { data: FrameData; children: ReactNode }) {
  const { pathname } = useLocation();
  const isBuying = pathname === "/cart" || pathname === "/checkout";
  useEffect(() => { void refreshState(); }, []);
  useLivePrices(data);
  useFreshBuild();
  return (
    <div className={`frame${isBuying ? " frame--buying" : ""}`}>
      <a className="skip" href="#main">К содержанию</a>
      <RatesBar {...data} />
      <Notice withDelivery={pathname !== "/partners"} />
      <Header shop={data.shop} sections={data.sections} />
      <Progress />
      {children}
      <Footer shop={data.shop} year={data.year} />
      <Toasts />
      <DialogHost />
    </div>
  );
}

/** A hairline under the window's edge while the next page is on its way. */
function Progress() {
  const isBusy = useNavigation().state !== "idle";
  return <div className={`progress${isBusy ? " is-busy" : ""}`} role="presentation" />;
}

const askEveryMs = 10_000;

/** Asks whether the rates or the market have moved, and reads the page again only then; sleeps while the page is out of sight. */
function useLivePrices({ rates, market, isStale }: FrameData) {
  const isLive = useMatches().some(({ handle }) => (handle as PageHandle | undefined)?.hasLivePrices);
  const { revalidate } = useRevalidator();
  const shown = JSON.stringify([rates.map(({ code, value }) => [code, value]), market.isOpen, isStale]);
  useEffect(() => {
    if (!isLive) return undefined;
    async function look() {
      if (document.visibilityState !== "visible") return;
      const [courses, work] = await Promise.all([callApi<CoursesAnswer>("/api/courses"), callApi<{ work: boolean }>("/api/work")]);
      if (!courses.ok || !work.ok) return;
      const now = JSON.stringify([rates.map(({ code }) => [code, courses.value.courses[code]?.course]), work.value.work, courses.value.stale === true]);
      if (now !== shown) await revalidate();
    }
    const timer = setInterval(() => void look(), askEveryMs);
    return () => clearInterval(timer);
  }, [isLive, rates, shown, revalidate]);
}

type CoursesAnswer = { courses: Record<string, { course: number } | undefined>; stale?: boolean };
