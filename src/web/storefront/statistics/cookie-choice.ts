import { useSyncExternalStore } from "react";
import { days } from "#kit/time.ts";

/** The visitor's choice about statistics and the version of the text it was made on. It is stored in this browser only. */
export type CookieChoice = { statistics: boolean; textVersion: string; at: string };

/** The version of the text at `/consent/cookies`; a choice made on another version is ignored. */
const textVersion = "cookies-2026-11";
const key = "cookie-choice";

// In the browser only: undefined until it is read from storage, null when there is no choice yet.
let choice: CookieChoice | null | undefined;
let isReopened = false;
const listeners = new Set<() => void>();
const notifyListeners = (): void => {
  for (const listener of listeners) listener();
};

/** The text promises that a choice holds for a year. */
const isOfThisYear = (at: unknown): boolean => typeof at === "string" && Date.parse(at) > new Date().getTime() - days(365);

function read(): CookieChoice | null {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "null") as Partial<CookieChoice> | null;
    return typeof found?.statistics === "boolean" && found.textVersion === textVersion && isOfThisYear(found.at)
      ? (found as CookieChoice)
      : null;
  } catch {
    return null; // without storage the banner shows on each visit
  }
}

/** Stores the choice; when the browser refuses storage, it holds until the page is left. */
export function saveCookieChoice(statistics: boolean): void {
  choice = { statistics, textVersion, at: new Date().toISOString() };
  isReopened = false;
  try {
    localStorage.setItem(key, JSON.stringify(choice));
  } catch {
    console.warn("the browser refuses storage");
  }
  notifyListeners();
}

/** Shows the banner again, so that the visitor can change the choice. */
export function reopenCookieBanner(): void {
  isReopened = true;
  notifyListeners();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const current = (): CookieChoice | null => (choice === undefined ? (choice = read()) : choice);

/** The visitor's choice: null when there is none yet, undefined on the server. */
export const useCookieChoice = (): CookieChoice | null | undefined =>
  useSyncExternalStore<CookieChoice | null | undefined>(subscribe, current, () => undefined);
export const useIsBannerReopened = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isReopened,
    () => false,
  );
