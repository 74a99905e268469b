import { createContext } from "react-router";
import type { Ctx, Visitor } from "#shop/context.ts";

/** What loaders and actions are handed besides the request; set by `main` for each page. */
export type PageContext = { ctx: Ctx; visitor: Visitor };

export const pageContext = createContext<PageContext>();
