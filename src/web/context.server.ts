import { createContext } from "react-router";
import type { Ctx, Visitor } from "#shop/context.ts";

/** What loaders and actions receive besides the request; `main` sets it for each page. */
export type PageContext = {
  ctx: Ctx;
  visitor: Visitor;
  /** Random for each render. Only the inline scripts that the page itself writes carry it, never anything that came with its data. */
  scriptNonce: string;
  /** The text of a style sheet of the build, for a page that carries its styles inside; undefined: the page links it. */
  styleText: (href: string) => string | undefined;
  /** The picture at an address as a `data:` address, for a page that carries its main picture inside; undefined: the page names it. */
  inlinePicture: (address: string) => string | undefined;
  /** Sets `Retry-After` of the answer to a form or a page that is refused for now, in seconds. */
  retryAfter?: (seconds: number) => void;
  /** Receives the text of the page, which its answer then leaves out: encoding it for the answer and decoding it again takes long. */
  receiveHtml?: (html: string) => void;
};

export const pageContext = createContext<PageContext>();
