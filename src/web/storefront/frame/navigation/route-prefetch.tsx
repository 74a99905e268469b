import { useEffect, useEffectEvent, useState } from "react";
import { PrefetchPageLinks } from "react-router";
import { personalPaths } from "virtual:page-paths/personal";

/** At most this many pages are fetched ahead at once. */
const maxPrefetches = 4;
/** A pointer that rests on a link for less time is only passing by. */
const intentMs = 100;
/** A fetched page counts as fresh for this long. */
const freshMs = 60_000;
/** After this time a page that has not arrived gives its place to another one. */
const timeoutMs = 10_000;

/**
 * Fetches the code and data of the page behind a link when the pointer rests on it, a finger touches it or it receives focus.
 * One listener serves all links. Links beyond the limit are not queued: their pages load when they are followed.
 */
export function RoutePrefetch() {
  const [pages, setPages] = useState<readonly string[]>([]);

  useEffect(() => {
    const requestedAt = new Map<string, number>();
    let timer: ReturnType<typeof setTimeout>;
    function schedule(event: Event) {
      clearTimeout(timer);
      const page = linkedPage(event.target);
      if (page === null || performance.now() - (requestedAt.get(page) ?? -Infinity) < freshMs) return;
      timer = setTimeout(
        () =>
          setPages((now) => {
            if (now.length >= maxPrefetches || now.includes(page)) return now;
            requestedAt.set(page, performance.now());
            return [...now, page];
          }),
        intentMs,
      );
    }
    const kinds = ["pointerover", "focusin", "touchstart"] as const;
    for (const kind of kinds) document.addEventListener(kind, schedule, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const kind of kinds) document.removeEventListener(kind, schedule);
    };
  }, []);

  return pages.map((page) => <PagePrefetch key={page} page={page} onDone={() => setPages((now) => now.filter((each) => each !== page))} />);
}

/**
 * Prefetches one page; done when its data has loaded, has failed or takes too long. React puts the links into the head, so the events are
 * caught on the document.
 */
function PagePrefetch({ page, onDone }: { page: string; onDone: () => void }) {
  const done = useEffectEvent(onDone);
  useEffect(() => {
    const { pathname } = new URL(page, location.href);
    const dataPath = `${pathname.replace(/\/$/, "/_")}.data`;
    function onSettled({ target }: Event) {
      if (target instanceof HTMLLinkElement && target.rel === "prefetch" && new URL(target.href).pathname === dataPath) done();
    }
    const timer = setTimeout(() => done(), timeoutMs);
    for (const kind of ["load", "error"]) document.addEventListener(kind, onSettled, { capture: true });
    return () => {
      clearTimeout(timer);
      for (const kind of ["load", "error"]) document.removeEventListener(kind, onSettled, { capture: true });
    };
  }, [page]);
  return <PrefetchPageLinks page={page} />;
}

/** Calls and the demo provider, which are not pages. */
const notPages = /^\/(api|_demo)\//;

/** The address of the public page that a link leads to. Null for other targets: personal pages are never stored by the browser. */
function linkedPage(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download") || link.rel.includes("nofollow"))
    return null;
  const { pathname } = link;
  if (pathname === location.pathname || personalPaths.test(pathname) || notPages.test(pathname) || /\.\w{2,4}$/.test(pathname)) return null;
  return link.pathname + link.search;
}
