import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter, StaticRouter } from "react-router";
import { outageRetrySeconds } from "#contract/problems.ts";
import { pageContext } from "#web/context.server.ts";
import { InlinePicture } from "#web/first-view/main-picture.tsx";
import { PageData } from "#web/first-view/page-scripts.tsx";
import { StyleText } from "#web/first-view/page-styles.tsx";
import { ScriptNonce } from "#web/first-view/script-nonce.ts";
import { Fragments, type RenderFragments } from "#web/fragments/cached-fragment.tsx";
import { createFragmentCache, type RenderFragment } from "#web/fragments/fragment-cache.ts";
import { createInserts, filled, type Inserts, type PageHtml, type PageTexts, type TextPart } from "#web/fragments/inserts.ts";

const fragmentCache = createFragmentCache();

/** Links need a router; the addresses of fragments are absolute, so they do not depend on where it is. */
const renderFragment =
  (fragments: RenderFragments): RenderFragment =>
  (of, props) =>
    renderToString(
      <StaticRouter location="/">
        <Fragments value={fragments}>{createElement(of, props as never)}</Fragments>
      </StaticRouter>,
    );

/** How long the data of a page may take to be complete. */
export const streamTimeout = 8_000;

/**
 * Renders a page as one complete answer, so that it can be cached, compressed and given hashes of its inline scripts. A server fault is
 * answered with 503, as everywhere in the shop. No part of a page waits while it is rendered (loaders have finished, and what is loaded
 * lazily is shown after a press or an effect), so it is made as one string: React's stream encodes each of its thousands of pieces, a sixth
 * of a page's time. Long parts that are known as bytes are inserted into it later.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  { serverHandoffStream, ...routerContext }: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (status === 500) context.get(pageContext).retryAfter?.(outageRetrySeconds);
  if (request.method === "HEAD") return new Response(null, { status: asSeen(status), headers });
  const page = context.get(pageContext);
  const data = { bytes: await scriptLiteral(serverHandoffStream, page) };
  const render = (inserts: Inserts, fragments: RenderFragments | null): PageHtml => ({
    html: `<!DOCTYPE html>${renderToString(
      <ScriptNonce value={page.scriptNonce}>
        <StyleText value={(href) => insertOf(inserts, page.styleSheet(href))}>
          <InlinePicture value={(address) => insertOf(inserts, page.inlinePicture(address))}>
            <PageData value={inserts.add(data)}>
              <Fragments value={fragments}>
                <ServerRouter context={routerContext} url={request.url} nonce={page.scriptNonce} />
              </Fragments>
            </PageData>
          </InlinePicture>
        </StyleText>
      </ScriptNonce>,
    )}`,
    inserts: inserts.inserts,
  });
  const inserts = createInserts(page.scriptNonce);
  const fragments = fragmentCache.forRender(inserts);
  let html = render(inserts, fragments);
  try {
    fragments.complete(renderFragment(fragments));
  } catch (err) {
    page.ctx.log.error({ err }, "a part of a page cannot be rendered by itself");
    html = render(createInserts(page.scriptNonce), null);
  }
  page.receiveHtml(html);
  return new Response(null, { status: asSeen(status), headers });
}

const asSeen = (status: number): number => (status === 500 ? 503 : status);

/** The placeholder of a part of the page; undefined: the page has no such part. */
const insertOf = (inserts: Inserts, bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : inserts.add({ bytes });

/**
 * The page's data, as React Router encodes it for the browser, as a literal of an inline script, which it cannot end. Each byte is read as
 * one character, because a text of such characters is faster to escape and to write than one with Russian letters. Texts take the places of
 * their placeholders: a text in the data is a literal in a literal.
 */
async function scriptLiteral(stream: ReadableStream<Uint8Array> | undefined, { scriptNonce, texts = [] }: PageTexts): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk);
  const data = literalOf(Buffer.concat(chunks).toString("latin1"));
  return filled(scriptNonce, data, (number) => (texts[number] ?? []).map(innerLiteral), "latin1");
}

/** The text inside of a literal in a literal. */
function innerLiteral(part: TextPart): Uint8Array {
  part.literal ??= new Uint8Array(Buffer.from(literalOf(JSON.stringify(part.text)).slice(innerQuote.length, -innerQuote.length)));
  return part.literal;
}

/** A literal of JavaScript that cannot end a script. */
const literalOf = (text: string): string => JSON.stringify(text).replaceAll(/[&<>]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
/** What a literal in a literal begins and ends with. */
const innerQuote = '"\\"';

/** Logs faults of loaders and actions; refusals (404, and the router's own 405) are answers, not faults. */
export function handleError(error: unknown, { request, context }: { request: Request; context: Readonly<RouterContextProvider> }): void {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.get(pageContext).ctx.log.error({ err: error, url: new URL(request.url).pathname }, "a page's loader failed");
}
