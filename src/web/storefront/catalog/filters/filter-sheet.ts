import type { NavigateFunction } from "react-router";
import { routerState } from "#web/client/router-state.ts";
import { type BrowserEntry, isSheetOnTop, pushSheet } from "../listing/list-history.ts";

const closeButton = ".filters__top .tool";

/** Adds the sheet's history entry above the list's, also again after a choice in the sheet has replaced it. */
export function pushSheetEntry(): void {
  if (!isSheetOnTop()) pushSheet();
}

/** Closes the sheet on Back. Runs before the router's listener, which must not treat the sheet's entry as a navigation. */
export function closeOnBack(navigate: NavigateFunction, onClosed: () => void): () => void {
  function onPopState(event: PopStateEvent) {
    const router = routerState();
    const next = router?.navigation.location;
    const isHere = ((event.state as BrowserEntry)?.key ?? "default") === router?.location.key;
    onClosed();
    if (!isHere && !next) return; // Back went further than the sheet
    event.stopImmediatePropagation();
    // The pending navigation would have replaced the sheet's entry, which is gone; it starts again unless its entry exists already.
    if (next && next.pathname + next.search !== location.pathname + location.search)
      void navigate(next.pathname + next.search, { preventScrollReset: true, state: next.state });
  }
  addEventListener("popstate", onPopState, { capture: true });
  return () => removeEventListener("popstate", onPopState, { capture: true });
}

/**
 * Makes the page behind the open filter sheet inert and stops its scrolling; Escape closes the sheet. Returns the function that undoes this
 * and returns the focus to `opener`.
 */
export function lockPage(sheet: HTMLElement, opener: Element | null, close: () => void): () => void {
  // All siblings of the sheet and of its ancestors; toasts stay reachable.
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
  // In a wide window the filters are beside the list.
  const wide = matchMedia("(min-width: 64rem)");
  wide.addEventListener("change", close);

  return () => {
    wide.removeEventListener("change", close);
    document.removeEventListener("keydown", closeOnEscape);
    document.documentElement.classList.remove("is-scroll-locked");
    for (const each of behind) each.inert = false;
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  };
}
