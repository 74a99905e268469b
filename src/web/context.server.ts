import { createContext } from "react-router";
import type { Ctx, Visitor } from "#shop/context.ts";

/** What loaders and actions are handed besides the request; set by `main` for each page. */
export type PageContext = {
  ctx: Ctx;
  visitor: Visitor;
  /** Random for each render: stands on every inline script that the page itself writes, and on nothing that came with its data. */
  scriptNonce: string;
};

export const pageContext = createContext<PageContext>();
