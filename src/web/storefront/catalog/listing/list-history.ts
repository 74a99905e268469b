import type { NavigateFunction } from "react-router";
import { routerState } from "#web/client/router-state.ts";
import { addressOf, type ListChoice, choiceFrom, type ListUrl, searchOf } from "./listing-query.ts";

/**
 * The browser's history of a list. Each change of the choice is a separate entry, so that Back removes one filter at a time. While the
 * filter sheet is open, one more entry (`sheet`) is on top, so that Back closes the sheet first.
 */
export type BrowserEntry = { usr?: unknown; key?: string; idx?: number; sheet?: true } | null;

const current = (): BrowserEntry => history.state as BrowserEntry;
const write = (entry: BrowserEntry, isReplaced = false, href?: string): void =>
  history[isReplaced ? "replaceState" : "pushState"]({ ...entry, idx: (current()?.idx ?? 0) + (isReplaced ? 0 : 1) }, "", href);
/** Whether the present history entry is that of the filter sheet. */
export const isSheetOnTop = (): boolean => current()?.sheet === true;
/** Adds the history entry of the filter sheet. */
export const pushSheet = (entry = current()): void => write({ ...entry, sheet: true });

const searchIn = ({ search }: { search: string }): string => searchOf(choiceFrom(new URLSearchParams(search)));

/** Navigates to another choice of the list. A pending choice gets its history entry first, because the router drops it. */
export function goToChoice(navigate: NavigateFunction, list: ListUrl, chosen: ListChoice, state?: unknown): void {
  const next = routerState()?.navigation.location;
  const isOnTop = isSheetOnTop();
  if (next?.pathname === list.path && searchIn(next) !== searchIn(location)) {
    const entry: BrowserEntry = { usr: next.state, key: next.key };
    write(entry, isOnTop, next.pathname + next.search);
    if (isOnTop) pushSheet(entry);
  }
  void navigate(addressOf(list, chosen), { preventScrollReset: true, replace: isOnTop, state });
}
