import { createContext } from "react-router";
import type { Ctx, Visitor } from "#shop/context.ts";
import type { PageHtml, TextPart } from "#web/fragments/inserts.ts";

/** What loaders and actions receive besides the request; `main` sets it for each page. */
export type PageContext = {
  ctx: Ctx;
  visitor: Visitor;
  /** Random for each render. Only the inline scripts that the page itself writes carry it, never anything that came with its data. */
  scriptNonce: string;
  /** A style sheet of the build, for a page that contains its styles; undefined: the page links it. */
  styleSheet: (href: string) => Uint8Array | undefined;
  /** The picture at an address as a `data:` address, for a page that carries its main picture inside; undefined: the page names it. */
  inlinePicture: (address: string) => Uint8Array | undefined;
  /** Sets `Retry-After` of the answer to a form or a page that is refused for now, in seconds. */
  retryAfter?: (seconds: number) => void;
  /** Set by an action that refuses what was entered: the document that shows the errors says so in its title (`refusedTitle`). */
  isRefused?: boolean;
  /**
   * Takes the texts of the page's data (`asText`), so that the data have placeholders, and the document gets the texts as bytes. Undefined:
   * the answer is the data themselves.
   */
  texts?: (readonly TextPart[])[];
  /** Receives the page, which its answer leaves out: encoding it for the answer and decoding it again takes long. */
  receiveHtml: (page: PageHtml) => void;
};

export const pageContext = createContext<PageContext>();
