import type { UIMatch } from "react-router";
import type { PageNode } from "./page-tree.ts";

/** One of these values; the slug of a coin, or of a bullion coin, on sale; any text. */
export type ParameterValues = readonly string[] | "coin" | "bullion" | "any";

/**
 * The rules of a page, declared by its route as `handle`; routes below it inherit them (docs/decisions/0051). The page cache, the content
 * security policy and the frame read them from here. What must be known before the code of a page has loaded (`isPublic`, `showsLists`,
 * `hasSecretAddress`) is also read by the build, which makes path patterns of it (`page-paths.build.ts`).
 */
export type PageHandle = {
  /** The same for every visitor, so that one stored copy serves all of them. A page that does not declare it is personal. */
  isPublic: boolean;
  /** Query parameters that change what a public page shows. All other queries share one stored copy. */
  parameters?: readonly string[];
  /** What some of these parameters can say. Any other value is as if it were absent, and so is a second one of the same name. */
  values?: Readonly<Record<string, ParameterValues>>;
  /** Shows the cart or another list of the visitor: it is read only after all pending changes of the lists are answered. */
  showsLists?: boolean;
  /** The address alone opens something private (an order, an alert), so it is never given to the counter. */
  hasSecretAddress?: boolean;
  /** The query parameter that the counter gets with the path; by default none. */
  countedParameter?: string;
  /** The path that the counter gets in place of one with an id. */
  countedPath?: string;
  /** Shows a map: the content security policy allows the map's script. */
  hasMap?: boolean;
  /** The frame shows its second menu without the line about delivery. */
  hasNoDeliveryBanner?: boolean;
  /** Its prices follow the metal price while it is open. */
  hasLivePrices?: boolean;
  /** A step of buying: on a narrow screen the frame leaves room for the bar with the total, and no newer build is offered. */
  isBuying?: boolean;
  /** The server changes the cart here (order, sign-in): the counter does not report it as the buyer's choice. */
  changesCart?: boolean;
  /** Made from the whole catalogue for programs, which wait for it longer than a person would (`feedDeadlineMs`). */
  isFeed?: boolean;
  /**
   * A feed of prices: made of nothing but coins, prices, stock and texts, so the same state gives the same bytes. Its readers refuse old
   * prices, so it is never served from the state before.
   */
  isPriceFeed?: boolean;
  /** Without header and footer. */
  isBlank?: boolean;
  /** Its display name and the page above it; a module that serves several addresses looks it up by the address. */
  node?: PageNode | ((pathname: string) => PageNode | null);
};

/** The rules of a page from the handles of its routes, the outermost first. Personal if one of them is personal or none is public. */
export function rulesOf(handles: readonly unknown[]): Partial<PageHandle> & { isPublic: boolean } {
  const rules: Partial<PageHandle> = Object.assign({}, ...handles);
  const isPublic = rules.isPublic === true && handles.every((each) => (each as PageHandle | undefined)?.isPublic !== false);
  return { ...rules, isPublic };
}

export const handlesOf = (matches: readonly UIMatch[]): unknown[] => matches.map(({ handle }) => handle);
