import { useEffect, useEffectEvent, useState } from "react";
import { createPath, useNavigation } from "react-router";
import { mayReload } from "../../../lost-chunk.ts";
import { reportFault } from "../../../report-fault.ts";
import { showToast } from "../../../ui/toasts.tsx";

/**
 * Handles a page whose code did not load, most likely because a release removed it. Loads the page as a new document, at most once in ten
 * seconds; otherwise stays on the current page and shows a message. Returns the key of the failed location, on which the router would wait
 * for ever.
 */
export function useFailedNavigation(): string | null {
  const { location: next } = useNavigation();
  const [failed, setFailed] = useState<string | null>(null);
  const handle = useEffectEvent((event: Event) => {
    if (next && next.key === failed) return; // the router requests the code more than once
    setFailed(next?.key ?? null);
    if (mayReload()) return window.location.assign(next ? createPath(next) : window.location.href);
    if (event instanceof CustomEvent) reportFault(event.detail);
    showToast("Страница не загрузилась. Проверьте связь и попробуйте ещё раз", "refusal");
  });
  useEffect(() => {
    // A chunk may fail before the router publishes the next location. Without the delay the current page would be reloaded instead.
    const listen = (event: Event) => {
      setTimeout(() => handle(event), 100);
    };
    addEventListener("lostpage", listen);
    return () => removeEventListener("lostpage", listen);
  }, []);
  return failed;
}
