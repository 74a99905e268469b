import type { Place } from "../content/place.ts";

/** What a route says of its page in its `handle`. */
export type PageHandle = {
  /** Its prices follow the metal while it stands open. */
  hasLivePrices?: boolean;
  /** Without header and footer. */
  isBlank?: boolean;
  /** Its display name and the page above it; a module that serves several addresses looks it up by the address. */
  place?: Place | ((pathname: string) => Place | null);
};
