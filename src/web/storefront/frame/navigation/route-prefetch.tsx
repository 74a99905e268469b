import { useEffect, useEffectEvent, useState } from "react";
import { PrefetchPageLinks } from "react-router";
import { personalPaths } from "./personal-paths.ts";

/** SPEC's limit: so many pages are fetched ahead at once. */
const mostAtOnce = 4;
/** A pointer that only passes by means nothing. */
const intentMs = 100;
/** A page that was fetched is fresh for so long. */
const keptMs = 60_000;
/** A page that does not come for so long gives its place to another. */
const patienceMs = 10_000;

/**
 * Fetches the code and data of the page behind a link once the pointer rests on it, a finger touches it or the focus comes to it:
 * the step to it is felt as none. One listener for all links; those beyond the limit wait for nothing, they load when they are followed.
 */
export function RoutePrefetch() {
  const [pages, setPages] = useState<readonly string[]>([]);

  useEffect(() => {
    const asked = new Map<string, number>();
    let timer: ReturnType<typeof setTimeout>;
    function intend(event: Event) {
      clearTimeout(timer);
      const page = pageBehind(event.target);
      if (page === null || performance.now() - (asked.get(page) ?? -Infinity) < keptMs) return;
      timer = setTimeout(
        () =>
          setPages((now) => {
            if (now.length >= mostAtOnce || now.includes(page)) return now;
            asked.set(page, performance.now());
            return [...now, page];
          }),
        intentMs,
      );
    }
    const kinds = ["pointerover", "focusin", "touchstart"] as const;
    for (const kind of kinds) document.addEventListener(kind, intend, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const kind of kinds) document.removeEventListener(kind, intend);
    };
  }, []);

  return pages.map((page) => <OnePage key={page} page={page} onDone={() => setPages((now) => now.filter((each) => each !== page))} />);
}

/** Done when the page's data has come, or never will. React puts the links into the head, so they are heard there. */
function OnePage({ page, onDone }: { page: string; onDone: () => void }) {
  const done = useEffectEvent(onDone);
  useEffect(() => {
    const { pathname } = new URL(page, location.href);
    const dataPath = `${pathname.replace(/\/$/, "/_")}.data`;
    function hear({ target }: Event) {
      if (target instanceof HTMLLinkElement && target.rel === "prefetch" && new URL(target.href).pathname === dataPath) done();
    }
    const timer = setTimeout(() => done(), patienceMs);
    for (const kind of ["load", "error"]) document.addEventListener(kind, hear, { capture: true });
    return () => {
      clearTimeout(timer);
      for (const kind of ["load", "error"]) document.removeEventListener(kind, hear, { capture: true });
    };
  }, [page]);
  return <PrefetchPageLinks page={page} />;
}

/** The address of another page of ours behind what was pointed at; null for everything else. */
function pageBehind(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download") || link.rel.includes("nofollow"))
    return null;
  if (link.pathname === location.pathname || personalPaths.test(link.pathname) || /\.\w{2,4}$/.test(link.pathname)) return null;
  return link.pathname + link.search;
}
