import type { NavigateFunction } from "react-router";
import { routerState } from "#web/router-state.ts";
import { addressOf, type Chosen, chosenFrom, type ListPlace, searchOf } from "./listing-query.ts";

/**
 * The browser's history of a list. Every change of the choice is an entry of its own, so that Back takes away one filter at a time.
 * While the filter sheet is open, one more entry lies on top (`sheet`): Back takes that one first, and the sheet closes.
 */
export type Entry = { usr?: unknown; key?: string; idx?: number; sheet?: true } | null;

const current = (): Entry => history.state as Entry;
const write = (entry: Entry, isReplaced = false, href?: string): void =>
  history[isReplaced ? "replaceState" : "pushState"]({ ...entry, idx: (current()?.idx ?? 0) + (isReplaced ? 0 : 1) }, "", href);
export const isSheetOnTop = (): boolean => current()?.sheet === true;
export const putSheetOnTop = (entry = current()): void => write({ ...entry, sheet: true });

const searchIn = ({ search }: { search: string }): string => searchOf(chosenFrom(new URLSearchParams(search)));

/** Goes to another choice of the list. A choice whose list has not come yet gets its entry now: the router forgets it. */
export function goToChoice(navigate: NavigateFunction, place: ListPlace, chosen: Chosen, state?: unknown): void {
  const next = routerState()?.navigation.location;
  const isOnTop = isSheetOnTop();
  if (next?.pathname === place.path && searchIn(next) !== searchIn(location)) {
    const entry: Entry = { usr: next.state, key: next.key };
    write(entry, isOnTop, next.pathname + next.search);
    if (isOnTop) putSheetOnTop(entry);
  }
  void navigate(addressOf(place, chosen), { preventScrollReset: true, replace: isOnTop, state });
}
