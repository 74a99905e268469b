import { useEffect, useRef } from "react";

/** After this time without a click or a key nothing is polled, so that an unattended window does not keep its session open. */
const idleMs = 10 * 60_000;
let usedAt = 0;

/** Whether a person uses this page: it is visible, and there was a click or a key in the last ten minutes. */
export const isActive = (): boolean => document.visibilityState === "visible" && Date.now() - usedAt < idleMs;

/** Records clicks and keys from now on; the call itself counts as one. Returns a function that stops. */
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
 * Runs `poll` every `everyMs` milliseconds while the page is in use, and as soon as it is visible again. Each call to the server prolongs
 * the session, so everything that is read in the background goes through here.
 */
export function usePoll(poll: () => void, everyMs: number): void {
  const latest = useRef(poll);
  useEffect(() => {
    latest.current = poll;
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
