import { RouterContextProvider } from "react-router";
import type { Ctx, Visitor } from "#shop/context.ts";
import { pageContext } from "./context.server.ts";

/**
 * What the loader or action of a page receives beside its request, in a test: the shop and the visitor. No style sheet and no picture of a
 * build is at hand, so the page links them.
 */
export function aPageContext(ctx: Ctx, visitor: Visitor = {} as Visitor): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(pageContext, {
    ctx,
    visitor,
    scriptNonce: "",
    styleSheet: () => undefined,
    inlinePicture: () => undefined,
    receiveHtml: () => {},
  });
  return context;
}
