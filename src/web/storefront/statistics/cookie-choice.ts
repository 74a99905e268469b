import { useSyncExternalStore } from "react";
import { days } from "#kit/time.ts";

/** What a visitor said about statistics, and to which text. It is kept in his browser: it is about nothing else. */
export type CookieChoice = { statistics: boolean; textVersion: string; at: string };

/** The text that the notice shows now (`/consent/cookies`); whoever agreed to another one is asked again. */
const textVersion = "cookies-2026-11";
const key = "cookie-choice";

// In the browser only: undefined until it was read, null when nobody was asked.
let choice: CookieChoice | null | undefined;
let isReopened = false;
const listeners = new Set<() => void>();
const notifyListeners = (): void => {
  for (const listener of listeners) listener();
};

/** The text promises a year. */
const isOfThisYear = (at: unknown): boolean => typeof at === "string" && Date.parse(at) > new Date().getTime() - days(365);

function read(): CookieChoice | null {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "null") as Partial<CookieChoice> | null;
    return typeof found?.statistics === "boolean" && found.textVersion === textVersion && isOfThisYear(found.at)
      ? (found as CookieChoice)
      : null;
  } catch {
    return null; // a browser that keeps nothing is asked on each visit
  }
}

/** Keeps the answer; a browser that refuses storage remembers it until the page is left. */
export function saveCookieChoice(statistics: boolean): void {
  choice = { statistics, textVersion, at: new Date().toISOString() };
  isReopened = false;
  try {
    localStorage.setItem(key, JSON.stringify(choice));
  } catch {
    console.warn("this browser keeps nothing");
  }
  notifyListeners();
}

/** Shows the notice again, for a change of mind. */
export function reopenCookieBanner(): void {
  isReopened = true;
  notifyListeners();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const current = (): CookieChoice | null => (choice === undefined ? (choice = read()) : choice);

/** The visitor's answer: null when he has none yet, undefined on the server, where nobody knows. `isAsking`: he wants to change it. */
export const useCookieChoice = (): CookieChoice | null | undefined =>
  useSyncExternalStore<CookieChoice | null | undefined>(subscribe, current, () => undefined);
export const useIsBannerReopened = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isReopened,
    () => false,
  );
