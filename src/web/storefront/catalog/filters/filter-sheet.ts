import type { NavigateFunction } from "react-router";
import { routerState } from "#web/router-state.ts";
import { type HistoryEntry, isSheetOnTop, pushSheet } from "../listing/list-history.ts";

const closeButton = ".filters__top .tool";

/** The sheet's entry lies on top of the list's; a choice made in the sheet has taken its place, and it goes on top again. */
export function pushSheetEntry(): void {
  if (!isSheetOnTop()) pushSheet();
}

/** Runs before the router's own listener: an entry that only stands for the sheet is no navigation. */
export function closeOnBack(navigate: NavigateFunction, onClosed: () => void): () => void {
  function onPopState(event: PopStateEvent) {
    const router = routerState();
    const next = router?.navigation.location;
    const isHere = ((event.state as HistoryEntry)?.key ?? "default") === router?.location.key;
    onClosed();
    if (!isHere && !next) return; // further back than the sheet
    event.stopImmediatePropagation();
    // The choice under way was about to replace the sheet's entry, which is gone. One that is loaded again has its entry already.
    if (next && next.pathname + next.search !== location.pathname + location.search)
      void navigate(next.pathname + next.search, { preventScrollReset: true, state: next.state });
  }
  addEventListener("popstate", onPopState, { capture: true });
  return () => removeEventListener("popstate", onPopState, { capture: true });
}

/** Holds the page still behind the open filter sheet and keeps the focus in it; Escape closes. Returns what ends it and gives the focus back. */
export function lockPage(sheet: HTMLElement, opener: Element | null, close: () => void): () => void {
  // Everything beside the sheet, on each level up to the body; messages of the shop stay in reach.
  const behind: HTMLElement[] = [];
  for (let at = sheet; at.parentElement && at !== document.body; at = at.parentElement) {
    for (const each of at.parentElement.children) {
      if (each instanceof HTMLElement && each !== at && !each.inert && !each.matches(".toasts")) behind.push(each);
    }
  }
  for (const each of behind) each.inert = true;
  document.documentElement.classList.add("is-scroll-locked");
  if (!sheet.contains(document.activeElement)) sheet.querySelector<HTMLElement>(closeButton)?.focus();

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === "Escape") close();
  };
  document.addEventListener("keydown", closeOnEscape);
  // A window that has become wide has the filters beside the list.
  const wide = matchMedia("(min-width: 1024px)");
  wide.addEventListener("change", close);

  return () => {
    wide.removeEventListener("change", close);
    document.removeEventListener("keydown", closeOnEscape);
    document.documentElement.classList.remove("is-scroll-locked");
    for (const each of behind) each.inert = false;
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  };
}
