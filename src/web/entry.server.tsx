import { PassThrough } from "node:stream";
import { renderToPipeableStream } from "react-dom/server";
import { type EntryContext, type RouterContextProvider, ServerRouter } from "react-router";
import { pageContext } from "#web/context.server.ts";
import { StyleText } from "#web/page-styles.tsx";
import { ScriptNonce } from "#web/script-nonce.ts";

/** How long loaders may delay a page before its pending parts are aborted. */
export const streamTimeout = 8_000;

/**
 * Renders a page as one complete answer, so that it can be cached, compressed and given hashes of its inline scripts. A server fault is
 * answered with 503, as everywhere in the shop.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status: asSeen(status), headers });
  const { html, failed } = await render(request, routerContext, context);
  return new Response(html, { status: asSeen(failed ? 500 : status), headers });
}

const asSeen = (status: number): number => (status === 500 ? 503 : status);

function render(
  request: Request,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<{ html: Buffer<ArrayBuffer>; failed: boolean }> {
  const { ctx, scriptNonce, styleText } = context.get(pageContext);
  const page = (
    <ScriptNonce value={scriptNonce}>
      <StyleText value={styleText}>
        <ServerRouter context={routerContext} url={request.url} nonce={scriptNonce} />
      </StyleText>
    </ScriptNonce>
  );
  return new Promise((resolve, reject) => {
    let failed = false;
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce: scriptNonce,
      onAllReady() {
        clearTimeout(patience);
        const chunks: Buffer[] = [];
        const body = new PassThrough();
        body.on("data", (chunk: Buffer) => chunks.push(chunk));
        body.on("end", () => resolve({ html: Buffer.concat(chunks), failed }));
        body.on("error", reject);
        pipe(body);
      },
      onShellError(error) {
        clearTimeout(patience);
        reject(error);
      },
      onError(error) {
        failed = true;
        ctx.log.error({ err: error, url: new URL(request.url).pathname }, "a page could not be rendered");
      },
    });
    const patience = setTimeout(abort, streamTimeout + 1000);
  });
}

/** Logs faults of loaders and actions; refusals (such as 404) are answers, not faults. */
export function handleError(error: unknown, { request, context }: { request: Request; context: Readonly<RouterContextProvider> }): void {
  if (request.signal.aborted) return;
  context.get(pageContext).ctx.log.error({ err: error, url: new URL(request.url).pathname }, "a page's loader failed");
}
