import type { UIMatch } from "react-router";
import type { PageNode } from "./page-tree.ts";

/**
 * The rules of a page, declared by its route as `handle`; routes below it inherit them (docs/decisions/0051). The page cache, the content
 * security policy and the frame read them from here.
 */
export type PageHandle = {
  /** The same for every visitor, so that one copy is stored and given to all. A page that says nothing of this counts as personal. */
  isPublic: boolean;
  /** Query parameters that change what a public page shows; all others share one stored copy. */
  parameters?: readonly string[];
  /** Shows a map: the policy lets the map's script run. */
  hasMap?: boolean;
  /** The frame shows its second menu without the line about delivery. */
  hasNoDeliveryBanner?: boolean;
  /** Its prices follow the metal while it stands open. */
  hasLivePrices?: boolean;
  /** A step of buying: on a narrow screen the frame leaves room for the bar with the sum. */
  isBuying?: boolean;
  /** Without header and footer. */
  isBlank?: boolean;
  /** Its display name and the page above it; a module that serves several addresses looks it up by the address. */
  node?: PageNode | ((pathname: string) => PageNode | null);
};

/** The rules of a page from the handles of its routes, the outermost first. Personal as soon as one of them is, or none says that it is public. */
export function rulesOf(handles: readonly unknown[]): Partial<PageHandle> & { isPublic: boolean } {
  const rules: Partial<PageHandle> = Object.assign({}, ...handles);
  const isPublic = rules.isPublic === true && handles.every((each) => (each as PageHandle | undefined)?.isPublic !== false);
  return { ...rules, isPublic };
}

export const handlesOf = (matches: readonly UIMatch[]): unknown[] => matches.map(({ handle }) => handle);
