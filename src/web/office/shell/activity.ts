import { useEffect, useRef } from "react";

/** Without a press or a key for this long nothing is asked for in the background, so that an empty desk does not keep its session open. */
const idleMs = 10 * 60_000;
let usedAt = 0;

/** Whether a person uses this page: it is visible, and there was a press or a key in the last ten minutes. */
export const isActive = (): boolean => document.visibilityState === "visible" && Date.now() - usedAt < idleMs;

/** Notes presses and keys from now on, beginning with one; returns what ends it. */
export function watchActivity(): () => void {
  const stop = new AbortController();
  const note = () => {
    usedAt = Date.now();
  };
  note();
  for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, note, { capture: true, signal: stop.signal });
  return () => stop.abort();
}

/**
 * Runs `ask` every `everyMs` milliseconds while the page is in use, and as soon as it is visible again. Each call to the server counts as
 * use of the session, so whatever asks in the background goes through here.
 */
export function usePoll(ask: () => void, everyMs: number): void {
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    const look = () => {
      if (isActive()) latest.current();
    };
    const timer = setInterval(look, everyMs);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [everyMs]);
}
