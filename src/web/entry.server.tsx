import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter, StaticRouter } from "react-router";
import { outageRetrySeconds } from "#contract/problems.ts";
import { pageContext } from "#web/context.server.ts";
import { InlinePicture } from "#web/first-view/main-picture.tsx";
import { PageData } from "#web/first-view/page-scripts.tsx";
import { StyleText } from "#web/first-view/page-styles.tsx";
import { ScriptNonce } from "#web/first-view/script-nonce.ts";
import { Fragments } from "#web/fragments/cached-fragment.tsx";
import { createFragmentCache, type RenderFragment } from "#web/fragments/fragment-cache.ts";

const fragmentCache = createFragmentCache();

/** Links need a router; the addresses of fragments are absolute, so they do not depend on where it is. */
const renderFragment: RenderFragment = (of, props) =>
  renderToString(<StaticRouter location="/">{createElement(of, props as never)}</StaticRouter>);

/** How long the data of a page may take to be complete. */
export const streamTimeout = 8_000;

/**
 * Renders a page as one complete answer, so that it can be cached, compressed and given hashes of its inline scripts. A server fault is
 * answered with 503, as everywhere in the shop. No part of a page waits while it is rendered (loaders have finished, and what is loaded
 * lazily is shown after a press or an effect), so it is made as one string: React's stream encodes each of its thousands of pieces, a sixth
 * of a page's time.
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
  const { ctx, scriptNonce, styleText, inlinePicture, receiveHtml } = context.get(pageContext);
  const fragments = fragmentCache.forRender();
  const page = renderToString(
    <ScriptNonce value={scriptNonce}>
      <StyleText value={styleText}>
        <InlinePicture value={inlinePicture}>
          <PageData value={await textOf(serverHandoffStream)}>
            <Fragments value={fragments}>
              <ServerRouter context={routerContext} url={request.url} nonce={scriptNonce} />
            </Fragments>
          </PageData>
        </InlinePicture>
      </StyleText>
    </ScriptNonce>,
  );
  try {
    fragments.storeMissed(renderFragment);
  } catch (err) {
    // The page itself is complete; the fragment is rendered with each page.
    ctx.log.error({ err }, "a part of a page cannot be rendered by itself");
  }
  const html = `<!DOCTYPE html>${page}`;
  receiveHtml?.(html);
  return new Response(receiveHtml ? null : html, { status: asSeen(status), headers });
}

const asSeen = (status: number): number => (status === 500 ? 503 : status);

/** The page's data as React Router encodes it for the browser. */
const textOf = async (stream: ReadableStream<Uint8Array> | undefined): Promise<string> => (stream ? new Response(stream).text() : "");

/** Logs faults of loaders and actions; refusals (404, and the router's own 405) are answers, not faults. */
export function handleError(error: unknown, { request, context }: { request: Request; context: Readonly<RouterContextProvider> }): void {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.get(pageContext).ctx.log.error({ err: error, url: new URL(request.url).pathname }, "a page's loader failed");
}
