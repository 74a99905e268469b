import { useEffect, useEffectEvent, useRef, useState } from "react";
import { createPath, useNavigation } from "react-router";
import { mayReload } from "../../../client/lost-chunk.ts";
import { reportFault } from "../../../client/report-fault.ts";
import { showToast } from "../../../ui/toasts.tsx";

/** The router publishes a navigation before it requests the code; a fault without one concerns the current page. */
const patienceMs = 3_000;

/**
 * Handles a page whose code did not load, most likely because a release removed it. Loads the page as a new document, at most once in ten
 * seconds; otherwise stays on the current page and shows a message. Returns the key of the failed location, on which the router would wait
 * endlessly.
 */
export function useFailedNavigation(): string | null {
  const { location: next } = useNavigation();
  const [failed, setFailed] = useState<string | null>(null);
  const fault = useRef<Event>(null);
  const handle = useEffectEvent(() => {
    const event = fault.current;
    fault.current = null;
    if (event === null || (next && next.key === failed)) return; // the router requests the code more than once
    setFailed(next?.key ?? null);
    if (mayReload()) return window.location.assign(next ? createPath(next) : window.location.href);
    if (event instanceof CustomEvent) reportFault(event.detail);
    showToast("Страница не загрузилась. Проверьте связь и попробуйте ещё раз", "refusal");
  });
  const handleNavigation = useEffectEvent(() => {
    if (next) handle();
  });
  // On a slow device the code may fail long before React has rendered the next location. Without it the current page would be reloaded
  // instead, and the press would be lost.
  useEffect(() => handleNavigation(), [next]);
  useEffect(() => {
    const listen = (event: Event) => {
      fault.current = event;
      setTimeout(handleNavigation, 100);
      setTimeout(() => fault.current === event && handle(), patienceMs);
    };
    addEventListener("lostpage", listen);
    return () => removeEventListener("lostpage", listen);
  }, []);
  return failed;
}
